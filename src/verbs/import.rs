//! `plantune import`: the questions asked before plantune was installed.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use plantune_ingest::{Import, ImportError, Progress, claude_code};
use plantune_reports::text::clean;

use crate::failure::Failure;
use crate::terminal::progress::Bar;
use crate::terminal::{consent, print};
use crate::workspace::Workspace;
use crate::workspace::refresh;

/// How many unreadable files are named.
const NAMED_FILES: usize = 3;

/// Load questions from before plantune was installed
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    from: From,
}

#[derive(Subcommand, Debug)]
enum From {
    /// From the transcripts that Claude Code keeps
    ///
    /// Importing again, or over what the hook has logged, adds nothing twice.
    ClaudeCode {
        /// A folder of transcripts, or one [default: $CLAUDE_CONFIG_DIR, else ~/.claude]
        path: Option<PathBuf>,
    },
}

/// Imports, and says what was found.
///
/// # Errors
/// When the path does not exist, or the store cannot be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    consent::may_change_log(workspace, "plantune import claude-code")?;
    let From::ClaudeCode { path } = &arguments.from;
    let root = match path {
        Some(path) => path.clone(),
        None => claude_code::default_root(|name| std::env::var_os(name)).ok_or_else(|| {
            Failure::failed("no transcripts: neither CLAUDE_CONFIG_DIR nor HOME is set")
                .hint("name the folder: plantune import claude-code PATH")
        })?,
    };
    let registry = workspace.registry()?;
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    refresh::announce(workspace, writer.reason());
    let progress = Progress::default();
    let bar = Bar::watch("importing", &progress);
    let import = writer
        .import(&root, registry, workspace.now, &progress)
        .map_err(|error| failure(workspace, &error))?;
    drop(bar);
    print(&summary(&import))
}

fn failure(workspace: &Workspace, error: &ImportError) -> Failure {
    match error {
        ImportError::Sink(error) => refresh::failure(workspace, error),
        ImportError::Missing(_) | ImportError::Root(..) => {
            Failure::failed(error).hint("name the folder: plantune import claude-code PATH")
        }
    }
}

/// What was found, in a few lines.
fn summary(import: &Import) -> String {
    let found = &import.found;
    let mut text = format!(
        "{} questions in {} calls, from {} of {} files\n",
        found.questions, found.calls, found.transcripts, found.files
    );
    let outcomes = [
        (found.answered, "answered by you"),
        (found.auto_decided, "answered by a hook"),
        (found.dismissed, "dismissed"),
        (found.failed, "failed"),
        (found.unanswered, "without a result"),
    ];
    for (count, what) in outcomes.into_iter().filter(|(count, _)| *count > 0) {
        line(&mut text, count, what);
    }
    let left_out = [
        (found.foreign_files, "files of other programs were skipped"),
        (found.unreadable_lines, "lines could not be read"),
        (found.long_lines, "lines were too long to read"),
        (found.undated_calls, "calls without a time were left out"),
        (
            found.unreadable_files.len() as u64,
            "files could not be read",
        ),
    ];
    for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        line(&mut text, count, what);
    }
    for file in found.unreadable_files.iter().take(NAMED_FILES) {
        let path = clean(&file.path.to_string_lossy());
        text += &format!("          {path}: {}\n", clean(&file.error));
    }
    text += &format!(
        "{} events are new, {} were known\n",
        import.added, import.known
    );
    if found.questions == 0 {
        text += "No question was found. Is this the folder that Claude Code writes to?\n";
    } else if import.added > 0 {
        text += "See them: plantune report --since 2020-01-01\n\
                 What need not be asked again: plantune suggest\n";
    }
    text
}

fn line(text: &mut String, count: u64, what: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{count:>8}  {what}");
}
