//! The questions that were asked, as every verb names them.

use plantune_query::Store;
use plantune_query::questions::{Listed, list};

use crate::failure::Failure;
use crate::workspace::{Workspace, store};

/// The questions of `project`, or of all projects; none of a store that is not there.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn questions(
    store: Option<&Store>,
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<Vec<Listed>, Failure> {
    match store {
        Some(store) => list(store, workspace.registry()?, project)
            .map_err(|error| store::failure(&workspace.paths, &error)),
        None => Ok(Vec::new()),
    }
}
