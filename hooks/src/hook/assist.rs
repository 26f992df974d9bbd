//! Showing the person their usual answer in a question that is asked: its option says so, and may come
//! first. The decision stays theirs.

use std::borrow::Cow;

use plantune_agents::Reply;
use plantune_domain::decision::{Ask, AskReason};
use plantune_domain::event::Event;
use plantune_domain::gate::{one_way_together, usual_answer};
use plantune_domain::preferences::{AssistMode, Policy, Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::secrets::masked;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::wire::QuestionTool;

use super::call::{Call, Undecided};
use crate::assisted_input::{ChangedOption, with_options};
use crate::messages;

/// A longer input, in bytes, is shown as it is: it is remembered until the answer comes.
const LONGEST_INPUT: usize = 256 * 1024;

/// A call that is shown with assistance.
pub(super) struct Assisted<'a> {
    /// By question.
    usual: Vec<Option<Usual<'a>>>,
    /// What is printed.
    pub(super) printed: String,
}

/// What is shown of one question.
#[derive(Clone)]
pub(super) struct Usual<'a> {
    label: &'a str,
    scope: Scope,
    mode: AssistMode,
    words: String,
}

impl Assisted<'_> {
    /// What is shown of the question numbered `index`.
    pub(super) fn of_question(&self, index: usize) -> Option<&Usual<'_>> {
        self.usual.get(index)?.as_ref()
    }
}

impl Usual<'_> {
    /// Writes what is shown, and by what, into `event`.
    pub(super) fn describe<'e>(&'e self, event: &mut Event<'e>) {
        event.assisted = Some(true);
        event.shown = Some(format!("{}: {}", self.mode, self.words).into());
        event.answer = Some(vec![self.label.into()]);
        event.preference = Some(Policy::Assist.as_str().into());
        event.preference_scope = Some(self.scope.as_str().into());
    }
}

/// The call with assistance; `None` where there is none to give: not for another tool than Claude Code's
/// own, and not where no person answers in the session itself.
pub(super) fn assist<'a>(call: &Call<'_>, undecided: &Undecided<'a>) -> Option<Assisted<'a>> {
    let is_any = |one: &(Scope, Preference)| one.1.preference.assists();
    if !undecided.standing.iter().flatten().any(is_any) {
        return None;
    }
    let most = undecided.config.assist.most()?;
    let is_person =
        call.environment.session_kind == SessionKind::Interactive && call.sent.agent_id().is_none();
    let input = call.sent.tool_input()?;
    // It is remembered until the answer comes, and a secret is not.
    let has_secrets = undecided
        .questions
        .iter()
        .any(|question| question.as_sent.is_some())
        || matches!(masked(input.get()), Cow::Owned(_));
    let can_be_mapped_back = !has_secrets
        && input.get().len() <= LONGEST_INPUT
        && !call.sent.tool_use_id().is_empty()
        && !call.sent.session_id().is_empty();
    let can_be_changed = call.environment.agent.known().changes_questions;
    if undecided.tool != QuestionTool::Native
        || !can_be_changed
        || !is_person
        || !can_be_mapped_back
    {
        return None;
    }
    let usual: Vec<Option<Usual<'a>>> = undecided
        .questions
        .iter()
        .zip(undecided.asks)
        .zip(undecided.standing)
        .map(|((question, ask), standing)| usual(undecided, question, ask, standing, most))
        .collect();
    let label = |usual: &Option<Usual<'a>>| usual.as_ref().map_or("", |usual| usual.label);
    let labels: Vec<&str> = usual.iter().map(label).collect();
    if one_way_together(undecided.questions, &labels).is_some() {
        return None;
    }
    let mut changed: Vec<Option<ChangedOption<'_>>> = Vec::new();
    for (question, usual) in undecided.questions.iter().zip(&usual) {
        changed.push(match usual {
            Some(usual) => Some(changed_option(question, usual)?),
            None => None,
        });
    }
    if changed.iter().all(Option::is_none) {
        return None;
    }
    let input = with_options(input, &changed)?;
    let printed = call.encode(Reply {
        changed_input: Some(&input),
        ..Reply::default()
    })?;
    Some(Assisted { usual, printed })
}

fn usual<'a>(
    undecided: &Undecided<'a>,
    question: &'a Question,
    ask: &Ask,
    standing: &'a [(Scope, Preference)],
    most: AssistMode,
) -> Option<Usual<'a>> {
    // What is asked for any other reason is one-way, unclear, or meant to be asked as it is.
    let is_open = matches!(ask.reason, AskReason::NoPreference | AskReason::PartialCall);
    if !is_open || !question.is_alone_in(undecided.questions) {
        return None;
    }
    let (label, (scope, preference)) = usual_answer(question, standing, undecided.registry)?;
    // Several labels have no first one; previews stand in the order of the options.
    let note_only = question.sent.multi_select == Some(true) || !question.sent.previews.is_empty();
    let mode = preference.assist.unwrap_or(AssistMode::Note).min(most);
    Some(Usual {
        label,
        scope: *scope,
        mode: if note_only { AssistMode::Note } else { mode },
        words: messages::usual_answer(preference.evidence.as_ref()),
    })
}

fn changed_option<'a>(question: &'a Question, usual: &'a Usual<'_>) -> Option<ChangedOption<'a>> {
    let mut options = question.sent.options.iter();
    Some(ChangedOption {
        count: question.sent.options.len(),
        index: options.position(|label| label == usual.label)?,
        words: &usual.words,
        is_first: usual.mode == AssistMode::First,
    })
}
