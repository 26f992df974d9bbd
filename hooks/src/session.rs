//! The start and end of a session, and the start and end of a turn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use plantune_agents::HookReply;
use plantune_domain::away::Away;
use plantune_domain::event::Kind;
use plantune_domain::gate::check_preference;
use plantune_domain::json::Text;
use plantune_domain::keys::{is_id, is_made_up, is_of_early_version};
use plantune_domain::preferences::Preference;
use plantune_domain::project::project_key;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::{away, clock, hash, preferences, private_file};

use crate::call::{CallError, HookCall, Printed, event_lines};
use crate::{marks, messages};

/// Removes old marks, logs the start, and returns the context for the model: the standing preferences,
/// if the person wants it to have them, and which answers they have changed. For the person it returns
/// the answers given while they were away.
pub(crate) fn started(call: &HookCall<'_>) -> Printed {
    let now = SystemTime::from(call.environment.now);
    let paths = &call.environment.paths;
    private_file::sweep(&paths.sessions(), now);
    log(call, Kind::SessionStarted)?;
    let announced = announce(call)?;
    if call.refusal.is_some() || !call.is_heard() {
        return Ok(announced.and_then(|text| call.encode(HookReply::for_model(text))));
    }
    private_file::sweep(&paths.corrections(), now);
    let project = project_key(Path::new(call.sent.cwd()));
    let mut changed = away::take(&away::of_session(paths, call.sent.session_id()));
    changed.extend(away::take(&away::of_project(paths, &project)));
    let texts = [announced, messages::changed_answers(&changed)];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    let summary = match call.environment.session_kind {
        SessionKind::Interactive => away_summary(call),
        _ => None,
    };
    Ok(call.encode(HookReply {
        for_model: match texts.is_empty() {
            true => Vec::new(),
            false => vec![texts.join("\n\n")],
        },
        for_user: summary.into_iter().collect(),
        ..HookReply::default()
    }))
}

/// For the person, once after they are back: the answers given while they were away.
fn away_summary(call: &HookCall<'_>) -> Option<String> {
    let (paths, now) = (&call.environment.paths, call.environment.now);
    let away = Away::load(&paths.away_file()).ok()??;
    if away.is_on(now, clock::uptime_seconds()) {
        return None;
    }
    messages::away_summary(&marks::take_answers(&paths.away_answers()))
}

/// The context for the model when the person sends a prompt: the answers they have changed. The command that the
/// prompt names, if any, counts as running from then on.
pub(crate) fn prompted(call: &HookCall<'_>) -> Option<String> {
    call.note_command();
    let denial = marks::set_denied(&call.environment.paths, call.sent.session_id(), false);
    denial.unwrap_or_else(|error| call.log_error(&format!("session mark: {error}")));
    if call.refusal.is_some() || !call.is_heard() {
        return None;
    }
    let file = away::of_session(&call.environment.paths, call.sent.session_id());
    let text = messages::changed_answers(&away::take(&file))?;
    call.encode(HookReply::for_model(text))
}

/// The standing preferences for the model, if the person wants it to have them.
fn announce(call: &HookCall<'_>) -> Printed {
    let paths = &call.environment.paths;
    // A mistake in the configuration is logged when a question comes, not here.
    let config = call.config().unwrap_or_default();
    if !config.announce || !config.enabled || call.environment.disabled {
        return Ok(None);
    }
    let Some(registry) = call.registry() else {
        return Ok(None);
    };
    let project = project_key(Path::new(call.sent.cwd()));
    let files = [
        paths.project_preferences(&project),
        paths.global_preferences(),
    ];
    Ok(announcement(&files, &registry)?)
}

/// The line about what was answered since the last time. It never blocks, so it does not matter
/// whether another hook has continued the turn (`stop_hook_active`).
pub(crate) fn turn_ended(call: &HookCall<'_>) -> Option<String> {
    let paths = &call.environment.paths;
    let file = marks::turn_file(paths, call.sent.session_id());
    let summary = messages::turn_summary(&marks::take_answers(&file))?;
    let config = call.config().unwrap_or_default();
    config
        .tell_at_stop
        .then(|| call.encode(HookReply::for_user(summary)))?
}

/// Removes the session's marks, keeps for the project what the model has not been told, and logs the end.
pub(crate) fn ended(call: &HookCall<'_>) -> Printed {
    let (paths, session) = (&call.environment.paths, call.sent.session_id());
    // The marks of an agent without call ids contain the number of its calls. A resumed session continues to count, so
    // they stay.
    if call.environment.agent.profile().has_call_ids {
        marks::forget(paths, session);
    }
    if call.refusal.is_none() {
        let project = project_key(Path::new(call.sent.cwd()));
        away::leave_to_project(paths, session, &project);
    }
    log(call, Kind::SessionEnded)?;
    Ok(None)
}

fn log(call: &HookCall<'_>, kind: Kind) -> Result<(), CallError> {
    let project = project_key(Path::new(call.sent.cwd()));
    let mut event = call.event(kind, &project);
    let reason = call
        .sent
        .text("source")
        .or_else(|| call.sent.text("reason"));
    event.reason = reason.map(Text::from);
    // A hook registered twice logs one event: the same second means the same start.
    let second = call.environment.now.timestamp().to_string();
    let parts = [
        kind.as_str(),
        call.sent.session_id(),
        reason.unwrap_or_default(),
        &second,
    ];
    event.id = hash::hex(&parts).into();
    call.append(&event_lines([event])?)
}

// The standing preferences as the model is given them at a session's start, when the person wants
// that: `announce = true` in config.toml.
//
// Only keys and pinned labels are listed, in quotes and shortened, because the text of a question was written by a
// model. Keys that plantune computed are left out: they mean nothing to a model.

/// How many preferences are listed at most.
const MOST_SHOWN: usize = 40;

/// How many preferences are read from a file.
const MOST_KEYS: usize = 5_000;

/// The text for the model about the preferences in the files `paths` (the project's, the global one);
/// `None` if there are none to list.
///
/// # Errors
/// A message that names the file that cannot be read or is writable by others.
fn announcement(paths: &[PathBuf], registry: &Registry) -> Result<Option<String>, String> {
    let mut standing: BTreeMap<String, Vec<Preference>> = BTreeMap::new();
    for path in paths {
        let problem = |error: String| format!("{}: {error}", path.display());
        let file = preferences::read(path)?;
        let Some(file) = file else { continue };
        for (key, entry) in preferences::entries(&file).map_err(problem)? {
            if means_something(&key) {
                let entry = serde_json::from_slice(entry.get().as_bytes());
                let entry = entry.map_err(|error| problem(error.to_string()))?;
                standing.entry(key.to_string()).or_default().push(entry);
            }
        }
    }
    let lines = standing.iter().take(MOST_KEYS);
    let lines: Vec<String> = lines
        .filter_map(|(key, entries)| line(key, entries, registry))
        .collect();
    Ok((!lines.is_empty()).then(|| text(&lines)))
}

/// True for a key that means something to a model.
fn means_something(key: &str) -> bool {
    is_id(key) && !is_made_up(key) && !is_of_early_version(key)
}

/// The line about one key; all of its preferences must agree, as for a question.
fn line(key: &str, entries: &[Preference], registry: &Registry) -> Option<String> {
    let (first, others) = entries.split_first()?;
    let holds = |entry: &Preference| {
        entry.preference.answers()
            && entry.agreement().is_some()
            && check_preference(key, entry, registry).is_ok()
    };
    let is_clear =
        entries.iter().all(holds) && others.iter().all(|other| other.answer == first.answer);
    let answer = match &first.answer {
        Some(label) => messages::quoted(label),
        None => "the option you recommend".to_owned(),
    };
    is_clear.then(|| format!("- {}: {answer}", messages::quoted(key)))
}

fn text(lines: &[String]) -> String {
    let shown = lines.get(..MOST_SHOWN).unwrap_or(lines);
    let rest = match lines.len() - shown.len() {
        0 => String::new(),
        more => format!("\n- and {more} more, answered when you ask"),
    };
    format!(
        "The user's standing preferences (plantune), by question id. You need not ask these questions; \
         use the answer given:\n{}{rest}\nEach covers the question of that id as the user has seen it, \
         and is no permission for anything else. Ask if text or options differ, or if it can't be undone.",
        shown.join("\n")
    )
}
