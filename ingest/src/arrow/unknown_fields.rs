//! The fields of an event that this version does not know: kept as they were written.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of the JSON object `json` that `is_field` does not know, as an object; `None` when there are none.
pub(super) fn unknown_fields(
    json: &str,
    is_field: fn(&str) -> bool,
) -> serde_json::Result<Option<String>> {
    serde_json::Deserializer::from_str(json).deserialize_map(Unknown(is_field))
}

/// Collects what it does not know.
struct Unknown(fn(&str) -> bool);

impl<'de> Visitor<'de> for Unknown {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<String>, A::Error> {
        let mut found: Option<String> = None;
        while let Some(name) = map.next_key::<Name<'de>>()? {
            let value: &RawValue = map.next_value()?;
            if (self.0)(&name.0) {
                continue;
            }
            let object = found.get_or_insert_default();
            object.push(if object.is_empty() { '{' } else { ',' });
            // A text can always be written as JSON.
            *object += &serde_json::to_string(&name.0).unwrap_or_default();
            object.push(':');
            *object += value.get();
        }
        Ok(found.map(|object| object + "}"))
    }
}

/// A field's name, borrowed where that is possible.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow::is_field;

    #[test]
    fn unknown_fields_are_kept_as_written() {
        let of = |json| unknown_fields(json, is_field).unwrap();
        assert_eq!(of("{\"v\":1,\"kind\":\"asked\"}"), None);
        let found =
            of("{\"v\":1,\"new\": { \"a\":1.0} ,\"\\u0065xtra\":null,\"kind\":\"x\",\"new\":2}");
        assert_eq!(
            found.as_deref(),
            Some("{\"new\":{ \"a\":1.0},\"extra\":null,\"new\":2}")
        );
        // What is left of an event is left as it is.
        assert_eq!(of(found.as_deref().unwrap()), found);
        let deep = format!("{{\"n\":{}{}}}", "[".repeat(9999), "]".repeat(9999));
        assert_eq!(of(&deep), Some(deep.clone()));
    }
}
