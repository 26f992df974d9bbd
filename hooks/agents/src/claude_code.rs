//! Claude Code: the input it sends to a hook, and the output it accepts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use plantune_domain::permissions::Rule;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::{in_specific, json_text};
use crate::installed::Registration;
use crate::{Agent, AgentProfile, HookReply, Moment, QuestionDecision, SentCall, Variables};

/// Its name on the command line. Its events carry no agent name.
pub const NAME: &str = "claude-code";

/// Its own tool for questions.
pub const TOOL: &str = "AskUserQuestion";

/// The event before a tool is called.
pub const ASKING: &str = "PreToolUse";

/// The folder of its settings, in the home folder and in a project.
pub const FOLDER: &str = ".claude";

/// The variable that sets a folder other than the one in the home folder.
pub const CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";

/// The variable with the folder in which a session was started.
pub const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";

/// The variable that says how it was started.
pub const ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";

/// The tool names that questions come under, as a matcher: a JavaScript regular expression.
pub const QUESTIONS: &str = "(AskUserQuestion|mcp__.*__AskUserQuestion)";

/// The commands that a skill's text runs. If the hook is gone, slow or failing, the command runs all the same.
const SKILL_COMMANDS: &str = "PreSkillShellCommand";

/// The first version with [`SKILL_COMMANDS`]. Earlier ones open a dialog about an event that they don't know at each start.
const FIRST_WITH_SKILL_COMMANDS: [u64; 3] = [2, 1, 332];

/// The events with their matchers, the latest one last. PostToolUse does not fire for a tool that failed, so failures
/// have a separate event.
const EVENTS: &[(&str, Option<&str>)] = &[
    ("PreToolUse", Some(QUESTIONS)),
    ("PostToolUse", Some(QUESTIONS)),
    ("PostToolUseFailure", Some(QUESTIONS)),
    // No matcher, so these cover all tools. They fire only when somebody is asked or a tool is denied, and cost
    // other calls nothing.
    ("PermissionRequest", None),
    ("PermissionDenied", None),
    // The model learns of the person's changes to an answer with the person's next prompt.
    ("UserPromptSubmit", None),
    ("Stop", None),
    ("SessionStart", None),
    ("SessionEnd", None),
    (SKILL_COMMANDS, None),
];

/// How the hook is registered in its settings.
pub static REGISTRATION: Registration = registered_for(EVENTS);

/// The same for versions that don't have all of the events.
static EARLIER: Registration = registered_for(match EVENTS.split_last() {
    Some((_, earlier)) => earlier,
    None => EVENTS,
});

const fn registered_for(events: &'static [(&'static str, Option<&'static str>)]) -> Registration {
    Registration {
        file: "settings.json",
        events,
        timeout: 5,
        word: None,
        has_name: false,
        refuses_on_failure: false,
    }
}

/// How the hook is registered with a client of that `version`. If it is not known, the client knows an event if its
/// `settings` name it already.
pub fn registration(version: Option<&[u64]>, settings: &str) -> &'static Registration {
    let knows_all = version.map_or_else(
        || settings.contains(SKILL_COMMANDS),
        |version| version >= FIRST_WITH_SKILL_COMMANDS.as_slice(),
    );
    if knows_all { &REGISTRATION } else { &EARLIER }
}

/// True for an event that is logged and decides nothing.
pub fn is_only_logged(event: &str) -> bool {
    event == SKILL_COMMANDS || event.starts_with("Permission")
}

/// Its configuration folder, from the variables that `lookup` returns; `None` when none is set (an empty variable does
/// not count).
pub fn folder(lookup: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| lookup(name).filter(|value| !value.is_empty());
    set(CONFIG_DIR)
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| Path::new(&home).join(FOLDER)))
}

/// Claude Code.
#[derive(Debug)]
pub struct ClaudeCode;

impl Agent for ClaudeCode {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: NAME,
            title: "Claude Code",
            tools: &[TOOL],
            tells_person_afterwards: true,
            has_call_ids: true,
            session_variables: &[
                "CLAUDECODE",
                "CLAUDE_CODE_ENTRYPOINT",
                "CLAUDE_CODE_SESSION_ID",
                "CLAUDE_CODE_CHILD_SESSION",
                "CLAUDE_CODE_EXECPATH",
                "CLAUDE_PID",
            ],
            program: "claude",
            package: "@anthropic-ai/claude-code",
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
        let tool = QuestionTool::from_name(call.tool_name());
        call.moment = match (call.event_name(), tool) {
            ("PreToolUse", Some(tool)) => Moment::Asking(tool),
            ("PostToolUse", Some(_)) => Moment::Answered,
            ("PostToolUseFailure", Some(_)) => Moment::Failed,
            ("PermissionRequest", None) => Moment::PromptAsked,
            // The host calls the dialog of a question a prompt for permission, too.
            ("PermissionRequest", Some(QuestionTool::Native)) => Moment::DialogOpens,
            ("PermissionDenied", None) => Moment::PromptDenied,
            (SKILL_COMMANDS, _) => Moment::SkillCommand,
            ("SessionStart", _) => Moment::SessionStarted,
            ("SessionEnd", _) => Moment::SessionEnded,
            // `UserPromptExpansion` is not registered: a client that does not know it ignores the whole settings file.
            ("UserPromptSubmit" | "UserPromptExpansion", _) => Moment::Prompted,
            ("Stop", _) => Moment::TurnEnded,
            _ => Moment::Other,
        };
        Ok(call)
    }

    fn listens(&self, _: Moment) -> bool {
        true
    }

    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        let input = match &reply.decision {
            Some(QuestionDecision::Answer { answers, .. }) => {
                Some(with_answers(call.tool_input()?, answers)?)
            }
            _ => None,
        };
        let more = vec![
            ("updatedInput", input),
            ("classifierContext", reply.for_classifier.map(json_text)),
        ];
        in_specific(call.event_name(), reply, more)
    }

    fn outcomes(
        &self,
        _: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        Some(outcomes(questions, result, false))
    }

    fn variables(&self) -> Variables {
        Variables {
            entrypoint: Some(ENTRYPOINT),
            project_root: Some(PROJECT_DIR),
        }
    }

    fn suggestions(&self, call: &SentCall<'_>) -> Vec<String> {
        let sent = call.json("permission_suggestions");
        let sent = sent.as_array().into_iter().flatten();
        let mut texts: Vec<String> = sent.flat_map(suggestion).collect();
        texts.truncate(MOST_SUGGESTIONS);
        texts
    }
}

/// The dialog offers only a few, but a command of many parts has a rule for each part.
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

/// A rule as it would be written in the settings.
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

/// The whole tool input as sent, byte for byte, plus `answers` (question text → label).
///
/// `None` when `input` is not an object or already contains `answers`: unexpected input is left unchanged.
fn with_answers(input: &RawValue, answers: &[(&str, &str)]) -> Option<String> {
    let object: Value = serde_json::from_str(input.get()).ok()?;
    let object = object.as_object()?;
    if object.is_empty() || object.contains_key("answers") {
        return None;
    }
    // If two questions have the same text, the last counts. The gate lets no such call through.
    let pairs = answers
        .iter()
        .map(|(question, label)| format!("{}:{}", json_text(question), json_text(label)));
    let pairs = pairs.collect::<Vec<_>>().join(",");
    let body = input.get().trim_end().strip_suffix('}')?.trim_end();
    Some(format!("{body},\"answers\":{{{pairs}}}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_kept_byte_for_byte() {
        let sent = r#"{ "questions" : [{"z":1.0e2,"a":"\u00e9"}], "x":12345678901234567890123 }"#;
        let raw = RawValue::from_string(sent.to_owned()).unwrap();
        assert_eq!(
            with_answers(&raw, &[("Q \"1\"?", "A")]).unwrap(),
            r#"{ "questions" : [{"z":1.0e2,"a":"\u00e9"}], "x":12345678901234567890123,"answers":{"Q \"1\"?":"A"}}"#
        );
        let answered = RawValue::from_string(r#"{"answers":{}}"#.to_owned()).unwrap();
        assert!(with_answers(&answered, &[]).is_none());
    }
}
