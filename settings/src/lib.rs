//! Other people's files: the settings of coding agents, what plantune adds to them, and the record of that.
//!
//! The editors ([`registration`], [`rules`], [`ours`]) take a text and give back a text. A file is replaced in [`file`]
//! alone, and what was there before is kept. Nothing here asks the person or writes to a terminal.

pub mod accepted_rules;
pub mod agents;
pub mod document;
pub mod file;
pub mod installed_hook;
pub mod journal;
mod json;
pub mod ours;
pub mod programs;
pub mod registration;
pub mod rules;

use std::path::{Path, PathBuf};
use std::{fmt, io};

use plantune_agents::claude_code::CONFIG_DIR;
use plantune_domain::sanitize::block as sanitized;

/// The hook binary's name, without the ending that some systems add.
pub const HOOK: &str = "plantune-hook";

// Why settings cannot be read or changed: the fact, with the file or value. What to do about it is for the caller to say.

/// Why a text cannot be edited, at which place, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    fact: String,
    line: usize,
    column: usize,
    remedy: &'static str,
}

impl Problem {
    /// `fact` about the byte `offset` of `text`.
    pub(crate) fn at(text: &str, offset: usize, fact: impl Into<String>) -> Self {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            fact: fact.into(),
            line: before.matches('\n').count() + 1,
            column: line.chars().filter(|c| *c != '\u{feff}').count() + 1,
            remedy: "",
        }
    }

    pub(crate) fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// The remedy.
    pub fn hint(&self) -> &'static str {
        self.remedy
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line, column, fact, ..
        } = self;
        write!(f, "line {line}, column {column}: {fact}")
    }
}

/// Why settings cannot be read or changed. Texts and paths of others are sanitized for a terminal.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The text of a file cannot be edited safely.
    #[error("{}: {}", shown(.0), sanitized(&.1.to_string()))]
    Text(PathBuf, Problem),
    /// The file is there and cannot be read.
    #[error("{}: {}", shown(.0), sanitized(.1))]
    Unreadable(PathBuf, String),
    /// The line of the file with this number is not UTF-8.
    #[error("{}: line {}: not UTF-8", shown(.0), .1)]
    NotUtf8(PathBuf, usize),
    /// The file or folder cannot be written.
    #[error("cannot write {}: {}", shown(.0), .1)]
    NotWritten(PathBuf, io::Error),
    /// The record in this folder could not be written.
    #[error("cannot write {}: {}", shown(.0), .1)]
    NotRecorded(PathBuf, io::Error),
    /// The file is another one than the person was shown.
    #[error("another program changed {} at the same time", shown(.0))]
    ChangedMeanwhile(PathBuf),
    /// The file lies behind a link that leads out of its project.
    #[error("{}: a link leads out of the project", shown(.0))]
    LeadsOut(PathBuf),
    /// The folder from the log is no project of the person's.
    #[error("{}: the folder is gone, or it is not yours", shown(.0))]
    NoProject(PathBuf),
    /// The settings of the current folder are the person's own.
    #[error("this folder's settings are your user settings")]
    AreUsers,
    /// The person's own settings cannot be found.
    #[error("HOME and {CONFIG_DIR} are not set, so your settings can't be found")]
    NoHome,
    /// The current folder cannot be found.
    #[error("the current folder is unknown")]
    NoFolder,
    /// The record of plantune's changes cannot be understood.
    #[error("{}: {}", shown(.0), sanitized(.1))]
    Journal(PathBuf, String),
    /// The text from before a change is gone or not the same any more.
    #[error("{}: {}", shown(.0), sanitized(.1))]
    Backup(PathBuf, String),
    /// Somebody else changes settings, for too long.
    #[error("another plantune install or uninstall is running")]
    Busy,
    /// No permission rule can name this folder.
    #[error("{}: permission rules can't name this folder", sanitized(.0))]
    Unnamable(String),
    /// Somebody else wrote the file that was to be plantune's.
    #[error("{}: this is not plantune's file", shown(.0))]
    NotOurs(PathBuf),
    /// The agent with this title has no folder.
    #[error("{0} was never started here: it has no folder")]
    NoAgent(String),
    /// There is no hook in the folder of the running program.
    #[error("there is no {HOOK} beside plantune, in {}", shown(.0))]
    NoHook(PathBuf),
    /// JSON cannot hold this path.
    #[error("{}: settings can't name this path, because it is not UTF-8", shown(.0))]
    PathNotUtf8(PathBuf),
    /// The hook cannot be copied to this folder.
    #[error("the hook cannot be copied to {}: {}", shown(.0), .1)]
    NotCopied(PathBuf, io::Error),
    /// The copy of the hook in this folder does not work.
    #[error("the copy of the hook {1}")]
    BrokenCopy(PathBuf, String),
    /// Any other error of the file system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// `path` for a terminal.
pub(crate) fn shown(path: &Path) -> String {
    sanitized(&path.display().to_string())
}
