//! `plantune fleet forget`.

use clap::Args;

use super::confirm;
use crate::failure::Failure;
use crate::journal::{Journal, publishers};
use crate::lake::tombstones::{self, Tombstone};
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Have what this machine published forgotten
///
/// Reports pass it over at once, and the next compaction removes it. What other machines published of the same
/// projects stays.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What was published of this project; fleet.toml must exclude it, or it would be published again
    #[arg(
        long,
        value_name = "KEY",
        conflicts_with = "everything",
        required_unless_present = "everything"
    )]
    project: Option<String>,
    /// All that was ever published from this data folder; ends your agreement to publish
    #[arg(long)]
    everything: bool,
    /// Do it without being asked
    #[arg(long)]
    yes: bool,
}

/// Puts tombstones into the lake.
///
/// # Errors
/// Refused inside an agent's session, where nobody can be asked, and for a project that would be published again.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let environment = &workspace.environment;
    environment.may_decide(arguments.yes, "plantune fleet forget")?;
    if let Some(project) = &arguments.project
        && !workspace.config.excludes(project)
    {
        let words = format!("{project} would be published again: fleet.toml does not exclude it");
        return Err(Failure::refused(words).hint(format!("add it first: exclude = [{project:?}]")));
    }
    let lake = workspace.lake()?;
    let publishers = publishers(&workspace.folder())?;
    if publishers.is_empty() {
        return print("nothing was published from this data folder\n");
    }
    let what = match &arguments.project {
        Some(project) => format!("what this machine published of {project}"),
        None => "all that this machine published".to_owned(),
    };
    if !arguments.yes && !confirm(&format!("Forget {what}?"))? {
        return print("nothing was changed\n");
    }
    // First, so that a kill leaves nothing that goes on publishing.
    if arguments.everything {
        workspace.disagree()?;
    }
    let project = arguments.project.as_deref();
    for publisher in &publishers {
        let tombstone = Tombstone {
            publisher: publisher.clone(),
            project: project.map(|project| workspace.key.hash("project", project)),
        };
        tombstones::put(&lake, &tombstone)?;
    }
    if arguments.everything
        && let Some(journal) = Journal::find(&workspace.folder())?
    {
        journal.remove(&workspace.folder())?;
    }
    print(&format!(
        "forgotten, by {}: {what}\n  reports pass it over from now on; `plantune fleet compact` removes it\n",
        counted(publishers.len() as u64, "tombstone", "tombstones")
    ))
}
