//! OpenCode's plugin and its database.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use plantune_domain::wire::QuestionTool;
use plantune_domain::{clock, platform};
use serde_json::Value;

use super::{OpenCode, TOOL, call_id};
use crate::Agent;
use crate::installed::{Database, History, HistoryFile, Installed, Lookup, Registration, text};
use crate::results::within;

/// The file is a program: there is nothing to register in it.
static REGISTRATION: Registration = Registration {
    file: "plugin/plantune.js",
    events: &[],
    timeout: 0,
    word: Some("opencode"),
    has_name: false,
};

impl Installed for OpenCode {
    fn tested_version(&self) -> &'static str {
        "1.18.33"
    }

    fn dialog(&self) -> &'static str {
        TOOL
    }

    fn folder(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        below(lookup, "XDG_CONFIG_HOME", ".config")
    }

    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn plugin(&self) -> Option<&'static str> {
        Some(include_str!("plugin.js"))
    }

    fn history_folder(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        below(lookup, "XDG_DATA_HOME", ".local/share")
    }

    fn history(&self) -> &'static dyn History {
        &OpenCode
    }
}

/// Its folder in the one that `variable` names, else in `folder` of the home folder.
fn below(lookup: Lookup<'_>, variable: &str, folder: &str) -> Option<PathBuf> {
    let set = |name| lookup(name).filter(|value: &OsString| !value.is_empty());
    let named = set(variable).map(PathBuf::from);
    let parent = named.or_else(|| set(platform::HOME).map(|home| Path::new(&home).join(folder)));
    Some(parent?.join("opencode"))
}

impl History for OpenCode {
    fn source(&self) -> &'static str {
        "import:opencode"
    }

    fn folder(&self) -> &'static str {
        ""
    }

    fn database(&self) -> Option<Database> {
        Some(Database {
            file: "opencode.db",
            query: include_str!("questions.sql"),
        })
    }

    fn words(&self) -> (&'static [&'static str], &'static [&'static str]) {
        (&[], &[])
    }

    fn refusals(&self) -> [&'static str; 3] {
        [
            "The user dismissed this question",
            "invalid arguments",
            "rejected permission",
        ]
    }

    fn read(&self, row: &Value, file: &mut HistoryFile) {
        let (data, state) = (within(row, "/data"), within(row, "/data/state"));
        if text(data, "type") != "tool" || text(data, "tool") != TOOL {
            return;
        }
        file.session = text(row, "session_id").to_owned();
        file.cwd = text(row, "directory").to_owned();
        let id = call_id(text(row, "message_id"), text(data, "callID"));
        let (start, end) = (time(state, "start"), time(state, "end"));
        let input = within(state, "/input").clone();
        file.add(self, (QuestionTool::Native, TOOL), &id, &start, input);
        match text(state, "status") {
            // What hooks add to the text is no answer.
            "completed" => file.end_with(&id, &end, text(state, "output"), |call| {
                let outcomes =
                    self.outcomes(&call.input, &call.questions, within(state, "/metadata"));
                outcomes.unwrap_or_default()
            }),
            "error" => file.end(self, &id, &end, text(state, "error")),
            _ => {}
        }
    }
}

/// The time `name` of `state`, which has milliseconds (RFC 3339); empty where it has none.
fn time(state: &Value, name: &str) -> String {
    let sent = within(state, "/time").get(name).and_then(Value::as_i64);
    let time = sent.and_then(DateTime::from_timestamp_millis);
    time.map_or_else(String::new, clock::timestamp)
}
