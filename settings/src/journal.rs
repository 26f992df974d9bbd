//! The record of what plantune did to a settings file, with copies from before each change: so the last change can be
//! undone byte for byte, and `uninstall` takes out the rules that `--guard` and `suggest` added and no others.
//!
//! A change is on record before it is made, with what the log is to say of it. What a killed process left undone is seen
//! by the text that is there, and what it did not log is logged by the next one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chrono::{DateTime, Utc};
use plantune_domain::{hash, paths, private_file};
use serde::{Deserialize, Serialize};

use crate::SettingsError;

/// The version of the file's form.
const VERSION: u32 = 1;

/// The folder of all journals, in plantune's data folder.
const FOLDER: &str = "installed";

/// How many changes are remembered; people make a handful.
const MOST_CHANGES: usize = 50;

/// The changes of one settings file, the last one last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Journal {
    version: u32,
    /// For the person who looks; the file is found by its name, which is a hash of the path.
    settings: String,
    changes: Vec<JournalEntry>,
    #[serde(skip)]
    path: PathBuf,
}

/// One change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// When, RFC 3339.
    pub at: String,
    /// The command that made it.
    pub command: String,
    /// The backup of the text before it; `None` if there was no file.
    pub backup: Option<PathBuf>,
    /// The hash of that text.
    before: Option<String>,
    /// The hash of the text after it; `None` when the file was removed.
    after: Option<String>,
    /// The rules in the text after it that plantune added.
    #[serde(flatten)]
    ours: OurRules,
    /// The lines about it that the log does not have yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    unlogged: String,
}

/// What plantune added to a text beside its hook, and took out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OurRules {
    /// The rules of `--guard`: denied calls.
    #[serde(rename = "rules")]
    pub deny: Vec<String>,
    /// The rules that the person accepted from `suggest`: allowed calls. Earlier versions added none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Rules of the person's that `suggest --tidy` took out, and that `undo` puts back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tidied: Vec<String>,
    /// True for the terminal's bell of `--notify`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notify: bool,
}

impl JournalEntry {
    /// A change by `command`, of which the log is to have the lines `unlogged`. Which texts it is between is added when it
    /// is made.
    pub fn of(
        now: DateTime<Utc>,
        command: &str,
        backup: Option<PathBuf>,
        ours: &OurRules,
        unlogged: String,
    ) -> Self {
        Self {
            at: now.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            command: command.to_owned(),
            backup,
            before: None,
            after: None,
            ours: ours.clone(),
            unlogged,
        }
    }

    /// True if `text` (`None`: no file) is the result of this change.
    pub fn left(&self, text: Option<&str>) -> bool {
        self.after == text.map(fingerprint)
    }

    /// The rules in the text after it that plantune added.
    pub(crate) fn ours(&self) -> &OurRules {
        &self.ours
    }

    /// True if the log has all that is to be said of it.
    pub(crate) fn is_logged(&self) -> bool {
        self.unlogged.is_empty()
    }

    /// True if `text` is what was there before it: it was not made, or taken back.
    fn is_open(&self, text: Option<&str>) -> bool {
        !self.left(text) && self.before == text.map(fingerprint)
    }

    /// The text before the change, `None` when there was no file.
    ///
    /// # Errors
    /// If the backup is gone or has changed.
    pub fn before(&self) -> Result<Option<String>, SettingsError> {
        let Some(backup) = &self.backup else {
            return Ok(None);
        };
        let unusable = |fact: String| SettingsError::Backup(backup.clone(), fact);
        let text = fs::read_to_string(backup).map_err(|error| unusable(error.to_string()))?;
        if Some(fingerprint(&text)) == self.before {
            Ok(Some(text))
        } else {
            Err(unusable(
                "this backup has changed since it was made".to_owned(),
            ))
        }
    }
}

impl Journal {
    /// Reads the changes to `settings`, which are `text` now, that are recorded in the folder `data`; none without a
    /// journal. A last change that was not made is left out.
    ///
    /// # Errors
    /// When there is a journal that is not understood.
    pub(crate) fn open(
        data: &Path,
        settings: &Path,
        text: Option<&str>,
    ) -> Result<Self, SettingsError> {
        let name = hash::hex(&["settings", &settings.to_string_lossy()]);
        let path = data.join(FOLDER).join(format!("{name}.json"));
        let unusable = |fact: String| SettingsError::Journal(path.clone(), fact);
        let mut journal = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(unusable(error.to_string())),
            Ok(bytes) => serde_json::from_slice::<Self>(&bytes)
                .map_err(|error| unusable(error.to_string()))
                .and_then(|journal| match journal.version {
                    VERSION => Ok(journal),
                    other => Err(unusable(format!("version {other}; this plantune knows 1"))),
                })?,
        };
        journal.version = VERSION;
        journal.settings = settings.to_string_lossy().into_owned();
        journal.path = path;
        if journal.last().is_some_and(|last| last.is_open(text)) {
            journal.changes.pop();
        }
        Ok(journal)
    }

    /// The lines about the changes that the log does not have.
    pub fn unlogged(&self) -> String {
        self.changes.iter().map(|one| &*one.unlogged).collect()
    }

    /// Remembers that the log has the lines about all changes.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn logged(mut self) -> io::Result<()> {
        if self.changes.iter().all(JournalEntry::is_logged) {
            return Ok(());
        }
        self.changes.iter_mut().for_each(|one| one.unlogged.clear());
        self.write()
    }

    /// The last change that was not rolled back.
    pub fn last(&self) -> Option<&JournalEntry> {
        self.changes.last()
    }

    /// The permission rules in the settings that plantune added; `None` when nothing is known.
    pub fn rules(&self) -> Option<OurRules> {
        self.last().map(|entry| entry.ours.clone())
    }

    /// Since when `rule`, which plantune added, stands in the settings; `None` for one that it did not.
    pub fn since(&self, rule: &str) -> Option<DateTime<Utc>> {
        let holds = |entry: &&JournalEntry| {
            let OurRules { allow, deny, .. } = &entry.ours;
            allow.iter().chain(deny).any(|one| one == rule)
        };
        let first = self.changes.iter().rev().take_while(holds).last()?;
        first.at.parse().ok()
    }

    /// The settings files whose changes, recorded in the folder `data`, are `wanted`, in the order of their paths. It is not
    /// known here whether the last change was made. What is not understood is passed over: its own file says so when it is
    /// opened.
    pub(crate) fn settings_with(
        data: &Path,
        wanted: impl Fn(&[JournalEntry]) -> bool,
    ) -> Vec<PathBuf> {
        let entries = fs::read_dir(data.join(FOLDER)).into_iter().flatten();
        let read = |entry: fs::DirEntry| {
            let bytes = fs::read(entry.path()).ok()?;
            serde_json::from_slice::<Self>(&bytes).ok()
        };
        let journals = entries.flatten().filter_map(read);
        let mut paths: Vec<PathBuf> = journals
            .filter(|one| wanted(&one.changes))
            .map(|one| PathBuf::from(one.settings))
            .collect();
        paths.sort();
        paths
    }

    /// Remembers one more change, `entry`, from one text to another, which is about to be made.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn push(
        &mut self,
        entry: JournalEntry,
        (before, after): (Option<&str>, Option<&str>),
    ) -> io::Result<()> {
        self.changes.push(JournalEntry {
            before: before.map(fingerprint),
            after: after.map(fingerprint),
            ..entry
        });
        let oldest = self.changes.len().saturating_sub(MOST_CHANGES);
        self.changes.drain(..oldest);
        self.write()
    }

    /// Forgets the last change: it was undone.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn pop(&mut self) -> io::Result<()> {
        self.changes.pop();
        self.write()
    }

    fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            paths::create_private_dir(folder)?;
        }
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        private_file::replace(&self.path, text.as_bytes())
    }
}

fn fingerprint(text: &str) -> String {
    hash::hex(&["settings text", text])
}

// Copies of the settings from before each change; none is ever overwritten.

/// Copies that one second can hold.
const MOST_A_SECOND: u32 = 1000;

/// How many copies of one file are kept: the first, from before plantune, and the latest.
const MOST_COPIES: usize = 20;

/// Writes `text`, the content of `path`, to a new file in `folder`, whole or not at all, and returns its path. Of many
/// copies those in the middle go.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn write(
    folder: &Path,
    path: &Path,
    text: &str,
    now: DateTime<Utc>,
) -> io::Result<PathBuf> {
    paths::create_private_dir(folder)?;
    let stamp = now.format("%Y%m%dT%H%M%SZ");
    for copy in 1..MOST_A_SECOND {
        let mut name = prefix(path);
        // `~` sorts behind every letter and digit, and so a second copy behind the first.
        name.push(if copy == 1 {
            stamp.to_string()
        } else {
            format!("{stamp}~{copy:03}")
        });
        let backup = folder.join(name);
        // Whoever changes settings holds the lock, so nothing comes to lie there meanwhile.
        if backup.symlink_metadata().is_ok() {
            continue;
        }
        let beside = folder.join(path.file_name().unwrap_or_default());
        private_file::stage(&beside, text.as_bytes())?.put_at(&backup)?;
        let copies = newest_first(folder, path);
        let middle = copies.len().saturating_sub(1);
        for copy in copies.iter().take(middle).skip(MOST_COPIES - 1) {
            // One that stays is in nobody's way.
            let _ = fs::remove_file(copy);
        }
        return Ok(backup);
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "too many backups in one second",
    ))
}

/// The backups of `path` in `folder`; none when the folder cannot be read.
pub(crate) fn newest_first(folder: &Path, path: &Path) -> Vec<PathBuf> {
    let prefix = prefix(path);
    let ours = |name: &OsString| {
        name.as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes())
            .is_some()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name())
        .filter(ours)
        .collect();
    names.sort();
    names
        .into_iter()
        .rev()
        .map(|name| folder.join(name))
        .collect()
}

fn prefix(path: &Path) -> OsString {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".plantune-backup-");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_overwrites_and_sorts() {
        let folder = tempfile::tempdir().unwrap();
        let path = Path::new("/x/settings.json");
        let now = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        let write = |text, at| write(folder.path(), path, text, now(at)).unwrap();
        let first = write("1", "2026-11-20T10:00:00Z");
        write("2", "2026-11-20T10:00:00Z");
        write("3", "2026-11-20T10:00:00Z");
        write("4", "2026-11-20T10:00:01Z");
        assert_eq!(
            first,
            folder
                .path()
                .join("settings.json.plantune-backup-20261120T100000Z")
        );
        let texts: Vec<_> = newest_first(folder.path(), path)
            .iter()
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        assert_eq!(texts, ["4", "3", "2", "1"]);
        for second in 10..60 {
            let at = format!("2026-11-20T10:00:{second}Z");
            super::write(folder.path(), path, "more", now(&at)).unwrap();
        }
        let kept = newest_first(folder.path(), path);
        assert_eq!(kept.len(), MOST_COPIES);
        assert_eq!(kept.last(), Some(&first));
        assert!(newest_first(folder.path(), Path::new("/x/settings.local.json")).is_empty());
    }
}
