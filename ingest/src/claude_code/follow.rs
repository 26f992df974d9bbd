//! Reading on in transcripts of sessions that go on: who allowed which call since the last time.

use std::fs::{File, Metadata};
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use plantune_domain::event::Event;
use plantune_domain::registry::Registry;
use plantune_domain::{hash, platform, private_file};
use serde::{Deserialize, Serialize};

use super::Prompts;
use super::emitter::Emitter;
use super::lines::{self, Line, Lines};
use super::look_back::LookBack;
use super::permissions::{Permissions, State};
use super::wire;

/// How much before a mark is compared, in bytes: a transcript that was written again does not go on there.
const TAIL: u64 = 256;

/// How far a transcript was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// In bytes.
    pub offset: u64,
    /// A hash of what stands before; empty at the start.
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
}

/// What was read of some transcripts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowSummary {
    /// How far each of them was read; `None` where it could not be.
    pub marks: Vec<Option<Mark>>,
    /// Decisions that were found: allowed, refused.
    pub granted: u64,
    /// Refused.
    pub refused: u64,
    /// Decisions in a form that is not known, and those whose calls are not there.
    pub unknown_decisions: u64,
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
    // Nobody asked for this to be read, and an agent can write to its transcript.
    let mut emitter = Emitter::new(&registry, prompts, sink).needing_prompts();
    let mut summary = FollowSummary::default();
    for followed in transcripts {
        let Ok((mark, permissions)) = read_on(followed, &mut summary.bytes) else {
            summary.marks.push(None);
            continue;
        };
        for found in &permissions.found {
            emitter.emit_permission(found)?;
        }
        summary.unknown_decisions += permissions.unknown + permissions.lost;
        let state = permissions.into_state();
        summary.marks.push(Some(Mark { state, ..mark }));
    }
    let mut all = super::Summary::default();
    emitter.tally(&mut all);
    (summary.granted, summary.refused) = (all.granted, all.refused);
    Ok(summary)
}

/// Reads the whole lines that were added, and returns how far that is.
fn read_on(followed: &Followed, bytes: &mut u64) -> io::Result<(Mark, Permissions)> {
    let (mut file, _) = open(&followed.path)?;
    let length = followed.length;
    let from = match followed.mark.offset <= length
        && tail(&file, followed.mark.offset)? == followed.mark.tail
    {
        true => followed.mark.clone(),
        false => Mark::default(),
    };
    let session = followed
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let mut permissions = Permissions::new(&session, from.state);
    file.seek(SeekFrom::Start(from.offset))?;
    let mut back = Some(LookBack::of(file.try_clone()?));
    let mut lines = Lines::of(file.try_clone()?, from.offset);
    let mut end = from.offset;
    loop {
        let start = lines.next_start();
        let line = match lines.next()? {
            None => break,
            Some(line) => line,
        };
        if let Line::Whole(line) = line {
            // Not written to its end, or only now.
            if start + line.len() as u64 + 1 > length {
                break;
            }
            take(&mut permissions, line, start, &mut back);
        }
        if lines.end() > length {
            break;
        }
        end = lines.end();
    }
    *bytes += end - from.offset + back.map_or(0, |back| back.bytes);
    let mark = Mark {
        offset: end,
        tail: tail(&file, end)?,
        state: State::default(),
    };
    Ok((mark, permissions))
}

fn take(permissions: &mut Permissions, line: &[u8], start: u64, back: &mut Option<LookBack>) {
    let glance = permissions.glance(line);
    if !glance.concerns {
        return;
    }
    let (values, _) = lines::values(&lines::text(line));
    for value in &values {
        let line = wire::Line(value);
        if line.is_transcript() {
            permissions.take(line, start, back);
        }
    }
    permissions.after(&glance);
}

/// A hash of what stands before `offset`.
fn tail(file: &File, offset: u64) -> io::Result<String> {
    if offset == 0 {
        return Ok(String::new());
    }
    let length = offset.min(TAIL);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    match platform::read_exact_at(file, &mut bytes, offset - length) {
        Ok(()) => Ok(hash::hex(&[&String::from_utf8_lossy(&bytes)])),
        // It is shorter now.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(String::new()),
        Err(error) => Err(error),
    }
}
