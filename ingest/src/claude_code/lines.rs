//! Reads the lines of a file of any size forwards, and the JSON values of a line that may be damaged. Also reads
//! backwards from the line of a result to the line of its call, which is a few lines before. So calls that nobody was
//! asked about need not be kept in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::rc::Rc;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};
use plantune_domain::json::lenient_json;
use serde_json::Value;

use super::call::in_utc;
use super::decision::never_asks;
use super::wire;
use super::wire::{CALL, REFUSAL, REFUSED, RESULT, is_of_assistant, text_of};

/// Longer lines are skipped (bytes).
pub(crate) const MOST_BYTES: u64 = 64 * 1024 * 1024;

const BLOCK: usize = 1024 * 1024;

/// How often a reader looks for another value in one damaged line.
const MOST_TRIES: usize = 8;

/// The first field of a transcript's line, nearly always.
const FIRST_FIELD: &str = "\"parentUuid\"";

/// The lines of a file.
pub(crate) struct FileLines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Where the next line begins.
    next: u64,
}

/// One line, without its newline.
pub(crate) struct RawLine<'l> {
    pub(crate) start: u64,
    /// Where the next one begins.
    pub(crate) end: u64,
    /// False for a last line without a newline.
    pub(crate) is_ended: bool,
    /// `None` for a line that is too long.
    pub(crate) bytes: Option<&'l [u8]>,
}

impl<'f> FileLines<&'f File> {
    /// The lines of `file` from `offset` on.
    pub(crate) fn of(mut file: &'f File, offset: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(offset))?;
        let mut lines = Self::of_reader(file);
        lines.next = offset;
        Ok(lines)
    }
}

impl<R: io::Read> FileLines<R> {
    /// The lines that `reader` gives.
    pub(crate) fn of_reader(reader: R) -> Self {
        Self {
            reader: BufReader::with_capacity(BLOCK, reader),
            line: Vec::new(),
            next: 0,
        }
    }

    /// The next line; the last one may lack its newline.
    pub(crate) fn next(&mut self) -> io::Result<Option<RawLine<'_>>> {
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
                return Ok(Some(RawLine {
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

/// A line as text: byte order mark, surrounding NUL bytes (which a file system may leave after a crash) and white space
/// are removed, and invalid UTF-8 is replaced.
pub(crate) fn text(line: &[u8]) -> std::borrow::Cow<'_, str> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let is_filling = |c: char| c == '\0' || c.is_ascii_whitespace();
    // Nearly all lines are valid UTF-8, and this check is faster.
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
/// Usually one. A writer that died leaves half a line, and the next writer's line may directly follow it. That line is
/// recovered.
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
        let fields = damaged.match_indices(FIRST_FIELD);
        let mut starts = fields.filter_map(|(at, _)| {
            let before = damaged.get(..at)?.trim_ascii_end();
            before.ends_with('{').then(|| before.len() - 1)
        });
        let Some(start) = starts.find(|start| *start > 0) else {
            break;
        };
        rest = damaged.get(start..).unwrap_or_default();
    }
    (values, true)
}

/// The string values of a field anywhere in the line, found without parsing it.
pub(super) fn strings_of<'l>(line: &'l [u8], field: &Finder<'_>) -> impl Iterator<Item = &'l str> {
    let length = field.needle().len();
    let found = field.find_iter(line);
    let values = found.filter_map(move |at| wire::value_after(line, at + length));
    values.filter_map(string_at)
}

/// The string that a value is, if it is one. Escapes are not decoded: ids and modes contain none.
pub(super) fn string_at(value: &[u8]) -> Option<&str> {
    let value = value.strip_prefix(b"\"")?;
    let end = memchr(b'"', value)?;
    std::str::from_utf8(value.get(..end)?).ok()
}

/// How much is read at first and at most, in bytes, and the factor by which that grows when it is not enough.
const FIRST_LOOK: u64 = 32 * 1024;
const LONGEST_LOOK: u64 = 32 * 1024 * 1024;
const GROWTH: u64 = 6;

/// How far before a call the other calls of the same answer are searched for, in bytes.
const BESIDE: usize = 1024 * 1024;

/// The search stops after this many bytes were read for calls that are not there.
const MOST_MISSED: u64 = 256 * 1024 * 1024;

/// A call as recorded in its own line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spoken {
    pub(super) name: String,
    pub(super) input: Value,
    /// The line.
    pub(super) line: Value,
    /// True when the same call ran at the same time.
    pub(super) has_twin: bool,
    /// True when other calls of the same tool belong to the same answer.
    pub(super) has_company: bool,
    /// When the person refused another call of the same answer, the latest time before this one's result.
    pub(super) refused_before: Option<String>,
}

/// Reads backwards in a transcript.
pub(super) struct LookBack<'f> {
    file: &'f File,
    /// How many bytes were read.
    pub(super) bytes: u64,
    /// How many of them were read in vain.
    missed: u64,
    parsed: ParsedLines,
}

impl<'f> LookBack<'f> {
    pub(super) fn of(file: &'f File) -> Self {
        Self {
            file,
            bytes: 0,
            missed: 0,
            parsed: ParsedLines::default(),
        }
    }

    /// Keeps the `values` of the line at `start`, which has just been read, for later results of the same answer.
    pub(super) fn keep(&mut self, start: u64, values: Vec<Value>) {
        self.parsed.keep(start, values);
    }

    /// The call `id`, whose result's line begins at `before`; `None` when it is not found nearby.
    pub(super) fn call(&mut self, id: &str, before: u64) -> io::Result<Option<Spoken>> {
        if self.missed >= MOST_MISSED {
            return Ok(None);
        }
        let mut size = FIRST_LOOK;
        loop {
            let start = before.saturating_sub(size.min(LONGEST_LOOK));
            let mut bytes = vec![0; usize::try_from(before - start).unwrap_or_default()];
            self.file.read_exact_at(&mut bytes, start)?;
            self.bytes += before - start;
            let is_all = start == 0 || size >= LONGEST_LOOK;
            let found = call_among(backwards(&bytes, start), id, is_all, &mut self.parsed);
            if found.is_some() {
                return Ok(found);
            }
            if is_all {
                self.missed += before - start;
                return Ok(None);
            }
            size *= GROWTH;
        }
    }
}

/// The values of lines that were parsed, by where the lines begin: several results of one answer look back to the same
/// lines.
#[derive(Default)]
struct ParsedLines(BTreeMap<u64, Rc<[Value]>>);

impl ParsedLines {
    /// Lines that are too far before this one are forgotten.
    fn keep(&mut self, start: u64, values: Vec<Value>) -> Rc<[Value]> {
        let far = start.saturating_sub(BESIDE as u64);
        while self.0.first_key_value().is_some_and(|(at, _)| *at < far) {
            self.0.pop_first();
        }
        let values: Rc<[Value]> = values.into();
        self.0.insert(start, Rc::clone(&values));
        values
    }

    fn of(&mut self, (start, line): (u64, &[u8])) -> Rc<[Value]> {
        match self.0.get(&start) {
            Some(values) => Rc::clone(values),
            None => self.keep(start, values(&text(line)).0),
        }
    }
}

/// The lines of `bytes`, which begin at `start` in the file, and where each begins: the last one first. The first one is
/// left out where it may be incomplete.
fn backwards(bytes: &[u8], start: u64) -> impl Iterator<Item = (u64, &[u8])> {
    let mut left = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = left?;
        let (before, at) = match memrchr(b'\n', bytes) {
            Some(at) => (bytes.get(..at), at + 1),
            None => (None, 0),
        };
        left = before;
        let is_whole = at > 0 || start == 0;
        is_whole.then_some((start + at as u64, bytes.get(at..)?))
    })
}

/// The call `id`, whose result comes after `lines`, the last one first; `None` when it is not there, or when earlier
/// lines may contain calls that ran at the same time (unless `is_all`).
fn call_among<'l>(
    mut lines: impl Iterator<Item = (u64, &'l [u8])>,
    id: &str,
    is_all: bool,
    parsed: &mut ParsedLines,
) -> Option<Spoken> {
    let (its_id, a_call) = (Finder::new(id), Finder::new(CALL));
    let mut since = Vec::new();
    let line = loop {
        let line = lines.next()?;
        if its_id.find(line.1).is_some() && a_call.find(line.1).is_some() {
            let values = parsed.of(line);
            let found = values.iter().find(|value| call_of(value, id).is_some());
            if let Some(found) = found {
                since.push(line);
                break found.clone();
            }
        }
        since.push(line);
    };
    let call = call_of(&line, id)?;
    // The lines of the same answer, and how many results after each are known.
    let mut beside: Vec<(Rc<[Value]>, usize)> = Vec::new();
    let mut over: Vec<String> = Vec::new();
    let message = wire::TranscriptLine(&line).message();
    if let Some(message) = message {
        let (of_message, a_result) = (Finder::new(message), Finder::new(RESULT));
        for line in since.iter().rev() {
            if of_message.find(line.1).is_some() {
                beside.push((parsed.of(*line), 0));
            }
        }
        let mut looked_at = 0;
        let mut is_all = is_all;
        for line in lines {
            looked_at += line.1.len() + 1;
            let is_of_message = of_message.find(line.1).is_some();
            if !is_of_message && is_of_assistant(line.1) || looked_at > BESIDE {
                is_all = true;
                break;
            }
            if is_of_message {
                beside.push((parsed.of(line), over.len()));
            }
            if a_result.find(line.1).is_some() {
                for value in &*parsed.of(line) {
                    let results = wire::TranscriptLine(value).results();
                    over.extend(results.into_iter().map(|result| result.id.to_owned()));
                }
            }
        }
        if !is_all {
            return None;
        }
    }
    let mut others = Vec::new();
    for (values, known) in &beside {
        let lines = values.iter().map(wire::TranscriptLine);
        let of_message = lines.filter(|line| line.message() == message);
        for call in of_message.flat_map(wire::TranscriptLine::calls) {
            let mut over = over.iter().take(*known);
            let is_over = over.any(|other| other == call.id);
            others.push((call, is_over));
        }
    }
    let asks = |of: &str| {
        let mut beside = others.iter().map(|(other, _)| other);
        of != id && beside.any(|other| other.id == of && !never_asks(other.name))
    };
    let refused_before = since
        .iter()
        .find_map(|line| refusal_in(*line, asks, parsed));
    others.retain(|(other, _)| other.id != id && other.name == call.name);
    let is_twin =
        |(other, is_over): &(wire::ToolUse<'_>, bool)| other.input == call.input && !is_over;
    Some(Spoken {
        name: call.name.to_owned(),
        input: call.input.clone(),
        has_twin: others.iter().any(is_twin),
        has_company: !others.is_empty(),
        refused_before,
        line: line.clone(),
    })
}

/// The time at which the person refused one of the calls that `is_one` accepts, if the line says so.
fn refusal_in(
    line: (u64, &[u8]),
    is_one: impl Fn(&str) -> bool,
    parsed: &mut ParsedLines,
) -> Option<String> {
    REFUSAL.find(line.1)?;
    let values = parsed.of(line);
    let refused = values.iter().map(wire::TranscriptLine).find(|line| {
        let mut results = line.results().into_iter();
        results.any(|result| {
            result.is_error && is_one(result.id) && text_of(&result).contains(REFUSED)
        })
    });
    refused?.timestamp().and_then(in_utc)
}

fn call_of<'v>(line: &'v Value, id: &str) -> Option<wire::ToolUse<'v>> {
    let calls = wire::TranscriptLine(line).calls();
    calls.into_iter().find(|call| call.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::io::Write as _;

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
        let mut lines = FileLines::of(&file, 0).unwrap();
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

    fn used(message: &str, id: &str, command: &str) -> String {
        let content = json!([{"type": "tool_use", "id": id, "name": "Bash",
            "input": {"command": command}}]);
        let line = json!({"type": "assistant", "uuid": id, "timestamp": "2026-11-21T10:00:00.000Z",
            "message": {"id": message, "content": content}});
        line.to_string()
    }

    fn result(id: &str) -> String {
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
        json!({"type": "user", "uuid": "u", "message": {"content": content}}).to_string()
    }

    #[test]
    fn calls_are_found_with_those_beside_them() {
        let long = used("m0", "far", &"x".repeat(3 * 64 * 1024));
        let written = [
            long,
            used("m1", "a", "npm test"),
            used("m1", "b", "npm test"),
            result("c"),
            result("b"),
            used("m1", "d", "npm test"),
            used("m1", "e", "npm run lint"),
            // This line only mentions the call.
            json!({"type": "progress", "uuid": "u", "toolUseID": "a"}).to_string(),
        ]
        .join("\n")
            + "\n";
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(written.as_bytes()).unwrap();
        let mut back = LookBack::of(&file);
        let end = written.len() as u64;
        let mut call = |id: &str| back.call(id, end).unwrap();
        let far = call("far").unwrap();
        assert_eq!((far.has_twin, far.has_company), (false, false));
        let at = wire::TranscriptLine(&far.line).timestamp();
        assert_eq!(at, Some("2026-11-21T10:00:00.000Z"));
        let a = call("a").unwrap();
        assert_eq!(a.input, json!({"command": "npm test"}));
        assert_eq!((a.has_twin, a.has_company), (true, true));
        // `b` was over before `d` began, but `a` was not.
        assert!(call("d").unwrap().has_twin);
        let e = call("e").unwrap();
        assert_eq!((e.has_twin, e.has_company), (false, true));
        assert_eq!(call("nowhere"), None);
        let first_lines = written.find(&result("c")).unwrap() as u64;
        assert!(back.call("b", first_lines).unwrap().unwrap().has_twin);
    }
}
