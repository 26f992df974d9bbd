//! OpenCode's plugin and its database.

use chrono::DateTime;
use plantune_domain::clock;
use plantune_domain::wire::QuestionTool;
use serde_json::Value;

use super::{OpenCode, TOOL, call_id};
use crate::Agent;
use crate::installed::{
    Database, Facts, Guard, History, HistoryFile, Installed, Place, Registration, text,
};
use crate::results::within;

static FACTS: Facts = Facts {
    tested_version: "1.18.33",
    dialog: TOOL,
    folder: Place {
        variable: Some(("XDG_CONFIG_HOME", "opencode")),
        in_home: ".config/opencode",
    },
    // The file is a program: there is nothing to register in it.
    registration: Registration {
        file: "plugin/plantune.js",
        events: &[],
        timeout: 0,
        word: Some("opencode"),
        has_name: false,
    },
    to_be_done: None,
    plugin: Some(include_str!("plugin.js")),
    guard: Guard::Commands("opencode.json"),
    history: History {
        source: "import:opencode",
        place: Some(Place {
            variable: Some(("XDG_DATA_HOME", "opencode")),
            in_home: ".local/share/opencode",
        }),
        folder: "",
        database: Some(Database {
            file: "opencode.db",
            query: include_str!("questions.sql"),
        }),
        documents: None,
        words: &[],
        words_of_results: &[],
        words_of_decisions: &[],
        refusals: [
            "The user dismissed this question",
            "invalid arguments",
            "rejected permission",
        ],
    },
};

impl Installed for OpenCode {
    fn facts(&self) -> &'static Facts {
        &FACTS
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
