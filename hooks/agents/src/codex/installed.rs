//! Codex's hooks and its rollouts.

use std::path::Path;

use chrono::{DateTime, TimeDelta};
use plantune_domain::clock;
use plantune_domain::wire::lenient_json;
use serde_json::{Value, json};

use super::{Codex, TOOL, question_tool};
use crate::installed::{
    AT_ONCE, Facts, Guard, History, HistoryFile, Installed, Place, Registration, ToolEnding, text,
};
use crate::results::within;

const QUESTIONS: Option<&str> = Some("^request_user_input(_async)?$");

/// The tool that runs commands.
const SHELL: &str = "exec_command";

/// What stands in the result of a call that the person broke off.
const ABORTED: &str = "aborted by user";

/// What says in a turn who decides about prompts.
const REVIEWER: &str = "approvals_reviewer";

/// What the model reads when the person allowed all commands that begin so.
const SAVED: &str = "Approved command prefix saved";

/// No person decides so quickly, in milliseconds.
const QUICKEST: i64 = 300;

static FACTS: Facts = Facts {
    tested_version: "0.169.0",
    dialog: TOOL,
    folder: Place {
        variable: Some(("CODEX_HOME", "")),
        in_home: ".codex",
    },
    registration: Registration {
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
    },
    to_be_done: Some(
        "Codex calls new hooks once you trust them: it asks when you start it next, or type /hooks there",
    ),
    plugin: None,
    guard: Guard::Own("rules/plantune.rules", rules),
    history: History {
        source: "import:codex",
        place: None,
        folder: "sessions",
        database: None,
        documents: None,
        words: &["request_user_input", "session_meta", "task_started"],
        words_of_results: &["function_call_output"],
        words_of_decisions: &[SHELL, REVIEWER, "CommandExecution", ABORTED, SAVED],
        refusals: [ABORTED, " requires ", " is unavailable in "],
    },
};

/// The rules by which it refuses commands. They name the words that a command begins with, and so nothing behind a path or
/// another program; what they do not see, plantune itself refuses.
fn rules(_commands: &[String]) -> String {
    const RULES: [&str; 5] = [
        r#"["plantune", "prefs", ["set", "clear"]]"#,
        r#"["plantune", "suggest", "--apply"]"#,
        r#"["plantune", "fleet", "adopt"]"#,
        r#"["plantune", ["undo", "away", "import", "install", "uninstall"]]"#,
        r#"["plantune-hook"]"#,
    ];
    let rule = |pattern: &&str| format!("prefix_rule(pattern={pattern}, decision=\"forbidden\")\n");
    let rules: String = RULES.iter().map(rule).collect();
    format!(
        "# plantune's: what an agent may not do in your name. `plantune uninstall` takes it away.\n{rules}"
    )
}

impl Installed for Codex {
    fn facts(&self) -> &'static Facts {
        &FACTS
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

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let (at, payload) = (text(line, "timestamp"), within(line, "/payload"));
        match (text(line, "type"), text(payload, "type")) {
            // A fork's file begins with its own, and goes on with all that its parent's holds.
            ("session_meta", _) => {
                let id = text(payload, "id");
                if !file.is_session_known || file.session == id {
                    file.session = id.to_owned();
                    file.cwd = text(payload, "cwd").to_owned();
                    file.is_session_known = true;
                }
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
                } else if name == SHELL {
                    let sent: Value = lenient_json(text(payload, "arguments")).unwrap_or_default();
                    let input = json!({ "command": text(&sent, "cmd") });
                    file.add_tool("Bash", text(payload, "call_id"), at, input, None);
                }
            }
            ("response_item", "function_call_output") => {
                let (id, output) = (text(payload, "call_id"), text(payload, "output"));
                if output.contains(ABORTED) {
                    let mut calls = file.tools.iter_mut().rev().take(AT_ONCE);
                    if let Some(call) = calls.find(|call| call.id == id && call.ending.is_none()) {
                        call.ending = Some(ToolEnding {
                            at: at.to_owned(),
                            // Before it ran, or while it did.
                            decision: (!file.is_reviewed).then_some(Err("unclear")),
                            ran_seconds: None,
                        });
                    }
                }
                file.end(self, id, at, output);
            }
            ("turn_context", _) => {
                let reviewer = payload.get(REVIEWER).and_then(Value::as_str);
                file.is_reviewed = reviewer.is_some_and(|name| name != "user");
            }
            ("event_msg", "item_completed") => ran(payload, file),
            ("response_item", "message") if text(payload, "role") == "developer" => {
                let saved = payload.to_string().contains(SAVED);
                let last = file.tools.last_mut().and_then(|call| call.ending.as_mut());
                if let Some(ending) = last.filter(|_| saved) {
                    ending.decision = ending.decision.map(|decision| decision.and(Ok("always")));
                }
            }
            _ => {}
        }
    }
}

/// Adds a command that ran, `item` of a line's `payload`, which is also one that code started. What began as soon as it
/// was asked for was allowed by a hook, or asked of nobody.
fn ran(payload: &Value, file: &mut HistoryFile) {
    let item = within(payload, "/item");
    let number = |value: &Value, at: &str| within(value, at).as_i64().unwrap_or_default();
    let (from, to) = (
        number(payload, "/started_at_ms"),
        number(payload, "/completed_at_ms"),
    );
    let ran = number(item, "/duration/secs").saturating_mul(1000);
    let ran = ran.saturating_add(number(item, "/duration/nanos") / 1_000_000);
    let waited = to.saturating_sub(from).saturating_sub(ran);
    let command = within(item, "/command/2").as_str();
    let (Some(command), "CommandExecution") = (command, text(item, "type")) else {
        return;
    };
    let at = |ms| DateTime::from_timestamp_millis(ms).map_or_else(String::new, clock::timestamp);
    let id = text(item, "id");
    let known = file
        .tools
        .iter()
        .rev()
        .take(AT_ONCE)
        .find(|call| call.id == id);
    let called = known.map_or_else(|| at(from), |call| call.at.clone());
    let ending = ToolEnding {
        at: at(to),
        decision: (waited >= QUICKEST && !file.is_reviewed).then_some(Ok("once")),
        ran_seconds: TimeDelta::try_milliseconds(ran).map(TimeDelta::as_seconds_f64),
    };
    file.add_tool(
        "Bash",
        id,
        &called,
        json!({ "command": command }),
        Some(ending),
    );
}
