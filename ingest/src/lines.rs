//! Lines of the log. Each is an event, or comes with the reason why it is not one. Also events that a torn line ran
//! into.

use chrono::DateTime;
use memchr::{memchr_iter, memmem};
use plantune_domain::event::{Event, SCHEMA_VERSION};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;

use crate::segment::{Chunk, KEPT_OF_LONG_LINE, MAX_LINE_BYTES};

/// How every event begins.
const START: &[u8] = b"{\"v\":";

/// A line that is not an event.
#[derive(Debug)]
pub(crate) struct BadLine {
    pub(crate) offset: u64,
    pub(crate) reason: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) length: u64,
}

impl BadLine {
    /// A line of `length` bytes that begins with `start`.
    fn new(offset: u64, reason: String, start: &[u8], length: u64) -> Self {
        Self {
            offset,
            reason,
            bytes: start.get(..KEPT_OF_LONG_LINE).unwrap_or(start).to_vec(),
            length,
        }
    }
}

/// The contents of lines: events, and bad lines.
#[derive(Debug, Default)]
pub(crate) struct DecodedLines<'c> {
    pub(crate) events: Vec<Decoded<'c>>,
    pub(crate) bad_lines: Vec<BadLine>,
}

/// Decodes the lines of `chunk`.
pub(crate) fn decode_lines(chunk: &Chunk) -> DecodedLines<'_> {
    let mut lines = DecodedLines::default();
    if let Some(length) = chunk.long_line {
        // The newline is not part of the line.
        let length = length.saturating_sub(1);
        let line = BadLine::new(chunk.offset, too_long(length), &chunk.bytes, length);
        lines.bad_lines.push(line);
        return lines;
    }
    let mut start = 0;
    for end in memchr_iter(b'\n', &chunk.bytes) {
        let line = chunk.bytes.get(start..end).unwrap_or_default();
        decode_line(line, chunk.offset + start as u64, &mut lines);
        start = end + 1;
    }
    lines
}

/// Adds the contents of `line` (at `offset`, without its newline) to `lines`: an event, nothing, a bad line, or events
/// that a torn line ran into.
fn decode_line<'l>(line: &'l [u8], offset: u64, lines: &mut DecodedLines<'l>) {
    let length = line.len() as u64;
    // Judged by the whole line, so the chunks of the segment make no difference.
    if line.len() > MAX_LINE_BYTES {
        let line = BadLine::new(offset, too_long(length), line, length);
        lines.bad_lines.push(line);
        return;
    }
    let line = trim(line);
    if line.is_empty() {
        return;
    }
    match decode(line) {
        Ok(event) => lines.events.push(event),
        Err(_) => decode_parts(&parts(line), line, offset, lines),
    }
}

/// `line` cut before everything that looks like the start of an event. Events are flat, and quotation marks in texts
/// are escaped, so nothing inside an event looks like one.
fn parts(line: &[u8]) -> Vec<(usize, &[u8])> {
    let mut cuts: Vec<usize> = memmem::find_iter(line, START).collect();
    if cuts.first() != Some(&0) {
        cuts.insert(0, 0);
    }
    let ends = cuts.iter().skip(1).copied().chain([line.len()]);
    let part = |(start, end)| (start, line.get(start..end).unwrap_or_default());
    cuts.iter().copied().zip(ends).map(part).collect()
}

/// Decodes the parts of a line. Consecutive parts that are not events are joined into one bad line, or into an event
/// that contains something like the start of an event.
fn decode_parts<'l>(
    parts: &[(usize, &'l [u8])],
    line: &'l [u8],
    offset: u64,
    lines: &mut DecodedLines<'l>,
) {
    for some in parts.chunk_by(|(_, one), (_, next)| decode(one).is_err() && decode(next).is_err())
    {
        let start = some.first().map_or(0, |(start, _)| *start);
        let end = some.last().map_or(0, |(start, part)| start + part.len());
        let bytes = line.get(start..end).unwrap_or_default();
        match decode(bytes) {
            Ok(event) => lines.events.push(event),
            Err(reason) => {
                let offset = offset + start as u64;
                let bad = BadLine::new(offset, reason, bytes, bytes.len() as u64);
                lines.bad_lines.push(bad);
            }
        }
    }
}

/// A line without the additions of editors and other systems: a carriage return at its end, and a byte order mark at
/// its start (from the start of a file, or of a file appended to another).
fn trim(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii()
}

/// The length limit of a reason, in characters.
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
    /// The same as a JSON object.
    pub(crate) json: &'a str,
}

/// Decodes `line` (without its newline).
///
/// # Errors
/// Why it is not an event of schema 1, in words for `plantune doctor`.
pub(crate) fn decode(line: &[u8]) -> Result<Decoded<'_>, String> {
    if line.len() > MAX_LINE_BYTES {
        return Err(too_long(line.len() as u64));
    }
    try_decode(line).map_err(|reason| short(&reason))
}

/// The reason to refuse a line of `length` bytes without reading it.
pub(crate) fn too_long(length: u64) -> String {
    format!("line of {length} bytes is longer than an event can be ({MAX_LINE_BYTES})")
}

fn try_decode(line: &[u8]) -> Result<Decoded<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let event: Event<'_> = serde_json::from_str(text).map_err(|error| refusal(text, &error))?;
    // Serde would accept an array as an event and its items as the fields in order.
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

/// Why `text`, which serde refused, is not an event.
fn refusal(text: &str, error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => format!("torn line: {}", placed(error)),
        Category::Syntax | Category::Io => format!("not JSON: {}", placed(error)),
        Category::Data if !text.starts_with('{') => {
            // For a value of another kind, serde stops at its first byte and does not check the rest.
            match serde_json::from_str::<IgnoredAny>(text) {
                Ok(_) => NO_OBJECT.to_owned(),
                Err(error) => refusal("{", &error),
            }
        }
        // A newer schema may change the shape of a field. Then the version tells more than the field.
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

/// The reason that `text` has an unknown schema version; `None` when it has not.
fn other_version(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct LineVersion {
        v: u64,
    }
    let LineVersion { v } = serde_json::from_str(text).ok()?;
    (v != u64::from(SCHEMA_VERSION))
        .then(|| format!("schema version {v} (this plantune knows {SCHEMA_VERSION})"))
}

/// `reason`, cut if it is long, since it may quote a long value of the line.
fn short(reason: &str) -> String {
    match reason.char_indices().nth(MOST_REASON) {
        Some((end, _)) => format!("{}…", reason.get(..end).unwrap_or_default()),
        None => reason.to_owned(),
    }
}

/// The 128 bits of an id of 32 hexadecimal digits.
pub(crate) fn decode_id(text: &str) -> Option<[u8; 16]> {
    let is_id = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let id = u128::from_str_radix(text, 16).ok().filter(|_| is_id)?;
    Some(id.to_be_bytes())
}

fn decode_time(text: &str) -> Option<i64> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u32) -> String {
        format!(
            "{{\"v\":1,\"id\":\"{number:032x}\",\"ts\":\"2026-11-20T10:00:00.000Z\",\"kind\":\"asked\",\"question\":\"{{\\\"v\\\":1\"}}"
        )
    }

    /// Offset, bytes and length.
    type Bad = (u64, Vec<u8>, u64);

    /// The numbers of the events, and the bad lines.
    fn found(bytes: &[u8], offset: u64) -> (Vec<u8>, Vec<Bad>) {
        let chunk = Chunk {
            offset,
            bytes: bytes.to_vec(),
            long_line: None,
        };
        let lines = decode_lines(&chunk);
        let bad = |bad: BadLine| (bad.offset, bad.bytes, bad.length);
        (
            lines.events.iter().map(|event| event.id[15]).collect(),
            lines.bad_lines.into_iter().map(bad).collect(),
        )
    }

    #[test]
    fn byte_order_marks_and_carriage_returns_are_trimmed() {
        let bom = "\u{feff}";
        let text = format!("{bom}{}\r\n\n \r\n{bom}{}  \r\n{bom}\n", event(1), event(2));
        assert_eq!(found(text.as_bytes(), 0), (vec![1, 2], vec![]));
        assert_eq!(found(text.as_bytes(), 77), (vec![1, 2], vec![]));
    }

    #[test]
    fn events_behind_a_torn_line_are_found() {
        let (one, two) = (event(1), event(2));
        let torn = &one.as_bytes()[..50];
        let bytes = [torn, torn, two.as_bytes(), b"\n"].concat();
        assert_eq!(found(&bytes, 7), (vec![2], vec![(7, torn.repeat(2), 100)]));
        let bytes = [one.as_bytes(), two.as_bytes(), torn, b"\n"].concat();
        let end = (one.len() + two.len()) as u64;
        assert_eq!(
            found(&bytes, 0),
            (vec![1, 2], vec![(end, torn.to_vec(), 50)])
        );
        let bytes = [b"\0\0\0", two.as_bytes(), b"\n"].concat();
        assert_eq!(found(&bytes, 0), (vec![2], vec![(0, vec![0; 3], 3)]));
    }

    #[test]
    fn an_event_with_an_object_in_an_unknown_field_may_stand_before_another() {
        let one = event(1).replace("\"question\"", "\"new\":{\"v\":1},\"question\"");
        let line = format!("{one}{}\n", event(2));
        assert_eq!(found(line.as_bytes(), 0), (vec![1, 2], vec![]));
    }

    #[test]
    fn a_line_without_events_is_one_bad_line() {
        let one = event(1);
        for whole in [
            format!("[{one},{one}]"),
            format!("{{\"v\":2,\"of\":{one}}}"),
            one.replace('}', "").repeat(9),
        ] {
            let bytes = format!("{whole}\n");
            let bad = (0, whole.as_bytes().to_vec(), whole.len() as u64);
            assert_eq!(found(bytes.as_bytes(), 0), (vec![], vec![bad]));
        }
    }

    #[test]
    fn a_long_line_is_the_same_whole_or_in_chunks() {
        let line = [b" \r".repeat(MAX_LINE_BYTES), b"x".to_vec()].concat();
        let whole = Chunk {
            offset: 9,
            bytes: [&line[..], b"\n"].concat(),
            long_line: None,
        };
        let stepped_over = Chunk {
            offset: 9,
            bytes: line[..KEPT_OF_LONG_LINE].to_vec(),
            long_line: Some(line.len() as u64 + 1),
        };
        let [one, other] = [&whole, &stepped_over].map(|chunk| {
            let bad_lines = decode_lines(chunk).bad_lines;
            assert_eq!(bad_lines.len(), 1);
            bad_lines.into_iter().next().unwrap()
        });
        assert_eq!((&one.reason, one.length), (&other.reason, other.length));
        assert_eq!((one.offset, &one.bytes), (other.offset, &other.bytes));
        assert_eq!(other.length, line.len() as u64);
    }

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
