//! Asks the person: logs the question, and prints at most a hint.

use std::borrow::Cow;
use std::path::Path;

use plantune_agents::Reply;
use plantune_domain::event::{AskReason, Choice, Event, Kind, NOT_PRINTED, Text, WhyAsked};
use plantune_domain::gate::{one_way_together, usual_answer};
use plantune_domain::preferences::{AssistMode, Policy, Preference, Scope};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::secrets::masked;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::wire::QuestionTool;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::{Call, Printed, Undecided, event_lines};
use crate::marks::Mark;
use crate::{marks, messages, turn_summary};

/// A call that is asked.
pub(super) struct AskedCall<'a> {
    pub(super) questions: &'a [Question],
    /// Why each question is asked.
    pub(super) reasons: &'a [WhyAsked],
    /// The planned answers, if any.
    pub(super) planned: &'a [Choice],
    pub(super) project: &'a str,
}

/// Logs that the questions are asked, keeps `memory` until the answers come, and returns the
/// output that shows them with hints, if any.
pub(super) fn ask_person(
    call: &Call<'_>,
    asked: &AskedCall<'_>,
    mut memory: Mark,
    mut assisted: Option<Assisted<'_>>,
) -> Printed {
    if assisted.is_some() {
        memory.input = call.sent.tool_input().map(|input| input.get().to_owned());
    }
    if memory != Mark::default() {
        let paths = &call.environment.paths;
        let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
        if let Err(error) = marks::set(paths, session, id, &memory) {
            // What cannot be mapped back is not changed.
            assisted = None;
            call.log_error(&format!("session mark: {error}"));
        }
    }
    call.append(&asked_lines(call, asked, assisted.as_ref())?)?;
    call.note_open_question(true);
    Ok(assisted.map(|assisted| assisted.printed))
}

/// The lines that [`ask_person`] logs.
///
/// # Errors
/// The errors of the serialiser, in words.
pub(super) fn asked_lines(
    call: &Call<'_>,
    asked: &AskedCall<'_>,
    assisted: Option<&Assisted<'_>>,
) -> Result<Vec<u8>, String> {
    let count = asked.questions.len();
    let questions = asked.questions.iter().zip(asked.reasons).enumerate();
    event_lines(questions.map(|(index, (question, why))| {
        let place = (index, count);
        let mut event = call.question_event(Kind::Asked, asked.project, question, place);
        event.ask_reason = Some(why.reason.as_str().into());
        event.reason = why.because.as_deref().map(Text::from);
        if let Some(choice) = asked.planned.get(index) {
            choice.describe(&mut event);
        }
        if let Some(usual) = assisted.and_then(|assisted| assisted.of_question(index)) {
            usual.describe(&mut event);
        }
        event
    }))
}

// Showing the person their usual answer in a question that is asked: its option says so, and may come
// first. The decision stays theirs.

/// The size limit in bytes of an input that may get hints. It is kept until the answer comes.
const LONGEST_INPUT: usize = 256 * 1024;

/// A call that is shown with hints.
pub(super) struct Assisted<'a> {
    /// The usual answers, by question.
    usual: Vec<Option<Usual<'a>>>,
    /// The text to print.
    pub(super) printed: String,
}

/// The usual answer to one question, as it is shown.
#[derive(Clone)]
pub(super) struct Usual<'a> {
    label: &'a str,
    scope: Scope,
    mode: AssistMode,
    words: String,
}

impl Assisted<'_> {
    /// The usual answer to the question numbered `index`.
    pub(super) fn of_question(&self, index: usize) -> Option<&Usual<'_>> {
        self.usual.get(index)?.as_ref()
    }
}

impl Usual<'_> {
    /// Writes the hint that is shown into `event`.
    pub(super) fn describe<'e>(&'e self, event: &mut Event<'e>) {
        event.assisted = Some(true);
        event.shown = Some(format!("{}: {}", self.mode, self.words).into());
        event.answer = Some(vec![self.label.into()]);
        event.preference = Some(Policy::Assist.as_str().into());
        event.preference_scope = Some(self.scope.as_str().into());
    }
}

/// The call with hints; `None` if there are none to give: only for Claude Code's
/// own tool, and only if a person answers in the session itself.
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
        .zip(undecided.reasons)
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
    why: &WhyAsked,
    standing: &'a [(Scope, Preference)],
    most: AssistMode,
) -> Option<Usual<'a>> {
    // What is asked for any other reason is one-way, unclear, or meant to be asked as it is.
    let is_open = matches!(why.reason, AskReason::NoPreference | AskReason::PartialCall);
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

// The input of a question tool with the usual answer pointed out: everything else stays as it was sent,
// byte for byte.

/// The change to one question.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedOption<'a> {
    /// How many options the question has.
    pub count: usize,
    /// The index of the usual answer.
    pub index: usize,
    /// The end of its description.
    pub words: &'a str,
    /// True if it is to come first.
    pub is_first: bool,
}

#[derive(Deserialize)]
struct RawInput<'a> {
    #[serde(borrow)]
    questions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawQuestion<'a> {
    #[serde(borrow)]
    options: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawOption<'a> {
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
}

/// `input` with each of its questions changed as `changed` says; `None` if it is not understood.
pub(super) fn with_options(
    input: &RawValue,
    changed: &[Option<ChangedOption<'_>>],
) -> Option<Box<RawValue>> {
    let sent = input.get();
    let questions = serde_json::from_str::<RawInput<'_>>(sent).ok()?.questions;
    if questions.len() != changed.len() {
        return None;
    }
    let mut text = String::with_capacity(sent.len() + 256);
    let mut copied = 0;
    for (question, changed) in questions.iter().zip(changed) {
        let Some(changed) = changed else { continue };
        let options = serde_json::from_str::<RawQuestion<'_>>(question.get())
            .ok()?
            .options;
        if options.len() != changed.count {
            return None;
        }
        // What comes first changes places with nothing: the others move on by one.
        let mut order: Vec<usize> = (0..options.len()).collect();
        if changed.is_first {
            order.get_mut(..=changed.index)?.rotate_right(1);
        }
        for (place, from) in options.iter().zip(order) {
            let start = offset(sent, place.get())?;
            text.push_str(sent.get(copied..start)?);
            let option = options.get(from)?.get();
            if from == changed.index {
                text.push_str(&described(option, changed.words)?);
            } else {
                text.push_str(option);
            }
            copied = start + place.get().len();
        }
    }
    text.push_str(sent.get(copied..)?);
    RawValue::from_string(text).ok()
}

/// `option` with `words` at the end of its description.
fn described(option: &str, words: &str) -> Option<String> {
    let sent = serde_json::from_str::<RawOption<'_>>(option).ok()?;
    let Some(raw) = sent.description else {
        let body = option.trim_end().strip_suffix('}')?.trim_end();
        let comma = if body.ends_with('{') { "" } else { "," };
        let words = serde_json::to_string(words).ok()?;
        return Some(format!("{body}{comma}\"description\":{words}}}"));
    };
    let description: String = serde_json::from_str(raw.get()).ok()?;
    let described = serde_json::to_string(&joined(&description, words)).ok()?;
    let start = offset(option, raw.get())?;
    let after = option.get(start + raw.get().len()..)?;
    Some(format!("{}{described}{after}", option.get(..start)?))
}

/// `description`, followed by `words` as a sentence.
fn joined(description: &str, words: &str) -> String {
    let description = description.trim_end();
    match description.chars().next_back() {
        None => words.to_owned(),
        Some('.' | '!' | '?' | '…' | '。' | '！' | '？' | ':' | ';') => {
            format!("{description} {words}")
        }
        Some(_) => format!("{description}. {words}"),
    }
}

/// The position in `whole` at which its own `part` begins.
fn offset(whole: &str, part: &str) -> Option<usize> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (start + part.len() <= whole.len()).then_some(start)
}

// An answer that is on record and did not reach the caller: the question is asked after all.

/// Logs that the questions are asked, and forgets that they were answered.
///
/// # Errors
/// The errors of the file system, in words.
pub(super) fn log_withdrawn(call: &Call<'_>) -> Result<(), String> {
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    marks::remove(paths, session, id);
    let questions = call.questions(&call.input(), &call.registry().unwrap_or_default());
    // What is still in the summary is one line too many, and no more.
    let _ = turn_summary::remove(&turn_summary::file(paths, session), id, questions.len());
    let _ = turn_summary::remove(&paths.away_answers(), id, questions.len());
    let reasons = vec![WhyAsked::because(AskReason::Ambiguous, NOT_PRINTED); questions.len()];
    let project = project_key(Path::new(call.sent.cwd()));
    let asked = AskedCall {
        questions: &questions,
        reasons: &reasons,
        planned: &[],
        project: &project,
    };
    call.append(&asked_lines(call, &asked, None)?)
}

#[cfg(test)]
mod assisted_input_tests {
    use super::*;

    const SENT: &str = r#"{ "questions" : [ {"z":1.0e2, "options":[ {"label":"A","description":"\u00e9"},
      {"description": "go on" , "label":"B"} ,{"label":"C"} ],"question":"Q?"}], "x":12345678901234567890123 }"#;

    fn changed(index: usize, is_first: bool) -> ChangedOption<'static> {
        ChangedOption {
            count: 3,
            index,
            words: "Usual \"one\".",
            is_first,
        }
    }

    fn with(sent: &str, changed: &[Option<ChangedOption<'_>>]) -> Option<String> {
        let raw = RawValue::from_string(sent.to_owned()).unwrap();
        with_options(&raw, changed).map(|raw| raw.get().to_owned())
    }

    #[test]
    fn the_rest_is_kept_byte_for_byte() {
        let noted = with(SENT, &[Some(changed(1, false))]).unwrap();
        let words = r#""go on. Usual \"one\".""#;
        assert_eq!(noted, SENT.replace("\"go on\"", words));
        let first = with(SENT, &[Some(changed(1, true))]).unwrap();
        let moved = SENT
            .replace(r#"{"label":"A","description":"\u00e9"}"#, "@")
            .replace(r#"{"description": "go on" , "label":"B"}"#, "%")
            .replace('@', &format!(r#"{{"description": {words} , "label":"B"}}"#))
            .replace('%', r#"{"label":"A","description":"\u00e9"}"#);
        assert_eq!(first, moved);
        let undescribed = with(SENT, &[Some(changed(2, false))]).unwrap();
        let words = r#"{"label":"C","description":"Usual \"one\"."}"#;
        assert_eq!(undescribed, SENT.replace(r#"{"label":"C"}"#, words));
        assert_eq!(with(SENT, &[None]).unwrap(), SENT);
    }

    #[test]
    fn what_is_not_understood_is_left_alone() {
        for sent in [
            "[]",
            r#"{"questions":"[]"}"#,
            r#"{"questions":[]}"#,
            r#"{"questions":[{}]}"#,
            r#"{"questions":[{"options":["A","B","C"]}]}"#,
            r#"{"questions":[{"options":[{},{"description":1},{}]}]}"#,
            r#"{"questions":[{"options":[{},{"description":"x"}]}]}"#,
        ] {
            assert_eq!(with(sent, &[Some(changed(1, true))]), None, "{sent}");
        }
    }
}
