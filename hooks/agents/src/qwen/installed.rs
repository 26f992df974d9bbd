//! Qwen Code's settings and chats.

use chrono::{DateTime, TimeDelta};
use plantune_domain::clock;
use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use super::{Qwen, TOOL, tool_name};
use crate::installed::{
    Facts, Guard, History, HistoryFile, Installed, Place, Registration, ToolEnding, text,
};
use crate::results::{answered, from_text, within};

const QUESTIONS: Option<&str> = Some("^ask_user_question$");

static FACTS: Facts = Facts {
    tested_version: "0.24.4",
    dialog: TOOL,
    folder: Place {
        variable: None,
        in_home: ".qwen",
    },
    registration: Registration {
        file: "settings.json",
        events: &[
            // Of every tool: it comes where somebody is asked, and costs other calls nothing.
            ("PermissionRequest", None),
            ("PostToolUse", QUESTIONS),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5000,
        word: Some("qwen"),
        has_name: false,
    },
    to_be_done: None,
    plugin: None,
    guard: Guard::List("settings.json"),
    history: History {
        source: "import:qwen",
        place: None,
        folder: "projects",
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
        file.session = text(line, "sessionId").to_owned();
        file.cwd = text(line, "cwd").to_owned();
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
                // By the questions' texts, and without what hooks add to the text.
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

/// Adds the call that `event`, written at `at`, is about, as far as it says that somebody decided.
fn decided(event: &Value, at: &str, file: &mut HistoryFile) {
    let decision = match (text(event, "decision"), text(event, "status")) {
        ("accept", _) => Ok("once"),
        // What nobody was asked about is said to be so, too: only what the hook saw to be asked counts.
        ("auto_accept", _) => Ok("always"),
        ("reject", "cancelled") => Err("rejected"),
        // What another hook refused, for one.
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

/// What was answered to each of `questions`, by their texts.
fn by_text(questions: &[SentQuestion], answers: &[Value]) -> Vec<Outcome> {
    answered(questions, &|_, question| {
        let mut answers = answers.iter();
        let answer = answers.find(|one| text(one, "question") == question.text)?;
        from_text(question, text(answer, "answer"))
    })
}
