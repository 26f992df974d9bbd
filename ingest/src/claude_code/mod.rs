//! Questions and answers from before plantune was installed, and who allowed which call: the transcripts of
//! Claude Code.
//!
//! A transcript becomes the events that the hook would have logged for its calls, read by the
//! same functions and under the same ids, so that importing what a hook already logged, or
//! importing twice, changes nothing. What the hook cannot see (refusals, calls that were never
//! asked) is read as well.

mod answered_by_hook;
mod asker;
pub(crate) mod call;
mod decision;
pub(crate) mod emitter;
pub(crate) mod files;
pub(crate) mod lines;
mod look_back;
pub(crate) mod permissions;
pub(crate) mod place;
mod prompts;
mod result_text;
mod summary;
pub(crate) mod transcript;
mod wire;

use std::path::{Path, PathBuf};

use plantune_domain::event::Event;
use plantune_domain::registry::Registry;
use rayon::prelude::*;

use crate::Error;

use emitter::Emitter;
use transcript::Transcript;

pub use emitter::SOURCE;
pub use plantune_agents::claude_code::folder as default_root;
pub use prompts::{Prompt, Prompts};
pub use summary::{Summary, UnreadableFile};

/// What receives events, one by one.
pub type Sink<'s> = &'s mut dyn FnMut(&Event<'_>) -> Result<(), Error>;

/// How many transcripts are read at a time; of each only the calls stay in memory.
const FILES_AT_ONCE: usize = 64;

/// Gives every question of every transcript at `root`, and who allowed its calls, to `sink`, as events of
/// schema 1, and returns what was found.
///
/// `root` is Claude Code's configuration folder (its `projects` are searched then), any other
/// folder, or one file. The order is fixed: files by path, the calls of a file as they were made,
/// for each call first what was asked or decided, then how it ended. Each event is given once, also when
/// several files repeat its call (a resumed session does). Decisions about calls are joined to the `prompts`
/// that they are about. Some transcripts are in memory at a time, and of them only the calls.
///
/// # Errors
/// When there is nothing at `root`, when it cannot be read, and whatever `sink` returns.
pub fn read(
    root: &Path,
    registry: &Registry,
    prompts: Prompts,
    sink: Sink<'_>,
) -> Result<Summary, Error> {
    let mut summary = Summary::default();
    let paths = files::transcripts(root, &mut summary)?;
    let found = read_paths(&paths, registry, prompts, sink)?;
    Ok(Summary {
        unreadable_files: [summary.unreadable_files, found.unreadable_files].concat(),
        ..found
    })
}

/// The transcripts at `root`, sorted by path.
///
/// # Errors
/// When there is nothing at `root`, or it cannot be read.
pub fn transcripts(root: &Path) -> Result<Vec<PathBuf>, Error> {
    files::transcripts(root, &mut Summary::default())
}

/// [`read`] for the transcripts in `paths` alone.
///
/// # Errors
/// Whatever `sink` returns.
pub fn read_paths(
    paths: &[PathBuf],
    registry: &Registry,
    prompts: Prompts,
    sink: Sink<'_>,
) -> Result<Summary, Error> {
    let mut emitter = Emitter::new(registry, prompts, sink);
    for paths in paths.chunks(FILES_AT_ONCE) {
        let read: Vec<Transcript> = paths
            .par_iter()
            .map(|path| Transcript::read(path))
            .collect();
        for transcript in read {
            for call in &transcript.calls {
                emitter.emit(call)?;
            }
            emitter.emit_permissions(&transcript)?;
            emitter.summary.count(transcript.summary);
        }
    }
    Ok(emitter.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_transcripts_lie() {
        let root = |variables: &[(&str, &str)]| {
            default_root(|name| {
                let found = variables.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| value.into())
            })
        };
        assert_eq!(
            root(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")]),
            Some("/c".into())
        );
        assert_eq!(
            root(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "")]),
            Some("/h/.claude".into())
        );
        assert_eq!(root(&[]), None);
    }
}
