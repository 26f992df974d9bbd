//! A question, what is typed in its dialog, and what becomes of it.

use std::fs;

use plantune_domain::project::project_key;
use serde_json::{Value, json};

use crate::common::bound::described;
use crate::common::{Home, after, ask, json_of, question};

pub(crate) const TEXT: &str = "<plantune:k> Next step?";

pub(crate) const LABELS: &[&str] = &["More questions (Recommended)", "Next area"];

pub(crate) fn next() -> Value {
    let question = question("k", "Next step?", LABELS);
    described(&question, &["stay in this area", "go on"])
}

pub(crate) fn home() -> Home {
    let home = Home::new();
    home.configure("spot_check = 0\n");
    home
}

/// The call `id` as it comes back with `response`.
pub(crate) fn result(home: &Home, id: &str, question: &Value, response: &Value) -> Value {
    let call = ask(id, home.path(), std::slice::from_ref(question));
    after(call, response.clone())
}

pub(crate) fn typed(text: &str) -> Value {
    json!({"answers": {TEXT: text}})
}

/// The messages to user and model; both empty where nothing is printed.
pub(crate) fn messages(home: &Home, call: &Value) -> (String, String) {
    let printed = json_of(&home.call(call));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let output = &printed["hookSpecificOutput"];
    assert!(output.is_null() || output["hookEventName"] == "PostToolUse");
    (
        text(&printed["systemMessage"]),
        text(&output["additionalContext"]),
    )
}

/// The preferences of the project; null without a file.
pub(crate) fn preferences(home: &Home) -> Value {
    let path = home.paths().project_preferences(&project_key(home.path()));
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str::<Value>(&text).unwrap()["preferences"].clone(),
        Err(_) => Value::Null,
    }
}

pub(crate) fn teach(home: &Home, text: &str) -> (String, String) {
    let call = result(home, "toolu_1", &next(), &typed(text));
    messages(home, &call)
}
