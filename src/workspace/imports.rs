//! Imports of what agents keep: all of it, or the transcripts that are new.

use std::path::Path;

use plantune_ingest::claude_code::{self, Prompts, Sink};
use plantune_ingest::{Error, Import, Progress};

use crate::failure::Failure;
use crate::terminal::progress::Bar;
use crate::workspace::transcripts::{Unread, write_record};
use crate::workspace::{Workspace, refresh};

/// Adds what the transcripts hold that are new, and returns what that was.
///
/// # Errors
/// Conflict for a registry that is not understood; when the log or the store cannot be written.
pub(crate) fn import_new(unread: &Unread, workspace: &Workspace) -> Result<Import, Failure> {
    let registry = workspace.registry()?;
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    refresh::announce(workspace, writer.reason());
    let import = unread.read(&mut writer, registry, workspace);
    import.map_err(|error| refresh::failure(workspace, &error))
}

/// Adds what the transcripts at `root` hold and the log does not, and returns what was found.
///
/// # Errors
/// When there is nothing at `root`, or the log or the store cannot be written.
pub(crate) fn import(root: &Path, workspace: &Workspace) -> Result<Import, Failure> {
    let registry = workspace.registry()?;
    let is_default = workspace.transcripts.as_deref() == Some(root);
    let unread = match is_default {
        true => Unread::find(workspace),
        false => Unread::default(),
    };
    let import = imported("claude-code", workspace, |prompts, sink| {
        claude_code::read(root, registry, prompts, sink)
    })?;
    if is_default {
        write_record(&workspace.paths, &unread.known);
    }
    Ok(import)
}

/// What `read` adds of `source`, behind a bar that shows how far it is.
///
/// # Errors
/// Those of [`import`].
pub(crate) fn imported<F>(
    source: &str,
    workspace: &Workspace,
    read: impl FnOnce(Prompts, Sink<'_>) -> Result<F, Error>,
) -> Result<Import<F>, Failure> {
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    refresh::announce(workspace, writer.reason());
    let progress = Progress::default();
    let bar = Bar::watch("importing", &progress);
    let found = writer.import(source, workspace.now, &progress, read);
    drop(bar);
    found.map_err(|error| {
        let failure = refresh::failure(workspace, &error);
        match error {
            Error::Missing(_) | Error::Root(..) => {
                failure.hint(format!("name the folder: plantune import {source} PATH"))
            }
            _ => failure,
        }
    })
}
