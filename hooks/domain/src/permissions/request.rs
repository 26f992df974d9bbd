//! What a prompt for permission is about.

use serde_json::Value;

use super::Reach;
use super::own::OwnReaches;
use super::tools::{self, Call};
use crate::event::Kind;
use crate::hash;
use crate::secrets::masked;
use crate::shell::{judge as judge_line, subject_of_line};

/// The longest text that is kept, in bytes.
const LONGEST_KEPT: usize = 2048;

/// The longest text that is looked at for it, in bytes: what is masked is shorter, but not by so much.
const LONGEST_READ: usize = 32 * 1024;

/// What a prompt for permission is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// What makes two prompts the same.
    pub subject: String,
    /// How far the call reaches.
    pub reach: Reach,
    /// Why it reaches so far, in words.
    pub reason: String,
    /// The command, path, URL or query.
    pub input: String,
}

/// What a call of `tool` with `input` in the folder `cwd` is about. A pure function: nothing is looked up,
/// run or expanded, and what is not understood reaches beyond the project.
pub fn describe(tool: &str, input: &Value, cwd: &str) -> Described {
    describe_with(tool, input, cwd, &OwnReaches::default())
}

/// As [`describe`], with the reaches that the person gave.
pub fn describe_with(tool: &str, input: &Value, cwd: &str, own: &OwnReaches) -> Described {
    let text = main_field(tool).and_then(|name| input[name].as_str());
    let text = text.unwrap_or_default();
    let mut call = judge(tool, text, input, cwd, own);
    let kept = kept(text);
    if !text.starts_with(&kept) {
        // The subject as whoever judges what is kept will find it, without the secret; the reach of the call.
        let shown = judge(tool, &kept, input, cwd, own);
        call.subject = shown.subject;
        if call.reach <= shown.reach {
            (call.reach, call.reason) = (shown.reach, shown.reason);
        }
        call.reason = masked(&call.reason).into_owned();
    }
    Described {
        subject: call.subject,
        reach: call.reach,
        reason: call.reason,
        input: kept,
    }
}

/// What is kept of a tool's main text: its secrets masked, and cut.
fn kept(text: &str) -> String {
    let mut kept = masked(cut(text, LONGEST_READ)).into_owned();
    kept.truncate(kept.floor_char_boundary(LONGEST_KEPT));
    kept
}

fn cut(text: &str, length: usize) -> &str {
    text.get(..text.floor_char_boundary(length))
        .unwrap_or_default()
}

fn judge(tool: &str, text: &str, input: &Value, cwd: &str, own: &OwnReaches) -> Call {
    let mut call = match tool {
        "Bash" => command(text, cwd, own),
        "Read" | "Grep" | "Glob" | "LS" | "NotebookRead" => {
            tools::file(tool, text, cwd, Reach::Reads)
        }
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            tools::file(tool, text, cwd, Reach::Project)
        }
        "WebFetch" => tools::fetch(text, own),
        _ if tool.starts_with("mcp__") => tools::of_server(tool),
        _ => tools::other(tool, input),
    };
    let given = match tool {
        "Bash" | "WebFetch" => None,
        _ if tool.starts_with("mcp__") => own.of_tool(tool, call.reach),
        // Of the host's own tools a person may only say that they reach further.
        _ => own
            .of_tool(tool, call.reach)
            .filter(|(reach, _)| *reach > call.reach),
    };
    if let Some((reach, reason)) = given {
        (call.reach, call.reason) = (reach, reason);
    }
    call
}

fn command(line: &str, cwd: &str, own: &OwnReaches) -> Call {
    let Some(judged) = judge_line(line, cwd, own) else {
        return Call {
            // Its digest is of what is kept beside it, and tells nothing more.
            subject: subject_of_line(cut(line, LONGEST_KEPT)),
            reach: Reach::Beyond,
            reason: "not understood with certainty".to_owned(),
        };
    };
    let parts = judged.commands;
    let mut subject = String::new();
    let mut seen: Vec<&str> = Vec::new();
    let shown = parts
        .iter()
        .filter(|part| !part.is_aside || parts.len() == 1);
    for part in shown {
        if seen.contains(&part.subject.as_str()) {
            continue;
        }
        subject.push_str(match part.join {
            _ if seen.is_empty() => "",
            ";" => "; ",
            "|" => " | ",
            "||" => " || ",
            _ => " && ",
        });
        subject.push_str(&part.subject);
        seen.push(&part.subject);
    }
    let worst = parts.iter().max_by_key(|part| part.reach);
    Call {
        subject,
        reach: worst.map_or(Reach::Beyond, |part| part.reach),
        reason: worst.map_or(String::new(), |part| part.reason.clone()),
    }
}

/// The field of a tool's input that says what it is about: command, path, address or query; `None` for a
/// tool whose input has no such field.
pub fn main_field(tool: &str) -> Option<&'static str> {
    match tool {
        "Bash" => Some("command"),
        "Read" | "Edit" | "Write" | "MultiEdit" => Some("file_path"),
        "Grep" | "Glob" | "LS" => Some("path"),
        "NotebookEdit" | "NotebookRead" => Some("notebook_path"),
        "WebFetch" => Some("url"),
        "WebSearch" => Some("query"),
        _ => None,
    }
}

/// A hash of a tool's whole input, 32 hexadecimal digits: the same for a hook's call and for the transcript,
/// whatever the order of its fields. What it was made of can be tried: it is not written down, but what the
/// [key](crate::secrets::Key) of the data folder makes of it.
pub fn digest(tool: &str, input: &Value) -> String {
    // Objects of `serde_json` keep their fields sorted. A hook gets nothing of the plan that the model
    // has written.
    let input = match tool {
        "ExitPlanMode" => String::new(),
        _ => input.to_string(),
    };
    hash::hex(&[tool, &input])
}

/// What of a call's `input` the history of an agent beside Claude Code has as its hook: the main field, where there is
/// one.
pub fn input_in_history<'v>(tool: &str, input: &'v Value) -> &'v Value {
    let field = main_field(tool).and_then(|name| input.get(name));
    field.unwrap_or(input)
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
