//! The result of a call: the person's answers, or its failure.

use std::path::Path;

use plantune_agents as agents;
use plantune_agents::{HookReply, Moment};
use plantune_domain::answer::Answer;
use plantune_domain::json::lenient_json;
use plantune_domain::preferences::Scope;
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::results::{FailureKind, Outcome, error_outcomes, mask_all};
use plantune_domain::session_kind::SessionKind;
use plantune_domain::state::{Cause, Stands, State};
use plantune_domain::teach::{Habit, day_mark, done_mark, habits_file};
use plantune_domain::wire::SentQuestion;
use plantune_domain::{clock, gate, private_file, status_line};
use serde_json::Value;

use crate::call::{CallError, HookCall, Printed, event_lines, log_withdrawn};
use crate::marks::{CallMark, PlannedCheck};
use crate::taught::Taught;
use crate::{fallback, marks, messages, spot_check, taught};

/// Logs the answers of a call that the agent calls a success.
pub(crate) fn handle(call: &HookCall<'_>) -> Printed {
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
pub(crate) fn handle_failure(call: &HookCall<'_>) -> Printed {
    log_results(call, |_, sent| {
        let error = call.sent.text("error").unwrap_or_default();
        let is_interrupt = call.sent.json("is_interrupt") == true;
        error_outcomes(sent, error, is_interrupt)
    })
}

/// Logs the outcomes that `read` finds for the questions, and returns the messages for user and model: the
/// directive if they failed, the new state of a preference, and that an answer was not the person's, if it was
/// not.
fn log_results(
    call: &HookCall<'_>,
    read: impl Fn(&Value, &[SentQuestion]) -> Vec<Outcome>,
) -> Printed {
    let paths = &call.environment.paths;
    let mut mark = marks::find(paths, call.sent.session_id(), call.sent.tool_use_id());
    let input = call.input();
    let sent = call.environment.agent.questions(&input);
    let mut outcomes = read(&input, &sent);
    mask_all(&mut outcomes, &sent);
    if mark.as_ref().is_some_and(|mark| !mark.answers.is_empty()) {
        let digest = agents::questions_digest(&sent);
        marks::remove_answered_call(paths, call.sent.session_id(), &digest);
        let is_lost = |outcome: &Outcome| !matches!(outcome, Outcome::Answered(_));
        if outcomes.iter().all(is_lost) {
            // Another hook dropped the answers, or the call failed: nothing was answered for the person.
            log_withdrawn(call)?;
            mark = None;
        }
    }
    let mut messages = HookReply::default();
    log_outcomes(call, &sent, &outcomes, mark.as_ref(), &mut messages)?;
    let is_answered = |outcome: &Outcome| matches!(outcome, Outcome::Answered(_));
    call.note_open_question(!outcomes.iter().any(is_answered));
    if sent.is_empty() {
        // There is no question to log, but whether the call failed still has to be read.
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

/// Logs `outcomes`, and adds their messages to `messages`.
fn log_outcomes(
    call: &HookCall<'_>,
    sent: &[SentQuestion],
    outcomes: &[Outcome],
    mark: Option<&CallMark>,
    messages: &mut HookReply<'_>,
) -> Result<(), CallError> {
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
            fallback::remember_answer(paths, session, slot, answer);
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
    // The answers are logged before they change anything.
    call.append(&lines)?;
    for (index, question, answer, taught) in &answered {
        let mut checks = mark.into_iter().flat_map(|mark| &mark.checks);
        let check = checks.find(|check| check.question == *index);
        match (taught, check) {
            // The new preference replaces the one that was checked, so the check is not counted.
            (Some(taught), _) => taught.apply(call, question, *index, &project, messages),
            (None, Some(check)) => {
                let said = count_check(call, question, answer, check, &project);
                messages.for_user.extend(said);
            }
            // A question that was asked as a check already has a preference, so no habit is offered.
            (None, None) if mark.is_none() && messages.for_user.is_empty() => {
                let habit = habit_message(call, question, answer, &project, &registry);
                messages.for_user.extend(habit);
            }
            (None, None) => {}
        }
    }
    Ok(())
}

// The message for the model when a question failed, by whether a human can answer.
//
// The texts are fixed: nothing of the question or of the error is repeated to the model.

const SPAWNED: &str = "AskUserQuestion failed, and nobody can answer: another program runs this \
session. Choose the recommended option yourself and go on; write no prose, do not block. A failed \
question is not permission: leave what can't be undone (deleting, publishing, paying, access, \
credentials).";

const HEADLESS: &str = "AskUserQuestion failed, and nobody can answer: this session runs without a \
person. Report `BLOCKED — AskUserQuestion unavailable` and stop. Do not choose for the user: a \
failed question is neither an answer nor a permission.";

const INTERACTIVE: &str = "AskUserQuestion failed; the user has not answered. If no answer can have \
surfaced, retry the call once. Otherwise put the question as prose: what is at stake, in plain words; \
your recommendation with its reason; one paragraph a choice, each with its completeness score \
(Completeness: N/10); then \"HookReply with a letter.\" Then stop and wait: a failed question is neither \
an answer nor a permission.";

/// The directive for a session of that kind.
pub(crate) fn directive(session_kind: SessionKind) -> &'static str {
    match session_kind {
        SessionKind::Spawned => SPAWNED,
        SessionKind::Headless => HEADLESS,
        SessionKind::Interactive => INTERACTIVE,
    }
}

// The answer to a question that was asked to check a preference.

/// Counts the check, and returns the message for the user if the preference's state has changed.
///
/// A check counts only once, and only in a session with a person. If it cannot be counted, that is logged, and nothing
/// changes.
fn count_check(
    call: &HookCall<'_>,
    question: &Question,
    answer: &Answer,
    check: &PlannedCheck,
    project: &str,
) -> Option<String> {
    let (paths, id) = (&call.environment.paths, call.sent.tool_use_id());
    let is_persons =
        call.environment.session_kind == SessionKind::Interactive && call.sent.agent_id().is_none();
    if !is_persons || !marks::claim(paths, call.sent.session_id(), id, check.question) {
        return None;
    }
    let agrees = matches!(answer.labels.as_slice(), [label] if same_label(label, &check.answer))
        && answer.free_text.is_none()
        && answer.notes.is_none();
    let now = call.environment.now.timestamp();
    let Stands { state, reason, .. } = spot_check::record_check(paths, id, check, agrees, now)
        .inspect_err(|error| call.log_error(&format!("check: {error}")))
        .ok()??;
    if state == State::Stopped {
        // The status line reads this number from a file. If it cannot be saved, the next command counts again.
        let _ = status_line::add_stopped(paths);
    }
    Some(match state {
        State::On => messages::is_on(question, check, project),
        State::OnTrial => messages::is_on_trial(question, answer, check, project),
        State::Stopped => {
            let again = reason == Cause::TwoDisagreed;
            messages::stopped(question, answer, check, again, project)
        }
    })
}

// Pointing out to the person, once, that they always give a question the same answer.

/// How much of the file of habits is read, in bytes: about a hundred habits.
const MOST_BYTES: u64 = 256 * 1024;

/// The line that points out a habit after `answer`, if the person always gives it to this question: at most once a
/// question, and once a day.
pub(crate) fn habit_message(
    call: &HookCall<'_>,
    question: &Question,
    answer: &Answer,
    project: &str,
    registry: &Registry,
) -> Option<String> {
    let [label] = answer.labels.as_slice() else {
        return None;
    };
    let is_plain = answer.free_text.is_none() && answer.notes.is_none();
    let can_be_told = call.environment.agent.profile().tells_person_afterwards;
    if !is_plain
        || !can_be_told
        || !call.is_in_dialog()
        || call.environment.disabled
        || call.refusal.is_some()
    {
        return None;
    }
    let paths = &call.environment.paths;
    let bytes = private_file::read(&habits_file(paths, project), MOST_BYTES)?;
    let habits: Vec<Habit> = serde_json::from_slice(&bytes).ok()?;
    let question = Question {
        tool: Some(call.sent.tool_name().to_owned()),
        ..question.clone()
    };
    let is_so = |habit: &&Habit| {
        if habit.key != question.key {
            return false;
        }
        let standing = [(Scope::Project, habit.preference.clone())];
        let choice = gate::answer(&question, &standing, registry);
        choice.is_ok_and(|choice| same_label(choice.label(), label))
    };
    let habit = habits.iter().find(is_so)?;
    // The person has set a preference since the habits file was written: there is nothing left to offer.
    let standing = call
        .standing_preferences(std::slice::from_ref(&question), project)
        .ok()?;
    if standing.iter().any(|found| !found.is_empty()) {
        return None;
    }
    let config = call.config().ok()?;
    let done = done_mark(paths, project, &habit.key);
    if !config.teach || !config.enabled || done.exists() {
        return None;
    }
    let now = clock::timestamp(call.environment.now);
    let day = now.split('T').next()?;
    // Of two hooks that are registered for one event, the one that makes the mark points the habit out.
    if !make(&day_mark(paths, day)) || !make(&done) {
        return None;
    }
    // This answer came after the file was written.
    let times = habit.times.saturating_add(1);
    Some(messages::habit(&habit.key, label, times))
}

/// Makes the mark; false if it exists, or cannot be made.
fn make(mark: &Path) -> bool {
    private_file::create_new(mark).is_ok()
}
