//! The text of a tool's result.

use serde_json::Value;

use super::wire::ToolResult;

/// The error's or the result's own words: what the model was given, else what the tool returned.
pub(super) fn text_of(result: &ToolResult<'_>) -> String {
    let given = joined(result.content);
    if !given.trim().is_empty() {
        return given;
    }
    let returned = joined(result.returned);
    match returned.strip_prefix("Error: ") {
        Some(error) => error.to_owned(),
        None => returned,
    }
}

fn joined(content: &Value) -> String {
    let text = |block: &Value| {
        block
            .get("text")
            .unwrap_or(block)
            .as_str()
            .map(str::to_owned)
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(text)
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}
