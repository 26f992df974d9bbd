//! What an import found, for the person who ran it.

use std::path::{Path, PathBuf};

/// Counts of one import. Questions that several files repeat count once, and
/// `questions` = `answered` + `auto_decided` + `dismissed` + `failed` + `unanswered`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files looked at.
    pub files: u64,
    /// Transcripts that hold at least one question call.
    pub transcripts: u64,
    /// Files that name the tool, but are not Claude Code's transcripts.
    pub foreign_files: u64,
    /// Files and folders that could not be read, and why.
    pub unreadable_files: Vec<UnreadableFile>,
    /// Lines of transcripts that concern questions and are torn or no JSON.
    pub unreadable_lines: u64,
    /// Lines skipped unread because of their length.
    pub long_lines: u64,
    /// Lines that only mention the tool: attachments, progress, quoted text.
    pub mentions: u64,
    /// Calls without a time anywhere near, which cannot be placed and are left out.
    pub undated_calls: u64,
    /// Calls of a question tool.
    pub calls: u64,
    /// Questions in these calls.
    pub questions: u64,
    /// Questions a person answered.
    pub answered: u64,
    /// Questions that a hook answered.
    pub auto_decided: u64,
    /// Questions a person declined, broke off, or was not there for.
    pub dismissed: u64,
    /// Questions that could not be put, or whose answer was lost.
    pub failed: u64,
    /// Questions without any result.
    pub unanswered: u64,
    /// Calls that the person allowed when they were asked.
    pub granted: u64,
    /// Calls that were refused when somebody was asked, or should have been and nobody was there.
    pub refused: u64,
    /// Of these, those whose prompt the hook had logged.
    pub joined: u64,
    /// Calls that were denied without anybody being asked.
    pub denied: u64,
    /// Calls that ran without anybody being asked, in turns that are over.
    pub unasked: u64,
    /// Decisions about calls in a form that is not known.
    pub unknown_decisions: u64,
    /// Decisions about calls that the transcript does not hold.
    pub lost_decisions: u64,
    /// Bytes read of Claude Code's transcripts.
    pub bytes: u64,
}

/// A file or folder that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableFile {
    /// Which.
    pub path: PathBuf,
    /// Why, in the system's words.
    pub error: String,
}

impl Summary {
    pub(crate) fn unreadable(&mut self, path: &Path, error: &impl ToString) {
        self.unreadable_files.push(UnreadableFile {
            path: path.to_owned(),
            error: error.to_string(),
        });
    }

    /// Adds what was found in one file. Questions, and decisions that become events, are counted once for all files, elsewhere.
    pub(crate) fn count(&mut self, of_file: Self) {
        self.files += of_file.files;
        self.transcripts += of_file.transcripts;
        self.foreign_files += of_file.foreign_files;
        self.unreadable_files.extend(of_file.unreadable_files);
        self.unreadable_lines += of_file.unreadable_lines;
        self.long_lines += of_file.long_lines;
        self.mentions += of_file.mentions;
        self.unknown_decisions += of_file.unknown_decisions;
        self.lost_decisions += of_file.lost_decisions;
        self.bytes += of_file.bytes;
    }
}
