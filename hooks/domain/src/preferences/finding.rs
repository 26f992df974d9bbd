//! The entries of a few keys in the text of a whole file, which is not taken apart any further.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use super::preference::{Preference, VERSION};
use crate::family::{is_named, is_set_key};

/// The entries for each of `keys` in the text of a whole file.
///
/// # Errors
/// What is wrong with the text.
pub fn find(bytes: &[u8], keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let mut wanted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, key) in keys.iter().enumerate() {
        wanted.entry(key).or_default().push(index);
    }
    let found = vec![Vec::new(); keys.len()];
    let mut entries = Wanted {
        keys: wanted,
        found,
    };
    read(bytes, &mut entries)?;
    Ok(entries.found)
}

/// The first key that stands more than once in the text of a whole file.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn repeated_key(bytes: &[u8]) -> Result<Option<String>, String> {
    let mut keys = Keys::default();
    read(bytes, &mut keys)?;
    Ok(keys.repeated)
}

/// What is done with the entries of a file.
trait Entries {
    /// Goes through all of them.
    fn read<'de, A: MapAccess<'de>>(&mut self, entries: A) -> Result<(), A::Error>;
}

/// The entries of some keys.
struct Wanted<'k> {
    /// Where the entries of each belong.
    keys: BTreeMap<&'k str, Vec<usize>>,
    found: Vec<Vec<Preference>>,
}

impl Wanted<'_> {
    /// The keys that `key` is found under: itself, and that of its option set.
    fn names(&self, key: &str) -> impl Iterator<Item = (&str, &[usize])> {
        let names = [Some(key), set_of(key)].into_iter().flatten();
        names.filter_map(|name| {
            let (name, places) = self.keys.get_key_value(name)?;
            Some((*name, places.as_slice()))
        })
    }
}

impl Entries for Wanted<'_> {
    fn read<'de, A: MapAccess<'de>>(&mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<Cow<'_, str>>()? {
            if self.names(&key).next().is_some() {
                self.take(&key, &entries.next_value()?);
            } else {
                entries.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl Wanted<'_> {
    /// Takes the entry of a wanted key.
    fn take(&mut self, key: &str, entry: &Preference) {
        let named: Vec<(bool, usize)> = self
            .names(key)
            .flat_map(|(name, places)| places.iter().map(move |place| (is_set_key(name), *place)))
            .collect();
        for (is_set, place) in named {
            if let Some(entries) = self.found.get_mut(place) {
                let key = is_set.then(|| key.to_owned());
                entries.push(Preference {
                    key,
                    ..entry.clone()
                });
            }
        }
    }
}

/// The key of the option set that the template's key `key` belongs to.
fn set_of(key: &str) -> Option<&str> {
    let mut starts = key.match_indices('-').map(|(at, _)| key.split_at(at).0);
    starts.find(|set| is_set_key(set) && is_named(key, set))
}

/// All keys.
#[derive(Default)]
struct Keys {
    seen: BTreeSet<String>,
    repeated: Option<String>,
}

impl Entries for Keys {
    fn read<'de, A: MapAccess<'de>>(&mut self, mut entries: A) -> Result<(), A::Error> {
        while let Some(key) = entries.next_key::<String>()? {
            entries.next_value::<IgnoredAny>()?;
            if self.repeated.is_none() && self.seen.contains(&key) {
                self.repeated = Some(key);
            } else {
                self.seen.insert(key);
            }
        }
        Ok(())
    }
}

/// Goes through the text of a whole file.
fn read<E: Entries>(bytes: &[u8], entries: &mut E) -> Result<(), String> {
    let mut version = None;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    FileSeed {
        entries,
        version: &mut version,
    }
    .deserialize(&mut reader)
    .and_then(|()| reader.end())
    .map_err(|error| error.to_string())?;
    match version {
        Some(VERSION) => Ok(()),
        Some(other) => Err(format!(
            "version {other} is not understood (this is {VERSION})"
        )),
        None => Err("no version".to_owned()),
    }
}

struct FileSeed<'e, E> {
    entries: &'e mut E,
    version: &'e mut Option<u32>,
}

impl<'de, E: Entries> DeserializeSeed<'de> for FileSeed<'_, E> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, E: Entries> Visitor<'de> for FileSeed<'_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of preferences")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            match name.as_ref() {
                "version" => *self.version = Some(map.next_value()?),
                "preferences" => map.next_value_seed(EntriesSeed(self.entries))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

struct EntriesSeed<'e, E>(&'e mut E);

impl<'de, E: Entries> DeserializeSeed<'de> for EntriesSeed<'_, E> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, E: Entries> Visitor<'de> for EntriesSeed<'_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("preferences by question key")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.read(map)
    }
}
