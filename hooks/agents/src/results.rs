//! Results of question tools as the agents word them.

use plantune_domain::answer::{Answer, read_answer};
use plantune_domain::results::{AUTO_DECIDE_PREFIX, DismissReason, FailureKind, Outcome};
use plantune_domain::wire::SentQuestion;
use serde_json::Value;

/// What stands in `value` at the JSON pointer `pointer`; null where there is nothing.
pub(crate) fn within<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// The person was asked, and there is no answer.
pub(crate) fn dismissed(reason: DismissReason) -> Outcome {
    Outcome::Dismissed {
        reason,
        partial: None,
    }
}

/// What became of each of `questions`, `None` for one without an answer.
pub(crate) fn answered(
    questions: &[SentQuestion],
    answer: &dyn Fn(usize, &SentQuestion) -> Option<Answer>,
) -> Vec<Outcome> {
    let one = |(index, question)| match answer(index, question).and_then(Answer::unless_blank) {
        Some(answer) => Outcome::Answered(answer),
        None => dismissed(DismissReason::NoAnswer),
    };
    questions.iter().enumerate().map(one).collect()
}

/// An answer that came as one text, several labels with `, ` between them.
pub(crate) fn from_text(question: &SentQuestion, text: &str) -> Option<Answer> {
    (!text.is_empty()).then(|| read_answer(question, text))
}

/// How each of `questions` ended by the `text` of a result that holds no answers. `aborted` and `invalid` are what it
/// holds when the person broke the question off, and when it was never asked because it was malformed.
pub(crate) fn without_answers(
    questions: &[SentQuestion],
    text: &str,
    [aborted, invalid, denied]: [&str; 3],
) -> Vec<Outcome> {
    let outcome = if text.contains(AUTO_DECIDE_PREFIX) {
        Outcome::Denied
    } else if text.contains(aborted) {
        dismissed(DismissReason::Rejected)
    } else {
        let kind = if text.contains(invalid) {
            FailureKind::Validation
        } else if text.contains(denied) {
            FailureKind::Denied
        } else {
            FailureKind::ToolError
        };
        Outcome::Failed {
            kind,
            error: text.to_owned(),
        }
    };
    vec![outcome; questions.len()]
}
