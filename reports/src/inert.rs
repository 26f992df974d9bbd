//! Text from outside on one line, and as JSON.

use plantune_domain::sanitize;
use serde::Serialize;

pub use crate::text::cut as one_line;

/// `value` as JSON, indented, with a newline at the end, and nothing in it that a terminal would obey
/// ([`sanitize::json`]).
///
/// # Errors
/// Those of the serialiser.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut json = sanitize::json(&serde_json::to_string_pretty(value)?);
    json.push('\n');
    Ok(json)
}
