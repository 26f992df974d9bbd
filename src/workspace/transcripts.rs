//! Importing the transcripts that agents keep.

use std::path::{Path, PathBuf};

use plantune_agents::Installed;
use plantune_ingest::{Import, ImportError, Progress, claude_code};

use crate::failure::Failure;
use crate::terminal::progress::Bar;
use crate::workspace::{Workspace, refresh};

/// Where Claude Code keeps them: `CLAUDE_CONFIG_DIR`, else `~/.claude`; `None` where neither is known.
pub(crate) fn default_root() -> Option<PathBuf> {
    claude_code::default_root(|name| std::env::var_os(name))
}

/// Adds what the transcripts at `root` hold and the log does not, and returns what was found.
///
/// # Errors
/// When there is nothing at `root`, or the log or the store cannot be written.
pub(crate) fn import(root: &Path, workspace: &Workspace) -> Result<Import, Failure> {
    let registry = workspace.registry()?;
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    refresh::announce(workspace, writer.reason());
    let progress = Progress::default();
    let bar = Bar::watch("importing", &progress);
    let import = writer.import(root, registry, workspace.now, &progress);
    drop(bar);
    import.map_err(|error| failure(workspace, &error, "claude-code"))
}

/// Adds what the history of `agent` at `root` holds and the log does not, and returns what was found.
///
/// # Errors
/// Those of [`import`].
pub(crate) fn import_history(
    agent: &'static dyn Installed,
    root: &Path,
    workspace: &Workspace,
) -> Result<Import, Failure> {
    let registry = workspace.registry()?;
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    refresh::announce(workspace, writer.reason());
    let progress = Progress::default();
    let bar = Bar::watch("importing", &progress);
    let import = writer.import_history(agent, root, registry, workspace.now, &progress);
    drop(bar);
    import.map_err(|error| failure(workspace, &error, agent.name()))
}

/// Why an import of `source` failed.
pub(crate) fn failure(workspace: &Workspace, error: &ImportError, source: &str) -> Failure {
    match error {
        ImportError::Sink(error) => refresh::failure(workspace, error),
        ImportError::Missing(_) | ImportError::Root(..) => {
            Failure::failed(error).hint(format!("name the folder: plantune import {source} PATH"))
        }
    }
}
