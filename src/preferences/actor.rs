//! Who changes something, and from where, for the record.

use rustix::process::getuid;
use rustix::termios::ttyname;
use serde_json::{Map, Value, json};

/// Room for a terminal's name, in bytes.
const NAME: usize = 64;

/// The person behind this process, as far as the system knows.
pub(crate) struct Actor {
    user: Option<String>,
    uid: u32,
    terminal: Option<String>,
    yes: bool,
}

impl Actor {
    /// Reads it from the process; `yes` when `--yes` stood in for the person's answer.
    pub(crate) fn of_this_process(yes: bool) -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let name = ttyname(std::io::stdin(), Vec::with_capacity(NAME)).ok();
        Self {
            user: set("USER").or_else(|| set("LOGNAME")),
            uid: getuid().as_raw(),
            terminal: name.map(|name| name.to_string_lossy().into_owned()),
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
