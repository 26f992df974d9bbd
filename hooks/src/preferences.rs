//! Preferences: what the person decided about a question, per project or everywhere.
//!
//! The CLI reads and writes whole files as [`PreferenceFile`]; the hook, which runs while a person
//! waits, goes through [`crate::preference_lookup`].

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::doors::{Door, one_way_reason};
use crate::family::{self, is_named, is_set_key};
use crate::keys::is_split;
use crate::private_file::others_may_write;
use crate::registry::Registry;

/// The version of the file format.
pub const VERSION: u32 = 1;

/// What a preference says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Put the question to the person, whatever else is said.
    AlwaysAsk,
    /// Answer for the person.
    NeverAsk,
    /// Answer for the person unless the question turns out one-way.
    AskOnlyForOneWay,
}

impl Policy {
    /// The name in files and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlwaysAsk => "always-ask",
            Self::NeverAsk => "never-ask",
            Self::AskOnlyForOneWay => "ask-only-for-one-way",
        }
    }

    /// The policy of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::AlwaysAsk, Self::NeverAsk, Self::AskOnlyForOneWay]
            .into_iter()
            .find(|policy| policy.name() == name)
    }
}

/// Where a preference holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// In one project.
    Project,
    /// Everywhere.
    Global,
}

impl Scope {
    /// The name in events and listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Global => "global",
        }
    }
}

/// One preference, with where it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preference {
    /// What it says.
    pub preference: Policy,
    /// The label to answer with; the recommended option when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How the key was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_source: Option<String>,
    /// The question as last seen when this was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Its header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Of a family: the words that the text must hold, in order; without them it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Vec<String>>,
    /// When it was set (RFC 3339, UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_at: Option<String>,
    /// What set it: `suggest` or `prefs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by: Option<String>,
    /// The evidence at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<serde_json::Value>,
    /// Of a family: the key that it was found under, when its option set was looked for.
    #[serde(skip)]
    pub key: Option<String>,
    /// What a newer version wrote.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

impl Preference {
    /// True when a question worded as `text` is one that the person decided about: always, but for
    /// families.
    pub fn fits(&self, text: &str) -> bool {
        self.template
            .as_ref()
            .is_none_or(|template| family::fits(template, text))
    }

    /// Why this preference must not be obeyed, or `None` when it may be. One function for the
    /// writer, which refuses, and the readers, which ignore.
    pub fn inert_reason(&self, key: &str, registry: &Registry) -> Option<String> {
        if self.preference == Policy::AlwaysAsk {
            return None;
        }
        if is_split(key) {
            return Some("options of a split question are always asked".to_owned());
        }
        if registry.door_of(key) == Some(Door::OneWay) {
            return Some("one-way by registry.toml".to_owned());
        }
        let texts = [
            key,
            self.question.as_deref().unwrap_or_default(),
            self.header.as_deref().unwrap_or_default(),
            self.answer.as_deref().unwrap_or_default(),
        ];
        one_way_reason(&texts).map(|reason| format!("one-way ({reason})"))
    }
}

/// A whole file of preferences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreferenceFile {
    /// The format's version.
    pub version: u32,
    /// The project it holds for; absent in the global file. For the reader's eyes: the hook goes
    /// by the file's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The preferences by question key.
    #[serde(default)]
    pub preferences: BTreeMap<String, Preference>,
    /// What a newer version wrote.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

impl PreferenceFile {
    /// An empty file for `project` (`None`: global).
    pub fn empty(project: Option<&str>) -> Self {
        Self {
            version: VERSION,
            project: project.map(str::to_owned),
            preferences: BTreeMap::new(),
            other: BTreeMap::new(),
        }
    }

    /// The file's bytes, in the form that [`crate::preference_lookup`] searches fast.
    ///
    /// # Errors
    /// Those of the serialiser; none is known for this type.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The file in `path`; `None` when there is none.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, holds a key twice, or
    /// is writable by others.
    pub fn load(path: &Path) -> Result<Option<Self>, String> {
        let Some(bytes) = read(path)? else {
            return Ok(None);
        };
        let problem = |error: String| format!("{}: {error}", path.display());
        // The lookup sees what a map would fold: keys that stand twice.
        let file: Self =
            serde_json::from_slice(&bytes).map_err(|error| problem(error.to_string()))?;
        if file.version != VERSION {
            return Err(problem(format!(
                "version {} is not understood (this is {VERSION})",
                file.version
            )));
        }
        let keys: Vec<&str> = file.preferences.keys().map(String::as_str).collect();
        let found = find(&bytes, &keys).map_err(problem)?;
        let named = |key: &str| keys.iter().filter(|other| is_named(other, key)).count();
        match keys
            .iter()
            .zip(&found)
            .find(|(key, entries)| entries.len() > named(key))
        {
            Some((key, _)) => Err(problem(format!("{key} stands in it more than once"))),
            None => Ok(Some(file)),
        }
    }
}

/// The bytes of the file in `path`; `None` when there is none.
///
/// # Errors
/// A message that names the file, when it cannot be read or is writable by others.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let problem = |error: String| format!("{}: {error}", path.display());
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(problem(error.to_string())),
    };
    readable(&file).map_err(problem)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|error| problem(error.to_string()))?;
    Ok(Some(bytes))
}

/// Refuses a file that others may write: they could answer in the person's name.
pub(crate) fn readable(file: &File) -> Result<(), String> {
    let kind = file.metadata().map_err(|error| error.to_string())?;
    if !others_may_write(&kind) {
        return Ok(());
    }
    let (mode, owner) = (kind.mode() & 0o777, kind.uid());
    Err(format!(
        "ignored, because others may write it (mode {mode:o}, owner {owner}); chmod 600 it, and \
         have it be yours"
    ))
}

/// The entries for each of `keys` in the text of a whole file.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn find(bytes: &[u8], keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preference_lookup::lookup;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    const FILE: &str = r#"{"version":1,"note":"mine","preferences":{
        "a":{"preference":"never-ask","answer":"Skip","colour":"red"},
        "b":{"preference":"always-ask"},
        "b":{"preference":"never-ask"}}}"#;

    fn write(text: &str, mode: u32) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        crate::atomic_file::replace(&path, text.as_bytes(), mode).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[test]
    fn only_the_wanted_entries_are_read() {
        let (_folder, path) = write(FILE, 0o600);
        let found = lookup(&path, &["b", "c", "a"]).unwrap();
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(found[2][0].answer.as_deref(), Some("Skip"));
        assert!(
            PreferenceFile::load(&path)
                .unwrap_err()
                .contains("b stands in it more than once")
        );
    }

    #[test]
    fn a_broken_or_foreign_file_is_an_error_that_names_it() {
        for text in [
            "{",
            "[]",
            r#"{"preferences":{"a":{}}}"#,
            r#"{"version":2,"preferences":{"a":{"preference":"never-ask"}}}"#,
        ] {
            let (_folder, path) = write(text, 0o600);
            assert!(
                PreferenceFile::load(&path)
                    .unwrap_err()
                    .contains("preferences.json"),
                "{text}"
            );
        }
        let (_folder, path) = write(FILE, 0o666);
        assert!(
            lookup(&path, &["a"])
                .unwrap_err()
                .contains("others may write it")
        );
    }

    #[test]
    fn unknown_fields_survive_a_rewrite() {
        let text = FILE.replace("\"b\":{\"preference\":\"always-ask\"},", "");
        let file: PreferenceFile = serde_json::from_str(&text).unwrap();
        let again: serde_json::Value = serde_json::to_value(&file).unwrap();
        assert_eq!(
            again,
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        );
    }

    #[test]
    fn unsafe_preferences_are_inert() {
        let entry = |question: &str, answer: Option<&str>| Preference {
            preference: Policy::NeverAsk,
            answer: answer.map(str::to_owned),
            key_source: None,
            question: Some(question.to_owned()),
            header: None,
            options: None,
            template: None,
            set_at: None,
            set_by: None,
            evidence: None,
            key: None,
            other: BTreeMap::new(),
        };
        let registry = Registry::parse("[[question]]\nkey=\"gate\"\ndoor=\"one-way\"").unwrap();
        assert!(
            entry("Create it?", None)
                .inert_reason("x-split-2", &registry)
                .is_some()
        );
        assert!(
            entry("Create it?", None)
                .inert_reason("gate", &registry)
                .is_some()
        );
        assert!(
            entry("Old tables?", Some("Drop them"))
                .inert_reason("x", &registry)
                .is_some()
        );
        assert!(
            entry("Fine?", None)
                .inert_reason("delete-user-data", &registry)
                .is_some()
        );
        assert_eq!(
            entry("Create it?", Some("Skip")).inert_reason("x", &registry),
            None
        );
    }
}
