//! The start and end of a session, and the start and end of a turn.

use std::path::Path;
use std::time::SystemTime;

use plantune_agents::Reply;
use plantune_domain::event::{Kind, Text};
use plantune_domain::project::project_key;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::{corrections, hash, private_file};

use super::call::{Call, Printed, event_lines};
use crate::announcement::announcement;
use crate::{away, marks, messages, turn_summary};

/// Sweeps old marks, logs the start, and returns what the model is to know: the standing preferences,
/// where the person wants it to have them, and which answers they have changed; and what the person is
/// to know, of what was answered while they were away.
pub(super) fn started(call: &Call<'_>) -> Printed {
    let now = SystemTime::from(call.environment.now);
    let paths = &call.environment.paths;
    private_file::sweep(&paths.sessions(), now);
    log(call, Kind::SessionStarted)?;
    let announced = announce(call)?;
    if call.refusal.is_some() || !call.is_heard() {
        return Ok(announced.and_then(|text| call.encode(Reply::for_model(text))));
    }
    private_file::sweep(&paths.corrections(), now);
    let project = project_key(Path::new(call.sent.cwd()));
    let mut changed = corrections::take(&corrections::of_session(paths, call.sent.session_id()));
    changed.extend(corrections::take(&corrections::of_project(paths, &project)));
    let texts = [announced, messages::changed_answers(&changed)];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    let summary = match call.environment.session_kind {
        SessionKind::Interactive => away::take_summary(paths, call.environment.now),
        _ => None,
    };
    Ok(call.encode(Reply {
        for_model: match texts.is_empty() {
            true => Vec::new(),
            false => vec![texts.join("\n\n")],
        },
        for_user: summary.into_iter().collect(),
        ..Reply::default()
    }))
}

/// What the model is to know when the person sends a prompt: which answers they have changed. The command that the
/// prompt is, if any, is at work from then on.
pub(super) fn prompted(call: &Call<'_>) -> Option<String> {
    call.note_command();
    if call.refusal.is_some() || !call.is_heard() {
        return None;
    }
    let file = corrections::of_session(&call.environment.paths, call.sent.session_id());
    let text = messages::changed_answers(&corrections::take(&file))?;
    call.encode(Reply::for_model(text))
}

/// The standing preferences for the model, where the person wants it to have them.
fn announce(call: &Call<'_>) -> Printed {
    let paths = &call.environment.paths;
    // What is wrong with the configuration is logged when a question comes.
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
    announcement(&files, &registry)
}

/// The line about what was answered since the last time. It never blocks, so it does not matter
/// whether another hook has continued the turn (`stop_hook_active`).
pub(super) fn turn_ended(call: &Call<'_>) -> Option<String> {
    let paths = &call.environment.paths;
    let file = turn_summary::file(paths, call.sent.session_id());
    let (questions, named) = turn_summary::take(&file)?;
    let summary = format!(
        "plantune answered {questions} for you: {named}. What stands behind it: plantune prefs list"
    );
    let config = call.config().unwrap_or_default();
    config
        .tell_at_stop
        .then(|| call.encode(Reply::for_user(summary)))?
}

/// Removes the session's marks, leaves to the project what the model was not informed of, and logs the end.
pub(super) fn ended(call: &Call<'_>) -> Printed {
    let (paths, session) = (&call.environment.paths, call.sent.session_id());
    // A session that goes on counts its calls on.
    if call.environment.agent.known().has_call_ids {
        marks::forget(paths, session);
    }
    if call.refusal.is_none() {
        let project = project_key(Path::new(call.sent.cwd()));
        corrections::leave_to_project(paths, session, &project);
    }
    log(call, Kind::SessionEnded)?;
    Ok(None)
}

fn log(call: &Call<'_>, kind: Kind) -> Result<(), String> {
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
