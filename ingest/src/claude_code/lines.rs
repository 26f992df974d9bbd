//! The lines of a file of any size, and the JSON values of a line that may be damaged.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

use memchr::memchr;
use memchr::memmem::Finder;
use plantune_domain::wire::lenient_json;
use serde_json::Value;

/// Longer lines are skipped.
pub(crate) const MOST_BYTES: u64 = 64 * 1024 * 1024;

const BLOCK: usize = 1024 * 1024;

/// How often a reader looks for another value in one damaged line.
const MOST_TRIES: usize = 8;

/// How a line of a transcript starts, nearly always.
const LINE_START: &str = "{\"parentUuid\":";

/// The lines of a file.
pub(crate) struct Lines<'f> {
    reader: BufReader<&'f File>,
    line: Vec<u8>,
    /// Where the next line begins.
    next: u64,
}

/// One line, without its newline.
pub(crate) struct Line<'l> {
    pub(crate) start: u64,
    /// Where the next one begins.
    pub(crate) end: u64,
    /// False for a last line that lacks its newline.
    pub(crate) is_ended: bool,
    /// `None` for a line that is too long.
    pub(crate) bytes: Option<&'l [u8]>,
}

impl<'f> Lines<'f> {
    /// The lines of `file` from `offset` on.
    pub(crate) fn of(mut file: &'f File, offset: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(offset))?;
        Ok(Self {
            reader: BufReader::with_capacity(BLOCK, file),
            line: Vec::new(),
            next: offset,
        })
    }

    /// The next line; the last one may lack its newline.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let start = self.next;
        let mut is_too_long = false;
        loop {
            self.line.clear();
            let mut piece = (&mut self.reader).take(MOST_BYTES + 1);
            let read = piece.read_until(b'\n', &mut self.line)?;
            self.next += read as u64;
            if self.next == start {
                return Ok(None);
            }
            let is_ended = self.line.pop_if(|last| *last == b'\n').is_some();
            if is_ended || read as u64 <= MOST_BYTES {
                return Ok(Some(Line {
                    start,
                    end: self.next,
                    is_ended,
                    bytes: (!is_too_long).then_some(&self.line),
                }));
            }
            is_too_long = true;
            self.line = Vec::new();
        }
    }
}

/// A line as text: byte order mark, NUL bytes (a file system's filling after a crash), and white
/// space around it removed, bytes that are no UTF-8 replaced.
pub(crate) fn text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let is_filling = |c: char| c == '\0' || c.is_ascii_whitespace();
    // Nearly all lines are UTF-8, which this finds sooner.
    match std::str::from_utf8(line) {
        Ok(text) => text.trim_matches(is_filling).into(),
        Err(_) => {
            let text = String::from_utf8_lossy(line);
            text.trim_matches(is_filling).to_owned().into()
        }
    }
}

/// The JSON values in a line, and whether something in it is damaged.
///
/// Usually one. A writer that died leaves half a line, to which the next writer's line may stick:
/// that one is found again.
pub(super) fn values(line: &str) -> (Vec<Value>, bool) {
    if let Ok(value) = lenient_json(line) {
        return (vec![value], false);
    }
    let mut values = Vec::new();
    let mut rest = line;
    for _ in 0..MOST_TRIES {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.extend(stream.by_ref().map_while(Result::ok));
        let damaged = rest.get(stream.byte_offset()..).unwrap_or_default().trim();
        if damaged.is_empty() {
            return (values, rest.len() != line.len());
        }
        let mut starts = damaged.match_indices(LINE_START);
        let Some((start, _)) = starts.find(|(start, _)| *start > 0) else {
            break;
        };
        rest = damaged.get(start..).unwrap_or_default();
    }
    (values, true)
}

/// The string values of a field, wherever in the line it stands, without parsing it. Escapes are
/// left as they are: ids and modes hold none.
pub(super) fn strings_of<'l>(line: &'l [u8], field: &Finder<'_>) -> impl Iterator<Item = &'l str> {
    let length = field.needle().len();
    field.find_iter(line).filter_map(move |at| {
        let value = line.get(at + length..)?.trim_ascii_start();
        let value = value.strip_prefix(b":")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"")?;
        let end = memchr(b'"', value)?;
        std::str::from_utf8(value.get(..end)?).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_without_parsing() {
        let found = |line: &str| -> Vec<String> {
            let field = Finder::new("\"id\"");
            strings_of(line.as_bytes(), &field)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(found(r#"{"id":"a","x":{"id" : "b"}}"#), ["a", "b"]);
        assert!(found(r#"{"text":"{\"id\":\"a\"}","id":null,"id":"cut"#).is_empty());
    }

    #[test]
    fn lines_of_any_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let long = "x".repeat(BLOCK + 10);
        let huge = "y".repeat(MOST_BYTES as usize + 1);
        let whole = format!("\none\r\n{long}\n{huge}\ntwo\n{huge}\n\nlast");
        plantune_domain::atomic_file::replace(&path, whole.as_bytes(), 0o600).unwrap();
        let file = File::open(&path).unwrap();
        let mut lines = Lines::of(&file, 0).unwrap();
        let mut read = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            read.push(match line.bytes {
                Some(line) => {
                    format!("{}:{}", line.len(), text(line).get(..1).unwrap_or(""))
                }
                None => "too long".to_owned(),
            });
        }
        let long = format!("{}:x", BLOCK + 10);
        assert_eq!(
            read,
            [
                "0:", "4:o", &long, "too long", "3:t", "too long", "0:", "4:l"
            ]
        );
    }

    #[test]
    fn damaged_lines_keep_their_neighbours() {
        let read = |line: &str| {
            let (values, damaged) = values(line);
            let shown: Vec<String> = values.iter().map(Value::to_string).collect();
            (shown.join(" "), damaged)
        };
        assert_eq!(read("{\"a\":1}"), ("{\"a\":1}".into(), false));
        assert_eq!(
            read("{\"a\":1}{\"b\":2}"),
            ("{\"a\":1} {\"b\":2}".into(), false)
        );
        assert_eq!(
            read("{\"parentUuid\":\"é{\"parentUuid\":null}"),
            ("{\"parentUuid\":null}".into(), true)
        );
        assert_eq!(read("{\"a\":"), (String::new(), true));
        assert_eq!(text(b"\0\0\0 {}\0\r"), "{}");
        assert_eq!(text(b"\xef\xbb\xbf{}"), "{}");
        assert_eq!(text(b"\0\0"), "");
    }
}
