//! The result of a call: which question got which answer, and what went wrong.
//!
//! One reader for every shape seen in the field, used by the hook (PostToolUse,
//! PostToolUseFailure) and by the importer of transcripts alike. Shapes: `docs/development/events.md`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Answer, read_answer};
use crate::event::{Event, Kind};
use crate::json::{Text, lenient_json};
use crate::keys::take_marker;
use crate::named::named_enum;
use crate::question::Question;
use crate::recommended::same_label;
pub use crate::result_text::{AUTO_DECIDE_PREFIX, FailureKind};
use crate::result_text::{
    Unfinished, failure_kind, holds_sentinel, is_denial, is_refusal, is_unflagged_error, unfinished,
};
use crate::secrets::{MASK, SecretAsked};
use crate::wire::{SentQuestion, mask};
use crate::{question, result_text};

named_enum! {
    /// Why the person did not answer.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DismissReason {
        /// They wanted to talk about it first.
        Clarify = "clarify",
        /// They refused.
        Rejected = "rejected",
        /// They asked for other questions first.
        FollowUp = "follow_up",
        /// They were away.
        AfkTimeout = "afk_timeout",
        /// They did something else.
        Interrupted = "interrupted",
        /// The session ended while they were asked.
        SessionEnded = "session_ended",
        /// The reason is not known.
        NoAnswer = "no_answer",
    }
}

/// How one question of a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Answered.
    Answered(Answer),
    /// The person was asked and did not answer.
    Dismissed {
        /// Why.
        reason: DismissReason,
        /// The choices made before the person broke off. They are not evidence.
        partial: Option<Answer>,
    },
    /// Lost, or never shown.
    Failed {
        /// How.
        kind: FailureKind,
        /// The error's own text.
        error: String,
    },
    /// Decided by a hook that denied the call.
    Denied,
}

impl Outcome {
    /// The person was asked, and nothing of an answer is known.
    pub fn dismissed(reason: DismissReason) -> Self {
        Self::Dismissed {
            reason,
            partial: None,
        }
    }

    /// Masks its secrets, or all typed text when that `is_secret`.
    fn mask(&mut self, is_secret: bool) {
        match self {
            Self::Answered(answer)
            | Self::Dismissed {
                partial: Some(answer),
                ..
            } => answer.mask(is_secret),
            // A result that could not be read may contain typed text.
            Self::Failed {
                kind: FailureKind::ToolError,
                error,
            } if is_secret => MASK.clone_into(error),
            Self::Failed { error, .. } => drop(mask(error)),
            Self::Dismissed { .. } | Self::Denied => {}
        }
    }

    /// True when it may contain the person's own words.
    fn has_words(&self) -> bool {
        let has_words = |answer: &Answer| answer.free_text.is_some() || answer.notes.is_some();
        match self {
            Self::Failed { kind, .. } => *kind == FailureKind::ToolError,
            outcome => outcome.answer().is_some_and(has_words),
        }
    }

    /// True when its words may be the secret that was asked for.
    fn may_be_secret(&self, asked: SecretAsked) -> bool {
        let Some(answer) = self.answer() else {
            return asked != SecretAsked::No;
        };
        let mut texts = [&answer.free_text, &answer.notes].into_iter().flatten();
        texts.any(|text| asked.is_answered_by(text))
    }

    fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Dismissed { partial, .. } => partial.as_ref(),
            Self::Failed { .. } | Self::Denied => None,
        }
    }

    /// The kind of its event; `None` for a denial, which is logged as a decision.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Answered(_) => Some(Kind::Answered),
            Self::Dismissed { .. } => Some(Kind::Dismissed),
            Self::Failed { .. } => Some(Kind::Failed),
            Self::Denied => None,
        }
    }

    /// Writes the outcome of `question` into `event`.
    ///
    /// `decided` is the label that a hook answered with, if any. A different answer came from somebody else.
    pub fn describe<'a>(
        &'a self,
        question: &Question,
        decided: Option<&str>,
        event: &mut Event<'a>,
    ) {
        match self {
            Self::Answered(answer) => {
                describe_answer(answer, event);
                let same = |label: &str| {
                    answer.labels.len() == 1
                        && answer.labels.iter().any(|chosen| same_label(chosen, label))
                };
                event.was_auto_decided = Some(decided.is_some_and(same));
                event.followed_recommendation = Some(answer.followed(question.recommended_label()));
            }
            Self::Dismissed { reason, partial } => {
                event.reason = Some(reason.as_str().into());
                if let Some(partial) = partial {
                    describe_answer(partial, event);
                }
            }
            Self::Failed { kind, error } => {
                event.error = Some(error.as_str().into());
                event.error_kind = Some(kind.as_str().into());
            }
            Self::Denied => {}
        }
    }
}

/// Masks the secrets in `outcomes`, which are those of `questions`, in order. They are logged this way, and compared
/// with the questions as logged. Text said to several questions at once is secret if one of them asks for a secret.
pub fn mask_all(outcomes: &mut [Outcome], questions: &[SentQuestion]) {
    let asks = |(outcome, question): (&Outcome, &SentQuestion)| {
        outcome.has_words() && outcome.may_be_secret(question.secret_asked())
    };
    let mut are_secret: Vec<bool> = outcomes.iter().zip(questions).map(asks).collect();
    are_secret.resize(outcomes.len(), false);
    let said = |outcome: &Outcome| outcome.answer().and_then(|answer| answer.free_text.clone());
    let secrets = outcomes
        .iter()
        .zip(&are_secret)
        .filter(|(_, is_secret)| **is_secret);
    let secrets: HashSet<String> = secrets.filter_map(|(outcome, _)| said(outcome)).collect();
    for (outcome, is_secret) in outcomes.iter_mut().zip(are_secret) {
        let is_said = said(outcome).is_some_and(|text| secrets.contains(&text));
        outcome.mask(is_secret || is_said);
    }
}

fn describe_answer<'a>(answer: &'a Answer, event: &mut Event<'a>) {
    event.answer = Some(question::texts(&answer.labels));
    event.free_text = answer.free_text.as_deref().map(Text::from);
    event.notes = answer.notes.as_deref().map(Text::from);
}

/// How each of `questions` ended, in order, according to a tool's result.
///
/// `is_error` is the transcript's flag. A hook passes false, because it gets here only for successes.
pub fn outcomes(questions: &[SentQuestion], result: &Value, is_error: bool) -> Vec<Outcome> {
    let each = |outcome: Outcome| vec![outcome; questions.len()];
    if let Some(error) = error_of(result) {
        return error_outcomes(questions, &error, false);
    }
    let text = plain_text(result);
    if is_error || text.as_deref().is_some_and(is_unflagged_error) {
        return error_outcomes(questions, &text.unwrap_or_default(), false);
    }
    if let Some(inner) = json_inside(result, text.as_deref()) {
        return outcomes(questions, &inner, false);
    }
    let is_away = result
        .get("afkTimeoutMs")
        .is_some_and(|away| !away.is_null())
        || text
            .as_deref()
            .is_some_and(|text| text.trim_start().starts_with("No response after "));
    if is_away {
        return away(questions, result, text.as_deref());
    }
    if result.get("followUp") == Some(&Value::Bool(true)) {
        return broken_off(DismissReason::FollowUp, structured(questions, result));
    }
    if text.as_deref().is_some_and(result_text::is_follow_up) {
        let nothing = vec![None; questions.len()];
        return broken_off(DismissReason::FollowUp, nothing);
    }
    if is_missing(questions, result, text.as_deref()) {
        return each(Outcome::Failed {
            kind: FailureKind::MissingResult,
            error: text.unwrap_or_else(|| "no result".to_owned()),
        });
    }
    let response = result.get("response").and_then(Value::as_str);
    let answers = match response.filter(|response| !response.trim().is_empty()) {
        // The host then drops the choices and gives the model only this text.
        Some(response) => result_text::responded(questions, response),
        None => answers(questions, result, text.as_deref()),
    };
    questions
        .iter()
        .zip(answers)
        .map(
            |(question, answer)| match answer.and_then(Answer::unless_blank) {
                Some(answer) if is_answer(question, result, &answer) => Outcome::Answered(answer),
                _ => Outcome::dismissed(unanswered(question, result)),
            },
        )
        .collect()
}

/// Why the person did not answer `question`, according to the host's annotation.
fn unanswered(question: &SentQuestion, result: &Value) -> DismissReason {
    match annotation(question, result, "unanswered") {
        Some("replied_in_chat") => DismissReason::Clarify,
        Some("dismissed") => DismissReason::Rejected,
        _ => DismissReason::NoAnswer,
    }
}

/// The outcomes when the person was away. Choices made before are not answers.
fn away(questions: &[SentQuestion], result: &Value, text: Option<&str>) -> Vec<Outcome> {
    let chosen = match text {
        Some(text) => result_text::answers_before_idle(questions, text),
        None => structured(questions, result),
    };
    broken_off(DismissReason::AfkTimeout, chosen)
}

/// The outcomes when the person broke off. Choices made before are not answers.
fn broken_off(reason: DismissReason, chosen: Vec<Option<Answer>>) -> Vec<Outcome> {
    chosen
        .into_iter()
        .map(|partial| Outcome::Dismissed {
            reason,
            partial: partial.and_then(Answer::unless_blank),
        })
        .collect()
}

/// How each of `questions` ended, according to an error's text.
pub fn error_outcomes(questions: &[SentQuestion], error: &str, interrupted: bool) -> Vec<Outcome> {
    let each = |outcome: Outcome| vec![outcome; questions.len()];
    if is_denial(error) {
        return each(Outcome::Denied);
    }
    let became = unfinished(error).or(interrupted.then_some(Unfinished::Interrupted));
    let reason = match became {
        None | Some(Unfinished::Unknown) => None,
        Some(Unfinished::Interrupted) => Some(DismissReason::Interrupted),
        Some(Unfinished::SessionEnded) => Some(DismissReason::SessionEnded),
        Some(Unfinished::Unanswered) => Some(DismissReason::NoAnswer),
        Some(Unfinished::NeverShown) => {
            return each(Outcome::Failed {
                kind: FailureKind::Denied,
                error: error.to_owned(),
            });
        }
    };
    if let Some(reason) = reason {
        return each(Outcome::dismissed(reason));
    }
    let clarified = error.contains("The user wants to clarify these questions");
    if clarified || is_refusal(error) {
        let reason = if clarified {
            DismissReason::Clarify
        } else {
            DismissReason::Rejected
        };
        return result_text::partial_answers(questions, error)
            .into_iter()
            .map(|partial| Outcome::Dismissed {
                reason,
                partial: partial.and_then(Answer::unless_blank),
            })
            .collect();
    }
    each(Outcome::Failed {
        kind: failure_kind(error),
        error: error.to_owned(),
    })
}

/// An explicit error: `is_error`/`isError` that is boolean true, of the result or of one of its
/// blocks, or a non-empty string `error`.
fn error_of(result: &Value) -> Option<String> {
    let is_flagged = |value: &Value| {
        ["is_error", "isError"]
            .iter()
            .any(|name| value.get(name) == Some(&Value::Bool(true)))
    };
    let flagged =
        is_flagged(result) || blocks(result).is_some_and(|all| all.iter().any(is_flagged));
    let error = result
        .get("error")
        .and_then(Value::as_str)
        .filter(|error| !error.is_empty());
    match (error, flagged) {
        (Some(error), _) => Some(error.to_owned()),
        (None, true) => Some(plain_text(result).unwrap_or_default()),
        (None, false) => None,
    }
}

/// A missing response: null, an empty text, or a text with the sentinel phrase that does not have a known form of
/// answers (a person may write about lost results, too).
fn is_missing(questions: &[SentQuestion], result: &Value, text: Option<&str>) -> bool {
    match text {
        Some(text) => {
            text.trim().is_empty()
                || (holds_sentinel(text) && !result_text::is_framed(questions, text))
        }
        None => result.is_null(),
    }
}

/// False for an answer that the host marks as no answer, and for its placeholder texts.
fn is_answer(question: &SentQuestion, result: &Value, answer: &Answer) -> bool {
    const PLACEHOLDERS: [&str; 2] = ["[User dismissed", "[User skipped this question]"];
    let typed = answer.free_text.as_deref().unwrap_or_default();
    let is_placeholder = PLACEHOLDERS.iter().any(|words| typed.starts_with(words));
    !is_placeholder && annotation(question, result, "unanswered").is_none()
}

/// The content blocks of a result, if it has any.
fn blocks(result: &Value) -> Option<&Vec<Value>> {
    match result {
        Value::Object(object) => object.get("content")?.as_array(),
        result => result.as_array(),
    }
}

/// The texts of content blocks.
fn texts(blocks: &[Value]) -> Vec<&str> {
    blocks
        .iter()
        .filter_map(|block| block.as_str().or_else(|| block.get("text")?.as_str()))
        .collect()
}

/// The result as one text: a string, or content blocks joined by newlines.
fn plain_text(result: &Value) -> Option<String> {
    if let Value::String(text) = result {
        return Some(text.clone());
    }
    let blocks = blocks(result)?;
    let texts = texts(blocks);
    let text = texts.join("\n");
    // If there are structured answers next to the blocks, blocks without text do not count.
    let has_answers = ["answers", "structuredContent"]
        .iter()
        .any(|name| result.get(name).is_some());
    if has_answers && text.trim().is_empty() {
        return None;
    }
    (!texts.is_empty() || blocks.is_empty()).then_some(text)
}

/// The JSON object or list in the result's text or in one of its blocks. A list of answers is returned as the `answers`
/// of an object, because a list alone would be taken for content blocks.
fn json_inside(result: &Value, text: Option<&str>) -> Option<Value> {
    let parse = |text: &str| {
        let text = text.trim();
        let value = text
            .starts_with(['{', '['])
            .then(|| lenient_json(text).ok())??;
        let is_block = |value: &Value| value.get("type").is_some();
        match &value {
            Value::Array(list) if list.is_empty() || !list.iter().all(is_block) => {
                Some(serde_json::Map::from_iter([("answers".to_owned(), value)]).into())
            }
            Value::Array(_) | Value::Object(_) => Some(value),
            _ => None,
        }
    };
    parse(text?).or_else(|| texts(blocks(result)?).into_iter().find_map(parse))
}

fn answers(questions: &[SentQuestion], result: &Value, text: Option<&str>) -> Vec<Option<Answer>> {
    let Some(text) = text else {
        return structured(questions, result);
    };
    let found = result_text::answers(questions, text);
    if found.iter().any(Option::is_some) {
        return found;
    }
    // One block per question, in order.
    let texts = blocks(result).map_or_else(Vec::new, |blocks| texts(blocks));
    let read = |(question, text): (&SentQuestion, &&str)| read_answer(question, text);
    let each: Vec<Answer> = questions.iter().zip(&texts).map(read).collect();
    if texts.len() == questions.len() && each.iter().all(|answer| !answer.labels.is_empty()) {
        return each.into_iter().map(Some).collect();
    }
    found
}

// Answers in objects and lists, found by text or by position.

/// The answer to each of `questions` in a structured result; `None` for one without an answer.
fn structured(questions: &[SentQuestion], result: &Value) -> Vec<Option<Answer>> {
    let note = |question: &SentQuestion| {
        let notes = annotation(question, result, "notes")?.trim();
        (!notes.is_empty()).then(|| notes.to_owned())
    };
    let answers = result
        .get("answers")
        .or_else(|| result.get("structuredContent")?.get("answers"));
    let echoed = result.get("questions").and_then(Value::as_array);
    let one = questions.len() == 1;
    questions
        .iter()
        .enumerate()
        .map(|(index, question)| {
            let value = match answers {
                // A map holds one answer for each text: that of the last question with it.
                Some(Value::Object(_)) if is_repeated_later(questions, index) => None,
                Some(map @ Value::Object(object)) => lookup(map, &question.text)
                    .or_else(|| object.values().next().filter(|_| one && object.len() == 1)),
                Some(Value::Array(list)) => list.get(index),
                Some(single @ Value::String(_)) if one => Some(single),
                _ if result.is_array() => result.get(index),
                _ => echoed
                    .and_then(|list| list.get(index))
                    .or(one.then_some(result)),
            };
            let mut answer = read_value(question, value?)?;
            answer.notes = answer.notes.or_else(|| note(question));
            Some(answer)
        })
        .collect()
}

/// True when a later one of `questions` has the same text as the one at `index`.
fn is_repeated_later(questions: &[SentQuestion], index: usize) -> bool {
    let (before, later) = questions.split_at(questions.len().min(index + 1));
    let is_same = |other: &SentQuestion| Some(&other.text) == before.last().map(|one| &one.text);
    later.iter().any(is_same)
}

/// The value of the result's annotation `name` for `question`.
fn annotation<'r>(question: &SentQuestion, result: &'r Value, name: &str) -> Option<&'r str> {
    let of_question = lookup(result.get("annotations")?, &question.text)?;
    of_question.get(name)?.as_str()
}

/// The value with the key `text`, exactly or ignoring white space and the marker.
fn lookup<'v>(map: &'v Value, text: &str) -> Option<&'v Value> {
    map.get(text).or_else(|| {
        let plain = |text: &str| {
            let (_, shown) = take_marker(text);
            shown.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let wanted = plain(text);
        map.as_object()?
            .iter()
            .find(|(key, _)| plain(key) == wanted)
            .map(|(_, value)| value)
    })
}

fn read_value(question: &SentQuestion, value: &Value) -> Option<Answer> {
    const LABELS: [&str; 5] = ["option_label", "label", "choice", "answer", "user_answer"];
    const FREE: [&str; 2] = ["free_text", "other_text"];
    match value {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(read_answer(question, text)),
        Value::Array(list) => {
            let mut whole = Answer::default();
            for part in list.iter().filter_map(|part| read_value(question, part)) {
                whole.labels.extend(part.labels);
                whole.free_text = whole.free_text.or(part.free_text);
                whole.notes = whole.notes.or(part.notes);
            }
            (!whole.is_empty()).then_some(whole)
        }
        Value::Object(object) => {
            let filled = |value: &&Value| !value.is_null() && value.as_str() != Some("");
            let named = |names: &[&str]| {
                names
                    .iter()
                    .find_map(|name| object.get(*name).filter(filled))
            };
            let mut answer = named(&LABELS)
                .and_then(|value| read_value(question, value))
                .unwrap_or_default();
            let free = named(&FREE).and_then(Value::as_str).map(str::to_owned);
            answer.free_text = free.or(answer.free_text);
            let notes = object.get("notes").and_then(Value::as_str).map(str::trim);
            answer.notes = answer
                .notes
                .or_else(|| notes.filter(|notes| !notes.is_empty()).map(str::to_owned));
            (!answer.is_empty()).then_some(answer)
        }
        _ => None,
    }
}
