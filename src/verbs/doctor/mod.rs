//! `plantune doctor`: whether everything works, and how to fix what does not.
//!
//! Nothing is changed, loaded or migrated by a check; `--fix` repairs the hook's copy and registration first. What has to be tried out is tried in folders of
//! its own. At the end a person at a terminal is offered to bind preferences that say nothing of what they
//! were given for.

mod agents;
mod check;
mod claude_code;
mod configuration;
mod deep;
mod fix;
mod folders;
mod hook;
mod latency;
mod permissions;
mod preferences;
mod quarantine;
mod read_again;
mod registration;
mod release;
mod render;
mod roots;
mod spool;
mod store;
mod writable;

use clap::Args;

use check::{Finding, Findings, Status};
use registration::Settings;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Looks at something and adds what it finds.
type Check = fn(&Seen<'_>, &mut Findings);

/// The checks, in the order in which they are made: of the hook, and of who calls it.
const CHECKS: [Check; 6] = [
    hook::check,
    registration::check,
    registration::conflicting_hooks,
    claude_code::check,
    agents::check,
    roots::check,
];

/// Those of what lies in plantune's folders. They are left where a repository may have brought these.
const IN_FOLDERS: [Check; 5] = [
    folders::check,
    store::check,
    deep::check,
    configuration::check,
    preferences::check,
];

/// What the checks look at.
struct Seen<'a> {
    workspace: &'a Workspace,
    settings: Settings,
    /// True where the store is to be computed again and compared.
    is_deep: bool,
}

/// Check that everything works, and repair what does not
///
/// Looks at the hook, its registration, Claude Code, plantune's files and the store. Changes
/// nothing unasked. Exits with 1 when a check failed.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Write JSON, for scripts
    #[arg(long)]
    json: bool,
    /// Check every event in the store too, and what is computed from them; takes as long as
    /// `plantune ingest --rebuild`
    #[arg(long)]
    deep: bool,
    /// First repair: copy this plantune's hook to where it is registered, have the settings name that place, after
    /// showing the change and asking, and read the log again where lines of it could not become events
    #[arg(long, conflicts_with = "json")]
    fix: bool,
    /// Show the lines of the log that could not become events, in place of checking
    #[arg(long, conflicts_with_all = ["fix", "deep"])]
    quarantine: bool,
    /// Do not ask before repairing
    #[arg(long, requires = "fix")]
    yes: bool,
}

/// How many lines in quarantine a terminal gets.
const LISTED: u32 = 20;

/// Checks everything and writes what was found to standard output.
///
/// # Errors
/// Failed (exit code 1) when a check failed, or standard output cannot be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if arguments.quarantine {
        workspace.check_roots()?;
        let limit = (!arguments.json).then_some(LISTED);
        let found = workspace.ask(|store| store.quarantine(limit))?;
        return terminal::print_document(&found, arguments.json, workspace);
    }
    if arguments.fix {
        fix::run(arguments.yes, workspace)?;
        read_again::run(workspace)?;
    }
    let findings = check_all(workspace, arguments.deep);
    terminal::print_document(&findings, arguments.json, workspace)?;
    let has_failed = |check: &&Finding| check.status == Status::Failed;
    match findings.checks.iter().filter(has_failed).count() {
        0 => Ok(()),
        1 => Err(Failure::failed("one check failed")),
        failed => Err(Failure::failed(format!("{failed} checks failed"))),
    }
}

fn check_all(workspace: &Workspace, is_deep: bool) -> Findings {
    let seen = Seen {
        workspace,
        settings: registration::read(workspace),
        is_deep,
    };
    let in_folders = IN_FOLDERS.into_iter();
    let in_folders = in_folders.filter(|_| workspace.refusal().is_none());
    let mut found = Findings::default();
    for check in CHECKS.into_iter().chain(in_folders) {
        check(&seen, &mut found);
    }
    found
}
