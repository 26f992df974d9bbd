//! The sentences that Claude Code itself writes in place of an answer.

use crate::named::named_enum;

/// The prefix of a denial that carries a decision; never a failure.
pub const AUTO_DECIDE_PREFIX: &str = "[plan-tune auto-decide]";

/// How the host's own sentences start; any other text is an answer.
const HOST_SENTENCES: [&str; 8] = [
    "User has answered your questions",
    "Your questions have been answered",
    "The user answered:",
    "The user did not answer the questions",
    "User declined to answer",
    "No response after ",
    "[Tool call ",
    "<tool_use_error>",
];

/// How the host phrases a refusal. The last one is an approval of the plan as it is, with questions
/// left open.
const REFUSALS: [&str; 4] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "The user has indicated they have provided enough answers for the plan interview",
];

/// How the host phrases it that the person did something else instead of answering.
const INTERRUPTIONS: [&str; 2] = [
    "[Request interrupted by user",
    "[Tool call did not complete: the turn was ended",
];

fn starts_with_any(text: &str, starts: &[&str]) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix("Error:").unwrap_or(text).trim_start();
    // 2.1.329 puts the hook's name before its reason: `PreToolUse:mcp__x__AskUserQuestion hook error: `.
    let text = match text.split_once(" hook error: ") {
        Some((hook, reason)) if hook.starts_with("PreToolUse:") => reason,
        _ => text,
    };
    starts.iter().any(|start| text.starts_with(start))
}

/// True for a denial that carries a decision.
pub fn is_denial(text: &str) -> bool {
    starts_with_any(text, &[AUTO_DECIDE_PREFIX])
}

/// True when the person did something else instead of answering.
pub fn is_interruption(text: &str) -> bool {
    starts_with_any(text, &INTERRUPTIONS)
}

/// True when the person refused to answer, with or without a message.
pub fn is_refusal(text: &str) -> bool {
    starts_with_any(text, &REFUSALS)
}

/// A text that is no answer although nothing flags it as an error.
pub fn is_unflagged_error(text: &str) -> bool {
    const STARTS: [&str; 4] = [
        AUTO_DECIDE_PREFIX,
        "[Tool call ",
        "<tool_use_error>",
        "InputValidationError",
    ];
    is_refusal(text) || is_interruption(text) || starts_with_any(text, &STARTS)
}

named_enum! {
    /// How a question failed.
    pub enum FailureKind {
        /// The result was lost.
        MissingResult = "missing_result",
        /// The tool's input was refused.
        Validation = "validation",
        /// The server reported an error.
        McpError = "mcp_error",
        /// The server was gone.
        ConnectionClosed = "connection_closed",
        /// A permission mode or rule forbids the tool, or nobody was there: nobody was asked.
        Denied = "denied",
        /// Anything else.
        ToolError = "tool_error",
    }
}

/// What kind of failure the text `error` describes.
pub fn failure_kind(error: &str) -> FailureKind {
    let lower = error.to_lowercase();
    if lower.contains(SENTINEL) {
        FailureKind::MissingResult
    } else if lower.contains("inputvalidationerror") {
        FailureKind::Validation
    } else if lower.contains("connection closed") {
        FailureKind::ConnectionClosed
    } else if lower.contains("mcp error") {
        FailureKind::McpError
    } else if nobody_was_there(error)
        || lower.contains("permission to use ") && lower.contains(" has been denied")
    {
        FailureKind::Denied
    } else {
        FailureKind::ToolError
    }
}

/// What `claude -p` hands back within milliseconds where no question can be shown (seen in 2.1.71): the words of the
/// prompt that it would have asked with.
const UNSHOWN_PROMPT: &str = "Answer questions?";

/// True when the text `error` says that the session has no person to ask.
pub fn nobody_was_there(error: &str) -> bool {
    let error = error.trim();
    error.strip_prefix("Error:").unwrap_or(error).trim() == UNSHOWN_PROMPT
}

/// The phrase that stands for a lost result, in lower case.
const SENTINEL: &str = "tool result missing";

/// True for a text that holds the phrase for a lost result. It may be
/// an answer all the same; the caller decides.
pub fn holds_sentinel(text: &str) -> bool {
    text.to_lowercase().contains(SENTINEL)
}

/// True for a sentence of the host's; any other text is an answer.
pub fn is_host_sentence(text: &str) -> bool {
    let text = text.trim_start();
    HOST_SENTENCES.iter().any(|start| text.starts_with(start))
}

/// True when the host does not know the result, which counts as none.
pub fn is_unknown_result(text: &str) -> bool {
    const STARTS: [&str; 2] = [
        "[Tool call interrupted: the session ended",
        "[Tool call result not in this copy",
    ];
    starts_with_any(text, &STARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_denials_are_recognised() {
        for text in [
            "[plan-tune auto-decide] k → Red",
            "Error: [plan-tune auto-decide] k → Red",
            "PreToolUse:mcp__x__AskUserQuestion hook error: [plan-tune auto-decide] k → Red",
            "Error: PreToolUse:mcp__x__AskUserQuestion hook error: [plan-tune auto-decide] k",
        ] {
            assert!(is_denial(text) && is_unflagged_error(text), "{text}");
        }
        for text in [
            "PreToolUse:mcp__x__AskUserQuestion hook error: blocked",
            "the reason was: PreToolUse:x hook error: [plan-tune auto-decide]",
            "no screen",
        ] {
            assert!(!is_denial(text), "{text}");
        }
    }
}
