//! What Claude Code sends to a hook and accepts from it: the only file that knows its field
//! names. What a question tool is sent stands in `plantune_domain::wire`.

use plantune_domain::permissions::Rule;
use plantune_domain::wire::lenient_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One hook call. Everything is optional, and a field of the wrong type counts as absent: a
/// logging hook must live with whatever it is sent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HookCall<'a> {
    hook_event_name: Value,
    session_id: Value,
    cwd: Value,
    permission_mode: Value,
    agent_id: Value,
    agent_type: Value,
    tool_name: Value,
    tool_use_id: Value,
    error: Value,
    is_interrupt: Value,
    source: Value,
    reason: Value,
    transcript_path: Value,
    prompt: Value,
    #[serde(borrow)]
    permission_suggestions: Option<&'a RawValue>,
    #[serde(borrow)]
    mcp_server: Option<&'a RawValue>,
    /// The tool's input, as sent.
    #[serde(borrow)]
    pub tool_input: Option<&'a RawValue>,
    /// The tool's result, as sent.
    #[serde(borrow)]
    pub tool_response: Option<&'a RawValue>,
}

impl HookCall<'_> {
    /// The event's name; a very old caller leaves it out and means `Stop`.
    pub fn event_name(&self) -> &str {
        text(&self.hook_event_name).unwrap_or("Stop")
    }

    /// The session's id, empty when unknown.
    pub fn session_id(&self) -> &str {
        text(&self.session_id).unwrap_or_default()
    }

    /// The working directory, empty when unknown.
    pub fn cwd(&self) -> &str {
        text(&self.cwd).unwrap_or_default()
    }

    /// The permission mode.
    pub fn permission_mode(&self) -> Option<&str> {
        text(&self.permission_mode)
    }

    /// The subagent's id.
    pub fn agent_id(&self) -> Option<&str> {
        text(&self.agent_id)
    }

    /// What kind of subagent it is.
    pub fn agent_type(&self) -> Option<&str> {
        text(&self.agent_type)
    }

    /// The slash command that the prompt begins with, as typed: `/gsd:discuss-phase` (UserPromptSubmit). A path is
    /// none.
    pub fn command(&self) -> Option<&str> {
        let word = text(&self.prompt)?.split_whitespace().next()?;
        let name = word.strip_prefix('/')?;
        let is_name = |c: char| c.is_alphanumeric() || "-_:.".contains(c);
        let fits = (1..=LONGEST_COMMAND).contains(&name.len()) && name.chars().all(is_name);
        fits.then_some(word)
    }

    /// The tool's name, empty when unknown.
    pub fn tool_name(&self) -> &str {
        text(&self.tool_name).unwrap_or_default()
    }

    /// The id of the tool call, empty when unknown.
    pub fn tool_use_id(&self) -> &str {
        text(&self.tool_use_id).unwrap_or_default()
    }

    /// The error's text (PostToolUseFailure).
    pub fn error(&self) -> &str {
        text(&self.error).unwrap_or_default()
    }

    /// True when the user interrupted the tool.
    pub fn is_interrupt(&self) -> bool {
        self.is_interrupt == Value::Bool(true)
    }

    /// Why a session started or ended.
    pub fn session_reason(&self) -> Option<&str> {
        text(&self.source).or_else(|| text(&self.reason))
    }

    /// Why a tool was denied (PermissionDenied).
    pub fn reason(&self) -> Option<&str> {
        text(&self.reason)
    }

    /// The session's transcript.
    pub fn transcript_path(&self) -> Option<&str> {
        text(&self.transcript_path)
    }

    /// The name of the MCP server that the tool belongs to.
    pub fn mcp_server(&self) -> Option<String> {
        let server = lenient_json(self.mcp_server?.get()).ok()?;
        text(server.get("name")?).map(str::to_owned)
    }

    /// What the dialog offers (PermissionRequest): rules (`Bash(npm test *)`), `mode:acceptEdits`,
    /// `directory:/tmp`; what is of another type by its type, a rule that does not allow with what it does
    /// (`deny:Read`).
    pub fn permission_suggestions(&self) -> Vec<String> {
        let sent = self.permission_suggestions;
        let sent = sent.and_then(|raw| lenient_json(raw.get()).ok());
        let sent = sent.as_ref().and_then(Value::as_array);
        let mut texts: Vec<String> = sent.into_iter().flatten().flat_map(suggestion).collect();
        texts.truncate(MOST_SUGGESTIONS);
        texts
    }
}

/// In bytes. No command has so long a name.
const LONGEST_COMMAND: usize = 128;

/// The dialog offers a handful; a command of many parts has a rule for each.
const MOST_SUGGESTIONS: usize = 64;

/// The texts of one suggestion.
fn suggestion(sent: &Value) -> Vec<String> {
    let field = |name: &str| sent.get(name).and_then(Value::as_str);
    let list = |name: &str| {
        let list = sent.get(name).and_then(Value::as_array);
        list.into_iter().flatten()
    };
    match field("type") {
        Some("addRules") => {
            let behavior = field("behavior").filter(|behavior| *behavior != "allow");
            let text = |rule: String| match behavior {
                Some(behavior) => format!("{behavior}:{rule}"),
                None => rule,
            };
            list("rules").filter_map(rule).map(text).collect()
        }
        Some("addDirectories") => list("directories")
            .filter_map(|folder| Some(format!("directory:{}", folder.as_str()?)))
            .collect(),
        Some("setMode") => field("mode")
            .map(|mode| vec![format!("mode:{mode}")])
            .unwrap_or_default(),
        other => other.map(str::to_owned).into_iter().collect(),
    }
}

/// A rule as it would stand in the settings.
fn rule(sent: &Value) -> Option<String> {
    let content = sent.get("ruleContent").and_then(Value::as_str);
    let rule = Rule {
        tool: sent.get("toolName")?.as_str()?.to_owned(),
        content: content
            .filter(|content| !content.is_empty())
            .map(str::to_owned),
    };
    Some(rule.to_string())
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

/// What a PreToolUse hook prints to decide a call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreToolUseResponse {
    /// Shown to the user.
    pub system_message: String,
    /// The decision proper.
    pub hook_specific_output: PreToolUseOutput,
}

/// The decision proper.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreToolUseOutput {
    /// Always `PreToolUse`.
    pub hook_event_name: &'static str,
    /// `allow` or `deny`.
    pub permission_decision: &'static str,
    /// On `allow` for the user, on `deny` for the model.
    pub permission_decision_reason: String,
    /// The whole input with the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Box<RawValue>>,
    /// For the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
}

impl PreToolUseOutput {
    /// The tool runs; `reason` is for the user.
    pub fn allow(reason: String) -> Self {
        Self::new("allow", reason)
    }

    /// The tool does not run; `reason` is for the model.
    pub fn deny(reason: String) -> Self {
        Self::new("deny", reason)
    }

    fn new(decision: &'static str, reason: String) -> Self {
        Self {
            hook_event_name: "PreToolUse",
            permission_decision: decision,
            permission_decision_reason: reason,
            updated_input: None,
            additional_context: None,
        }
    }
}

/// What a hook on `event` prints to give the model `context`, without deciding anything.
pub fn context_for_model(event: &str, context: &str) -> String {
    let (event, context) = (Value::from(event), Value::from(context));
    format!(
        "{{\"hookSpecificOutput\":{{\"hookEventName\":{event},\"additionalContext\":{context}}}}}"
    )
}

/// What a PostToolUse hook has to say; nothing is printed of what is empty.
#[derive(Debug, Default)]
pub struct AfterwardsMessages {
    /// For the user, a line each.
    pub for_user: Vec<String>,
    /// For the model, a sentence each.
    pub for_model: Vec<String>,
    /// For the classifier of auto mode, which takes answers for the person's own words. Clients before
    /// 2.1.236 ignore it.
    pub for_classifier: Option<&'static str>,
}

impl AfterwardsMessages {
    /// What is printed for `event`; `None` where there is nothing to say.
    pub fn to_output(&self, event: &str) -> Option<String> {
        let mut specific = serde_json::Map::new();
        if !self.for_model.is_empty() {
            let text = self.for_model.join("\n");
            specific.insert("additionalContext".to_owned(), text.into());
        }
        if let Some(text) = self.for_classifier {
            specific.insert("classifierContext".to_owned(), text.into());
        }
        let mut output = serde_json::Map::new();
        if !self.for_user.is_empty() {
            let text = self.for_user.join("\n");
            output.insert("systemMessage".to_owned(), text.into());
        }
        if !specific.is_empty() {
            specific.insert("hookEventName".to_owned(), event.into());
            output.insert("hookSpecificOutput".to_owned(), specific.into());
        }
        (!output.is_empty()).then(|| Value::from(output).to_string())
    }
}

/// What a hook on `event` prints to give the model `context` and show the user `message`, without
/// deciding anything; `None` where there is neither.
pub fn context_and_message(
    event: &str,
    context: Option<&str>,
    message: Option<&str>,
) -> Option<String> {
    match (context, message) {
        (None, None) => None,
        (Some(context), None) => Some(context_for_model(event, context)),
        (None, Some(message)) => Some(message_for_user(message)),
        (Some(context), Some(message)) => {
            let with_context = context_for_model(event, context);
            let message = Value::from(message);
            let rest = with_context.strip_prefix('{').unwrap_or_default();
            Some(format!("{{\"systemMessage\":{message},{rest}"))
        }
    }
}

/// What a PreToolUse hook prints to have `input` shown in place of what was sent, without deciding
/// anything.
pub fn updated_input(input: &RawValue) -> String {
    format!(
        "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"updatedInput\":{}}}}}",
        input.get()
    )
}

/// What a hook on any event prints to show the user `message`, without deciding anything.
pub fn message_for_user(message: &str) -> String {
    format!("{{\"systemMessage\":{}}}", Value::from(message))
}

/// The whole tool input as sent, byte for byte, plus `answers` (question text → label).
///
/// `None` when `input` is no object or already holds `answers`: an input that is not understood
/// is left alone.
pub fn with_answers(input: &RawValue, answers: &[(&str, &str)]) -> Option<Box<RawValue>> {
    let object: Value = serde_json::from_str(input.get()).ok()?;
    let object = object.as_object()?;
    if object.is_empty() || object.contains_key("answers") {
        return None;
    }
    let pairs: serde_json::Map<String, Value> = answers
        .iter()
        .map(|(question, label)| ((*question).to_owned(), Value::from(*label)))
        .collect();
    let body = input.get().trim_end().strip_suffix('}')?.trim_end();
    let pairs = serde_json::to_string(&pairs).ok()?;
    RawValue::from_string(format!("{body},\"answers\":{pairs}}}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_prompts() {
        let command = |prompt: &str| {
            let sent = serde_json::json!({ "prompt": prompt }).to_string();
            let call: HookCall<'_> = serde_json::from_str(&sent).unwrap();
            call.command().map(str::to_owned)
        };
        assert_eq!(
            command("/gsd:discuss-phase 3").unwrap(),
            "/gsd:discuss-phase"
        );
        assert_eq!(command("/plan").unwrap(), "/plan");
        for other in [
            "",
            "/",
            "thanks",
            "see /plan",
            "/home/dev/shop is wrong",
            "// no",
            "/a\"b",
        ] {
            assert_eq!(command(other), None, "{other}");
        }
    }

    #[test]
    fn input_is_kept_byte_for_byte() {
        let sent = r#"{ "questions" : [{"z":1.0e2,"a":"\u00e9"}], "x":12345678901234567890123 }"#;
        let raw = RawValue::from_string(sent.to_owned()).unwrap();
        assert_eq!(
            with_answers(&raw, &[("Q \"1\"?", "A")]).unwrap().get(),
            r#"{ "questions" : [{"z":1.0e2,"a":"\u00e9"}], "x":12345678901234567890123,"answers":{"Q \"1\"?":"A"}}"#
        );
        let answered = RawValue::from_string(r#"{"answers":{}}"#.to_owned()).unwrap();
        assert!(with_answers(&answered, &[]).is_none());
    }
}
