//! One call of a question tool, as recorded in its transcript: where and when it was made, which command or skill was
//! running, and how it ended.

use chrono::DateTime;
use plantune_agents::installed::HistoryEnding;
use plantune_domain::clock;
use plantune_domain::result_text::{Unfinished, is_unflagged_error, unfinished};
use plantune_domain::results::{DismissReason, FailureKind, Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{DenialKind, ToolResult, TranscriptLine, TypedPrompt, text_of};

/// A call with its result.
#[derive(Debug)]
pub(crate) struct QuestionCall {
    pub(crate) tool: QuestionTool,
    pub(crate) tool_name: String,
    pub(crate) tool_use_id: String,
    pub(crate) questions: Vec<SentQuestion>,
    /// True when the model put answers into the call itself.
    pub(crate) has_own_answers: bool,
    /// Where and when it was made. The time is missing when no line nearby has one.
    pub(crate) of: CallOrigin,
    pub(crate) skill: Option<String>,
    pub(crate) ending: Option<HistoryEnding>,
    /// A hook's answers, by question text.
    pub(crate) answers_of_hook: Option<Value>,
    /// True when the host says that the person chose in the dialog.
    pub(crate) is_by_person: bool,
}

impl QuestionCall {
    /// True when the answers of a hook reached the model: no dialog was shown for them, and they did not come back
    /// empty, as they do where another hook drops them.
    pub(crate) fn took_answers_of_hook(&self) -> bool {
        match &self.ending {
            Some(_) => !self.is_by_person && self.is_answered(),
            None => true,
        }
    }

    /// When it was made; without that, when it ended.
    pub(crate) fn dated(&self) -> Option<&str> {
        let ended = || self.ending.as_ref()?.at.as_deref();
        self.of.at.as_deref().or_else(ended)
    }

    /// How much of the call a line contains, for comparison. A line written while the model was still responding
    /// contains less.
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

    /// True when one of its questions was answered, by anyone.
    pub(crate) fn is_answered(&self) -> bool {
        let mut outcomes = self.ending.iter().flat_map(|ending| &ending.outcomes);
        outcomes.any(|outcome| matches!(outcome, Outcome::Answered(_) | Outcome::Denied))
    }

    /// Records the `result` in `line`. The first one counts, unless only a later one contains an answer.
    pub(super) fn end(
        &mut self,
        line: TranscriptLine<'_>,
        result: &ToolResult<'_>,
        at: Option<String>,
    ) {
        let text = text_of(result);
        if unfinished(&text) == Some(Unfinished::Unknown) {
            return;
        }
        let outcomes = self.outcomes(result, &text).into_iter();
        let outcomes: Vec<Outcome> = outcomes.map(|outcome| corrected(outcome, line)).collect();
        let is_answer = |outcome: &Outcome| matches!(outcome, Outcome::Answered(_));
        let is_better = self.ending.as_ref().is_none_or(|ending| {
            !ending.outcomes.iter().any(is_answer) && outcomes.iter().any(is_answer)
        });
        if is_better {
            self.ending = Some(HistoryEnding { at, outcomes, text });
            self.is_by_person = line.is_decided_by_person();
        }
    }

    fn outcomes(&self, result: &ToolResult<'_>, text: &str) -> Vec<Outcome> {
        if result.is_error || is_error_text(result) {
            return error_outcomes(&self.questions, text, false);
        }
        let is_structured = match result.returned {
            Value::Object(_) => true,
            // Blocks of text, which only MCP servers return.
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
                .for_each(|outcome| *outcome = Outcome::dismissed(DismissReason::NoAnswer));
        }
        found
    }
}

/// The `outcome` that a result's text shows, where its `line` says more about how the call ended.
fn corrected(outcome: Outcome, line: TranscriptLine<'_>) -> Outcome {
    match (outcome, line.denial()) {
        (
            Outcome::Dismissed {
                reason: DismissReason::Rejected,
                ..
            }
            | Outcome::Failed { .. },
            _,
        ) if line.was_shut_down() || line.was_unanswered() => {
            Outcome::dismissed(DismissReason::SessionEnded)
        }
        (
            Outcome::Failed {
                kind: FailureKind::ToolError,
                ..
            },
            Some(DenialKind::Interrupted),
        ) => Outcome::dismissed(DismissReason::Interrupted),
        // The host denied it or never began it: the tool itself did not fail.
        (
            Outcome::Failed {
                kind: FailureKind::ToolError,
                error,
            },
            Some(DenialKind::PermissionRule | DenialKind::Classifier | DenialKind::Cancelled),
        ) => Outcome::Failed {
            kind: FailureKind::Denied,
            error,
        },
        (outcome, _) => outcome,
    }
}

/// True for an error without an error flag: the returned value is the text of an error.
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

/// True when the whole text is the answer. Claude Code puts an answer next to its question, so such a text is an
/// unknown message of the host, and not consent.
fn is_whole_text(outcome: &Outcome, text: &str) -> bool {
    match outcome {
        Outcome::Answered(answer) => {
            answer.free_text.as_deref().map(str::trim) == Some(text.trim())
        }
        _ => false,
    }
}

/// Where something was said, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallOrigin {
    /// RFC 3339, UTC, milliseconds.
    pub(crate) at: Option<String>,
    pub(crate) session_id: String,
    pub(crate) cwd: String,
    pub(crate) permission_mode: Option<String>,
    pub(crate) entrypoint: Option<String>,
    pub(crate) agent_id: Option<String>,
}

/// A time in the format of events; `None` for an invalid one.
pub(crate) fn in_utc(timestamp: &str) -> Option<String> {
    let time = DateTime::parse_from_rfc3339(timestamp).ok()?;
    Some(clock::timestamp(time.to_utc()))
}

/// The command or skill running in the main conversation of a transcript: the slash command of the last prompt, or the
/// skill started since.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AtWork {
    /// As written in the transcript: `/gsd:discuss-phase`, `superpowers:brainstorming`.
    name: Option<String>,
    /// The session. One file can contain lines of several.
    session: Option<String>,
    /// True when one of its questions has no answer. The next prompt is then the reply.
    pub(super) awaits_reply: bool,
}

impl AtWork {
    /// Applies a line of the transcript.
    pub(super) fn take(&mut self, line: TranscriptLine<'_>) {
        if line.is_sidechain() {
            return;
        }
        match line.prompt() {
            Some(TypedPrompt::Command(name)) => *self = Self::of(name, line),
            Some(TypedPrompt::Text) if !self.awaits_reply => *self = Self::default(),
            _ => {}
        }
        if let Some(skill) = line.started_skill() {
            *self = Self::of(skill, line);
        }
    }

    fn of(name: &str, line: TranscriptLine<'_>) -> Self {
        Self {
            name: Some(name.to_owned()),
            session: line.session_id().map(str::to_owned),
            awaits_reply: false,
        }
    }

    /// The command or skill that made the call of `line`: the one that the line names, otherwise the running one. A
    /// typed command keeps its slash, even when the host leaves it out.
    pub(super) fn asker(&self, line: TranscriptLine<'_>) -> Option<String> {
        let is_its = !line.is_sidechain() && line.session_id() == self.session.as_deref();
        let name = self.name.clone().filter(|_| is_its);
        let is_typed = |skill: &String| {
            let command = name.as_ref().and_then(|name| name.strip_prefix('/'));
            command == Some(skill.as_str())
        };
        match line.skill() {
            Some(skill) if !is_typed(&skill) => Some(skill),
            _ => name.or(line.agent().map(str::to_owned)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        let found = in_utc("2026-01-02T03:04:05.678+02:00");
        assert_eq!(found.as_deref(), Some("2026-01-02T01:04:05.678Z"));
        assert_eq!(in_utc("yesterday"), None);
    }
}
