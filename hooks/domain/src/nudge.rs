//! Habits that the hook may point out to the person: what `report` and `suggest` found, left in a small file a
//! project, because the hook opens no store. And the marks by which each is pointed out once, and one a day.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::hash;
use crate::paths::Paths;
use crate::preferences::Preference;

/// One habit of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Habit {
    /// The question's key, by which it is proposed.
    pub key: String,
    /// How often the person answered so until the file was written.
    pub times: u64,
    /// The preference that is proposed for it.
    pub preference: Preference,
}

/// The folder of files and marks.
pub fn folder(paths: &Paths) -> PathBuf {
    paths.data().join("nudges")
}

/// The file of the habits of `project`.
pub fn habits_file(paths: &Paths, project: &str) -> PathBuf {
    folder(paths).join(format!("{}.json", hash::hex(&["habits", project])))
}

/// The mark that the habit `key` of `project` has been pointed out.
pub fn done_mark(paths: &Paths, project: &str, key: &str) -> PathBuf {
    folder(paths).join(format!("{}.done", hash::hex(&["nudge", project, key])))
}

/// The mark that a habit has been pointed out on `day` (UTC, `2026-11-20`).
pub fn day_mark(paths: &Paths, day: &str) -> PathBuf {
    folder(paths).join(format!("{day}.day"))
}

/// True for the mark of a day.
pub fn is_day_mark(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "day")
}
