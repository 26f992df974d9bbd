//! Who changes something, and from where, for the record.

use serde_json::{Map, Value, json};

use crate::platform;

/// The person behind this process, as far as the system knows.
pub(crate) struct Actor {
    user: Option<String>,
    uid: Option<u32>,
    terminal: Option<String>,
    yes: bool,
}

impl Actor {
    /// Reads it from the process; `yes` when `--yes` stood in for the person's answer.
    pub(crate) fn of_this_process(yes: bool) -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            user: set("USER").or_else(|| set("LOGNAME")),
            uid: platform::user(),
            terminal: platform::terminal_name(),
            yes,
        }
    }

    /// The JSON text that an event about a change carries: the fields of `evidence`, and `by`.
    pub(crate) fn detail(&self, evidence: Option<&Value>) -> String {
        let mut detail = match evidence {
            Some(Value::Object(evidence)) => evidence.clone(),
            _ => Map::new(),
        };
        let actor = json!({
            "user": self.user, "uid": self.uid, "terminal": self.terminal, "yes": self.yes,
        });
        detail.insert("by".to_owned(), actor);
        Value::Object(detail).to_string()
    }
}
