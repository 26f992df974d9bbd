//! What serde_json leaves out: texts borrowed from a line, the members of an object in their order, and a parser that
//! forgives half a surrogate pair.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Text borrowed from the line it was read from, if the line contains it without escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// The members of a JSON object in order, with unparsed values. Includes both of two with the same name.
#[derive(Debug, Default)]
pub struct Members<'a>(pub Vec<(Text<'a>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Parses the JSON value in `text`, reading half a surrogate pair as U+FFFD: JavaScript can cut a text in the middle of
/// an emoji and write the remaining half.
///
/// # Errors
/// The errors of the parser, for any other mistake.
pub fn lenient_json(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| {
        let replaced = replace_surrogates(text);
        if replaced == text {
            return Err(error);
        }
        serde_json::from_str(&replaced)
    })
}

/// `text` with every unpaired `\\uD8xx` or `\\uDCxx` escape replaced by `\\ufffd`.
fn replace_surrogates(text: &str) -> String {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find('\\')) {
        let at = from + found;
        replaced.push_str(text.get(from..at).unwrap_or_default());
        let pair = (unit(at), unit(at + 6));
        let (length, whole) = match pair {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, true),
            (Some(0xD800..=0xDFFF), _) => (6, false),
            (Some(_), _) => (6, true),
            // An escape of one character, possibly a backslash.
            (None, _) => (2, true),
        };
        let escape = text.get(at..at + length);
        replaced.push_str(if whole {
            escape.unwrap_or("\\")
        } else {
            "\\ufffd"
        });
        from = at + escape.map_or(1, str::len);
    }
    replaced.push_str(text.get(from..).unwrap_or_default());
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpaired_surrogates_are_replaced() {
        let read = |text: &str| lenient_json(text).map(|value| value.to_string());
        assert_eq!(read(r#""a\ud83d""#).unwrap(), "\"a\u{fffd}\"");
        assert_eq!(
            read(r#"["\udc00b", "\ud83d\ude00", "\\ud83d", "\ud83d\n"]"#).unwrap(),
            "[\"\u{fffd}b\",\"😀\",\"\\\\ud83d\",\"\u{fffd}\\n\"]"
        );
        assert!(read(r#"{"a":"\ud83d""#).is_err() && read("\\").is_err() && read("\\u").is_err());
    }
}
