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

/// What `--json` gives of `document`: [`json`] with `schema_version` 1 before its members.
///
/// # Errors
/// Those of the serialiser.
pub fn document(document: &impl Serialize) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Versioned<'d, D> {
        schema_version: u32,
        #[serde(flatten)]
        document: &'d D,
    }
    json(&Versioned {
        schema_version: 1,
        document,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_whole_and_inert() {
        let text = "a\u{1b}[31m\u{9b}2J\u{7f}\n\u{202e}b\u{e0041}\"次\u{200b}";
        let json = json(&[text]).unwrap();
        assert_eq!(
            json,
            concat!(
                "[\n  \"a\\u001b[31m\\u009b2J\\u007f\\n\\u202eb",
                "\\udb40\\udc41\\\"次\\u200b\"\n]\n"
            )
        );
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
