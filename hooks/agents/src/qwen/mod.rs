//! Qwen Code, as version 0.24.4 was seen to work.

mod installed;

use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use crate::reply::{in_specific, json_text};
use crate::results::{answered, from_text, within};
use crate::session::Signs;
use crate::{Agent, Call, Decision, Known, Moment, Reply};

/// The tool that asks.
const TOOL: &str = "ask_user_question";

/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

/// What stands before the answers.
const ANSWERS: &str = "User has provided the following answers:";

/// Qwen Code.
#[derive(Debug)]
pub struct Qwen;

impl Agent for Qwen {
    fn known(&self) -> &'static Known {
        &Known {
            name: "qwen",
            title: "Qwen Code",
            tools: &[TOOL],
            changes_questions: false,
            tells_person_afterwards: false,
            has_call_ids: false,
            session: Signs {
                variables: &["QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_CODE_PROMPT_ID"],
                program: "qwen",
                package: "@qwen-code/qwen-code",
            },
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<Call<'a>, String> {
        let mut call = Call::parse(input)?;
        call.moment = match (call.event_name(), call.tool_name()) {
            // PreToolUse comes when the person has answered.
            ("PermissionRequest", TOOL) => Moment::Asking(QuestionTool::Dialog),
            ("PostToolUse", TOOL) => Moment::Answered,
            ("PermissionRequest", tool) => {
                let tool = tool_name(tool).to_owned();
                call.set_text("tool_name", tool);
                Moment::PromptAsked
            }
            ("SessionStart", _) => Moment::SessionStarted,
            ("SessionEnd", _) => Moment::SessionEnded,
            _ => Moment::Other,
        };
        Ok(call)
    }

    fn encode(&self, call: &Call<'_>, reply: &Reply<'_>) -> Option<String> {
        match (call.moment, &reply.decision) {
            (Moment::Asking(_), Some(Decision::Deny(reason))) => {
                // The person and the model read the same text.
                let for_user = reply.for_user.join("\n");
                let message = json_text(&format!("{reason}\nFor the user: {for_user}"));
                Some(format!(
                    "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PermissionRequest\",\
                     \"decision\":{{\"behavior\":\"deny\",\"message\":{message}}}}}}}"
                ))
            }
            (Moment::Answered, None) => {
                in_specific(call.event_name(), &reply.of_model(), Vec::new())
            }
            _ => None,
        }
    }

    fn outcomes(
        &self,
        _: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        let text = within(result, "/llmContent").as_str().or(result.as_str());
        let answers = text?.trim_start().strip_prefix(ANSWERS)?;
        Some(answered(questions, &|_, question| {
            from_text(question, by_header(questions, question, answers)?)
        }))
    }
}

/// The tool of that name, as the others call it.
fn tool_name(name: &str) -> &str {
    match name {
        SHELL => "Bash",
        other => other,
    }
}

/// What stands behind the header of `question` in `answers`, up to the next one's; `None` where two questions have it.
fn by_header<'t>(
    questions: &[SentQuestion],
    question: &SentQuestion,
    answers: &'t str,
) -> Option<&'t str> {
    let mark = |question: &SentQuestion| {
        let header = question.header.as_deref().unwrap_or_default();
        format!("\n**{header}**: ")
    };
    let own = mark(question);
    let is_unique = questions.iter().filter(|other| mark(other) == own).count() == 1;
    let (_, rest) = answers.split_once(&own).filter(|_| is_unique)?;
    let ends = questions.iter().filter_map(|other| rest.find(&mark(other)));
    rest.get(..ends.min().unwrap_or(rest.len()))
}
