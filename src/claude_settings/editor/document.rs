//! JSON as text with positions: where each value stands, so that an edit touches nothing else.
//!
//! `serde_json` does the reading, as strictly as Claude Code does; its raw values borrow from the
//! text, and so know where they were found.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::edited::Problem;

/// Bytes of the text, from the first to the one after the last.
pub(super) type Span = Range<usize>;

/// One `"key": value` of an object.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Which one of its object it is.
    pub(super) at: usize,
    /// The key, unescaped; as written when it holds half a surrogate pair.
    pub(super) key: String,
    /// From the key's opening quote to the value's end.
    pub(super) whole: Span,
    /// The text between key and value: the colon and the white space around it.
    pub(super) colon: Span,
    /// The value.
    pub(super) value: Span,
}

/// Checks that `text` is one JSON object, after an optional byte order mark, and returns where.
///
/// Claude Code takes a file of white space for an empty object, and so does this: `None`.
pub(super) fn root(text: &str) -> Result<Option<Span>, Problem> {
    // The mark is legal UTF-8 and Claude Code reads past it; JSON itself knows no such character.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.trim_ascii().is_empty() {
        return Ok(None);
    }
    let raw: &RawValue =
        serde_json::from_str(body).map_err(|error| not_json(text, body, &error))?;
    let span = span_of(text, raw.get());
    match raw.get().as_bytes().first() {
        Some(b'{') => Ok(Some(span)),
        _ => Err(
            Problem::at(text, span.start, "the file holds no JSON object")
                .remedy("settings are an object: {…}"),
        ),
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
            problem.remedy("Claude Code reads no comments in settings: take them out")
        }
        Some('}' | ']') => {
            problem.remedy("take out the comma before the closing bracket, if there is one")
        }
        _ => problem.remedy("repair it by hand, or put back a backup"),
    }
}

/// The members of the object at `span`, in order, doubles included; `None` when it is no object.
pub(super) fn members(text: &str, span: &Span) -> Option<Vec<Member>> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(&'de RawValue, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            std::iter::from_fn(|| map.next_entry().transpose()).collect()
        }
    }
    let raw = serde_json::Deserializer::from_str(slice(text, span)).deserialize_map(Members);
    Some(
        raw.ok()?
            .into_iter()
            .enumerate()
            .map(|(at, (key, value))| member(text, at, key, value))
            .collect(),
    )
}

fn member(text: &str, at: usize, key: &RawValue, value: &RawValue) -> Member {
    let (name, value) = (span_of(text, key.get()), span_of(text, value.get()));
    Member {
        at,
        key: string(text, &name).unwrap_or_else(|| key.get().to_owned()),
        whole: name.start..value.end,
        colon: name.end..value.start,
        value,
    }
}

/// The elements of the array at `span`, in order; `None` when it is no array.
pub(super) fn elements(text: &str, span: &Span) -> Option<Vec<Span>> {
    let raw: Vec<&RawValue> = serde_json::from_str(slice(text, span)).ok()?;
    Some(
        raw.into_iter()
            .map(|value| span_of(text, value.get()))
            .collect(),
    )
}

/// The string at `span`, unescaped; `None` when it is no string.
pub(super) fn string(text: &str, span: &Span) -> Option<String> {
    serde_json::from_str(slice(text, span)).ok()
}

/// The text at `span`.
pub(super) fn slice<'a>(text: &'a str, span: &Span) -> &'a str {
    text.get(span.clone()).unwrap_or_default()
}

/// The member called `key`; a problem when there are two, since readers differ in which they take.
pub(super) fn unique<'a>(
    text: &str,
    members: &'a [Member],
    key: &str,
) -> Result<Option<&'a Member>, Problem> {
    let mut found = members.iter().filter(|member| member.key == key);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(second) => Err(Problem::at(
            text,
            second.whole.start,
            format!("`{key}` stands here twice"),
        )
        .remedy("keep one of the two")),
    }
}

/// Where `part`, borrowed from `text`, stands in it.
fn span_of(text: &str, part: &str) -> Span {
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
        let members = members(text, &root).unwrap();
        assert_eq!(members[0].key, "café");
        assert_eq!(slice(text, &members[0].colon), " : ");
        assert_eq!(slice(text, &members[1].whole), "\"b\":2.50");
        let elements = elements(text, &members[0].value).unwrap();
        assert_eq!(slice(text, &elements[1]), "{\"x\":\"\\ud800\"}");
    }

    #[test]
    fn refuses_what_claude_code_would_not_read() {
        assert_eq!(
            refusal("{\n  \"a\": 1,\n}"),
            "line 3, column 1: not JSON: key must be a string"
        );
        assert_eq!(
            refusal("[1]"),
            "line 1, column 1: the file holds no JSON object"
        );
        assert_eq!(
            refusal("null\n"),
            "line 1, column 1: the file holds no JSON object"
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
        assert_eq!(
            members(&text, &root(&text).unwrap().unwrap())
                .unwrap()
                .len(),
            1
        );
    }
}
