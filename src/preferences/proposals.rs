//! What `suggest` proposes, for every verb that shows or counts it.

use plantune_query::Store;
use plantune_query::suggest::{Inputs, Suggestions, suggestions};

use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::workspace::Workspace;
use crate::workspace::store;

/// The proposals for `project`, or for all of them, and what was rejected and why; for the
/// first `hindsight` what each level would have got right. Nothing is
/// proposed that goes no further than what `in_force` holds.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the
/// store cannot be read.
pub(crate) fn find(
    workspace: &Workspace,
    store: &Store,
    in_force: &InForce<'_>,
    project: Option<&str>,
    hindsight: usize,
) -> Result<Suggestions, Failure> {
    let inputs = Inputs {
        settings: &workspace.config()?.suggest,
        registry: workspace.registry()?,
        in_force: &|project, key| in_force.of(project, key),
        now: workspace.now,
        hindsight,
    };
    suggestions(store, &inputs, project).map_err(|error| store::failure(&workspace.paths, &error))
}
