//! A file of preferences, read and written as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::finding::entries;
use super::preference::{Preference, VERSION};
use crate::private_file;

/// A longer file than this, in bytes, is not read: some fifty thousand preferences.
pub(super) const LONGEST: u64 = 32 * 1024 * 1024;

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

    /// Puts `preference` in the place of what stands for `key`. What a newer version wrote beside that stays.
    pub fn set(&mut self, key: &str, mut preference: Preference) {
        let known = self.preferences.remove(key);
        let name = preference.name().map(str::to_owned);
        preference.other = known.map(|known| known.other).unwrap_or_default();
        if let Some(name) = name {
            preference.set_name(&name);
        }
        self.preferences.insert(key.to_owned(), preference);
    }

    /// The file's bytes.
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
        let file: Self =
            serde_json::from_slice(&bytes).map_err(|error| problem(error.to_string()))?;
        if file.version != VERSION {
            return Err(problem(format!(
                "version {} is not understood (this is {VERSION})",
                file.version
            )));
        }
        // A map folds what the lookup sees: keys that stand twice.
        let mut seen = BTreeSet::new();
        let entries = entries(&bytes).map_err(problem)?;
        match entries.iter().find(|(key, _)| !seen.insert(&**key)) {
            Some((key, _)) => Err(problem(format!("{} stands in it more than once", &**key))),
            None => Ok(Some(file)),
        }
    }
}

/// The bytes of the file in `path`; `None` when there is none.
///
/// # Errors
/// A message that names the file, when it cannot be read or is not to be obeyed
/// ([`private_file::open_own`]).
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let problem = |error: String| format!("{}: {error}", path.display());
    let Some(file) = private_file::open_own(path, LONGEST).map_err(problem)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(LONGEST)
        .read_to_end(&mut bytes)
        .map_err(|error| problem(error.to_string()))?;
    Ok(Some(bytes))
}
