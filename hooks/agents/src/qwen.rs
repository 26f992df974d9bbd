//! Qwen Code.

use chrono::{DateTime, TimeDelta};
use plantune_domain::clock;
use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use crate::call::{answered, for_both, from_text, in_specific, json_text, within};
use crate::installed::{
    ConfigFolder, Facts, Guard, HistoryFile, HistoryFormat, Installed, Registration, ToolEnding,
    text,
};
use crate::{Agent, AgentProfile, HookReply, Moment, QuestionDecision, SentCall};

/// The tool that asks.
const TOOL: &str = "ask_user_question";

/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

/// The text before the answers.
const ANSWERS: &str = "User has provided the following answers:";

/// Qwen Code.
#[derive(Debug)]
pub(crate) struct Qwen;

impl Agent for Qwen {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: "qwen",
            title: "Qwen Code",
            tools: &[TOOL],
            tells_person_afterwards: false,
            has_call_ids: false,
            session_variables: &["QWEN_CODE", "QWEN_CODE_SESSION_ID", "QWEN_CODE_PROMPT_ID"],
            program: "qwen",
            package: "@qwen-code/qwen-code",
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
        call.moment = match (call.event_name(), call.tool_name()) {
            // PreToolUse comes only after the person has answered.
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

    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        match (call.moment, &reply.decision) {
            (Moment::Asking(_), Some(QuestionDecision::Deny(reason))) => {
                let message = json_text(&for_both(reason, reply));
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

/// The name under which other agents know the tool `name`.
fn tool_name(name: &str) -> &str {
    match name {
        SHELL => "Bash",
        other => other,
    }
}

/// The text after the header of `question` in `answers`, up to the next header; `None` when two questions share the
/// header.
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

// Qwen Code's settings and chats.

const QUESTIONS: Option<&str> = Some("^ask_user_question$");

static FACTS: Facts = Facts {
    dialog: TOOL,
    folder: ConfigFolder {
        variable: None,
        in_home: ".qwen",
    },
    registration: Registration {
        file: "settings.json",
        events: &[
            // For every tool: it fires only when somebody is asked, and costs other calls nothing.
            ("PermissionRequest", None),
            ("PostToolUse", QUESTIONS),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5000,
        word: Some("qwen"),
        has_name: false,
        refuses_on_failure: false,
    },
    to_be_done: None,
    plugin: None,
    guard: Guard::List("settings.json"),
    history: HistoryFormat {
        source: "import:qwen",
        place: None,
        folders: &["projects"],
        database: None,
        documents: None,
        words: &[TOOL],
        words_of_results: &[TOOL],
        words_of_decisions: &["qwen-code.tool_call"],
        refusals: ["User did not allow tool call", "must be", "denied"],
    },
};

impl Installed for Qwen {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let at = text(line, "timestamp");
        file.place.session = text(line, "sessionId").to_owned();
        file.place.cwd = text(line, "cwd").to_owned();
        decided(within(line, "/systemPayload/uiEvent"), at, file);
        for part in within(line, "/message/parts")
            .as_array()
            .into_iter()
            .flatten()
        {
            let (call, response) = (
                within(part, "/functionCall"),
                within(part, "/functionResponse"),
            );
            if text(line, "type") == "assistant" && text(call, "name") == TOOL {
                let tool = (QuestionTool::Dialog, TOOL);
                file.add(
                    self,
                    tool,
                    text(call, "id"),
                    at,
                    within(call, "/args").clone(),
                );
            }
            if text(line, "type") == "tool_result" && text(response, "name") == TOOL {
                let result = |name| text(within(response, "/response"), name);
                let id = text(response, "id");
                // Keyed by the questions' texts, without the text that hooks add.
                let answers = within(line, "/toolCallResult/resultDisplay/answers");
                match (answers.as_array(), result("error")) {
                    (Some(answers), _) => file.end_with(id, at, result("output"), |call| {
                        by_text(&call.questions, answers)
                    }),
                    (None, "") => file.end(self, id, at, result("output")),
                    (None, error) => file.end(self, id, at, error),
                }
            }
        }
    }
}

/// Adds the call of `event`, written at `at`, if the event says that somebody decided.
fn decided(event: &Value, at: &str, file: &mut HistoryFile) {
    let decision = match (text(event, "decision"), text(event, "status")) {
        ("accept", _) => Ok(Grant::Once),
        // Calls that nobody was asked about have this value, too. Only calls that the hook saw being asked count.
        ("auto_accept", _) => Ok(Grant::Always),
        ("reject", "cancelled") => Err(RefusalReason::Rejected),
        // For example, a call that another hook refused.
        _ => return,
    };
    let ended = DateTime::parse_from_rfc3339(at).ok();
    let took = within(event, "/duration_ms").as_i64().unwrap_or_default();
    let called = ended.and_then(|at| at.checked_sub_signed(TimeDelta::milliseconds(took)));
    let called = called.map_or_else(String::new, |at| clock::timestamp(at.to_utc()));
    let ending = ToolEnding {
        at: at.to_owned(),
        decision: Some(decision),
        ran_seconds: decision.err().map(|_| 0.0),
    };
    let input = within(event, "/function_args").clone();
    let tool = tool_name(text(event, "function_name"));
    file.add_tool(tool, text(event, "call_id"), &called, input, Some(ending));
}

/// The outcome of each of `questions`, matched by text.
fn by_text(questions: &[SentQuestion], answers: &[Value]) -> Vec<Outcome> {
    answered(questions, &|_, question| {
        let mut answers = answers.iter();
        let answer = answers.find(|one| text(one, "question") == question.text)?;
        from_text(question, text(answer, "answer"))
    })
}
