//! What `suggest` proposes for Claude Code's permission rules.

use plantune_query::permissions::propose::{Inputs, Proposals, proposals};
use plantune_query::permissions::tighten::{Tighten, tighten};
use plantune_query::suggest::EVERYWHERE;
use plantune_query::{Error, Store};

use crate::failure::Failure;
use crate::permission_rules::{folder, known};
use crate::workspace::user_files;
use crate::workspace::{Workspace, store};

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// The rules that are proposed.
    pub(crate) proposals: Proposals,
    /// The rules that are there and could be narrower.
    pub(crate) tighten: Vec<Tighten>,
    /// What could not be read, in words.
    pub(crate) notes: Vec<String>,
}

/// The proposals for `project`, or for all of them.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the store cannot be read.
pub(crate) fn find(
    workspace: &Workspace,
    store: &Store,
    project: Option<&str>,
) -> Result<Found, Failure> {
    let failure = |error: Error| store::failure(&workspace.paths, &error);
    let prompts = store.prompt_history().map_err(failure)?;
    let mode = store.usual_mode().map_err(failure)?;
    let known = known::rules(workspace, &prompts);
    let own = workspace.registry()?.own_reaches();
    let inputs = Inputs {
        settings: &user_files::suggest(&workspace.paths)?,
        now: workspace.now.naive_utc(),
        own,
        known: &known.rules,
        mode: mode.as_deref(),
        holds: &|root, folder| folder::holds(root, folder),
    };
    let mut proposals = proposals(&prompts, &inputs);
    let mut tighten = tighten(&prompts, &known.rules, own);
    if let Some(project) = project {
        proposals.proposals.retain(|one| {
            one.project == project
                || one.project == EVERYWHERE && one.projects.iter().any(|of| of == project)
        });
        let is_of_project = |root: &str| {
            let mut of_project = prompts.iter().filter(|one| one.project == project);
            of_project.any(|one| one.root == root)
        };
        tighten.retain(|one| one.root.as_deref().is_none_or(is_of_project));
    }
    Ok(Found {
        proposals,
        tighten,
        notes: known.notes,
    })
}
