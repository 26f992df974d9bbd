//! What a line of a transcript holds: the only file of the importer that knows the field names
//! of Claude Code's transcripts. A change in Claude Code touches this file.

use plantune_domain::wire::{QuestionTool, lenient_json};
use serde_json::Value;

/// One line of a transcript, or of something else.
#[derive(Clone, Copy)]
pub(super) struct Line<'v>(pub(super) &'v Value);

/// A call of a question tool.
pub(super) struct ToolUse<'v> {
    pub(super) tool: QuestionTool,
    pub(super) name: &'v str,
    pub(super) id: &'v str,
    pub(super) input: Value,
}

/// What came back for a call.
pub(super) struct ToolResult<'v> {
    pub(super) id: &'v str,
    pub(super) is_error: bool,
    /// The text that the model got.
    pub(super) content: &'v Value,
    /// What the tool returned; null in old versions, and where nothing says which call of
    /// the line it belongs to.
    pub(super) returned: &'v Value,
}

const NULL: &Value = &Value::Null;

/// Defines methods that return fields that hold text and are not empty, as written.
macro_rules! texts {
    ($($method:ident: $field:literal,)+) => {
        impl<'v> Line<'v> {
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
}

impl<'v> Line<'v> {
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

    /// The skill that asked, `plugin:skill` where it comes with a plugin, or the plugin alone.
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

    fn blocks(self, line_type: &str, block_type: &'static str) -> Vec<&'v Value> {
        if self.text("type") != Some(line_type) {
            return Vec::new();
        }
        let content = self
            .0
            .get("message")
            .and_then(|message| message.get("content"));
        let is_wanted =
            |block: &&Value| block.get("type").and_then(Value::as_str) == Some(block_type);
        content
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter(is_wanted)
            .collect()
    }

    /// The calls of question tools in an assistant's line.
    pub(super) fn question_calls(self) -> Vec<ToolUse<'v>> {
        let call = |block: &'v Value| {
            let name = block.get("name")?.as_str()?;
            let id = block.get("id").and_then(Value::as_str);
            Some(ToolUse {
                tool: QuestionTool::from_name(name)?,
                name,
                // Nothing can come back for a call without an id; the line's own tells it apart.
                id: id
                    .filter(|id| !id.is_empty())
                    .or_else(|| self.text("uuid"))?,
                input: match block.get("input") {
                    Some(Value::String(text)) => lenient_json(text).unwrap_or_default(),
                    input => input.cloned().unwrap_or_default(),
                },
            })
        };
        let blocks = self.blocks("assistant", "tool_use");
        blocks.into_iter().filter_map(call).collect()
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
        let decision = output.get("decision");
        let allows = |value: Option<&Value>| value.and_then(Value::as_str) == Some("allow");
        let input = if allows(output.get("permissionDecision")) {
            output.get("updatedInput")
        } else if allows(decision.and_then(|decision| decision.get("behavior"))) {
            decision.and_then(|decision| decision.get("updatedInput"))
        } else {
            None
        };
        let answers = input?.get("answers")?;
        let any = answers
            .as_object()
            .is_some_and(|answers| !answers.is_empty());
        any.then(|| Some((field("toolUseID")?, answers.clone())))?
    }
}
