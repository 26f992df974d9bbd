//! What can be found of one call without knowing any other: masks, keys, doors, and the answers of hooks. This takes most
//! of an import's time, so it is done where files are read, on all processors.

use plantune_domain::answer::Answer;
use plantune_domain::event::Mechanism;
use plantune_domain::question::Question;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::registry::Registry;
use plantune_domain::results::{AUTO_DECIDE_PREFIX, Outcome, mask_all, outcomes};
use plantune_domain::secrets::{masked, masked_reply};
use plantune_domain::wire::SentQuestion;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::call::QuestionCall;

/// A call whose questions are identified.
#[derive(Debug)]
pub(crate) struct JudgedCall {
    pub(crate) call: QuestionCall,
    pub(crate) questions: Vec<JudgedQuestion>,
}

/// A question of a call, masked.
#[derive(Debug)]
pub(crate) struct JudgedQuestion {
    pub(crate) question: Question,
    /// A hook's answer and how it was given.
    pub(crate) decided: Option<(Answer, Mechanism)>,
    pub(crate) outcome: Option<Outcome>,
}

impl JudgedCall {
    /// The `calls`, on all processors, in their order.
    pub(crate) fn all(calls: Vec<QuestionCall>, registry: &Registry) -> Vec<Self> {
        let calls = calls.into_par_iter();
        calls.map(|call| Self::of(call, registry)).collect()
    }

    fn of(call: QuestionCall, registry: &Registry) -> Self {
        // What has no time becomes no event.
        if call.dated().is_none() {
            return Self {
                call,
                questions: Vec::new(),
            };
        }
        let identify = |sent: &SentQuestion| Question::identify(sent.clone(), registry);
        let questions: Vec<Question> = call.questions.iter().map(identify).collect();
        let decided = decided(&call, &questions);
        let mut outcomes = call.ending.as_ref().map(|ending| ending.outcomes.clone());
        if let Some(outcomes) = &mut outcomes {
            mask_all(outcomes, &call.questions);
        }
        let mut outcomes = outcomes.unwrap_or_default().into_iter();
        let parts = questions.into_iter().zip(decided);
        let questions = parts.map(|(question, decided)| JudgedQuestion {
            question,
            decided,
            outcome: outcomes.next(),
        });
        Self {
            questions: questions.collect(),
            call,
        }
    }
}

/// A hook's answer to each question, and how it was given.
fn decided(call: &QuestionCall, questions: &[Question]) -> Vec<Option<(Answer, Mechanism)>> {
    let denial = call.ending.as_ref().filter(|ending| {
        let mut outcomes = ending.outcomes.iter();
        outcomes.any(|outcome| *outcome == Outcome::Denied)
    });
    if let Some(denial) = denial {
        let answers = denied(questions, &denial.text).into_iter();
        return answers
            .map(|answer| Some((answer.unwrap_or_default(), Mechanism::Deny)))
            .collect();
    }
    let Some(answers) = &call.answers_of_hook else {
        return vec![None; questions.len()];
    };
    allowed(&call.questions, answers)
        .into_iter()
        .map(|answer| Some((answer?, Mechanism::Allow)))
        .collect()
}

// Answers that a hook gave for the person.

/// The arrows between a question's key and its answer.
const ARROWS: [&str; 2] = ["→", "->"];

/// The answers, one per question, from the `answers` (by question text) of a hook's changed input.
fn allowed(questions: &[SentQuestion], answers: &Value) -> Vec<Option<Answer>> {
    let mut outcomes = outcomes(questions, &json!({ "answers": answers }), false);
    mask_all(&mut outcomes, questions);
    let answer = |outcome| match outcome {
        Outcome::Answered(answer) => Some(answer),
        _ => None,
    };
    outcomes.into_iter().map(answer).collect()
}

/// The answers in a denial, one per line: `[plan-tune auto-decide] key → label`. A line belongs to the question with
/// its key, otherwise to the question at its position.
fn denied(questions: &[Question], text: &str) -> Vec<Option<Answer>> {
    let decisions: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| {
            let (_, decision) = line.split_once(AUTO_DECIDE_PREFIX)?;
            let parts = ARROWS.iter().filter_map(|arrow| decision.split_once(arrow));
            let (key, label) = parts.min_by_key(|(key, _)| key.len())?;
            Some((key.trim(), label.trim()))
        })
        .collect();
    let unique = |key: &str| questions.iter().filter(|other| other.key == key).count() == 1;
    questions
        .iter()
        .enumerate()
        .map(|(index, question)| {
            let of_key = decisions.iter().find(|(key, _)| *key == question.key);
            let (_, label) = of_key
                .filter(|_| unique(&question.key))
                .or_else(|| decisions.get(index))?;
            let label = &*masked(label);
            Some(match named(&question.sent.options, label) {
                Some(option) => Answer {
                    labels: vec![option.to_owned()],
                    ..Answer::default()
                },
                None => Answer {
                    free_text: Some(masked_reply(&question.text, label).into_owned()),
                    ..Answer::default()
                },
            })
        })
        .collect()
}

/// The option that `label` names: in full, cut with an ellipsis, or followed by a remark.
fn named<'o>(options: &'o [String], label: &str) -> Option<&'o str> {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = one_line(label);
    let cut = label.strip_suffix('…');
    let lower = label.to_lowercase();
    let starts_the_remark = |option: &&String| {
        let option = one_line(strip_mark(option).0).to_lowercase();
        let rest = lower.strip_prefix(&option);
        !option.is_empty()
            && rest.is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
    };
    options
        .iter()
        .find(|option| same_label(&one_line(option), &label))
        .or_else(|| {
            let cut = cut?;
            options
                .iter()
                .find(|option| one_line(option).starts_with(cut))
        })
        .or_else(|| {
            let candidates = options.iter().filter(starts_the_remark);
            candidates.max_by_key(|option| option.len())
        })
        .map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::registry::Registry;

    fn question(text: &str, options: &[&str]) -> Question {
        let sent = SentQuestion {
            text: text.to_owned(),
            options: options.iter().map(|&label| label.to_owned()).collect(),
            ..SentQuestion::default()
        };
        Question::identify(sent, &Registry::default())
    }

    #[test]
    fn a_denial_names_the_answer() {
        let questions = [
            question(
                "<plantune:a> A?",
                &["Create it (recommended)", "Create", "Skip"],
            ),
            question("B?", &["No", "Now"]),
        ];
        let labels = |text: &str| -> Vec<String> {
            let answers = denied(&questions, text).into_iter();
            let shown = answers.map(|answer| match answer {
                Some(answer) => answer.labels.join("|") + &answer.free_text.unwrap_or_default(),
                None => "-".to_owned(),
            });
            shown.collect()
        };
        assert_eq!(
            labels("[plan-tune auto-decide] a -> Create it"),
            ["Create it (recommended)", "-"]
        );
        assert_eq!(
            labels(
                "Error: [plan-tune auto-decide] x → Now\n[plan-tune auto-decide] a → Skip (your preference)\nmore"
            ),
            ["Skip", "Skip (your preference)"]
        );
        assert_eq!(
            labels("[plan-tune auto-decide] a → Create it (rec…\n[plan-tune auto-decide] b → now"),
            ["Create it (recommended)", "Now"]
        );
        assert_eq!(labels("[plan-tune auto-decide] nothing"), ["-", "-"]);
    }

    #[test]
    fn an_allow_names_answers_by_text() {
        let sent = [question("<plantune:a> A?", &["Yes (Recommended)"]).sent];
        let answers = allowed(&sent, &json!({"<plantune:a> A?": "Yes (Recommended)"}));
        assert_eq!(answers[0].as_ref().unwrap().labels, ["Yes (Recommended)"]);
        assert_eq!(allowed(&sent, &json!({"A?": ""})), [None]);
    }
}
