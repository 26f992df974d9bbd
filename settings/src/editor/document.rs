//! JSON as text with the position of each value, so that an edit touches nothing else, and is laid out like its
//! neighbours.
//!
//! `serde_json` does the reading, as strictly as Claude Code does; its raw values borrow from the
//! text, and so know where they were found.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::Problem;

/// Bytes of the text, from the first to the one after the last.
pub(super) type Span = Range<usize>;

/// A value at its position in a text; its contents are read on demand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'a> {
    /// The whole text.
    pub(super) text: &'a str,
    /// The value's part of it.
    pub(super) raw: &'a str,
}

/// One element of an array, or one `"key": value` of an object.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    /// The key, unescaped; as written when it holds half a surrogate pair. None in an array.
    pub(super) key: Option<String>,
    /// The key as written, in its quotes.
    pub(super) raw_key: Option<&'a str>,
    /// From the key's opening quote, or else the value's start, to the value's end.
    pub(super) span: Span,
    /// The text between key and value: the colon and the white space around it.
    pub(super) colon: &'a str,
    pub(super) value: Json<'a>,
}

/// The root of `text`, one JSON object after an optional byte order mark.
///
/// Claude Code takes a file of white space for an empty object, and so does this: `None`.
pub(super) fn root(text: &str) -> Result<Option<Json<'_>>, Problem> {
    // The mark is legal UTF-8 and Claude Code reads past it; JSON itself knows no such character.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.trim_ascii().is_empty() {
        return Ok(None);
    }
    let raw: &RawValue =
        serde_json::from_str(body).map_err(|error| not_json(text, body, &error))?;
    let root = Json {
        text,
        raw: raw.get(),
    };
    match root.is_object() {
        true => Ok(Some(root)),
        false => Err(root
            .problem("the file is not a JSON object")
            .remedy("settings are an object: {…}")),
    }
}

fn not_json(text: &str, body: &str, error: &serde_json::Error) -> Problem {
    let line: usize = body
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let offset = text.len() - body.len() + line + error.column().saturating_sub(1);
    let whole = error.to_string();
    let fact = whole.split(" at line ").next().unwrap_or_default();
    let problem = Problem::at(text, offset, format!("not JSON: {fact}"));
    match slice(text, &(offset..text.len())).chars().next() {
        Some('/' | '#') => {
            problem.remedy("Claude Code doesn't allow comments in settings: remove them")
        }
        Some('}' | ']') => {
            problem.remedy("remove the comma before the closing bracket, if there is one")
        }
        _ => problem.remedy("repair it by hand, or put back a backup"),
    }
}

impl<'a> Json<'a> {
    /// `text`, which is nothing but the value.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, raw: text }
    }

    pub(super) fn is_object(self) -> bool {
        self.raw.starts_with('{')
    }

    pub(super) fn is_array(self) -> bool {
        self.raw.starts_with('[')
    }

    /// Its position.
    pub(super) fn span(self) -> Span {
        span_of(self.text, self.raw)
    }

    /// The string; `None` if it is not one.
    pub(super) fn string(self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }

    /// The elements of an array or the members of an object, in order, duplicates included; empty for any other value.
    pub(super) fn items(self) -> Vec<Item<'a>> {
        let items = serde_json::Deserializer::from_str(self.raw).deserialize_any(Items);
        let item = |(key, value): Found<'a>| {
            let key = key.map(RawValue::get);
            let name = key.map(|key| span_of(self.text, key));
            let value = Json {
                text: self.text,
                raw: value.get(),
            };
            let Span { start, end } = value.span();
            let before = name.as_ref().map_or(start..start, |name| name.end..start);
            Item {
                key: key.map(|key| Self::of(key).string().unwrap_or_else(|| key.to_owned())),
                raw_key: key,
                span: name.map_or(start, |name| name.start)..end,
                colon: slice(self.text, &before),
                value,
            }
        };
        items.unwrap_or_default().into_iter().map(item).collect()
    }

    /// Which member is called `key`, with its value; a problem when there are two, since readers differ in which they
    /// take.
    pub(super) fn find(self, key: &str) -> Result<Option<(usize, Self)>, Problem> {
        let items = self.items().into_iter().enumerate();
        let mut found = items.filter(|(_, item)| item.key.as_deref() == Some(key));
        let first = found.next();
        match found.next() {
            None => Ok(first.map(|(at, item)| (at, item.value))),
            Some((_, second)) => {
                let fact = format!("`{key}` is here twice");
                let problem = Problem::at(self.text, second.span.start, fact);
                Err(problem.remedy("keep one of the two"))
            }
        }
    }

    /// The value of the member `key`.
    ///
    /// # Errors
    /// The errors of [`Json::find`].
    pub(super) fn get(self, key: &str) -> Result<Option<Self>, Problem> {
        Ok(self.find(key)?.map(|(_, value)| value))
    }

    /// `fact` about it.
    pub(super) fn problem(self, fact: impl Into<String>) -> Problem {
        Problem::at(self.text, self.span().start, fact)
    }
}

/// The key, in an object, and the value.
type Found<'a> = (Option<&'a RawValue>, &'a RawValue);

/// Reads the contents of an array or an object.
struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<Found<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let members = std::iter::from_fn(|| map.next_entry().transpose());
        members
            .map(|one| one.map(|(key, value)| (Some(key), value)))
            .collect()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let elements = std::iter::from_fn(|| seq.next_element().transpose());
        elements.map(|one| one.map(|value| (None, value))).collect()
    }
}

/// `text` as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The text at `span`.
pub(super) fn slice<'a>(text: &'a str, span: &Span) -> &'a str {
    text.get(span.clone()).unwrap_or_default()
}

/// The position of `part`, borrowed from `text`, in it.
fn span_of(text: &str, part: &str) -> Span {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

// How the file is laid out, and edits that follow it: what plantune adds looks like its
// neighbours, and taking it out again leaves the bytes that were there.

/// A replacement of some bytes of the text.
#[derive(Debug)]
pub(super) struct Edit {
    span: Span,
    with: String,
}

impl Edit {
    /// `text` after the edit.
    pub(super) fn apply(&self, text: &str) -> String {
        let before = slice(text, &(0..self.span.start));
        let after = slice(text, &(self.span.end..text.len()));
        [before, &self.with, after].concat()
    }
}

/// The layout of one file.
#[derive(Debug)]
pub(super) struct Style {
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// The text between a key and its value.
    colon: String,
    /// The text after a comma within a line.
    gap: &'static str,
    /// False for a file that is one line.
    multi_line: bool,
}

impl Style {
    /// The habits of `text`, whose root is `root`. A file too small to have habits gets those of Claude Code itself:
    /// lines, indented by two spaces.
    pub(super) fn of(text: &str, root: Option<Json<'_>>) -> Self {
        let items = root.map(Json::items).unwrap_or_default();
        let start = root.map_or(0, |root| root.span().start);
        let first = items.first();
        let colon = first.map(|member| member.colon);
        let colon = colon.filter(|colon| !colon.contains(['\n', '\r']));
        let colon = colon.unwrap_or(": ");
        let lead = first.map(|first| slice(text, &(start + 1..first.span.start)));
        let unit = lead.and_then(|lead| lead.rsplit_once('\n'));
        let unit = unit.map(|(_, indent)| {
            let outer = indentation(text, start);
            indent.strip_prefix(outer).unwrap_or(indent)
        });
        Self {
            newline: newline(text),
            unit: unit.unwrap_or("  ").to_owned(),
            colon: colon.to_owned(),
            gap: if colon.ends_with(':') { "" } else { " " },
            multi_line: first.is_none() || root.is_some_and(|root| root.raw.contains('\n')),
        }
    }

    /// `json` in this style: over several lines that hang on `indent`, or in one when `None`. Values that `kept` has
    /// are the person's, and stay as they are.
    fn render(&self, json: Json<'_>, indent: Option<&str>, kept: &[Item<'_>]) -> String {
        if kept.iter().any(|item| item.value.raw == json.raw) {
            return json.raw.to_owned();
        }
        let items = json.items();
        if items.is_empty() {
            return json.raw.to_owned();
        }
        let deeper = indent.map(|indent| format!("{indent}{}", self.unit));
        let items: Vec<String> = items
            .iter()
            .map(|item| {
                let value = self.render(item.value, deeper.as_deref(), kept);
                match item.raw_key {
                    Some(key) => format!("{key}{}{value}", self.colon),
                    None => value,
                }
            })
            .collect();
        let line = |indent: Option<&str>| indent.map(|indent| format!("{}{indent}", self.newline));
        let lead = line(deeper.as_deref());
        let comma = format!(",{}", lead.as_deref().unwrap_or(self.gap));
        let (open, close) = match json.is_array() {
            true => ('[', ']'),
            false => ('{', '}'),
        };
        let (lead, end) = (lead.unwrap_or_default(), line(indent).unwrap_or_default());
        format!("{open}{lead}{}{end}{close}", items.join(&comma))
    }

    /// The text before a value: its key, in an object.
    fn key(&self, key: Option<&str>) -> String {
        key.map_or_else(String::new, |key| quoted(key) + &self.colon)
    }

    /// Adds `json` (under `key`, in an object) at the end of `container`.
    pub(super) fn append(&self, container: Json<'_>, key: Option<&str>, json: &str) -> Edit {
        let (text, json, key) = (container.text, Json::of(json), self.key(key));
        let items: Vec<Span> = container
            .items()
            .into_iter()
            .map(|item| item.span)
            .collect();
        let Some(last) = items.last() else {
            return self.fill(container, &key, json);
        };
        let lead = lead(container, &items);
        let (space, indent) = if let Some(at) = lead.rfind('\n') {
            // An empty line between neighbours is not repeated.
            let indent = slice(lead, &(at + 1..lead.len()));
            (format!("{}{indent}", self.newline), Some(indent))
        } else {
            let space = if items.len() > 1 { lead } else { self.gap };
            let has_lines = slice(text, last).contains('\n');
            let indent = has_lines.then(|| indentation(text, last.end));
            (space.to_owned(), indent)
        };
        Edit {
            span: last.end..last.end,
            with: format!(",{space}{key}{}", self.render(json, indent, &[])),
        }
    }

    /// Gives the empty `container` its first item.
    fn fill(&self, container: Json<'_>, key: &str, json: Json<'_>) -> Edit {
        let Span { start, end } = container.span();
        let with = if self.multi_line {
            let outer = indentation(container.text, start);
            let inner = format!("{outer}{}", self.unit);
            let (newline, json) = (self.newline, self.render(json, Some(&inner), &[]));
            format!("{newline}{inner}{key}{json}{newline}{outer}")
        } else {
            key.to_owned() + &self.render(json, None, &[])
        };
        Edit {
            span: start + 1..end - 1,
            with,
        }
    }

    /// Replaces `old` by `json`; the values `kept` in it stay unchanged.
    pub(super) fn replace(&self, old: Json<'_>, json: &str, kept: &[Item<'_>]) -> Edit {
        let span = old.span();
        let has_lines = old.raw.contains('\n');
        let indent = has_lines.then(|| indentation(old.text, span.start));
        Edit {
            with: self.render(Json::of(json), indent, kept),
            span,
        }
    }

    /// Makes `json` the whole of `text`, a file of white space; a byte order mark stays.
    pub(super) fn file(&self, text: &str, json: &str) -> Edit {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        Edit {
            span: text.len() - body.len()..text.len(),
            with: self.render(Json::of(json), Some(""), &[]) + self.newline,
        }
    }
}

/// Takes the last of `places` out, each a container and which of its items holds the next one; with it go the
/// containers that hold nothing else. The comma goes that bound it to its neighbour.
pub(super) fn remove(places: &[(Json<'_>, usize)]) -> Option<Edit> {
    let holds_more = |(container, _): &&(Json<'_>, usize)| container.items().len() > 1;
    let (container, at) = places.iter().rfind(holds_more).or(places.first())?;
    let items: Vec<Span> = container
        .items()
        .into_iter()
        .map(|item| item.span)
        .collect();
    let neighbour = |at: Option<usize>| at.and_then(|at| items.get(at));
    let item = items.get(*at)?;
    let span = match (neighbour(at.checked_sub(1)), neighbour(at.checked_add(1))) {
        (Some(before), _) => before.end..item.end,
        (None, Some(after)) => item.start..after.start,
        (None, None) => container.span().start + 1..container.span().end - 1,
    };
    Some(Edit {
        span,
        with: String::new(),
    })
}

/// The white space before the last of `items`.
fn lead<'a>(container: Json<'a>, items: &[Span]) -> &'a str {
    let start = container.span().start;
    let (last, before) = match items {
        [.., before, last] => (last.start, before.end),
        [only] => (only.start, start + 1),
        [] => (start, start),
    };
    let between = slice(container.text, &(before..last));
    between.split_once(',').map_or(between, |(_, space)| space)
}

/// The first line's ending.
fn newline(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The white space that the line of byte `at` begins with.
fn indentation(text: &str, at: usize) -> &str {
    let before = slice(text, &(0..at));
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = slice(text, &(start..text.len()));
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    slice(line, &(0..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        root(text).unwrap_err().to_string()
    }

    #[test]
    fn tells_where_values_stand() {
        let text = "\u{feff} {\"caf\\u00e9\" : [1, {\"x\":\"\\ud800\"}],\r\n\t\"b\":2.50}\n";
        let root = root(text).unwrap().unwrap();
        let members = root.items();
        assert_eq!(members[0].key.as_deref(), Some("café"));
        assert_eq!(members[0].colon, " : ");
        assert_eq!(slice(text, &members[1].span), "\"b\":2.50");
        assert_eq!(members[0].value.items()[1].value.raw, "{\"x\":\"\\ud800\"}");
    }

    #[test]
    fn refuses_what_claude_code_would_not_read() {
        assert_eq!(
            refusal("{\n  \"a\": 1,\n}"),
            "line 3, column 1: not JSON: key must be a string"
        );
        assert_eq!(
            refusal("[1]"),
            "line 1, column 1: the file is not a JSON object"
        );
        assert_eq!(
            refusal("null\n"),
            "line 1, column 1: the file is not a JSON object"
        );
        assert_eq!(
            refusal("{} {}"),
            "line 1, column 4: not JSON: trailing characters"
        );
        assert_eq!(
            refusal("{\"é\": 1, // why\n}"),
            "line 1, column 10: not JSON: key must be a string"
        );
        assert!(root("\u{feff}\r\n").unwrap().is_none());
    }

    #[test]
    fn survives_depth() {
        let text = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(root(&text).unwrap().unwrap().items().len(), 1);
    }
}
