//! The contents of a transcript's line. This is the only file of the importer that knows the field names of Claude
//! Code's transcripts. A change in Claude Code touches this file.

use std::sync::LazyLock;

use aho_corasick::packed::Searcher;
use aho_corasick::{AhoCorasick, Match};
use memchr::memmem::Finder;
use plantune_agents::claude_code::TOOL;
use plantune_domain::json::lenient_json;
use serde::Deserialize;
use serde_json::Value;

/// One line of a transcript, or of something else.
#[derive(Clone, Copy)]
pub(super) struct TranscriptLine<'v>(pub(super) &'v Value);

/// A call of a tool.
pub(super) struct ToolUse<'v> {
    pub(super) name: &'v str,
    pub(super) id: &'v str,
    pub(super) input: &'v Value,
}

impl ToolUse<'_> {
    /// The input, parsed if a client wrote it as text.
    pub(super) fn parsed_input(&self) -> Value {
        match self.input {
            Value::String(text) => lenient_json(text).unwrap_or_default(),
            input => input.clone(),
        }
    }
}

/// The host's record of a decision about a call, since about 2.1.294.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HostDecision {
    pub(super) decision: String,
    pub(super) source: String,
    pub(super) grant_scope: Option<String>,
    pub(super) reason_type: Option<String>,
}

/// What kind of denial a host says it was (`toolDenialKind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DenialKind {
    /// The person refused, or a run was stopped.
    UserRejected,
    /// A rule, a mode or a hook.
    PermissionRule,
    /// The classifier of auto mode, also where it could not judge.
    Classifier,
    /// The call was stopped; nobody was asked about it.
    Interrupted,
    /// The call never began, or its prompt was closed without an answer: the text says which.
    Cancelled,
    /// A kind that a later host may write.
    Other,
}

impl DenialKind {
    fn of(name: &str) -> Self {
        match name {
            "user-rejected" => Self::UserRejected,
            "permission-rule" => Self::PermissionRule,
            "automode-blocked" | "automode-unavailable" | "automode-parsing-error" => {
                Self::Classifier
            }
            "interrupted" => Self::Interrupted,
            "cancelled" => Self::Cancelled,
            _ => Self::Other,
        }
    }
}

/// The host's words to the model when the person refuses.
pub(super) const REFUSED: &str = "doesn't want to proceed with this tool use";

pub(super) const CALL: &[u8] = b"\"tool_use\"";
pub(super) const RESULT: &[u8] = b"\"tool_result\"";

/// A string to search for in a line before it is parsed.
type Needle = LazyLock<Finder<'static>>;

static ASSISTANT: Needle = LazyLock::new(|| Finder::new("\"assistant\""));
pub(super) static SESSION_ID: Needle = LazyLock::new(|| Finder::new("\"sessionId\""));
pub(super) static REFUSAL: Needle = LazyLock::new(|| Finder::new(REFUSED));
pub(super) static TURN: Needle = LazyLock::new(|| Finder::new("\"promptId\""));

/// A string that makes a line relevant. No string is of a name and its value together, because between them JSON may
/// have white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The name of the question tool.
    Question,
    /// The mode of permissions.
    Mode,
    /// The host's record of a decision.
    Decision,
    Denial,
    /// The field that is true for a call that failed or did not run.
    Error,
    /// Of the user's side, or a word of something else.
    User,
    /// The tool that starts a skill, or a word of something else.
    Skill,
    /// The id of a call in its result.
    IdOfResult,
    /// The id of a call in another line.
    IdOfCall,
    EndOfTurn,
}

/// Each mark and its string.
const MARKS: [(Mark, &str); 10] = [
    (Mark::Question, TOOL),
    (Mark::Mode, "\"permissionMode\""),
    (Mark::Decision, "\"permissionDecision\""),
    (Mark::Denial, "\"toolDenialKind\""),
    (Mark::Error, "\"is_error\""),
    (Mark::User, "\"user\""),
    (Mark::Skill, "\"Skill\""),
    (Mark::IdOfResult, "\"tool_use_id\""),
    (Mark::IdOfCall, "\"toolUseID\""),
    (Mark::EndOfTurn, "\"end_turn\""),
];

/// Searches for all marks at once, with SIMD instructions. An `AhoCorasick` would search for rare bytes first, which
/// takes ten times as long in a transcript.
static PACKED: LazyLock<Option<Searcher>> =
    LazyLock::new(|| Searcher::new(MARKS.map(|(_, string)| string)));

/// The same on a processor without such instructions.
static PLAIN: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(MARKS.map(|(_, string)| string)).ok());

/// The marks of a line, in their order.
pub(super) struct MarkedLine<'l> {
    pub(super) line: &'l [u8],
    /// Each with where its string begins and ends.
    marks: Vec<(Mark, usize, usize)>,
}

impl<'l> MarkedLine<'l> {
    /// Searches the line once.
    pub(super) fn of(line: &'l [u8]) -> Self {
        let mark = |found: Match| {
            let (mark, _) = MARKS.get(found.pattern().as_usize())?;
            Some((*mark, found.start(), found.end()))
        };
        let plain = || PLAIN.iter().flat_map(|plain| plain.find_iter(line));
        let marks = match &*PACKED {
            Some(packed) => packed.find_iter(line).filter_map(mark).collect(),
            None => plain().filter_map(mark).collect(),
        };
        Self { line, marks }
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks.iter().any(|(other, ..)| *other == mark)
    }

    /// What follows each of these marks where it is the name of a field: the line from the field's value on.
    pub(super) fn values(&self, mark: Mark) -> impl DoubleEndedIterator<Item = &'l [u8]> {
        let found = self.marks.iter().filter(move |(other, ..)| *other == mark);
        found.filter_map(|(.., end)| value_after(self.line, *end))
    }

    /// True when one of these marks is the value of the field `name`.
    fn is_value(&self, mark: Mark, name: &str) -> bool {
        let mut found = self.marks.iter().filter(|(other, ..)| *other == mark);
        found.any(|(_, start, _)| is_value_of(self.line, *start, name))
    }

    /// True for a line that may change the running command or skill: a prompt, or the start of a skill.
    pub(super) fn may_say_who_works(&self) -> bool {
        let is_prompt = || self.is_value(Mark::User, "\"type\"") && !self.has(Mark::IdOfResult);
        is_prompt() || self.is_value(Mark::Skill, "\"name\"")
    }
}

/// The line from the value of a field on, whose name ends at `end`.
pub(super) fn value_after(line: &[u8], end: usize) -> Option<&[u8]> {
    let value = line.get(end..)?.trim_ascii_start().strip_prefix(b":")?;
    Some(value.trim_ascii_start())
}

/// True when the value that begins at `start` is that of the field `name`.
fn is_value_of(line: &[u8], start: usize, name: &str) -> bool {
    let before = line.get(..start).unwrap_or_default().trim_ascii_end();
    let name_before = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end);
    name_before.is_some_and(|before| before.ends_with(name.as_bytes()))
}

/// True for a line of the assistant's.
pub(super) fn is_of_assistant(line: &[u8]) -> bool {
    let is_its = |at| is_value_of(line, at, "\"role\"") || is_value_of(line, at, "\"type\"");
    ASSISTANT.find_iter(line).any(is_its)
}

/// The result of a call.
pub(super) struct ToolResult<'v> {
    pub(super) id: &'v str,
    pub(super) is_error: bool,
    /// The text that the model got.
    pub(super) content: &'v Value,
    /// The value that the tool returned; null in old versions, and when the line does not say which of its calls it
    /// belongs to.
    pub(super) returned: &'v Value,
}

/// A prompt that the person sent.
pub(super) enum TypedPrompt<'v> {
    /// A slash command that became a prompt, as written.
    Command(&'v str),
    /// Anything else.
    Text,
}

/// The beginnings of texts that the host writes in the person's name.
const NOT_TYPED: [&str; 7] = [
    "<local-command-",
    "<bash-",
    "<task-notification",
    "<system-reminder",
    "<ide_",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
];

const NULL: &Value = &Value::Null;

/// Defines methods that return fields that hold text and are not empty, as written.
macro_rules! texts {
    ($($method:ident: $field:literal,)+) => {
        impl<'v> TranscriptLine<'v> {
            $(pub(super) fn $method(self) -> Option<&'v str> {
                self.text($field)
            })+
        }
    };
}

texts! {
    session_id: "sessionId",
    cwd: "cwd",
    entrypoint: "entrypoint",
    agent_id: "agentId",
    timestamp: "timestamp",
    turn: "promptId",
    version: "version",
    agent: "attributionAgent",
    feedback: "userFeedback",
}

impl ToolResult<'_> {
    /// How long the tool ran, in seconds, if the result says so.
    pub(super) fn seconds(&self) -> Option<f64> {
        let field = |name: &str| self.returned.get(name)?.as_f64();
        let milliseconds = field("durationMs").or_else(|| field("totalDurationMs"))?;
        Some(milliseconds / 1000.0)
    }
}

impl<'v> TranscriptLine<'v> {
    /// True when this is a line of a transcript, of whatever type.
    pub(super) fn is_transcript(self) -> bool {
        let has = |name: &str| self.0.get(name).is_some();
        self.text("type").is_some()
            && (has("sessionId")
                || has("leafUuid")
                || has("messageId")
                || (has("uuid") && has("timestamp")))
    }

    /// A field that holds text and is not empty.
    fn text(self, name: &str) -> Option<&'v str> {
        self.0.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// The skill that asked: `plugin:skill` if it comes with a plugin, or the plugin alone.
    pub(super) fn skill(self) -> Option<String> {
        match (
            self.text("attributionSkill"),
            self.text("attributionPlugin"),
        ) {
            (Some(skill), Some(plugin)) if !skill.contains(':') => {
                Some(format!("{plugin}:{skill}"))
            }
            (Some(name), _) | (None, Some(name)) => Some(name.to_owned()),
            (None, None) => None,
        }
    }

    fn is(self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }

    /// True for a line of a sub-agent.
    pub(super) fn is_sidechain(self) -> bool {
        self.is("isSidechain")
    }

    /// The prompt that the person sent, if the line is one.
    pub(super) fn prompt(self) -> Option<TypedPrompt<'v>> {
        let is_user = self.text("type") == Some("user");
        if !is_user || self.is("isMeta") || self.is("isCompactSummary") {
            return None;
        }
        let text = match self.content()? {
            Value::String(text) => [text.as_str()].to_vec(),
            Value::Array(_) if self.blocks("user", "tool_result").is_empty() => {
                let blocks = self.blocks("user", "text").into_iter();
                blocks
                    .filter_map(|block| block.get("text")?.as_str())
                    .collect()
            }
            _ => return None,
        };
        let is_typed = |text: &&str| !NOT_TYPED.iter().any(|start| text.starts_with(start));
        let text = text.into_iter().map(str::trim_start).find(is_typed)?;
        // The name comes first when the host runs the command entirely by itself (/clear).
        let command = text.strip_prefix("<command-message>").and_then(|text| {
            let (_, rest) = text.split_once("<command-name>")?;
            Some(rest.split_once("</command-name>")?.0.trim())
        });
        Some(command.map_or(TypedPrompt::Text, TypedPrompt::Command))
    }

    /// The skill that a call of the line starts.
    pub(super) fn started_skill(self) -> Option<&'v str> {
        let calls = self.calls().into_iter().rev();
        let mut skills = calls.filter(|call| call.name == "Skill");
        let input = skills.next()?.input;
        // `command` until 2.1.
        let name = input.get("skill").or_else(|| input.get("command"))?;
        name.as_str().filter(|name| !name.is_empty())
    }

    fn blocks(self, line_type: &str, block_type: &str) -> Vec<&'v Value> {
        if self.text("type") != Some(line_type) {
            return Vec::new();
        }
        let content = self.content().and_then(Value::as_array);
        let is_wanted =
            |block: &&Value| block.get("type").and_then(Value::as_str) == Some(block_type);
        content.into_iter().flatten().filter(is_wanted).collect()
    }

    fn content(self) -> Option<&'v Value> {
        self.0.pointer("/message/content")
    }

    /// The id of the model's answer that the line belongs to. The calls of one answer run in parallel.
    pub(super) fn message(self) -> Option<&'v str> {
        self.0.pointer("/message/id")?.as_str()
    }

    /// The calls in an assistant's line.
    pub(super) fn calls(self) -> Vec<ToolUse<'v>> {
        let call = |block: &'v Value| {
            let text = |name: &str| block.get(name)?.as_str().filter(|text| !text.is_empty());
            Some(ToolUse {
                name: text("name")?,
                // A call without an id cannot get a result. The line's id identifies it.
                id: text("id").or_else(|| self.text("uuid"))?,
                input: block.get("input").unwrap_or(NULL),
            })
        };
        let blocks = self.blocks("assistant", "tool_use");
        blocks.into_iter().filter_map(call).collect()
    }

    /// The decision about the call of a result's line; `Err` for an unknown form.
    pub(super) fn decision(self) -> Option<Result<HostDecision, serde_json::Error>> {
        self.0
            .get("permissionDecision")
            .map(HostDecision::deserialize)
    }

    /// True when the line says that the person decided about the call, in the dialog.
    pub(super) fn is_decided_by_person(self) -> bool {
        self.decision().is_some_and(|decision| {
            decision.is_ok_and(|decision| {
                decision.source.starts_with("user_") && decision.reason_type.is_none()
            })
        })
    }

    /// What kind of denial the line's result is, if it is one.
    pub(super) fn denial(self) -> Option<DenialKind> {
        self.text("toolDenialKind").map(DenialKind::of)
    }

    /// True when the host closed while the call was open. Its line says that the person refused, which nobody did.
    pub(super) fn was_shut_down(self) -> bool {
        self.is("interruptedByShutdown")
    }

    /// True when the prompt for the call got no answer, because the program that showed it was closed.
    pub(super) fn was_unanswered(self) -> bool {
        self.text("toolDenialUnanswered").is_some()
    }

    /// True when the call had run before it was denied: a hook withheld the result, or the person stopped it.
    pub(super) fn was_denied_after_run(self) -> bool {
        self.is("toolDenialAfterRun")
    }

    /// True when the call was denied before it began to run.
    pub(super) fn was_denied_before_run(self) -> bool {
        self.is("toolDenialBeforeRun")
    }

    /// True when a program that embeds the host asks the person, not a terminal.
    pub(super) fn is_embedded(self) -> bool {
        self.entrypoint()
            .is_some_and(|name| name.starts_with("sdk"))
    }

    /// The results in a user's line.
    pub(super) fn results(self) -> Vec<ToolResult<'v>> {
        let blocks = self.blocks("user", "tool_result");
        let returned = match blocks.as_slice() {
            [_] => self.0.get("toolUseResult").unwrap_or(NULL),
            _ => NULL,
        };
        let result = |block: &'v Value| {
            Some(ToolResult {
                id: block.get("tool_use_id")?.as_str()?,
                is_error: block.get("is_error") == Some(&Value::Bool(true)),
                content: block.get("content").unwrap_or(NULL),
                returned,
            })
        };
        blocks.into_iter().filter_map(result).collect()
    }

    /// The call that a hook answered, and its answers by question text: an `allow` with a changed
    /// input, from PreToolUse or PermissionRequest.
    pub(super) fn answers_of_hook(self) -> Option<(&'v str, Value)> {
        let attachment = self.0.get("attachment")?;
        let field = |name: &str| attachment.get(name)?.as_str();
        if self.text("type") != Some("attachment") || field("type") != Some("hook_success") {
            return None;
        }
        let printed = lenient_json(field("stdout")?.trim()).ok()?;
        let output = printed.get("hookSpecificOutput")?;
        let allows = |path: &str| output.pointer(path).and_then(Value::as_str) == Some("allow");
        let answers = if allows("/permissionDecision") {
            output.pointer("/updatedInput/answers")?
        } else if allows("/decision/behavior") {
            output.pointer("/decision/updatedInput/answers")?
        } else {
            return None;
        };
        let is_any = !answers.as_object()?.is_empty();
        is_any.then_some((field("toolUseID")?, answers.clone()))
    }
}

/// The text of the error or result: the model's text, otherwise the tool's return value.
pub(super) fn text_of(result: &ToolResult<'_>) -> String {
    let given = joined(result.content);
    if !given.trim().is_empty() {
        return given;
    }
    let returned = joined(result.returned);
    match returned.strip_prefix("Error: ") {
        Some(error) => error.to_owned(),
        None => returned,
    }
}

fn joined(content: &Value) -> String {
    let text = |block: &Value| {
        block
            .get("text")
            .unwrap_or(block)
            .as_str()
            .map(str::to_owned)
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(text)
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}
