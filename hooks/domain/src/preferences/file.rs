//! A file of preferences, read and written as a whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::finding::find;
use super::preference::{Preference, VERSION};
use crate::family::is_named;
use crate::private_file::others_may_write;

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

    /// The file's bytes, in the form that [`crate::preferences::lookup`] searches fast.
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
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
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
pub(super) fn readable(file: &File) -> Result<(), String> {
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
