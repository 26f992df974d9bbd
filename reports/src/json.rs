//! JSON: for scripts, and safe when it lands on a terminal.

use std::fmt::Display;
use std::io;

use serde::ser::Error;
use serde::{Serialize, Serializer};

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

/// A field as the text that it displays.
pub(crate) fn displayed<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// A field whose names stand in the order of the alphabet.
pub(crate) fn sorted<S: Serializer>(value: &impl Serialize, to: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(value).map_err(Error::custom)?;
    value.serialize(to)
}

/// A field in four decimals: what lies beyond differs by machine and says nothing.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over so"
)]
pub(crate) fn rounded<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    four_decimals(*number).serialize(to)
}

/// `number` in four decimals.
pub(crate) fn four_decimals(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
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
