//! Other answers for questions that preferences do not decide: the person's own answer earlier in this
//! session, then the recommended option while they are away, then their reviewer. Off unless
//! switched on, and never for a question that must be asked.

use std::fs;
use std::path::PathBuf;

use plantune_agents::{HookReply, QuestionDecision};
use plantune_domain::answer::Answer;
use plantune_domain::config::{Config, Reask};
use plantune_domain::event::{AnsweredBy, AskReason, Choice, Kind, Mechanism, WhyAsked};
use plantune_domain::gate::ProposedAnswer;
use plantune_domain::keys::is_split;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::secrets::masked_reply;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::state::State;
use plantune_domain::wire::QuestionTool;
use plantune_domain::{gate, hash};

use crate::call::{AskedCall, HookCall, Printed, answer, ask_person, asked_lines, event_lines};
use crate::marks::CallMark;
use crate::reviewer::Review;
use crate::spot_check::by_preference;
use crate::{marks, messages, reviewer};

/// True if anything but preferences may answer.
pub(crate) fn is_configured(config: &Config, registry: &Registry) -> bool {
    config.reviewer.is_some() || config.reasks() || registry.has_reask()
}

/// A call that preferences do not decide.
pub(crate) struct Undecided<'a> {
    pub(crate) tool: QuestionTool,
    pub(crate) questions: &'a [Question],
    /// The preferences found for each question.
    pub(crate) standing: &'a [Vec<(Scope, Preference)>],
    pub(crate) registry: &'a Registry,
    pub(crate) config: &'a Config,
    pub(crate) project: &'a str,
    /// Why each question is asked.
    pub(crate) reasons: &'a [WhyAsked],
    /// The scope in which the person is away, if they are.
    pub(crate) away: Option<Scope>,
}

impl Undecided<'_> {
    /// The call, to be asked.
    fn asked_call(&self) -> AskedCall<'_> {
        AskedCall {
            questions: self.questions,
            reasons: self.reasons,
            planned: &[],
            project: self.project,
        }
    }

    /// Asks the person.
    pub(crate) fn ask_person(&self, call: &HookCall<'_>, memory: &CallMark) -> Printed {
        ask_person(call, &self.asked_call(), memory)
    }

    /// What the preferences answer to each question by itself, although the call as a whole is not answered. Stopped
    /// preferences give no answer.
    fn decided_alone(&self, call: &HookCall<'_>) -> Vec<Option<Choice>> {
        let one = |(index, why): (usize, &WhyAsked)| {
            if why.reason != AskReason::PartialCall {
                return None;
            }
            let (question, standing) = (self.questions.get(index)?, self.standing.get(index)?);
            let mut choice = gate::answer(question, standing, self.registry).ok()?;
            let paths = &call.environment.paths;
            let by = by_preference(paths, question, &mut choice, self.project)?;
            (by.stands.state != State::Stopped).then_some(choice)
        };
        self.reasons.iter().enumerate().map(one).collect()
    }

    /// True if something other than a preference may answer: not if the question must be asked, or if another question
    /// of the call could get its answer.
    fn is_open(&self, question: &Question, reason: AskReason) -> bool {
        let open = matches!(reason, AskReason::NoPreference | AskReason::Ambiguous);
        open && !question.has_several_ids
            && question.door_reason.is_none()
            && question.is_alone_in(self.questions)
    }
}

/// Answers, denies, or asks.
pub(crate) fn handle(call: &HookCall<'_>, undecided: &Undecided<'_>) -> Printed {
    let mut choices = undecided.decided_alone(call);
    let slots = answer_again(call, undecided, &mut choices);
    if let Some(printed) = answer_if_complete(call, undecided, &choices)? {
        return Ok(Some(printed));
    }
    if let Some(choices) = away_choices(call, undecided, &choices)
        && let Some(printed) = answer_if_complete(call, undecided, &choices)?
    {
        return Ok(Some(printed));
    }
    let questions = undecided.questions;
    let open = |((choice, question), why): ((&Option<Choice>, &Question), &WhyAsked)| {
        choice.is_some() || undecided.is_open(question, why.reason)
    };
    if let Some(command) = &undecided.config.reviewer
        && choices
            .iter()
            .zip(questions)
            .zip(undecided.reasons)
            .all(open)
        && !questions.is_empty()
    {
        match review(call, undecided, command) {
            Ok(Review::Abstain) => {}
            Ok(Review::Deny(feedback)) => return deny(call, undecided, &feedback),
            Ok(Review::Answer(labels)) => {
                for (choice, label) in choices.iter_mut().zip(labels) {
                    choice.get_or_insert(Choice {
                        label,
                        by: AnsweredBy::Reviewer,
                    });
                }
                if let Some(printed) = answer_if_complete(call, undecided, &choices)? {
                    return Ok(Some(printed));
                }
            }
            Err(error) => call.log_error(&format!("reviewer: {error}")),
        }
    }
    let mut memory = CallMark::default();
    if slots.iter().any(|slot| !slot.is_empty())
        && has_room(&call.environment.paths, call.sent.session_id())
    {
        memory.slots = slots;
    }
    undecided.ask_person(call, &memory)
}

/// Fills in the person's earlier answers; returns the slot of each answer, empty for
/// those that are not remembered.
fn answer_again(
    call: &HookCall<'_>,
    undecided: &Undecided<'_>,
    choices: &mut [Option<Choice>],
) -> Vec<String> {
    let (paths, session) = (&call.environment.paths, call.sent.session_id());
    let registry = undecided.registry;
    // Only the person's own answers are kept: none of a session without a person, and none that a sub-agent got.
    let is_kept = call.environment.session_kind == SessionKind::Interactive
        && call.sent.agent_id().is_none()
        && !session.is_empty();
    let mut slots = Vec::new();
    let asked = undecided.questions.iter().zip(undecided.reasons);
    for ((question, why), choice) in asked.zip(choices) {
        let open = is_kept && choice.is_none() && undecided.is_open(question, why.reason);
        let slot = open.then(|| slot(question, undecided.config, registry));
        let slot = slot.flatten().unwrap_or_default();
        if !slot.is_empty()
            && let Some(label) = recall(paths, session, &slot, question)
            && gate::check(&ProposedAnswer::to(question, &label), registry).is_ok()
        {
            *choice = Some(Choice {
                label,
                by: AnsweredBy::Session,
            });
        }
        slots.push(slot);
    }
    slots
}

/// `choices`, completed by recommended options while the person is away; `None` if a
/// question is left that waits for them, such as one from a sub-agent or a server.
fn away_choices(
    call: &HookCall<'_>,
    undecided: &Undecided<'_>,
    choices: &[Option<Choice>],
) -> Option<Vec<Option<Choice>>> {
    let is_main = call.sent.agent_id().is_none() && undecided.tool != QuestionTool::Mcp;
    let scope = undecided.away.filter(|_| is_main)?;
    let one = |(index, choice): (usize, &Option<Choice>)| {
        if choice.is_some() {
            return choice.clone();
        }
        let (question, why) = (
            undecided.questions.get(index)?,
            undecided.reasons.get(index)?,
        );
        let standing = undecided.standing.get(index)?;
        if !undecided.is_open(question, why.reason) {
            return None;
        }
        gate::answer_away(question, standing, undecided.registry, scope).ok()
    };
    let complete: Option<Vec<Choice>> = choices.iter().enumerate().map(one).collect();
    let complete = complete?;
    let labels: Vec<&str> = complete.iter().map(Choice::label).collect();
    let together = gate::one_way_together(undecided.questions, &labels);
    together
        .is_none()
        .then(|| complete.into_iter().map(Some).collect())
}

fn answer_if_complete(
    call: &HookCall<'_>,
    undecided: &Undecided<'_>,
    choices: &[Option<Choice>],
) -> Printed {
    let complete: Option<Vec<Choice>> = choices.iter().cloned().collect();
    match complete {
        Some(choices) if !choices.is_empty() => answer(
            call,
            undecided.tool,
            undecided.questions,
            &choices,
            undecided.project,
        ),
        _ => Ok(None),
    }
}

fn review(
    call: &HookCall<'_>,
    undecided: &Undecided<'_>,
    command: &[String],
) -> Result<Review, String> {
    let (paths, session) = (&call.environment.paths, call.sent.session_id());
    let questions = undecided.questions;
    if !reviewer::may_run(paths, session) {
        return Ok(Review::Abstain);
    }
    let asked = asked_lines(call, &undecided.asked_call())?;
    let input = reviewer::input(&asked, call.sent.tool_input());
    let output = reviewer::run(command, &input)?;
    let review = reviewer::read(&output, questions)?;
    if let Review::Answer(labels) = &review {
        for (question, label) in questions.iter().zip(labels) {
            let proposed = ProposedAnswer::to(question, label);
            gate::check(&proposed, undecided.registry).map_err(|refusal| {
                let reason = refusal.door_reason().unwrap_or_default();
                format!("{label} can't be undone ({reason}), and is asked")
            })?;
        }
    }
    Ok(review)
}

/// Logs the denial, then denies the call with the reviewer's feedback.
fn deny(call: &HookCall<'_>, undecided: &Undecided<'_>, feedback: &str) -> Printed {
    let (for_user, for_model) = messages::denied_by_reviewer(feedback);
    let mut reply = HookReply::for_user(for_user);
    reply.decision = Some(QuestionDecision::Deny(for_model));
    let printed = call.encode(reply);
    let count = undecided.questions.len();
    let denied = undecided.questions.iter().enumerate();
    let lines = event_lines(denied.map(|(index, question)| {
        let kind = Kind::AutoDecided;
        let mut event = call.question_event(kind, undecided.project, question, (index, count));
        event.answer = Some(Vec::new());
        event.preference = Some("reviewer".into());
        event.preference_scope = Some(Scope::Global.as_str().into());
        event.mechanism = Some(Mechanism::Reviewer.as_str().into());
        event.reason = Some("denied".into());
        event.notes = Some(masked_reply(&question.text, feedback).into());
        event
    }))?;
    call.append(&lines)?;
    Ok(printed)
}

// Answering a question again that the person answered in this session, with the same key and the same options. Off
// unless `reask = "once_per_session"` is set in `config.toml` or for the question's rule in `registry.toml`.
//
// A question that is asked leaves a mark that names the slot of its answer; PostToolUse, which looks
// for the call's mark anyway, writes the person's answer there. It costs nothing where it is off.

/// The size limit of a label that is remembered.
const LONGEST_LABEL: usize = 1024;

/// How many marks and answers a session may hold.
const MOST_FILES: usize = 256;

/// The slot of the answer to `question`: the same for the same key and options. `None` if an
/// answer does not hold for the rest of the session.
pub(crate) fn slot(question: &Question, config: &Config, registry: &Registry) -> Option<String> {
    let on = match registry.reask_of(&question.key) {
        Some(reask) => reask == Reask::OncePerSession,
        None => config.reasks(),
    };
    // Only a single label is remembered, and a question that is always asked gets no remembered answer.
    let several = question.sent.multi_select == Some(true);
    if !on || several || is_split(&question.key) || question.door_reason.is_some() {
        return None;
    }
    // An answer holds only for the texts that the person read: "Rename `a`?" does not settle "Rename `b`?", although a
    // marker or rule may give both the same key.
    let header = question.sent.header.as_deref().unwrap_or_default();
    let tool = question.tool.as_deref().unwrap_or_default();
    let mut parts = vec!["reask", tool, &question.key, &question.text, header];
    // Each option with its description and preview. They are sorted, because their order does not matter.
    let mut options: Vec<[&str; 3]> = Vec::new();
    for (at, label) in question.sent.options.iter().enumerate() {
        options.push([
            strip_mark(label).0,
            question
                .sent
                .descriptions
                .get(at)
                .map_or("", String::as_str),
            question.preview_digests.get(at).map_or("", String::as_str),
        ]);
    }
    options.sort_unstable();
    parts.extend(options.iter().flatten().copied());
    Some(hash::hex(&parts))
}

/// The label, as offered now, with which the person answered before in this session.
pub(crate) fn recall(
    paths: &Paths,
    session: &str,
    slot: &str,
    question: &Question,
) -> Option<String> {
    let stored = fs::read_to_string(answer_file(paths, session, slot)).ok()?;
    // Without the line end, the file may hold only a part of the label, which could be another label.
    let label = stored.strip_suffix('\n')?;
    let mut offered = question
        .sent
        .options
        .iter()
        .filter(|offered| same_label(offered, label));
    match (offered.next(), offered.next()) {
        (Some(label), None) => Some(label.clone()),
        _ => None,
    }
}

/// Remembers the person's answer to the question of `slot`, if it is one label, with nothing typed or noted.
/// Any other answer removes the remembered one.
pub(crate) fn remember_answer(paths: &Paths, session: &str, slot: &str, answer: &Answer) {
    if slot.is_empty() {
        return;
    }
    let file = answer_file(paths, session, slot);
    let plain = answer.free_text.is_none() && answer.notes.is_none();
    match answer.labels.as_slice() {
        [label] if plain && label.len() <= LONGEST_LABEL && has_room(paths, session) => {
            // If this fails, the question is asked again.
            let _ = marks::write(&file, format!("{label}\n").as_bytes());
        }
        _ => {
            let _ = fs::remove_file(file);
        }
    }
}

/// False if the session is full.
pub(crate) fn has_room(paths: &Paths, session: &str) -> bool {
    // A folder that is not there yet is empty.
    fs::read_dir(marks::folder(paths, session))
        .map_or(true, |files| files.take(MOST_FILES).count() < MOST_FILES)
}

fn answer_file(paths: &Paths, session: &str, slot: &str) -> PathBuf {
    // A slot may come from a mark on disk: hashed again, it is a safe file name.
    marks::folder(paths, session).join(hash::hex(&["answer", slot]))
}
