//! One line of the log: an event, or the reason why it is none.

use chrono::DateTime;
use plantune_domain::event::{Event, SCHEMA_VERSION};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;

/// Lines longer than this are not events: the hook writes 64 KiB at most, and an import no more.
pub(crate) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// How much of a reason is kept, in characters.
const MOST_REASON: usize = 300;

const NO_OBJECT: &str = "not an event: JSON, but no object";

/// An event with its id and time decoded.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The event as written.
    pub(crate) event: Event<'a>,
    /// The id's 128 bits, big endian.
    pub(crate) id: [u8; 16],
    /// Microseconds since 1970, UTC.
    pub(crate) micros: i64,
    /// A JSON object with, at least, the fields that [`Event`] does not have; may be empty text.
    pub(crate) json: &'a str,
}

/// Decodes `line` (without its newline).
///
/// # Errors
/// Why it is no event of schema 1, in words for `plantune doctor`.
pub(crate) fn decode(line: &[u8]) -> Result<Decoded<'_>, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(too_long(line.len() as u64));
    }
    try_decode(line).map_err(|reason| short(&reason))
}

/// Why a line of `length` bytes is refused, whatever it holds.
pub(crate) fn too_long(length: u64) -> String {
    format!("line of {length} bytes is longer than an event can be ({MAX_LINE_BYTES})")
}

fn try_decode(line: &[u8]) -> Result<Decoded<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let event: Event<'_> = serde_json::from_str(text).map_err(|error| refusal(text, &error))?;
    // Serde would take an array for an event, its items for the fields in their order.
    if !text.starts_with('{') {
        return Err(NO_OBJECT.to_owned());
    }
    if event.v != SCHEMA_VERSION {
        return Err(other_version(text).unwrap_or_else(|| "not an event: no v".to_owned()));
    }
    for (name, value) in [("kind", &event.kind), ("id", &event.id), ("ts", &event.ts)] {
        if value.is_empty() {
            return Err(format!("not an event: no {name}"));
        }
    }
    let id = decode_id(&event.id).ok_or_else(|| {
        format!(
            "not an event: id {:?} is not 32 hexadecimal digits",
            &*event.id
        )
    })?;
    let micros = decode_time(&event.ts)
        .ok_or_else(|| format!("not an event: ts {:?} is not RFC 3339", &*event.ts))?;
    Ok(Decoded {
        event,
        id,
        micros,
        json: text,
    })
}

/// Why `text`, which serde refused, is no event.
fn refusal(text: &str, error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => format!("torn line: {}", placed(error)),
        Category::Syntax | Category::Io => format!("not JSON: {}", placed(error)),
        Category::Data if !text.starts_with('{') => {
            // A value of another kind stops serde at its first byte, before what may follow.
            match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => NO_OBJECT.to_owned(),
                Err(error) => refusal("{", &error),
            }
        }
        // A newer schema may give a field another shape; then the version says more than the field.
        Category::Data => {
            other_version(text).unwrap_or_else(|| format!("not an event: {}", placed(error)))
        }
    }
}

/// Serde's message, with the column alone: the line is always the first.
fn placed(error: &serde_json::Error) -> String {
    let words = error.to_string();
    match words.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what} (column {})", error.column()),
        None => words,
    }
}

/// That `text` is of a schema version that is not known here; `None` for any other text.
fn other_version(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Versioned {
        v: u64,
    }
    let Versioned { v } = serde_json::from_str(text).ok()?;
    (v != u64::from(SCHEMA_VERSION))
        .then(|| format!("schema version {v} (this plantune knows {SCHEMA_VERSION})"))
}

/// A reason that quotes a value of the line, without most of a long one.
fn short(reason: &str) -> String {
    match reason.char_indices().nth(MOST_REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}

/// The 128 bits of an id of 32 hexadecimal digits.
pub(crate) fn decode_id(text: &str) -> Option<[u8; 16]> {
    let mut id = [0; 16];
    if text.len() != 32 {
        return None;
    }
    for (byte, pair) in id.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digit = |at: usize| char::from(*pair.get(at)?).to_digit(16);
        *byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    }
    Some(id)
}

fn decode_time(text: &str) -> Option<i64> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn reason(line: &str) -> String {
        decode(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn bad_lines_say_why() {
        assert!(reason("{\"v\":1").starts_with("torn line"));
        assert!(reason("\0\0\0").starts_with("not JSON"));
        assert!(decode(b"\xff{}").unwrap_err().starts_with("not UTF-8"));
        for (line, why) in [
            ("{\"v\":2}", "schema version 2 (this plantune knows 1)"),
            ("{\"v\":1,\"kind\":\"asked\"}", "not an event: no id"),
            ("{}", "not an event: no v"),
            ("{\"v\":1}", "not an event: no kind"),
            ("7", NO_OBJECT),
            ("\"{}\"", NO_OBJECT),
            ("null", NO_OBJECT),
        ] {
            assert_eq!(reason(line), why, "{line}");
        }
        assert!(reason("{\"v\":1,\"kind\":\"asked\",\"id\":\"zz\"}").contains("no ts"));
        assert!(
            reason("{\"v\":1,\"kind\":\"asked\",\"id\":\"zz\",\"ts\":\"x\"}").contains("id \"zz\"")
        );
        assert!(reason("{\"v\":1,\"kind\":7}").starts_with("not an event"));
        assert!(reason("[1").starts_with("torn line"));
        assert!(reason("7 8").starts_with("not JSON"));
    }

    #[test]
    fn an_array_is_no_event_whatever_it_holds() {
        let positional = format!("[1,\"{ID}\",\"2026-11-20T10:00:00.000Z\",\"asked\"]");
        assert_eq!(reason(&positional), NO_OBJECT);
        assert!(reason(&"[".repeat(1000)).starts_with("torn line"));
        let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
        assert_eq!(reason(&deep), NO_OBJECT);
    }

    #[test]
    fn what_is_not_known_may_be_deep_or_doubled_and_what_is_known_not() {
        let event = |more: &str| {
            format!(
                "{{\"v\":1,\"id\":\"{ID}\",\"ts\":\"2026-11-20T10:00:00.000Z\",\"kind\":\"asked\"{more}}}"
            )
        };
        let deep = format!(",\"new\":{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(decode(event(&deep).as_bytes()).is_ok());
        assert!(decode(event(",\"new\":1,\"new\":2").as_bytes()).is_ok());
        let doubled = reason(&event(",\"kind\":\"answered\""));
        assert!(doubled.contains("duplicate field `kind`"), "{doubled}");
        for wrong in [
            ",\"options\":7",
            ",\"options\":[[]]",
            ",\"question\":{}",
            ",\"question_index\":-1",
            ",\"question_index\":1.5",
            ",\"multi_select\":\"yes\"",
            ",\"session_id\":null",
        ] {
            assert!(
                reason(&event(wrong)).starts_with("not an event: invalid"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_newer_version_is_named_whatever_shape_its_fields_have() {
        assert_eq!(
            reason("{\"options\":{\"a\":1},\"v\":3}"),
            "schema version 3 (this plantune knows 1)"
        );
        assert!(reason("{\"v\":\"3\"}").starts_with("not an event: invalid type"));
    }

    #[test]
    fn a_reason_quotes_little() {
        let long = reason(&format!(
            "{{\"v\":1,\"kind\":\"asked\",\"ts\":\"ä\",\"id\":\"{}\"}}",
            "ü".repeat(9000)
        ));
        assert!(long.starts_with("not an event: id") && long.chars().count() == MOST_REASON + 1);
    }
}
