//! The questions that were asked, as every verb names them.

use plantune_query::questions::{Listed, list};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// The questions of `project`, or of all projects; none of a store that is not there.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn questions(
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<Vec<Listed>, Failure> {
    let registry = workspace.registry()?;
    workspace.ask(|store| list(store, registry, project))
}
