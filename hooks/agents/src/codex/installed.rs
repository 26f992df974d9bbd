//! Codex's hooks and its rollouts.

use std::path::{Path, PathBuf};

use plantune_domain::platform;
use plantune_domain::wire::lenient_json;
use serde_json::Value;

use super::{Codex, question_tool};
use crate::installed::{History, HistoryFile, Installed, Lookup, Registration, text};
use crate::results::within;

const QUESTIONS: Option<&str> = Some("^request_user_input(_async)?$");

static REGISTRATION: Registration = Registration {
    file: "hooks.json",
    events: &[
        ("PreToolUse", QUESTIONS),
        ("PostToolUse", QUESTIONS),
        ("PermissionRequest", None),
        ("SessionStart", None),
        ("SessionEnd", None),
    ],
    timeout: 5,
    word: Some("codex"),
    has_name: false,
};

impl Installed for Codex {
    fn tested_version(&self) -> &'static str {
        "0.169.0"
    }

    fn folder(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        let set = |name: &str| lookup(name).filter(|value| !value.is_empty());
        set("CODEX_HOME")
            .map(PathBuf::from)
            .or_else(|| set(platform::HOME).map(|home| Path::new(&home).join(".codex")))
    }

    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn to_be_done(&self) -> Option<&'static str> {
        Some(
            "Codex calls new hooks once you trust them: it asks when you start it next, or type /hooks there",
        )
    }

    fn is_trusted(&self, folder: &Path, settings: &Path) -> Option<bool> {
        // Its state names a hook by the file, the event, and its place: `[hooks.state."FILE:pre_tool_use:0:0"]`. Of a
        // place that is another's by now, the hash would differ; how that is made is not known.
        let config = std::fs::read_to_string(folder.join("config.toml")).unwrap_or_default();
        let hook = format!("\"{}:pre_tool_use:", settings.display());
        let is_state =
            |line: &str| line.trim_start().starts_with("[hooks.state.") && line.contains(&hook);
        Some(config.lines().any(is_state))
    }

    fn history(&self) -> &'static dyn History {
        &Codex
    }
}

impl History for Codex {
    fn source(&self) -> &'static str {
        "import:codex"
    }

    fn folder(&self) -> &'static str {
        "sessions"
    }

    fn words(&self) -> (&'static [&'static str], &'static [&'static str]) {
        (
            &["request_user_input", "session_meta", "task_started"],
            &["function_call_output"],
        )
    }

    fn refusals(&self) -> [&'static str; 3] {
        ["aborted by user", " requires ", " is unavailable in "]
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let (at, payload) = (text(line, "timestamp"), within(line, "/payload"));
        match (text(line, "type"), text(payload, "type")) {
            ("session_meta", _) => {
                file.session = text(payload, "id").to_owned();
                file.cwd = text(payload, "cwd").to_owned();
            }
            // What hooks are sent as the mode is always `default`.
            ("event_msg", "task_started") => {
                let mode = within(payload, "/collaboration_mode_kind").as_str();
                file.mode = mode.map(str::to_owned);
            }
            ("response_item", "function_call") => {
                let name = text(payload, "name");
                if let (Some(tool), Ok(input)) = (
                    question_tool(name),
                    lenient_json(text(payload, "arguments")),
                ) {
                    file.add(self, (tool, name), text(payload, "call_id"), at, input);
                }
            }
            ("response_item", "function_call_output") => {
                file.end(self, text(payload, "call_id"), at, text(payload, "output"));
            }
            _ => {}
        }
    }
}
