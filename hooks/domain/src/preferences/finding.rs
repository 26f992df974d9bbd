//! The entries of a few keys in the text of a whole file, which is not taken apart any further.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use super::preference::{Preference, VERSION};
use crate::family::{is_named, is_set_key};

/// The entries for each of `keys` in the text of a whole file.
///
/// # Errors
/// What is wrong with the text.
pub fn find(bytes: &[u8], keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let mut found = vec![Vec::new(); keys.len()];
    let mut version = None;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    FileSeed {
        keys,
        found: &mut found,
        version: &mut version,
    }
    .deserialize(&mut reader)
    .and_then(|()| reader.end())
    .map_err(|error| error.to_string())?;
    match version {
        Some(VERSION) => Ok(found),
        Some(other) => Err(format!(
            "version {other} is not understood (this is {VERSION})"
        )),
        None => Err("no version".to_owned()),
    }
}

struct FileSeed<'k> {
    keys: &'k [&'k str],
    found: &'k mut Vec<Vec<Preference>>,
    version: &'k mut Option<u32>,
}

impl<'de> DeserializeSeed<'de> for FileSeed<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FileSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of preferences")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<std::borrow::Cow<'_, str>>()? {
            match name.as_ref() {
                "version" => *self.version = Some(map.next_value()?),
                "preferences" => map.next_value_seed(EntriesSeed {
                    keys: self.keys,
                    found: self.found,
                })?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct EntriesSeed<'k> {
    keys: &'k [&'k str],
    found: &'k mut Vec<Vec<Preference>>,
}

impl<'de> DeserializeSeed<'de> for EntriesSeed<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EntriesSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("preferences by question key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<std::borrow::Cow<'_, str>>()? {
            if self.keys.iter().any(|wanted| is_named(&key, wanted)) {
                let entry: Preference = map.next_value()?;
                for (wanted, entries) in self.keys.iter().zip(self.found.iter_mut()) {
                    if is_named(&key, wanted) {
                        let mut entry = entry.clone();
                        entry.key = is_set_key(wanted).then(|| key.as_ref().to_owned());
                        entries.push(entry);
                    }
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
