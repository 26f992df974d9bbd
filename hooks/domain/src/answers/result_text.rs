//! Answers that only exist as prose: the result text of older versions, rejections with partial
//! answers, and the numbered replies of MCP servers.
//!
//! Questions, labels and previews can contain unescaped quotes and newlines, so nothing here parses quotes. The known
//! question texts are the anchors.

use crate::answer::{Answer, read_answer};
use crate::named::named_enum;
use crate::wire::SentQuestion;

/// The text after the last answer, by version.
const TAILS: [&str; 4] = [
    ". You can now continue with the user's answers in mind.",
    ". You can now continue with these answers in mind.",
    ". Read the answers carefully",
    ". You can now continue",
];

/// The prefix of a prose answer to a whole call.
const RESPONDED: &str = "The user responded: ";

/// The prefix of the choices made before the person went away.
const BEFORE_IDLE: &str = "Before going idle the user had selected: ";

/// The answers in `text`, one per question; `None` for a question it does not answer.
pub fn answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    if let Some(response) = text.trim_start().strip_prefix(RESPONDED) {
        return responded(questions, response);
    }
    let anchored = anchored(questions, text);
    if anchored.iter().any(Option::is_some) {
        return anchored;
    }
    if let [question] = questions {
        let lone = read_answer(question, text);
        if !lone.labels.is_empty() {
            return vec![Some(lone)];
        }
    }
    if let Some(numbered) = numbered(questions, text) {
        return numbered;
    }
    match questions {
        // A server may answer one question with just the answer.
        [question] if !text.trim().is_empty() && !is_host_sentence(text) => {
            vec![Some(read_answer(question, text))]
        }
        _ => vec![None; questions.len()],
    }
}

/// True when `text` has one of the known forms of answers.
pub(crate) fn is_framed(questions: &[SentQuestion], text: &str) -> bool {
    let start = text.trim_start();
    is_host_sentence(text)
        || ["User responses:", "1. ", RESPONDED]
            .iter()
            .any(|frame| start.starts_with(frame))
        || questions
            .iter()
            .any(|question| text.contains(&format!("\"{}\"=", question.text)))
}

/// The answers in one prose reply to all of `questions`. For a single question it may name a label; for several it is
/// free text for each.
pub fn responded(questions: &[SentQuestion], response: &str) -> Vec<Option<Answer>> {
    match questions {
        [question] => vec![Some(read_answer(question, response))],
        _ => vec![
            Some(Answer {
                free_text: Some(response.to_owned()),
                ..Answer::default()
            });
            questions.len()
        ],
    }
}

/// True for the model's text when the person asked for other questions first.
pub(crate) fn is_follow_up(text: &str) -> bool {
    let rest = text
        .trim_start()
        .strip_prefix("The user asked for more questions before ");
    rest.is_some_and(|rest| rest.starts_with("answering.") || rest.starts_with("you proceed."))
}

/// The choices made before the person went away.
pub fn answers_before_idle(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    match text.split_once(BEFORE_IDLE) {
        Some((_, chosen)) => anchored(questions, chosen.strip_suffix('.').unwrap_or(chosen)),
        None => vec![None; questions.len()],
    }
}

/// The answers given before the person chose to talk instead.
pub fn partial_answers(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    let segments = segments(questions, text, text.len(), |question| {
        format!("- \"{question}\"\n")
    });
    questions
        .iter()
        .zip(segments)
        .map(|(question, segment)| {
            let segment = segment?.trim();
            let (answer, notes) = match segment.split_once("\n  User notes: ") {
                Some((answer, notes)) => (answer, Some(notes.trim().to_owned())),
                None => (segment, None),
            };
            let mut answer = match answer.strip_prefix("Answer:") {
                Some(answer) => read_answer(question, answer.trim()),
                None => Answer::default(),
            };
            answer.notes = notes;
            (!answer.is_empty()).then_some(answer)
        })
        .collect()
}

/// Reads `"Q"="A"` pairs, searching for each whole question text.
fn anchored(questions: &[SentQuestion], text: &str) -> Vec<Option<Answer>> {
    // The last tail is the host's. An earlier one is part of an answer.
    let end = TAILS.iter().filter_map(|tail| text.rfind(tail)).max();
    let end = end.unwrap_or(text.len());
    let segments = segments(questions, text, end, |question| format!("\"{question}\"="));
    questions
        .iter()
        .zip(segments)
        .map(|(question, segment)| read_segment(question, segment?))
        .collect()
}

/// The text after each question's anchor, up to the next anchor, and for the last one up to `end`.
fn segments<'t>(
    questions: &[SentQuestion],
    text: &'t str,
    end: usize,
    anchor: impl Fn(&str) -> String,
) -> Vec<Option<&'t str>> {
    let starts: Vec<Option<(usize, usize)>> = questions
        .iter()
        .enumerate()
        .map(|(index, question)| {
            let anchor = anchor(&question.text);
            // Of questions with one text, each has its own answer, in their order; where there are fewer answers, the
            // last questions have them.
            let is_same = |other: &&SentQuestion| other.text == question.text;
            let (before, later) = questions.split_at(index);
            let later = later.iter().filter(is_same).count();
            let found: Vec<usize> = text.match_indices(&anchor).map(|(at, _)| at).collect();
            let at = match before.iter().any(|other| is_same(&other)) || later > 1 {
                true => *found.get(found.len().checked_sub(later)?)?,
                false => *found.first()?,
            };
            Some((at, at + anchor.len()))
        })
        .collect();
    starts
        .iter()
        .map(|start| {
            let (_, from) = (*start)?;
            let others = starts.iter().flatten().map(|(at, _)| *at);
            match others.filter(|at| *at >= from).min() {
                Some(next) => Some(text.get(from..next)?.trim_end().trim_end_matches(',')),
                None => text.get(from..end.max(from)),
            }
        })
        .collect()
}

/// `"A"`, `"A" selected preview:…`, `"A" user notes: …` or `(no option selected) notes: …`.
fn read_segment(question: &SentQuestion, segment: &str) -> Option<Answer> {
    let Some(quoted) = segment.strip_prefix('"') else {
        let mut answer = read_answer(question, segment.split(" notes: ").next()?);
        answer.notes = notes_in(segment);
        return Some(answer);
    };
    // The closing quote: the one before an annotation that may follow an answer, otherwise the last one of the segment.
    let close = ["\" selected preview:", "\" user notes: ", "\" notes: "]
        .iter()
        .filter_map(|mark| quoted.find(mark))
        .min()
        .or_else(|| quoted.rfind('"'))?;
    let (value, rest) = quoted.split_at(close);
    if value.is_empty() {
        return None;
    }
    let mut answer = read_answer(question, value);
    answer.notes = notes_in(rest);
    Some(answer)
}

/// The person's note. After a preview it is the last match, because the preview may contain the word.
fn notes_in(annotations: &str) -> Option<String> {
    const MARKS: [&str; 2] = [" user notes: ", " notes: "];
    let of_preview = annotations.starts_with("\" selected preview:");
    MARKS.iter().find_map(|mark| {
        let (_, notes) = if of_preview {
            annotations.rsplit_once(mark)?
        } else {
            annotations.split_once(mark)?
        };
        (!notes.trim().is_empty()).then(|| notes.trim().to_owned())
    })
}

/// Reads `1. …\n2. …` by position.
fn numbered(questions: &[SentQuestion], text: &str) -> Option<Vec<Option<Answer>>> {
    let body = text.trim_start();
    let body = body
        .strip_prefix("User responses:")
        .map_or(body, str::trim_start);
    body.strip_prefix("1. ")?;
    let mut starts = Vec::with_capacity(questions.len());
    let mut from = 0;
    for number in 1..=questions.len() {
        let mark = format!("{number}. ");
        let at = body.match_indices(&mark).map(|(at, _)| at).find(|at| {
            *at >= from
                && (*at == 0 || body.get(..*at).is_some_and(|before| before.ends_with('\n')))
        });
        let Some(at) = at else { break };
        from = at + mark.len();
        starts.push((at, from));
    }
    Some(
        questions
            .iter()
            .enumerate()
            .map(|(index, question)| {
                let (_, from) = *starts.get(index)?;
                let to = starts.get(index + 1).map_or(body.len(), |(at, _)| *at);
                let value = body.get(from..to)?.trim();
                (!value.is_empty()).then(|| read_answer(question, value))
            })
            .collect(),
    )
}

// The sentences that Claude Code writes instead of an answer.

/// The prefix of a denial that carries a decision; never a failure.
pub const AUTO_DECIDE_PREFIX: &str = "[plan-tune auto-decide]";

/// The beginnings of the host's own sentences. Any other text is an answer.
const HOST_SENTENCES: [&str; 9] = [
    "User has answered your questions",
    "Your questions have been answered",
    "The user answered:",
    "The user did not answer the questions",
    "The app reported that nobody answered this question",
    "User declined to answer",
    "No response after ",
    "[Tool call ",
    "<tool_use_error>",
];

/// The host's phrases for a refusal. The last one means that the plan was approved with questions left open.
const REFUSALS: [&str; 5] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "[Tool call refused by user",
    "The user has indicated they have provided enough answers for the plan interview",
];

/// What the host adds to a refusal that was none: the call was running when the person stopped it.
const STOPPED: &str = "this call was stopped while running, not refused before it ran";

/// What became of a call that has no result of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The person did something else meanwhile.
    Interrupted,
    /// The session ended while it was open.
    SessionEnded,
    /// The person was asked, and nobody answered.
    Unanswered,
    /// Its turn ended before it was its turn: nobody was asked.
    NeverShown,
    /// The host does not know the result, which counts as no result.
    Unknown,
}

/// How the host's sentences about an unfinished call begin. The first row that fits counts.
const UNFINISHED: [(&str, Unfinished); 9] = [
    ("[Request interrupted by user", Unfinished::Interrupted),
    (
        "[Tool call interrupted: the session ended",
        Unfinished::SessionEnded,
    ),
    ("[Tool call did not complete: ", Unfinished::Interrupted),
    ("[Tool call not completed: ", Unfinished::Unanswered),
    (
        "The app reported that nobody answered this question",
        Unfinished::Unanswered,
    ),
    ("[Tool call not run: ", Unfinished::NeverShown),
    ("[Tool call not made: ", Unfinished::NeverShown),
    ("[Tool call skipped: ", Unfinished::NeverShown),
    ("[Tool call result not in this copy", Unfinished::Unknown),
];

fn starts_with_any(text: &str, starts: &[&str]) -> bool {
    let text = without_lead(text);
    starts.iter().any(|start| text.starts_with(start))
}

/// The `text` of an error without what hosts put before it.
fn without_lead(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix("Error:").unwrap_or(text).trim_start();
    // 2.1.329 puts the hook's name before its reason: `PreToolUse:mcp__x__AskUserQuestion hook error: `.
    let reason = || Some(text.split_once(" hook error: ")?.1);
    let by_hook = text.starts_with("PreToolUse:").then(reason);
    by_hook.flatten().unwrap_or(text)
}

/// True for a denial that carries a decision.
pub(crate) fn is_denial(text: &str) -> bool {
    starts_with_any(text, &[AUTO_DECIDE_PREFIX])
}

/// What became of the call that the host describes in `text`; `None` for any other text.
pub fn unfinished(text: &str) -> Option<Unfinished> {
    if starts_with_any(text, &REFUSALS) && text.contains(STOPPED) {
        return Some(Unfinished::Interrupted);
    }
    let text = without_lead(text);
    let mut rows = UNFINISHED.iter();
    let (_, unfinished) = rows.find(|(start, _)| text.starts_with(start))?;
    Some(*unfinished)
}

/// True when the person refused to answer, with or without a message.
pub fn is_refusal(text: &str) -> bool {
    starts_with_any(text, &REFUSALS) && !text.contains(STOPPED)
}

/// True for an error text without an error flag.
pub fn is_unflagged_error(text: &str) -> bool {
    const STARTS: [&str; 4] = [
        AUTO_DECIDE_PREFIX,
        "[Tool call ",
        "<tool_use_error>",
        "InputValidationError",
    ];
    is_refusal(text) || unfinished(text).is_some() || starts_with_any(text, &STARTS)
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
        /// Nobody was asked: a permission mode or rule forbids the tool, its turn ended first, or nobody was there.
        Denied = "denied",
        /// Anything else.
        ToolError = "tool_error",
    }
}

/// The kind of failure that the text `error` describes.
pub(crate) fn failure_kind(error: &str) -> FailureKind {
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

/// The text that `claude -p` returns within milliseconds when it cannot show a question (seen in 2.1.71): the prompt
/// that it would have shown.
const UNSHOWN_PROMPT: &str = "Answer questions?";

/// True when the text `error` says that the session has no person to ask.
pub fn nobody_was_there(error: &str) -> bool {
    let error = error.trim();
    error.strip_prefix("Error:").unwrap_or(error).trim() == UNSHOWN_PROMPT
}

/// The phrase for a lost result, in lower case.
const SENTINEL: &str = "tool result missing";

/// True for a text that contains the phrase for a lost result. It may still be an answer; the caller decides.
pub(crate) fn holds_sentinel(text: &str) -> bool {
    text.to_lowercase().contains(SENTINEL)
}

/// True for a sentence of the host's; any other text is an answer.
pub(crate) fn is_host_sentence(text: &str) -> bool {
    let text = text.trim_start();
    HOST_SENTENCES.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod host_words_tests {
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
