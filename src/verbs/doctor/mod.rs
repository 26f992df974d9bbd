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
mod quarantined_lines;
mod read_again;
mod registration;
mod release;
mod render;
mod roots;
mod spool;
mod store;
mod unknown_files;
mod writable;

use clap::Args;

use check::{Check, Status};
use registration::Settings;
use render::Findings;

use crate::failure::Failure;
use crate::preferences::{binding, files};
use crate::terminal;
use crate::workspace::Workspace;

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

/// Checks everything and writes what was found to standard output.
///
/// # Errors
/// Failed (exit code 1) when a check failed, or standard output cannot be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if arguments.quarantine {
        workspace.check_roots()?;
        return quarantined_lines::run(arguments.json, workspace);
    }
    if arguments.fix {
        fix::run(arguments.yes, workspace)?;
        read_again::run(workspace)?;
    }
    let findings = Findings::from(check_all(workspace, arguments.deep));
    terminal::print_document(&findings, arguments.json, workspace)?;
    if !arguments.json {
        binding::offer(&files::all(workspace), workspace)?;
    }
    let count = |check: &&Check| check.status == Status::Failed;
    match findings.checks.iter().filter(count).count() {
        0 => Ok(()),
        1 => Err(Failure::failed("one check failed")),
        failed => Err(Failure::failed(format!("{failed} checks failed"))),
    }
}

fn check_all(workspace: &Workspace, deep: bool) -> Vec<Check> {
    let settings = registration::read(workspace);
    let (mut checks, working) = hook::check(workspace, &settings);
    checks.extend(registration::check(&settings));
    checks.extend(registration::conflicting_hooks(&settings));
    checks.push(claude_code::check());
    checks.extend(agents::check(workspace));
    checks.extend(roots::moved(&settings));
    match roots::refused(workspace) {
        Some(refused) => checks.push(refused),
        None => checks.extend(check_files(workspace, &settings, deep)),
    }
    checks.extend(working.map(|hook| latency::check(&hook)));
    checks
}

/// Everything in the folders of the data and the configuration.
fn check_files(workspace: &Workspace, settings: &Settings, deep: bool) -> Vec<Check> {
    let mut checks = folders::check(workspace);
    let segments = spool::segments(&workspace.paths.events());
    checks.extend(spool::check(&workspace.paths.events(), &segments));
    checks.extend(unknown_files::check(&workspace.paths.events()));
    let registered = settings.any_registered();
    checks.extend(store::check(workspace, &segments, registered));
    if deep {
        checks.extend(deep::check(workspace));
    }
    checks.extend(configuration::check(workspace));
    checks.extend(preferences::check(workspace));
    checks
}
