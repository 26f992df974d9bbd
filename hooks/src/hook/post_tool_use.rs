//! The result of a call: the person's answers, or what went wrong.

use std::path::Path;

use plantune_agents::{Moment, Reply};
use plantune_domain::answer::Answer;
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::results::{FailureKind, Outcome, error_outcomes, mask_all};
use plantune_domain::wire::{SentQuestion, lenient_json};
use serde_json::Value;

use super::call::{Call, Printed, event_lines};
use super::checked;
use super::nudge;
use super::taught::{self, Taught};
use crate::directive::directive;
use crate::marks::Mark;
use crate::{marks, messages, reask};

/// Logs the answers of a call that the agent calls a success.
pub(super) fn handle(call: &Call<'_>) -> Printed {
    let result: Value = match call.sent.raw("tool_response") {
        Some(raw) => lenient_json(raw.get()).map_err(|error| error.to_string())?,
        None => Value::Null,
    };
    let agent = call.environment.agent;
    log_results(call, |input, sent| {
        // A result that is not understood is no answer.
        let unknown = || {
            let unknown = Outcome::Failed {
                kind: FailureKind::ToolError,
                error: result.to_string(),
            };
            vec![unknown; sent.len()]
        };
        agent.outcomes(input, sent, &result).unwrap_or_else(unknown)
    })
}

/// Logs how a call failed.
pub(super) fn handle_failure(call: &Call<'_>) -> Printed {
    log_results(call, |_, sent| {
        let error = call.sent.text("error").unwrap_or_default();
        let is_interrupt = call.sent.json("is_interrupt") == true;
        error_outcomes(sent, error, is_interrupt)
    })
}

/// Logs the outcomes that `read` finds for the questions, and returns what user and model are shown: the
/// directive when they failed, what became of a preference, and that an answer was not the person's where it was
/// not.
fn log_results(call: &Call<'_>, read: impl Fn(&Value, &[SentQuestion]) -> Vec<Outcome>) -> Printed {
    let paths = &call.environment.paths;
    let mark = marks::find(paths, call.sent.session_id(), call.sent.tool_use_id());
    let input = as_asked(call, mark.as_ref());
    let sent = call.environment.agent.questions(&input);
    let mut outcomes = read(&input, &sent);
    mask_all(&mut outcomes, &sent);
    let mut messages = Reply::default();
    log_outcomes(call, &sent, &outcomes, mark.as_ref(), &mut messages)?;
    let is_answered = |outcome: &Outcome| matches!(outcome, Outcome::Answered(_));
    call.note_open_question(!outcomes.iter().any(is_answered));
    if sent.is_empty() {
        // Nothing to log, but a failed call all the same.
        outcomes = read(&input, &[SentQuestion::default()]);
    }
    let has_failed = outcomes
        .iter()
        .any(|outcome| matches!(outcome, Outcome::Failed { .. }));
    if has_failed && call.environment.agent.listens(Moment::Failed) {
        let directive = directive(call.environment.session_kind);
        messages.for_model.push(directive.to_owned());
    }
    Ok(call.encode(messages))
}

/// The call's input as the model sent it: a call that was shown with assistance comes back as it was shown.
fn as_asked(call: &Call<'_>, mark: Option<&Mark>) -> Value {
    let input = mark.and_then(|mark| mark.input.as_deref());
    let input = input.and_then(|input| lenient_json(input).ok());
    input.unwrap_or_else(|| call.input())
}

/// Logs `outcomes`, and adds to `messages` what follows from them.
fn log_outcomes(
    call: &Call<'_>,
    sent: &[SentQuestion],
    outcomes: &[Outcome],
    mark: Option<&Mark>,
    messages: &mut Reply<'_>,
) -> Result<(), String> {
    let paths = &call.environment.paths;
    let registry = call.registry().unwrap_or_default();
    let project = project_key(Path::new(call.sent.cwd()));
    let session = call.sent.session_id();
    let mut lines = Vec::new();
    let mut answered: Vec<(usize, Question, &Answer, Option<Taught>)> = Vec::new();
    for (index, (sent_question, outcome)) in sent.iter().zip(outcomes).enumerate() {
        let Some(kind) = outcome.kind() else { continue };
        let question = Question::identify(sent_question.clone(), &registry);
        let decided = mark.and_then(|mark| mark.answers.get(index));
        let decided = decided.map(String::as_str);
        if let (Some(slot), Outcome::Answered(answer)) =
            (mark.and_then(|mark| mark.slots.get(index)), outcome)
        {
            reask::remember_answer(paths, session, slot, answer);
        }
        let mut event = call.question_event(kind, &project, &question, (index, sent.len()));
        outcome.describe(&question, decided, &mut event);
        let taught = match (outcome, decided) {
            (Outcome::Answered(answer), None) => taught::read(call, mark, &question.sent, answer),
            _ => None,
        };
        if let Some(taught) = taught.as_ref().filter(|taught| taught.names_a_label()) {
            taught.describe(&question, &mut event);
        }
        if event.was_auto_decided == Some(true) {
            messages.for_classifier = Some(messages::NO_CONSENT);
        }
        lines.extend(event_lines([event])?);
        if let (Outcome::Answered(answer), None) = (outcome, decided) {
            answered.push((index, question, answer, taught));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    if messages.for_classifier.is_some() {
        messages.for_model.push(messages::NO_PERMISSION.to_owned());
    }
    // What follows from the answers comes after they are on record.
    call.append(&lines)?;
    for (index, question, answer, taught) in &answered {
        let mut checks = mark.into_iter().flat_map(|mark| &mark.checks);
        let check = checks.find(|check| check.question == *index);
        match (taught, check) {
            // It takes the place of the preference that was checked.
            (Some(taught), _) => taught.apply(call, question, *index, &project, messages),
            (None, Some(check)) => {
                let said = checked::record(call, answer, check);
                messages.for_user.extend(said);
            }
            // What was asked as a check, or with assistance, is no news to them.
            (None, None) if mark.is_none() && messages.for_user.is_empty() => {
                let hint = nudge::hint(call, question, answer, &project, &registry);
                messages.for_user.extend(hint);
            }
            (None, None) => {}
        }
    }
    Ok(())
}
