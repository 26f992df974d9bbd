//! The answer to a question that was asked to check a preference on trial.

use plantune_domain::answer::Answer;
use plantune_domain::recommended::same_label;
use plantune_domain::state::{ON_AFTER, State};

use super::call::Call;
use crate::marks::TrialCheck;
use crate::messages;
use crate::trial_checks;

/// Counts the check, and returns what the user should know: that the preference is stopped, or on.
///
/// What cannot be counted is logged, and changes nothing.
pub(super) fn record(call: &Call<'_>, answer: &Answer, check: &TrialCheck) -> Option<String> {
    let agrees = matches!(answer.labels.as_slice(), [label] if same_label(label, &check.answer))
        && answer.free_text.is_none()
        && answer.notes.is_none();
    let (paths, id) = (&call.environment.paths, call.sent.tool_use_id());
    let recorded = trial_checks::record(paths, id, check, agrees)
        .inspect_err(|error| call.log_error(&format!("trial: {error}")));
    let progress = recorded.ok()??;
    match progress.state {
        _ if !progress.is_news => None,
        State::Stopped => Some(messages::stopped(answer, check)),
        State::On if progress.agreed == ON_AFTER => Some(messages::is_on(check)),
        State::On | State::OnTrial => None,
    }
}
