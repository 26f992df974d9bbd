//! Gemini CLI's settings and chats.

use std::path::Path;

use plantune_domain::hash;
use plantune_domain::wire::QuestionTool;
use serde_json::Value;

use super::{Gemini, SHELL, TOOL};
use crate::installed::{
    Documents, Facts, Guard, History, HistoryFile, Installed, Place, Registration, ToolEnding, text,
};
use crate::results::within;

static FACTS: Facts = Facts {
    tested_version: "0.61.0",
    dialog: TOOL,
    folder: Place {
        variable: None,
        in_home: ".gemini",
    },
    registration: Registration {
        file: "settings.json",
        events: &[
            ("BeforeTool", Some(TOOL)),
            ("AfterTool", Some(TOOL)),
            ("Notification", None),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5000,
        word: Some("gemini"),
        has_name: true,
    },
    to_be_done: None,
    plugin: None,
    guard: Guard::Own("policies/plantune-guard.toml", policies),
    history: History {
        source: "import:gemini",
        place: None,
        folder: "tmp",
        database: None,
        // Until spring 2026.
        documents: Some(Documents {
            start: "session-",
            list: "messages",
        }),
        words: &["projectHash", "\"ask_user\""],
        words_of_results: &["\"ask_user\""],
        words_of_decisions: &["\"run_shell_command\""],
        refusals: ["User denied execution", "params/", "Tool execution blocked"],
    },
};

/// The file in which it writes down whose chats a folder holds.
const PROJECT: &str = ".project_root";

/// The rule by which it refuses `commands`, above all of the person's. A pattern is looked for in a call's arguments as
/// JSON.
fn policies(commands: &[String]) -> String {
    let pattern = |command: &String| command.trim_matches('*').replace('*', ".*");
    let patterns: Vec<String> = commands.iter().map(pattern).collect();
    // A string of JSON is one of TOML.
    let pattern = Value::from(patterns.join("|"));
    format!(
        "# plantune's: what an agent may not do in your name. `plantune uninstall` takes it away.\n\
         [[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = {pattern}\ndecision = \"deny\"\npriority = 999\n"
    )
}

impl Installed for Gemini {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        if let Some(project) = within(line, "/projectHash").as_str() {
            file.session = text(line, "sessionId").to_owned();
            file.cwd = project_folder(&file.path, project).unwrap_or_default();
        }
        // A list of messages that takes the place of all others drops a question that was dismissed: it is not
        // followed.
        for call in within(line, "/toolCalls").as_array().into_iter().flatten() {
            let id = text(call, "id");
            let (at, args) = (text(line, "timestamp"), within(call, "/args").clone());
            match text(call, "name") {
                _ if id.is_empty() => continue,
                TOOL => {}
                SHELL => {
                    file.add_tool("Bash", id, at, args, ending(call));
                    continue;
                }
                _ => continue,
            }
            file.add(self, (QuestionTool::Dialog, TOOL), id, at, args);
            let response = within(call, "/result/0/functionResponse/response");
            let result = ["output", "error"].map(|name| response.get(name).and_then(Value::as_str));
            if let Some(result) = result.into_iter().flatten().next() {
                file.end(self, id, text(call, "timestamp"), result);
            }
        }
    }
}

/// What became of a tool's `call`. For how long it was allowed is not written down.
fn ending(call: &Value) -> Option<ToolEnding> {
    let decision = match text(call, "status") {
        "success" => Ok("once"),
        "cancelled" => Err("rejected"),
        _ => return None,
    };
    Some(ToolEnding {
        at: text(call, "timestamp").to_owned(),
        decision: Some(decision),
        ran_seconds: decision.err().map(|_| 0.0),
    })
}

/// The folder whose hash is `project`, which stands beside the folder of the chats.
fn project_folder(chat: &Path, project: &str) -> Option<String> {
    let folder = chat.parent()?.parent()?;
    let root = std::fs::read_to_string(folder.join(PROJECT)).ok()?;
    let root = root.trim();
    (hash::sha256_hex(root) == project).then(|| root.to_owned())
}
