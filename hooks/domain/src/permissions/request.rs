//! What a prompt for permission is about.

use serde_json::Value;

use super::Tier;
use crate::commands::{Class, classify};
use crate::event::Kind;
use crate::hash;

/// The longest input that is logged, in bytes.
const LONGEST_INPUT: usize = 2048;

/// What a prompt for permission is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// What makes two prompts the same.
    pub subject: String,
    /// How far the call reaches.
    pub tier: Tier,
    /// Why it reaches so far, in words.
    pub reason: String,
    /// The command, path, URL or query.
    pub input: String,
}

/// What a call of `tool` with `input` in the folder `cwd` is about. A pure function: nothing is looked up,
/// run or expanded, and what is not understood reaches beyond the project.
pub fn describe(tool: &str, input: &Value, _cwd: &str) -> Described {
    let text = main_field(tool).and_then(|name| input[name].as_str());
    let text = text.unwrap_or_default();
    let (tier, reason) = match (tool, classify(text)) {
        ("Bash", Class::ReadOnly) => (Tier::ReadOnly, String::new()),
        ("Bash", Class::Local) => (Tier::Project, String::new()),
        ("Bash", Class::Effect(reason)) => (Tier::Beyond, reason),
        _ => (Tier::Beyond, "no command".to_owned()),
    };
    let end = text.floor_char_boundary(LONGEST_INPUT);
    let cut = text.get(..end).unwrap_or_default().to_owned();
    Described {
        subject: if cut.is_empty() {
            tool.to_owned()
        } else {
            cut.clone()
        },
        tier,
        reason,
        input: cut,
    }
}

/// The field of a tool's input that says what it is about.
fn main_field(tool: &str) -> Option<&'static str> {
    match tool {
        "Bash" => Some("command"),
        "Read" | "Edit" | "Write" | "MultiEdit" => Some("file_path"),
        "NotebookEdit" => Some("notebook_path"),
        "WebFetch" => Some("url"),
        "WebSearch" => Some("query"),
        _ => None,
    }
}

/// A hash of a tool's whole input, 32 hexadecimal digits: the same for a hook's call and for the transcript,
/// whatever the order of its fields.
pub fn digest(tool: &str, input: &Value) -> String {
    // Objects of `serde_json` keep their fields sorted. A hook is told nothing of the plan that the model
    // has written.
    let input = match tool {
        "ExitPlanMode" => String::new(),
        _ => input.to_string(),
    };
    hash::hex(&[tool, &input])
}

/// The id of an event that says how a call was decided, or that it was denied.
pub fn event_id(kind: Kind, tool_use_id: &str) -> String {
    hash::hex(&[kind.as_str(), tool_use_id])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_fields_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"a":1,"b":{"d":2,"c":[3]}}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b":{"c":[3],"d":2},"a":1}"#).unwrap();
        assert_eq!(digest("Bash", &one), digest("Bash", &other));
        assert_ne!(digest("Bash", &one), digest("Bash", &json!({"a": 2})));
        let plan = json!({"plan": "1. do it"});
        assert_eq!(
            digest("ExitPlanMode", &plan),
            digest("ExitPlanMode", &json!({}))
        );
    }
}
