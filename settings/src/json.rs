//! JSON as text with the position of each value, so that an edit touches nothing else.
//!
//! `serde_json` does the reading, as strictly as Claude Code does; its raw values borrow from the
//! text, and so know where they were found.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::Problem;

/// A value at its position in a text; its contents are read on demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Json<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// The value's part of it.
    pub(crate) raw: &'a str,
}

/// One element of an array, or one `"key": value` of an object.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    /// The key, unescaped; as written when it holds half a surrogate pair. None in an array.
    pub(crate) key: Option<String>,
    /// The key as written, in its quotes.
    pub(crate) raw_key: Option<&'a str>,
    /// From the key's opening quote, or else the value's start, to the value's end.
    pub(crate) span: Range<usize>,
    /// The text between key and value: the colon and the white space around it.
    pub(crate) colon: &'a str,
    pub(crate) value: Json<'a>,
}

/// The root of `text`, one JSON object after an optional byte order mark.
///
/// Claude Code takes a file of white space for an empty object, and so does this: `None`.
pub(crate) fn root(text: &str) -> Result<Option<Json<'_>>, Problem> {
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
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, raw: text }
    }

    pub(crate) fn is_object(self) -> bool {
        self.raw.starts_with('{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.raw.starts_with('[')
    }

    /// Its position.
    pub(crate) fn span(self) -> Range<usize> {
        span_of(self.text, self.raw)
    }

    /// The string; `None` if it is not one.
    pub(crate) fn string(self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }

    /// The elements of an array or the members of an object, in order, duplicates included; empty for any other value.
    pub(crate) fn items(self) -> Vec<Item<'a>> {
        let items = serde_json::Deserializer::from_str(self.raw).deserialize_any(Items);
        let item = |(key, value): (Option<&'a RawValue>, &'a RawValue)| {
            let key = key.map(RawValue::get);
            let name = key.map(|key| span_of(self.text, key));
            let value = Json {
                text: self.text,
                raw: value.get(),
            };
            let Range { start, end } = value.span();
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
    pub(crate) fn find(self, key: &str) -> Result<Option<(usize, Self)>, Problem> {
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
    pub(crate) fn get(self, key: &str) -> Result<Option<Self>, Problem> {
        Ok(self.find(key)?.map(|(_, value)| value))
    }

    /// `fact` about it.
    pub(crate) fn problem(self, fact: impl Into<String>) -> Problem {
        Problem::at(self.text, self.span().start, fact)
    }
}

/// Reads the contents of an array or an object.
struct Items;

impl<'de> Visitor<'de> for Items {
    /// The key, in an object, and the value.
    type Value = Vec<(Option<&'de RawValue>, &'de RawValue)>;

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
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The text at `span`.
pub(crate) fn slice<'a>(text: &'a str, span: &Range<usize>) -> &'a str {
    text.get(span.clone()).unwrap_or_default()
}

/// The position of `part`, borrowed from `text`, in it.
fn span_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
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
