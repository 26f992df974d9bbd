//! What came back for a call, in any shape, as the hook and the importer read it.
//!
//! Input: two sections divided by the byte 1E: the tool's input, and its result, as JSON or as text.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::collections::BTreeSet;

use plantune_domain::answer::{Answer, read_answer};
use plantune_domain::event::Event;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::result_text;
use plantune_domain::results::{Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{SentQuestion, lenient_json, sent_questions};
use serde_json::{Map, Value, json};

/// Checks the call and the result in `data`.
pub(crate) fn check(data: &[u8]) {
    let data = String::from_utf8_lossy(data);
    let (input, result) = data.split_once('\u{1e}').unwrap_or((&data, ""));
    let questions = sent_questions(&lenient_json(input).unwrap_or_default());
    let value = lenient_json(result).unwrap_or_else(|_| Value::from(result));
    for is_error in [false, true] {
        check_outcomes(&questions, &outcomes(&questions, &value, is_error));
        check_outcomes(&questions, &error_outcomes(&questions, result, is_error));
    }
    for answers in [
        result_text::answers(&questions, result),
        result_text::answers_before_idle(&questions, result),
        result_text::partial_answers(&questions, result),
        result_text::responded(&questions, result),
    ] {
        assert_eq!(answers.len(), questions.len());
        for (question, answer) in questions.iter().zip(answers) {
            check_answer(question, &answer.unwrap_or_default());
        }
    }
    for question in &questions {
        check_answer(question, &read_answer(question, result));
        check_several(question);
    }
    check_reported(&questions);
}

fn check_outcomes(questions: &[SentQuestion], outcomes: &[Outcome]) {
    assert_eq!(outcomes.len(), questions.len());
    for (question, outcome) in questions.iter().zip(outcomes) {
        match outcome {
            Outcome::Answered(answer) => {
                assert!(!answer.is_empty());
                check_answer(question, answer);
            }
            Outcome::Dismissed { partial, .. } => {
                check_answer(question, &partial.clone().unwrap_or_default());
            }
            Outcome::Failed { .. } | Outcome::Denied => {}
        }
        let known = Question::identify(question.clone(), &Registry::default());
        let mut event = Event {
            v: 1,
            ..Event::default()
        };
        outcome.describe(
            &known,
            question.options.first().map(String::as_str),
            &mut event,
        );
        let line = event.to_line().unwrap();
        let read: Event<'_> = serde_json::from_slice(&line).unwrap();
        assert_eq!(read.answer, event.answer);
    }
}

/// A chosen label is one that was offered.
fn check_answer(question: &SentQuestion, answer: &Answer) {
    for label in &answer.labels {
        assert!(
            question.options.contains(label),
            "{label:?} was not offered"
        );
    }
}

/// Several labels, joined as Claude Code joins them, leave nothing over as typed text.
fn check_several(question: &SentQuestion) {
    let distinct: BTreeSet<&str> = question.options.iter().map(String::as_str).collect();
    let plain = |label: &str| !label.trim().is_empty() && !label.starts_with('(');
    if distinct.len() != question.options.len()
        || !(2..=4).contains(&distinct.len())
        || !distinct.iter().all(|label| plain(label))
    {
        return;
    }
    let several = SentQuestion {
        multi_select: Some(true),
        ..question.clone()
    };
    let read = read_answer(&several, &question.options.join(", "));
    assert!(!read.labels.is_empty());
    assert_eq!(read.free_text, None, "of {:?}", question.options);
}

/// The last label of every question, reported in the ways of the native tool.
fn check_reported(questions: &[SentQuestion]) {
    let texts: BTreeSet<&str> = questions
        .iter()
        .map(|question| question.text.as_str())
        .collect();
    let plain =
        |text: &str| !text.trim().is_empty() && !text.contains(['"', '(', '\n', ':', '.', '[']);
    let wanted: Vec<&str> = questions
        .iter()
        .filter(|question| plain(&question.text))
        .filter_map(|question| question.options.last())
        .map(String::as_str)
        .filter(|label| plain(label))
        .collect();
    if wanted.len() != questions.len() || texts.len() != questions.len() || wanted.is_empty() {
        return;
    }
    let pairs: Vec<(&str, &str)> = questions
        .iter()
        .map(|question| question.text.as_str())
        .zip(wanted.iter().copied())
        .collect();
    let map: Map<String, Value> = pairs
        .iter()
        .map(|(text, label)| ((*text).to_owned(), Value::from(*label)))
        .collect();
    let answers: Vec<String> = pairs
        .iter()
        .map(|(text, label)| format!("\"{text}\"=\"{label}\""))
        .collect();
    let text = format!(
        "User has answered your questions: {}. You can now continue with the user's answers in mind.",
        answers.join(", ")
    );
    for result in [json!({"questions": [], "answers": map}), Value::from(text)] {
        for (outcome, wanted) in outcomes(questions, &result, false).iter().zip(&wanted) {
            let Outcome::Answered(answer) = outcome else {
                panic!("{wanted:?} was lost: {outcome:?}");
            };
            assert_eq!(answer.labels.len(), 1);
            assert_eq!(
                answer.labels[0].to_lowercase().trim(),
                wanted.to_lowercase().trim()
            );
        }
    }
}
