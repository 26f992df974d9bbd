//! Answers that a hook gave for the person: by `allow`, or by a denial that names them.

use plantune_domain::answer::Answer;
use plantune_domain::question::Question;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::results::{AUTO_DECIDE_PREFIX, Outcome, mask_all, outcomes};
use plantune_domain::secrets::{masked, masked_reply};
use plantune_domain::wire::SentQuestion;
use serde_json::{Value, json};

/// What stands between a question's key and its answer.
const ARROWS: [&str; 2] = ["→", "->"];

/// The answers, one per question, in the `answers` (by question text) of a hook's changed input.
pub(super) fn allowed(questions: &[SentQuestion], answers: &Value) -> Vec<Option<Answer>> {
    let mut outcomes = outcomes(questions, &json!({ "answers": answers }), false);
    mask_all(&mut outcomes, questions);
    let answer = |outcome| match outcome {
        Outcome::Answered(answer) => Some(answer),
        _ => None,
    };
    outcomes.into_iter().map(answer).collect()
}

/// The answers that a denial names, a line each: `[plan-tune auto-decide] key → label`. A line
/// belongs to the question of its key, else to the question of its place.
pub(super) fn denied(questions: &[Question], text: &str) -> Vec<Option<Answer>> {
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

/// The option that `label` names: as it is, cut short with an ellipsis, or followed by a remark.
fn named<'o>(options: &'o [String], label: &str) -> Option<&'o str> {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let label = folded(label);
    let cut = label.strip_suffix('…');
    let lower = label.to_lowercase();
    let starts_the_remark = |option: &&String| {
        let option = folded(strip_mark(option).0).to_lowercase();
        let rest = lower.strip_prefix(&option);
        !option.is_empty()
            && rest.is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
    };
    options
        .iter()
        .find(|option| same_label(&folded(option), &label))
        .or_else(|| {
            let cut = cut?;
            options
                .iter()
                .find(|option| folded(option).starts_with(cut))
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
