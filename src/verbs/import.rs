//! `plantune import`: the questions asked before plantune was installed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code::CONFIG_DIR;
use plantune_agents::{Installed, OTHERS};
use plantune_ingest::{Import, Progress, claude_code};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::document::Document;
use crate::environment::transcripts_root;
use crate::failure::Failure;
use crate::refresh;
use crate::request::maintenance::ImportRequest;
use crate::session::Session;
use crate::terminal::consent;
use crate::unread::{ReadHistory, Unread};

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
    import_at(&root, None, session)
}

fn import_history(
    agent: &'static dyn Installed,
    path: Option<&PathBuf>,
    session: &Session,
) -> Result<Document, Failure> {
    let default = agent.facts().history_root(&|name| std::env::var_os(name));
    let what = format!("history of {}: HOME is not", agent.title());
    let root = folder(path, default, agent.name(), &what, session)?;
    import_at(&root, Some(agent), session)
}

/// Imports what is new or changed at `root`, of `agent` or of Claude Code.
fn import_at(
    root: &Path,
    agent: Option<&'static dyn Installed>,
    session: &Session,
) -> Result<Document, Failure> {
    let source = agent.map_or("claude-code", |agent| agent.name());
    let unread = Unread::at(root, agent, session).map_err(|error| {
        let hint = format!("name the folder: plantune import {source} PATH");
        refresh::failure(session, &error).hint(hint)
    })?;
    let mut found = match unread.is_empty() && unread.is_of_some() {
        true => Vec::new(),
        false => import_new(&unread, session)?,
    };
    let title = agent.map_or("Claude Code", |agent| agent.title());
    let import = found.pop().map(|read| read.import);
    Ok(Document::text(summary(import, &unread, title)))
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

/// The findings of what was read, if anything was, in a few lines.
fn summary(import: Option<Import>, unread: &Unread, agent: &str) -> String {
    let was_read = import.is_some() || unread.unchanged() == 0;
    let import = import.unwrap_or_default();
    let found = &import.found;
    let mut text = String::new();
    if was_read {
        text = format!(
            "{} in {}, from {} of {}\n",
            counted(found.questions, "question", "questions"),
            counted(found.calls, "call", "calls"),
            found.transcripts,
            counted(found.files, "file", "files")
        );
    }
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
    let unreadable = [unread.unreadable(), &found.unreadable_files].concat();
    lines(
        &mut text,
        &[
            (
                unread.unchanged(),
                "file has not changed since it was read",
                "files have not changed since they were read",
            ),
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
                unreadable.len() as u64,
                "file could not be read",
                "files could not be read",
            ),
        ],
    );
    for file in unreadable.iter().take(NAMED_FILES) {
        let path = clean(&file.path.to_string_lossy());
        text += &format!("          {path}: {}\n", clean(&file.error));
    }
    text += &counted(import.added, "event is new", "events are new");
    if was_read {
        text += &format!(", {}", counted(import.known, "was known", "were known"));
    }
    text += "\n";
    let any = found.questions + found.granted + found.refused + found.undecided;
    if any + unread.unchanged() == 0 {
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

/// Adds what the transcripts hold that are new, and returns what that was.
///
/// # Errors
/// Conflict for a registry that is not understood; when the log or the store cannot be written.
pub(crate) fn import_new(unread: &Unread, session: &Session) -> Result<Vec<ReadHistory>, Failure> {
    let registry = session.registry()?;
    let mut writer = refresh::open(session, session.zone()?)?;
    refresh::announce(session, writer.reason());
    let mut read = || {
        // What was announced is done, also where there is nothing to read.
        if unread.is_empty() {
            writer.ingest(&Progress::of("computing the store"))?;
        }
        unread.read(&mut writer, registry, session)
    };
    read().map_err(|error| refresh::failure(session, &error))
}
