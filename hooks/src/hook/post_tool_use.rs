//! The result of a call: the person's answers, or what went wrong.

use std::path::Path;

use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::results::{Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{SentQuestion, lenient_json};
use serde_json::Value;

use super::call::{Call, Printed, event_lines};
use crate::directive::directive;
use crate::wire::{context_for_model, context_for_model_and_classifier};
use crate::{marks, messages, reask};

/// Logs the answers of a call that Claude Code calls a success.
pub(super) fn handle(call: &Call<'_>) -> Printed {
    let result: Value = match call.sent.tool_response {
        Some(raw) => lenient_json(raw.get()).map_err(|error| error.to_string())?,
        None => Value::Null,
    };
    log_results(call, |sent| outcomes(sent, &result, false))
}

/// Logs how a call failed.
pub(super) fn handle_failure(call: &Call<'_>) -> Printed {
    log_results(call, |sent| {
        error_outcomes(sent, call.sent.error(), call.sent.is_interrupt())
    })
}

/// Logs the outcomes that `read` finds for the questions, and returns what the model is to know: the
/// directive when they failed, and that an answer was not the person's where it was not.
fn log_results(call: &Call<'_>, read: impl Fn(&[SentQuestion]) -> Vec<Outcome>) -> Printed {
    let sent = call.sent_questions();
    let mut outcomes = read(&sent);
    let any_decided = log_outcomes(call, &sent, &outcomes)?;
    if sent.is_empty() {
        // Nothing to log, but a failed call all the same.
        outcomes = read(&[SentQuestion::default()]);
    }
    let has_failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome, Outcome::Failed { .. }));
    if has_failed {
        let directive = directive(call.environment.session_kind);
        return Ok(Some(context_for_model(call.sent.event_name(), directive)));
    }
    Ok(any_decided
        .then(|| context_for_model_and_classifier(messages::NO_PERMISSION, messages::NO_CONSENT)))
}

/// Logs `outcomes`; true when an answer among them is the hook's.
fn log_outcomes(
    call: &Call<'_>,
    sent: &[SentQuestion],
    outcomes: &[Outcome],
) -> Result<bool, String> {
    let paths = &call.environment.paths;
    let registry = call.registry().unwrap_or_default();
    let project = project_key(Path::new(call.sent.cwd()));
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    let mark = marks::find(paths, session, id);
    let mut lines = Vec::new();
    let mut any_decided = false;
    for (index, (sent_question, outcome)) in sent.iter().zip(outcomes).enumerate() {
        let Some(kind) = outcome.kind() else { continue };
        let question = Question::identify(sent_question.clone(), &registry);
        let mark = mark.as_ref();
        let decided = mark.and_then(|mark| mark.decided(index));
        if let (Some(slot), Outcome::Answered(answer)) =
            (mark.and_then(|mark| mark.slot(index)), outcome)
        {
            reask::remember_answer(paths, session, slot, answer);
        }
        let mut event = call.question_event(kind, &project, &question, (index, sent.len()));
        outcome.describe(&question, decided, &mut event);
        any_decided |= event.was_auto_decided == Some(true);
        lines.extend(event_lines([event])?);
    }
    if lines.is_empty() {
        return Ok(false);
    }
    call.append(&lines)?;
    Ok(any_decided)
}
