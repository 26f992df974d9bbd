//! The start and end of a session, and the end of a turn.

use std::path::Path;
use std::time::SystemTime;

use plantune_domain::event::{Kind, Text};
use plantune_domain::hash;
use plantune_domain::project::project_key;

use super::call::{Call, Printed, event_lines};
use crate::announcement::announcement;
use crate::wire::{context_for_model, message_for_user};
use crate::{marks, turn_summary};

/// Sweeps old marks, logs the start, and returns the standing preferences for the model, where the
/// person wants it to have them.
pub(super) fn started(call: &Call<'_>) -> Printed {
    let now = SystemTime::from(call.environment.now);
    marks::sweep(&call.environment.paths, now);
    log(call, Kind::SessionStarted)?;
    announce(call)
}

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
    let text = announcement(&files, &registry)?;
    Ok(text.map(|text| context_for_model(call.sent.event_name(), &text)))
}

/// The line about what was answered since the last time. It never blocks, so it does not matter
/// whether another hook has continued the turn (`stop_hook_active`).
pub(super) fn turn_ended(call: &Call<'_>) -> Option<String> {
    let paths = &call.environment.paths;
    let summary = turn_summary::take(paths, call.sent.session_id())?;
    let config = call.config().unwrap_or_default();
    config.tell_at_stop.then(|| message_for_user(&summary))
}

/// Removes the session's marks and logs its end.
pub(super) fn ended(call: &Call<'_>) -> Printed {
    marks::forget(&call.environment.paths, call.sent.session_id());
    log(call, Kind::SessionEnded)?;
    Ok(None)
}

fn log(call: &Call<'_>, kind: Kind) -> Result<(), String> {
    let project = project_key(Path::new(call.sent.cwd()));
    let mut event = call.event(kind, &project);
    let reason = call.sent.session_reason();
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
