//! What the hook could not log: said, and logged as soon as that works.

use std::io;

use chrono::{DateTime, Utc};
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION};
use plantune_domain::lost_events::{LostEvents, log, read};
use plantune_domain::{clock, hash, spool};
use plantune_reports::humanize::counted;

use crate::failure::not_written;
use crate::session::Session;
use crate::terminal;

/// Says how many events the hook could not log, and logs that as one error. Until that works, each command says it. In an
/// agent's session the person would not see it, so nothing is done.
pub(crate) fn report(session: &Session) {
    if session.agent_session.is_some() || terminal::is_quiet() {
        return;
    }
    let Some(fact) = fact(session) else {
        return;
    };
    terminal::say(&format!("plantune: {fact}\n"));
    let append = |lost: &LostEvents| {
        let line = event(lost, session).to_line()?;
        spool::append(&session.paths, session.now, &line).map_err(io::Error::from)
    };
    if let Err(error) = log(&session.paths, append) {
        let kept = "the hook goes on counting what it can't log";
        let failure = not_written(&session.paths.events(), &error, kept);
        terminal::say(&failure.to_string());
    }
}

/// How many events the hook could not log, when, and why; `None` if there aren't any.
pub(crate) fn fact(session: &Session) -> Option<String> {
    let lost = read(&session.paths)?;
    let clock = session.clock().ok();
    let time = |text: &str| {
        let time = text.parse::<DateTime<Utc>>().ok();
        match (&clock, time) {
            (Some(clock), Some(time)) => clock(time),
            _ => terminal::sanitized(text),
        }
    };
    let (first, last) = (time(&lost.first), time(&lost.last));
    let when = match first == last {
        true => first,
        false => format!("from {first} to {last}"),
    };
    let events = counted(lost.count, "event", "events");
    let reason = terminal::sanitized(&lost.reason);
    Some(format!("{events} could not be logged, {when}: {reason}"))
}

/// The error that is logged for `lost`.
fn event<'e>(lost: &LostEvents, session: &Session) -> Event<'e> {
    let kind = Kind::HookError.as_str();
    let LostEvents {
        count,
        first,
        last,
        reason,
    } = lost;
    Event {
        v: SCHEMA_VERSION,
        // A run that was killed before it set the count back logs it again, as the same event.
        id: hash::hex(&[kind, "lost events", first, &count.to_string()]).into(),
        ts: clock::timestamp(session.now).into(),
        kind: kind.into(),
        source: "cli".into(),
        error: Some(
            format!("{count} events could not be logged, {first} to {last}: {reason}").into(),
        ),
        error_kind: Some("hook".into()),
        ..Event::default()
    }
}
