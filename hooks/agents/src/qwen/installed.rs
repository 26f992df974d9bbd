//! Qwen Code's settings and chats.

use std::path::{Path, PathBuf};

use plantune_domain::platform;
use plantune_domain::wire::QuestionTool;
use serde_json::Value;

use super::{Qwen, TOOL};
use crate::installed::{History, HistoryFile, Installed, Lookup, Registration, text};

const QUESTIONS: Option<&str> = Some("^ask_user_question$");

static REGISTRATION: Registration = Registration {
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
};

impl Installed for Qwen {
    fn tested_version(&self) -> &'static str {
        "0.24.4"
    }

    fn folder(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        let home = lookup(platform::HOME).filter(|value| !value.is_empty())?;
        Some(Path::new(&home).join(".qwen"))
    }

    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn history(&self) -> &'static dyn History {
        &Qwen
    }
}

impl History for Qwen {
    fn source(&self) -> &'static str {
        "import:qwen"
    }

    fn folder(&self) -> &'static str {
        "projects"
    }

    fn words(&self) -> (&'static [&'static str], &'static [&'static str]) {
        (&["ask_user_question"], &["ask_user_question"])
    }

    fn refusals(&self) -> [&'static str; 3] {
        ["User did not allow tool call", "must be", "denied"]
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let at = text(line, "timestamp");
        file.session = text(line, "sessionId").to_owned();
        file.cwd = text(line, "cwd").to_owned();
        for part in line["message"]["parts"].as_array().into_iter().flatten() {
            let (call, response) = (&part["functionCall"], &part["functionResponse"]);
            if text(line, "type") == "assistant" && text(call, "name") == TOOL {
                let tool = (QuestionTool::Dialog, TOOL);
                file.add(self, tool, text(call, "id"), at, call["args"].clone());
            }
            if text(line, "type") == "tool_result" && text(response, "name") == TOOL {
                let response_of = |name| &response["response"][name];
                let result = match response_of("error") {
                    Value::Null => response_of("output"),
                    error => error,
                };
                file.end(self, text(response, "id"), at, result);
            }
        }
    }
}
