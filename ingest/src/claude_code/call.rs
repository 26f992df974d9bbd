//! One call of a question tool, as its transcript tells it.

use plantune_domain::host_words::{is_unflagged_error, is_unknown_result};
use plantune_domain::results::{DismissReason, FailureKind, Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use super::place::Place;
use super::result_text::text_of;
use super::wire::ToolResult;

/// A call with what came back for it.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tool: QuestionTool,
    pub(crate) tool_name: String,
    pub(crate) tool_use_id: String,
    pub(crate) questions: Vec<SentQuestion>,
    /// True when the model put answers into the call itself.
    pub(crate) has_own_answers: bool,
    /// Where it was made; at no time when nothing near it has one.
    pub(crate) of: Place,
    pub(crate) skill: Option<String>,
    pub(crate) ending: Option<Ending>,
    /// What a hook answered, by question text.
    pub(crate) answers_of_hook: Option<Value>,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) at: Option<String>,
    /// One a question.
    pub(crate) outcomes: Vec<Outcome>,
    /// The text that the model got.
    pub(crate) text: String,
}

impl Call {
    /// How much of the call a line holds: a line written while the model still spoke holds less.
    pub(crate) fn size(&self) -> (usize, usize, usize) {
        let options = |question: &SentQuestion| question.options.len();
        let text = |question: &SentQuestion| {
            question.text.len() + question.options.iter().map(String::len).sum::<usize>()
        };
        (
            self.questions.len(),
            self.questions.iter().map(options).sum(),
            self.questions.iter().map(text).sum(),
        )
    }

    /// True when one of its questions was answered, by whomever.
    pub(crate) fn is_answered(&self) -> bool {
        let mut outcomes = self.ending.iter().flat_map(|ending| &ending.outcomes);
        outcomes.any(|outcome| matches!(outcome, Outcome::Answered(_) | Outcome::Denied))
    }

    /// Takes a result in. Of several the first counts, unless only a later one holds an answer.
    pub(super) fn end(&mut self, result: &ToolResult<'_>, at: Option<String>) {
        let text = text_of(result);
        if is_unknown_result(&text) {
            return;
        }
        let outcomes = self.outcomes(result, &text);
        let is_answer = |outcome: &Outcome| matches!(outcome, Outcome::Answered(_));
        let is_better = self.ending.as_ref().is_none_or(|ending| {
            !ending.outcomes.iter().any(is_answer) && outcomes.iter().any(is_answer)
        });
        if is_better {
            self.ending = Some(Ending { at, outcomes, text });
        }
    }

    fn outcomes(&self, result: &ToolResult<'_>, text: &str) -> Vec<Outcome> {
        if result.is_error || is_error_text(result) {
            return error_outcomes(&self.questions, text, false);
        }
        let is_structured = match result.returned {
            Value::Object(_) => true,
            // Blocks of text, which only servers answer with.
            Value::Array(_) => self.tool == QuestionTool::Mcp,
            _ => false,
        };
        if is_structured {
            let found = outcomes(&self.questions, result.returned, false);
            if found.iter().any(says_something) || result.content.is_null() {
                return found;
            }
        }
        let content = match (result.content, result.returned) {
            (Value::Null, Value::String(_)) => result.returned,
            (content, _) => content,
        };
        let mut found = outcomes(&self.questions, content, false);
        if self.tool == QuestionTool::Native {
            found
                .iter_mut()
                .filter(|outcome| is_whole_text(outcome, text))
                .for_each(|outcome| *outcome = no_answer());
        }
        found
    }
}

/// An error that nothing flags: what the tool returned is the text of one.
fn is_error_text(result: &ToolResult<'_>) -> bool {
    let Value::String(returned) = result.returned else {
        return false;
    };
    returned.starts_with("Error:") || is_unflagged_error(returned)
}

fn says_something(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Dismissed { reason, partial } => {
            *reason != DismissReason::NoAnswer || partial.is_some()
        }
        Outcome::Failed { kind, .. } => *kind != FailureKind::MissingResult,
        Outcome::Answered(_) | Outcome::Denied => true,
    }
}

/// Claude Code puts an answer beside its question. A text that is all answer is a sentence of the
/// host's that is not known here, and no consent.
fn is_whole_text(outcome: &Outcome, text: &str) -> bool {
    match outcome {
        Outcome::Answered(answer) => {
            answer.free_text.as_deref().map(str::trim) == Some(text.trim())
        }
        _ => false,
    }
}

fn no_answer() -> Outcome {
    Outcome::Dismissed {
        reason: DismissReason::NoAnswer,
        partial: None,
    }
}
