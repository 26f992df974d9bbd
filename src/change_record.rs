//! What every change of the person's has: the lock, so that there is one at a time, and an event in the log that says
//! what, who, and what was known then.

use std::fs::File;
use std::thread;
use std::time::Duration;

use plantune_domain::event::{ChangeReason, Event, Kind, SCHEMA_VERSION};
use plantune_domain::json::Text;
use plantune_domain::preferences::try_hold;
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash, spool};
use serde_json::{Map, Value, json};

use crate::failure::{Failure, not_written};
use crate::platform;
use crate::session::Session;

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until it is dropped. `kept` says what was not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(session: &Session, kept: &str) -> Result<File, Failure> {
    let folder = session.paths.config();
    for _ in 0..TRIES {
        let held = try_hold(folder).map_err(|error| not_written(folder, &error, kept))?;
        if let Some(lock) = held {
            return Ok(lock);
        }
        thread::sleep(PAUSE);
    }
    Err(
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again")),
    )
}

/// An event about a change for `reason`, which `about` tells from others of this moment, with what every one says.
pub(crate) fn event(session: &Session, reason: ChangeReason, about: &[&str]) -> Event<'static> {
    let ts = clock::timestamp(session.now);
    let (kind, reason) = (Kind::PreferenceChanged.as_str(), reason.as_str());
    let id = [&[kind, &ts, reason], about].concat();
    let cwd = std::env::current_dir().unwrap_or_default();
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&id).into(),
        ts: ts.into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
        cwd: cwd.to_string_lossy().into_owned().into(),
        source: "cli".into(),
        reason: Some(reason.into()),
        ..Event::default()
    }
}

/// The JSON text that an event about a change carries: the fields of `evidence`, and who changed it, as far as the
/// system knows; `yes` when `--yes` stood in for the person's answer.
pub(crate) fn detail(evidence: Option<&Value>, yes: bool) -> Text<'static> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut detail = match evidence {
        Some(Value::Object(evidence)) => evidence.clone(),
        _ => Map::new(),
    };
    let by = json!({
        "user": set("USER").or_else(|| set("LOGNAME")), "uid": platform::user(),
        "terminal": platform::terminal_name(), "yes": yes,
    });
    detail.insert("by".to_owned(), by);
    Value::Object(detail).to_string().into()
}

/// Appends `events` to the log; `kept` says what holds when that fails.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn log(session: &Session, events: &[Event<'_>], kept: &str) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line()?);
    }
    spool::append(&session.paths, session.now, &lines)
        .map_err(|error| not_written(&session.paths.events(), &error, kept))
}
