//! `plantune import`: the questions asked before plantune was installed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code::CONFIG_DIR;
use plantune_agents::{Installed, OTHERS};
use plantune_ingest::claude_code::{Prompts, Sink};
use plantune_ingest::{Error, Import, Progress, claude_code, read_history};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::document::Document;
use crate::environment::transcripts_root;
use crate::failure::Failure;
use crate::refresh;
use crate::refresh::{ReadHistory, Unread};
use crate::request::maintenance::ImportRequest;
use crate::session::Session;
use crate::terminal::{Bar, consent};

/// How many unreadable files are named.
const NAMED_FILES: usize = 3;

/// Imports, and says what was found.
///
/// # Errors
/// When the path does not exist, or the store cannot be written.
pub(crate) fn run(request: &ImportRequest, session: &Session) -> Result<Document, Failure> {
    let path = request.path.as_ref();
    let mut others = OTHERS.iter();
    match others.find(|agent| agent.name() == request.source) {
        Some(agent) => import_history(*agent, path, session),
        None => import_claude_code(path, session),
    }
}

fn import_claude_code(path: Option<&PathBuf>, session: &Session) -> Result<Document, Failure> {
    let what = format!("transcripts: neither {CONFIG_DIR} nor HOME is");
    let root = folder(path, transcripts_root(), "claude-code", &what, session)?;
    let import = import_transcripts(&root, session)?;
    Ok(Document::text(summary(&import, "Claude Code")))
}

fn import_history(
    agent: &'static dyn Installed,
    path: Option<&PathBuf>,
    session: &Session,
) -> Result<Document, Failure> {
    let default = agent.facts().history_root(&|name| std::env::var_os(name));
    let what = format!("history of {}: HOME is not", agent.title());
    let root = folder(path, default, agent.name(), &what, session)?;
    let registry = session.registry()?;
    let import = imported(agent.name(), session, |prompts, progress, sink| {
        read_history(agent, &root, registry, prompts, progress, sink)
    })?;
    Ok(Document::text(summary(&import, agent.title())))
}

/// The folder to import: `path`, else `default`; without one there is no `what`.
fn folder(
    path: Option<&PathBuf>,
    default: Option<PathBuf>,
    source: &str,
    what: &str,
    session: &Session,
) -> Result<PathBuf, Failure> {
    let command = format!("plantune import {source}");
    consent::may_change_log(session, &command)?;
    path.cloned().or(default).ok_or_else(|| {
        Failure::failed(format!("no {what} set")).hint(format!("name the folder: {command} PATH"))
    })
}

/// The findings, in a few lines.
fn summary(import: &Import, agent: &str) -> String {
    let found = &import.found;
    let mut text = format!(
        "{} in {}, from {} of {}\n",
        counted(found.questions, "question", "questions"),
        counted(found.calls, "call", "calls"),
        found.transcripts,
        counted(found.files, "file", "files")
    );
    lines(
        &mut text,
        &[
            (found.answered, "answered by you", "answered by you"),
            (
                found.auto_decided,
                "answered by a hook",
                "answered by a hook",
            ),
            (found.dismissed, "dismissed", "dismissed"),
            (found.failed, "failed", "failed"),
            (found.unanswered, "without a result", "without a result"),
        ],
    );
    text += &permissions(found);
    lines(
        &mut text,
        &[
            (
                found.foreign_files,
                "file of another program was skipped",
                "files of other programs were skipped",
            ),
            (
                found.unreadable_lines,
                "line could not be read",
                "lines could not be read",
            ),
            (
                found.long_lines,
                "line was too long to read",
                "lines were too long to read",
            ),
            (
                found.undated_calls,
                "call without a time was left out",
                "calls without a time were left out",
            ),
            (
                found.unknown_decisions,
                "decision in an unknown form",
                "decisions in an unknown form",
            ),
            (
                found.lost_decisions,
                "decision about an unknown call",
                "decisions about unknown calls",
            ),
            (
                found.unreadable_files.len() as u64,
                "file could not be read",
                "files could not be read",
            ),
        ],
    );
    for file in found.unreadable_files.iter().take(NAMED_FILES) {
        let path = clean(&file.path.to_string_lossy());
        text += &format!("          {path}: {}\n", clean(&file.error));
    }
    text += &format!(
        "{}, {}\n",
        counted(import.added, "event is new", "events are new"),
        counted(import.known, "was known", "were known")
    );
    if found.questions + found.granted + found.refused + found.undecided == 0 {
        text += &format!("No question was found. Is this the folder that {agent} writes to?\n");
    } else if import.added > 0 {
        text += "See them: plantune report --since 2020-01-01\n\
                 See what plantune could answer for you: plantune suggest\n";
    }
    text
}

/// The findings about permission prompts; empty without any.
fn permissions(found: &claude_code::TranscriptSummary) -> String {
    let prompts = found.granted + found.refused + found.undecided;
    let counts = [
        (found.granted, "allowed by you", "allowed by you"),
        (found.refused, "refused by you", "refused by you"),
        (
            found.undecided,
            "that nobody decided",
            "that nobody decided",
        ),
        (
            found.denied,
            "call denied without asking",
            "calls denied without asking",
        ),
        (
            found.unasked,
            "call that ran without asking",
            "calls that ran without asking",
        ),
    ];
    if counts.iter().all(|(count, ..)| *count == 0) {
        return String::new();
    }
    let mut text = format!(
        "{}, {} of them logged by the hook\n",
        counted(prompts, "permission prompt", "permission prompts"),
        found.joined
    );
    lines(&mut text, &counts);
    text
}

/// Adds a line for each count that is not zero, with the words for one and for several.
fn lines(text: &mut String, counts: &[(u64, &str, &str)]) {
    for (count, one, many) in counts.iter().filter(|(count, ..)| *count > 0) {
        let words = if *count == 1 { one } else { many };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:>8}  {words}");
    }
}

// Imports of what agents keep: all of it, or the transcripts that are new.

/// Adds what the transcripts hold that are new, and returns what that was.
///
/// # Errors
/// Conflict for a registry that is not understood; when the log or the store cannot be written.
pub(crate) fn import_new(unread: &Unread, session: &Session) -> Result<Vec<ReadHistory>, Failure> {
    let registry = session.registry()?;
    let mut writer = refresh::open(session, session.zone()?)?;
    refresh::announce(session, writer.reason());
    let import = unread.read(&mut writer, registry, session);
    import.map_err(|error| refresh::failure(session, &error))
}

/// Adds what the transcripts at `root` hold and the log does not, and returns what was found.
///
/// # Errors
/// When there is nothing at `root`, or the log or the store cannot be written.
fn import_transcripts(root: &Path, session: &Session) -> Result<Import, Failure> {
    let registry = session.registry()?;
    let is_default = session.transcripts.as_deref() == Some(root);
    let unread = match is_default {
        true => Unread::find(session),
        false => Unread::default(),
    };
    let import = imported("claude-code", session, |prompts, progress, sink| {
        claude_code::read(root, registry, prompts, progress, sink)
    })?;
    if is_default {
        refresh::write_record(&session.paths, &unread.known);
    }
    Ok(import)
}

/// The events that `read` adds from `source`, with a progress bar.
///
/// # Errors
/// The errors of [`import`].
fn imported(
    source: &str,
    session: &Session,
    read: impl FnOnce(Prompts, &Progress, Sink<'_>) -> Result<claude_code::TranscriptSummary, Error>,
) -> Result<Import, Failure> {
    let mut writer = refresh::open(session, session.zone()?)?;
    refresh::announce(session, writer.reason());
    let progress = Progress::of("importing");
    let bar = Bar::watch(&progress);
    let found = writer.import(source, session.now, &progress, |prompts, sink| {
        read(prompts, &progress, sink)
    });
    drop(bar);
    found.map_err(|error| {
        let failure = refresh::failure(session, &error);
        match error {
            Error::Missing(_) | Error::Root(..) => {
                failure.hint(format!("name the folder: plantune import {source} PATH"))
            }
            _ => failure,
        }
    })
}
