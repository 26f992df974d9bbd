//! `plantune import`: the questions asked before plantune was installed.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use plantune_agents::claude_code::CONFIG_DIR;
use plantune_agents::{Installed, OTHERS, names};
use plantune_ingest::{GstackImport, Import, claude_code, gstack, read_history};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::failure::Failure;
use crate::session::environment::transcripts_root;
use crate::session::{Session, refresh};
use crate::terminal::{consent, print};

/// How many unreadable files are named.
const NAMED_FILES: usize = 3;

/// Load questions from before plantune was installed
///
/// Reads an agent's history. Nothing is counted twice, and the history is not changed. gstack's log appears in reports only:
/// it lacks the texts you saw, so it is not evidence.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune import claude-code                     from Claude Code's transcripts
  plantune import gstack                          from gstack's log")]
pub(crate) struct Arguments {
    /// The agent whose history to read, or gstack
    #[arg(value_parser = PossibleValuesParser::new(names().chain([GSTACK])))]
    source: String,
    /// The folder, or a file in it [default: where the agent keeps it]
    path: Option<PathBuf>,
}

/// The other source, beside the histories of agents.
const GSTACK: &str = "gstack";

/// Imports, and says what was found.
///
/// # Errors
/// When the path does not exist, or the store cannot be written.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let path = arguments.path.as_ref();
    let mut others = OTHERS.iter();
    match others.find(|agent| agent.name() == arguments.source) {
        Some(agent) => import_history(*agent, path, session),
        None if arguments.source == GSTACK => import_gstack(path, session),
        None => import_claude_code(path, session),
    }
}

fn import_gstack(path: Option<&PathBuf>, session: &Session) -> Result<(), Failure> {
    let default = gstack::default_root(|name| std::env::var_os(name));
    let root = folder(
        path,
        default,
        "gstack",
        "logs of gstack's: HOME is not",
        session,
    )?;
    let import = refresh::imported(GSTACK, session, |_, _, sink| gstack::read(&root, sink))?;
    print(&summary_of_gstack(&import))
}

fn import_claude_code(path: Option<&PathBuf>, session: &Session) -> Result<(), Failure> {
    let what = format!("transcripts: neither {CONFIG_DIR} nor HOME is");
    let root = folder(path, transcripts_root(), "claude-code", &what, session)?;
    print(&summary(&refresh::import(&root, session)?, "Claude Code"))
}

fn import_history(
    agent: &'static dyn Installed,
    path: Option<&PathBuf>,
    session: &Session,
) -> Result<(), Failure> {
    let default = agent.facts().history_root(&|name| std::env::var_os(name));
    let what = format!("history of {}: HOME is not", agent.title());
    let root = folder(path, default, agent.name(), &what, session)?;
    let registry = session.registry()?;
    let import = refresh::imported(agent.name(), session, |prompts, progress, sink| {
        read_history(agent, &root, registry, prompts, progress, sink)
    })?;
    print(&summary(&import, agent.title()))
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

/// The findings of gstack's log, in a few lines, and how its preferences can be set here.
fn summary_of_gstack(import: &GstackImport) -> String {
    let found = &import.found;
    let questions = found.answered + found.auto_decided + found.unknown;
    let mut text = format!(
        "{} in {}\n",
        counted(questions, "question", "questions"),
        counted(found.logs, "log", "logs")
    );
    lines(
        &mut text,
        &[
            (found.answered, "answered", "answered"),
            (
                found.auto_decided,
                "answered by gstack",
                "answered by gstack",
            ),
            (
                found.unknown,
                "with an unknown answer",
                "with an unknown answer",
            ),
            (
                found.unreadable_lines,
                "line could not be read",
                "lines could not be read",
            ),
        ],
    );
    text += &format!(
        "{}; none of them counts as evidence\n",
        news(import.added, import.known)
    );
    if !found.preferences.is_empty() {
        text += "gstack's preferences, which hold here once you set them:\n";
    }
    for (project, key, preference) in &found.preferences {
        let (project, preference) = (clean(project), clean(preference));
        text += &format!("  {key}: {preference} ({project})\n");
    }
    if let Some((_, key, _)) = found.preferences.first() {
        text += &format!("Set one after you were asked here: plantune prefs set {key} never-ask\n");
    }
    text
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
    text += &format!("{}\n", news(import.added, import.known));
    if found.questions + found.granted + found.refused == 0 {
        text += &format!("No question was found. Is this the folder that {agent} writes to?\n");
    } else if import.added > 0 {
        text += "See them: plantune report --since 2020-01-01\n\
                 See what plantune could answer for you: plantune suggest\n";
    }
    text
}

/// The findings about permission prompts; empty without any.
fn permissions(found: &claude_code::Summary) -> String {
    let prompts = found.granted + found.refused;
    let counts = [
        (found.granted, "allowed by you", "allowed by you"),
        (
            found.refused,
            "refused, or nobody was there",
            "refused, or nobody was there",
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

/// How many events are new, and how many were known.
fn news(added: u64, known: u64) -> String {
    let added = counted(added, "event is new", "events are new");
    format!("{added}, {}", counted(known, "was known", "were known"))
}

/// Adds a line for each count that is not zero, with the words for one and for several.
fn lines(text: &mut String, counts: &[(u64, &str, &str)]) {
    for (count, one, many) in counts.iter().filter(|(count, ..)| *count > 0) {
        let words = if *count == 1 { one } else { many };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:>8}  {words}");
    }
}
