//! Reading on in transcripts of sessions that go on: who allowed which call since the last time.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use plantune_agents::Installed;
use plantune_domain::event::Event;
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use serde::{Deserialize, Serialize};

use crate::claude_code::emitter::Emitter;
use crate::claude_code::permissions::State;
use crate::claude_code::transcript::Transcript;
use crate::claude_code::{Prompts, Summary};
use crate::histories::read_decisions;
use crate::spool::hash_before;

/// How far a transcript was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// In bytes.
    pub offset: u64,
    /// [`hash_before`] it: a transcript that was written again does not go on there. Empty where none was read.
    tail: String,
    /// What was left to know there.
    state: State,
}

/// A transcript to read on in.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The transcript.
    pub path: PathBuf,
    /// Where to begin.
    pub mark: Mark,
    /// How long it is taken to be, in bytes: what is written meanwhile is left for the next time.
    pub length: u64,
    /// The agent whose history it is; `None` for Claude Code. Another one's is read from its beginning.
    pub agent: Option<&'static dyn Installed>,
}

/// What was read of some transcripts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowSummary {
    /// How far each of them was read; `None` where it could not be.
    pub marks: Vec<Option<Mark>>,
    /// What was found of decisions.
    pub found: Summary,
    /// Bytes read.
    pub bytes: u64,
}

/// Opens the transcript at `path`, and says what it is. A log named it, which may be wrong: nothing but an
/// ordinary file is read.
///
/// # Errors
/// When there is none, when it is something else, and those of the file system.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let is_named = path.extension().is_some_and(|name| name == "jsonl");
    if !is_named || !path.is_absolute() {
        return Err(io::Error::other("no transcript"));
    }
    let file = private_file::open_ordinary(path)?;
    let found = file.metadata()?;
    Ok((file, found))
}

/// Gives `sink` the events that say how calls were decided, in what was added to `transcripts`, joined to
/// `prompts`. What was allowed without any of these is left out.
///
/// # Errors
/// Whatever `sink` returns. What cannot be read is left out.
pub fn follow<E>(
    transcripts: &[Followed],
    prompts: Prompts,
    sink: &mut dyn FnMut(&Event<'_>) -> Result<(), E>,
) -> Result<FollowSummary, E> {
    let registry = Registry::default();
    let mut emitter = Emitter::new(&registry, prompts, sink);
    // Nobody asked for this to be read, and an agent can write to its transcript.
    emitter.needs_prompt = true;
    let mut marks = Vec::new();
    let mut bytes = 0;
    let of_claude_code = emitter.of;
    for followed in transcripts {
        if let Some(agent) = followed.agent {
            read_decisions(agent, &followed.path, &mut emitter)?;
            emitter.of = of_claude_code;
            marks.push(Some(Mark::default()));
            continue;
        }
        let Ok((mark, transcript)) = read_on(followed) else {
            marks.push(None);
            continue;
        };
        bytes += transcript.bytes;
        emitter.emit_permissions(&transcript)?;
        marks.push(Some(mark));
    }
    Ok(FollowSummary {
        marks,
        found: emitter.finish(),
        bytes,
    })
}

/// Reads the whole lines that were added, and returns how far that is.
fn read_on(followed: &Followed) -> io::Result<(Mark, Transcript)> {
    let (file, _) = open(&followed.path)?;
    let mark = &followed.mark;
    let goes_on = mark.offset <= followed.length && hash_before(&file, mark.offset)? == mark.tail;
    let from = Some(mark.clone()).filter(|_| goes_on).unwrap_or_default();
    let mut transcript = Transcript::new(&followed.path, from.state);
    transcript.read_lines(&file, from.offset, Some(followed.length))?;
    let mark = Mark {
        offset: transcript.end,
        tail: hash_before(&file, transcript.end)?,
        state: transcript.state.clone(),
    };
    Ok((mark, transcript))
}
