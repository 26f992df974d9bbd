//! JSON: for scripts, and safe when it lands on a terminal.

use std::io;

use serde::Serialize;

use crate::{Format, inert};

/// Any document for scripts.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl<D: Serialize> Format<D> for Json {
    fn write(&self, document: &D, out: &mut dyn io::Write) -> io::Result<()> {
        write(document, out)
    }
}

/// Writes `document` as indented JSON. Characters that steer a terminal or are not seen are
/// written as `\u` escapes, so every text is complete and none of them acts.
///
/// # Errors
/// Those of `out`, and of a document that JSON cannot hold.
pub fn write(document: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(inert::json(document)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_whole_and_inert() {
        let text = "a\u{1b}[31m\u{9b}2J\u{7f}\n\u{202e}b\u{e0041}\"次\u{200b}";
        let mut out = Vec::new();
        write(&[text], &mut out).unwrap();
        let json = String::from_utf8(out).unwrap();
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
