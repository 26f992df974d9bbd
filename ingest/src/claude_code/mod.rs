//! Questions and answers from before plantune was installed, and who allowed which call: the transcripts of
//! Claude Code.
//!
//! A transcript becomes the events that the hook would have logged for its calls, read by the same functions and with
//! the same ids. So importing twice, or importing calls that a hook already logged, changes nothing. Refusals and calls
//! that were never asked, which the hook cannot see, are read as well.

pub(crate) mod call;
pub(crate) mod decision;
pub(crate) mod emitter;
pub(crate) mod judged;
pub(crate) mod lines;
pub(crate) mod transcript;
mod wire;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io, mem};

pub use plantune_agents::claude_code::folder as default_root;
use plantune_domain::event::Event;
use plantune_domain::registry::Registry;
use rayon::prelude::*;

pub use self::decision::{LoggedPrompt, Prompts};
use crate::Error;
use crate::Progress;
use emitter::Emitter;
use judged::JudgedCall;
use transcript::Transcript;

/// A receiver of events, one by one.
pub type Sink<'s> = &'s mut dyn FnMut(&Event<'_>) -> Result<(), Error>;

/// How many transcripts are read at a time. Only their calls stay in memory.
pub(crate) const FILES_AT_ONCE: usize = 64;

/// Passes every question of every transcript at `root`, and who allowed its calls, to `sink` as events of schema 1.
/// Returns counts of what was found.
///
/// `root` is Claude Code's configuration folder (its `projects` are searched then), any other folder, or one file. The
/// order is fixed: files by path, the calls of a file as they were made, for each call first what was asked or decided,
/// then how it ended. Each event is emitted once, even when several files repeat its call, as a resumed session does.
/// Decisions about calls are joined to the `prompts` that they are about. Only the calls of a few transcripts are in
/// memory at a time.
///
/// # Errors
/// When there is nothing at `root`, when it cannot be read, and whatever `sink` returns.
pub fn read(
    root: &Path,
    registry: &Registry,
    prompts: Prompts,
    progress: &Progress,
    sink: Sink<'_>,
) -> Result<TranscriptSummary, Error> {
    let (paths, unreadable) = transcripts(root)?;
    let found = read_paths(&paths, registry, prompts, progress, sink)?;
    Ok(TranscriptSummary {
        unreadable_files: [unreadable, found.unreadable_files].concat(),
        ..found
    })
}

/// The transcripts at `root`, sorted by path, and the files and folders that cannot be looked at.
///
/// # Errors
/// When there is nothing at `root`, or it cannot be read.
pub fn transcripts(root: &Path) -> Result<(Vec<PathBuf>, Vec<UnreadableFile>), Error> {
    let mut summary = TranscriptSummary::default();
    let paths = find(root, &mut summary)?;
    Ok((paths, summary.unreadable_files))
}

/// [`read`] for the transcripts in `paths` alone.
///
/// # Errors
/// Whatever `sink` returns.
pub fn read_paths(
    paths: &[PathBuf],
    registry: &Registry,
    prompts: Prompts,
    progress: &Progress,
    sink: Sink<'_>,
) -> Result<TranscriptSummary, Error> {
    let mut emitter = Emitter::new(prompts, sink);
    begin_reading(paths, progress);
    for paths in paths.chunks(FILES_AT_ONCE) {
        let read = |path: &PathBuf| {
            let mut transcript = Transcript::read(path, progress);
            let calls = JudgedCall::all(mem::take(&mut transcript.calls), registry);
            (transcript, calls)
        };
        let read: Vec<(Transcript, Vec<JudgedCall>)> = paths.par_iter().map(read).collect();
        let calls = read.iter().flat_map(|(_, calls)| calls);
        emitter.know(
            calls
                .map(|judged| judged.call.of.cwd.clone())
                .collect::<BTreeSet<_>>(),
        );
        for (transcript, calls) in read {
            for call in &calls {
                emitter.emit(call)?;
            }
            emitter.emit_permissions(&transcript)?;
            emitter.summary.count(transcript.summary);
        }
    }
    Ok(emitter.finish())
}

/// Says on `progress` that the files at `paths` are read from here on.
pub(crate) fn begin_reading(paths: &[PathBuf], progress: &Progress) {
    let lengths = paths.iter().filter_map(|path| fs::metadata(path).ok());
    let total = lengths.map(|found| found.len()).sum();
    progress.begin("reading transcripts", total);
}

/// Counts of one import. Questions that several files repeat count once, and
/// `questions` = `answered` + `auto_decided` + `dismissed` + `failed` + `unanswered`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranscriptSummary {
    /// Files examined.
    pub files: u64,
    /// Transcripts that hold at least one question call.
    pub transcripts: u64,
    /// Files that name the tool but are not transcripts of Claude Code.
    pub foreign_files: u64,
    /// Files and folders that could not be read, and why.
    pub unreadable_files: Vec<UnreadableFile>,
    /// Lines of transcripts that concern questions but are torn or not JSON.
    pub unreadable_lines: u64,
    /// Lines skipped unread because of their length.
    pub long_lines: u64,
    /// Lines that only mention the tool: attachments, progress, quoted text.
    pub mentions: u64,
    /// Calls without a time on any nearby line. They cannot be dated and are left out.
    pub undated_calls: u64,
    /// Calls of a question tool.
    pub calls: u64,
    /// Questions in these calls.
    pub questions: u64,
    /// Questions a person answered.
    pub answered: u64,
    /// Questions that a hook answered.
    pub auto_decided: u64,
    /// Questions that a person declined, interrupted, or was not there for.
    pub dismissed: u64,
    /// Questions that could not be asked, or whose answer was lost.
    pub failed: u64,
    /// Questions without any result.
    pub unanswered: u64,
    /// Calls that the person allowed when they were asked.
    pub granted: u64,
    /// Calls that the person refused.
    pub refused: u64,
    /// Calls whose prompt nobody answered, or that nobody was there to be asked about.
    pub undecided: u64,
    /// Decided calls whose prompt the hook had logged.
    pub joined: u64,
    /// Calls that were denied without asking anybody.
    pub denied: u64,
    /// Calls that ran without asking anybody, in finished turns.
    pub unasked: u64,
    /// Decisions about calls in an unknown form.
    pub unknown_decisions: u64,
    /// Decisions about calls that the transcript does not hold.
    pub lost_decisions: u64,
    /// Bytes read of Claude Code's transcripts.
    pub bytes: u64,
}

/// A file or folder that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableFile {
    /// Its path.
    pub path: PathBuf,
    /// Why, in the system's words.
    pub error: String,
}

impl TranscriptSummary {
    pub(crate) fn unreadable(&mut self, path: &Path, error: &impl ToString) {
        self.unreadable_files.push(UnreadableFile {
            path: path.to_owned(),
            error: error.to_string(),
        });
    }

    /// Adds the counts of one file. Questions, and decisions that become events, are counted elsewhere, once for all
    /// files.
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

/// The transcripts at `root`, sorted by path. Unreadable files and folders are recorded in `summary`.
fn find(root: &Path, summary: &mut TranscriptSummary) -> Result<Vec<PathBuf>, Error> {
    below(root, &|_| false, summary)
}

/// Like [`find`], and also returns the files that `is_other` accepts.
pub(crate) fn below(
    root: &Path,
    is_other: &dyn Fn(&Path) -> bool,
    summary: &mut TranscriptSummary,
) -> Result<Vec<PathBuf>, Error> {
    let kind = fs::metadata(root).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Missing(root.to_owned()),
        _ => Error::Root(root.to_owned(), error),
    })?;
    if !kind.is_dir() {
        return Ok(vec![root.to_owned()]);
    }
    let projects = root.join("projects");
    let top = if projects.is_dir() {
        projects
    } else {
        root.to_owned()
    };
    fs::read_dir(&top).map_err(|error| Error::Root(top.clone(), error))?;
    let whole = fs::canonicalize(&top).unwrap_or_else(|_| top.clone());
    let mut found = Vec::new();
    let mut folders = vec![top];
    while let Some(folder) = folders.pop() {
        if let Err(error) = list(
            &folder,
            &whole,
            is_other,
            (&mut found, &mut folders),
            summary,
        ) {
            summary.unreadable(&folder, &error);
        }
    }
    found.sort();
    // The file system lists them in any order.
    (summary.unreadable_files).sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Adds the files and folders in `folder`, which is inside the folder `whole`.
fn list(
    folder: &Path,
    whole: &Path,
    is_other: &dyn Fn(&Path) -> bool,
    (files, folders): (&mut Vec<PathBuf>, &mut Vec<PathBuf>),
    summary: &mut TranscriptSummary,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_transcript = path.extension().is_some_and(|name| name == "jsonl") || is_other(&path);
        // The folder listing gives the type of most entries, without a system call for each.
        let kind = entry.file_type().ok().filter(|kind| !kind.is_symlink());
        let of_target = || fs::metadata(&path).map(|found| found.file_type());
        let leads_out = || !fs::canonicalize(&path).is_ok_and(|place| place.starts_with(whole));
        match kind.map_or_else(of_target, Ok) {
            Ok(target) if target.is_dir() && kind.is_some() => folders.push(path),
            // The person did not name the link's target: it may be anything, even somebody else's.
            Ok(target) if target.is_dir() && leads_out() => {
                summary.unreadable(&path, &io::Error::other("a link out of the folder"));
            }
            // The target of a link within the folder is found under its own name.
            Ok(target) if target.is_dir() => {}
            // Opening anything but a regular file could block forever.
            Ok(target) if is_transcript && target.is_file() => files.push(path),
            Err(error) if is_transcript => summary.unreadable(&path, &error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_transcripts_lie() {
        let root = |variables: &[(&str, &str)]| {
            default_root(|name| {
                let found = variables.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| value.into())
            })
        };
        assert_eq!(
            root(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")]),
            Some("/c".into())
        );
        assert_eq!(
            root(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "")]),
            Some("/h/.claude".into())
        );
        assert_eq!(root(&[]), None);
    }

    #[test]
    fn folders_files_and_loops() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("projects/b/session/subagents");
        fs::create_dir_all(&folder).unwrap();
        for name in [
            "projects/b/2.jsonl",
            "projects/a.jsonl",
            "projects/b/session/subagents/agent-1.jsonl",
            "projects/b/notes.txt",
            "history.jsonl",
        ] {
            fs::File::create(root.path().join(name)).unwrap();
        }
        std::os::unix::fs::symlink(root.path(), folder.join("up")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("around")).unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.join("gone.jsonl")).unwrap();
        let mut summary = TranscriptSummary::default();
        let mut names = |path: &Path| -> Vec<String> {
            let found = find(path, &mut summary).unwrap();
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            found.iter().map(name).collect()
        };
        assert_eq!(
            names(&root.path().join("projects/b")),
            ["2.jsonl", "agent-1.jsonl"]
        );
        assert_eq!(names(&folder.join("agent-1.jsonl")), ["agent-1.jsonl"]);
        let summary_of_root = {
            let mut summary = TranscriptSummary::default();
            let found = find(root.path(), &mut summary).unwrap();
            assert_eq!(found.len(), 3, "{found:?}");
            summary
        };
        let mut unread: Vec<&str> = summary_of_root
            .unreadable_files
            .iter()
            .map(|file| file.error.as_str())
            .collect();
        unread.sort_unstable();
        assert_eq!(unread.len(), 2, "{unread:?}");
        assert!(unread.contains(&"a link out of the folder"), "{unread:?}");
        assert!(matches!(
            find(&root.path().join("none"), &mut summary),
            Err(Error::Missing(_))
        ));
    }
}
