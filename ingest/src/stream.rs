//! The spool as a stream of batches: pieces are read, decoded and built into rows by the threads
//! that append them, so that one `INSERT` takes a whole transaction and memory stays bounded.
//!
//! Only events that are certainly new go straight into the log. The others' lines are held back
//! until the store was asked about their ids.

use std::collections::HashSet;
use std::error;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ahash::RandomState;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;

use crate::decode::Decoded;
use crate::dimensions::{Dimensions, References, answer_name};
use crate::error::Error;
use crate::feed::Source;
use crate::log;
use crate::piece::{BadLine, Line, decode_piece};
use crate::progress::Progress;
use crate::seen::Seen;
use crate::segment::Piece;
use crate::told::{Saying, Told};
use crate::work::Work;

/// How much may be held back before the store is asked, in bytes.
const HELD_BYTES: usize = 48 * 1024 * 1024;

/// A line whose event may be in the log already.
pub(crate) struct Doubtful {
    pub(crate) id: [u8; 16],
    segment: usize,
    line: Vec<u8>,
}

/// What a stream found since it was last asked.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) bytes: u64,
    /// Events decoded, those held back among them.
    pub(crate) decoded: u64,
    /// Events given out.
    pub(crate) given: u64,
    /// With the indexes of their segments.
    pub(crate) bad_lines: Vec<(usize, BadLine)>,
    pub(crate) doubtful: Vec<Doubtful>,
}

/// What a transaction leaves to be done behind the log.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) told: Told,
    /// Questions that the store may have.
    pub(crate) doubtful: HashSet<u128, RandomState>,
    /// The ids of the events given out.
    pub(crate) ids: Vec<u128>,
}

/// The spool from where the store's checkpoints are, shared by the threads that read it.
pub(crate) struct Stream {
    state: Mutex<State>,
    progress: Progress,
}

pub(crate) struct State {
    pub(crate) work: Work,
    /// How many bytes may still be taken.
    left: u64,
    /// Pieces of lines that were held back and are new.
    cleared: Vec<(usize, Piece)>,
    ready: Vec<RecordBatch>,
    /// What this run has brought; `None` when the store held events before.
    seen: Option<Seen>,
    held_bytes: usize,
    found: Found,
    pub(crate) dimensions: Dimensions,
    /// Hashes the names of answers.
    pub(crate) names: RandomState,
    gathered: Gathered,
}

impl Stream {
    pub(crate) fn new(
        work: Work,
        seen: Option<Seen>,
        dimensions: Dimensions,
        progress: Progress,
    ) -> Self {
        let state = State {
            work,
            left: 0,
            cleared: Vec::new(),
            ready: Vec::new(),
            seen,
            held_bytes: 0,
            found: Found::default(),
            dimensions,
            names: RandomState::new(),
            gathered: Gathered::default(),
        };
        Self {
            state: Mutex::new(state),
            progress,
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a piece's events rows, or holds them back.
    fn take_in(&self, segment: usize, piece: &Piece, cleared: bool) -> Result<(), ArrowError> {
        let (mut lines, bad_lines) = decode_piece(piece);
        let decoded = lines.len();
        if !cleared {
            let doubtful = self.lock().doubtful(segment, &mut lines);
            if !doubtful.is_empty() {
                self.lock().hold(doubtful);
            }
        }
        let described: Vec<_> = lines
            .iter()
            .map(|(event, _)| (answer_name(event), saying(event).question()))
            .collect();
        let mut references = Vec::with_capacity(lines.len());
        {
            let state = &mut *self.lock();
            for ((event, _), (name, question)) in lines.iter().zip(&described) {
                references.push(state.take_event(event, name.as_deref(), *question)?);
            }
        }
        let mut columns = log::columns();
        for ((event, _), references) in lines.iter().zip(references) {
            columns.push(log::row(event, references))?;
        }
        let batches = columns.finish()?;
        let mut state = self.lock();
        state.ready.extend(batches);
        state.work.add_events(segment, lines.len() as u64);
        state.found.given += lines.len() as u64;
        if !cleared {
            state.found.decoded += decoded as u64;
        }
        for line in bad_lines {
            state.held_bytes += line.bytes.len();
            state.found.bad_lines.push((segment, line));
        }
        Ok(())
    }

    fn next_piece(&self) -> Result<Step, Error> {
        let mut state = self.lock();
        if let Some(batch) = state.ready.pop() {
            return Ok(Step::Give(batch));
        }
        if let Some((segment, piece)) = state.cleared.pop() {
            return Ok(Step::TakeIn(segment, piece, true));
        }
        if state.left == 0 || state.held_bytes >= HELD_BYTES {
            return Ok(Step::End);
        }
        let Some((segment, piece, bytes)) = state.work.next()? else {
            return Ok(Step::End);
        };
        state.left = state.left.saturating_sub(bytes);
        state.found.bytes += bytes;
        self.progress.add(bytes);
        Ok(Step::TakeIn(segment, piece, false))
    }
}

enum Step {
    Give(RecordBatch),
    /// A piece of a segment, and whether its events are known to be new.
    TakeIn(usize, Piece, bool),
    End,
}

impl Source for Stream {
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn error::Error>> {
        loop {
            match self.next_piece()? {
                Step::Give(batch) => return Ok(Some(batch)),
                Step::TakeIn(segment, piece, cleared) => self.take_in(segment, &piece, cleared)?,
                Step::End => return Ok(None),
            }
        }
    }

    fn rows(&self) -> Option<u64> {
        None
    }
}

impl State {
    /// Lets the stream give `bytes` out, rounded up to a piece.
    pub(crate) fn allow(&mut self, bytes: u64) {
        self.left = bytes;
    }

    /// True when the run may meet events that the store held before it.
    pub(crate) fn all_are_doubtful(&self) -> bool {
        self.seen.is_none()
    }

    /// What was found since this was last called.
    pub(crate) fn take_found(&mut self) -> Found {
        self.held_bytes = 0;
        take(&mut self.found)
    }

    /// What the events since this was last called leave to be done.
    pub(crate) fn take_gathered(&mut self) -> Gathered {
        take(&mut self.gathered)
    }

    /// Which of `ids` this transaction has given out: their rows are in the log, and they are not yet
    /// in the store's list of ids.
    pub(crate) fn given_of(&self, ids: &HashSet<[u8; 16]>) -> HashSet<[u8; 16]> {
        let given = self.gathered.ids.iter().map(|id| id.to_be_bytes());
        given.filter(|id| ids.contains(id)).collect()
    }

    /// Takes in an event that is new.
    fn take_event(
        &mut self,
        event: &Decoded<'_>,
        name: Option<&str>,
        question: Option<u128>,
    ) -> Result<References, ArrowError> {
        let references = self.dimensions.find(event, name)?;
        let gathered = &mut self.gathered;
        gathered.ids.push(u128::from_be_bytes(event.id));
        if let Some(question) = question
            && !gathered.told.questions.contains(question)
            && self.seen.as_mut().is_none_or(|seen| seen.insert(question))
        {
            gathered.doubtful.insert(question);
        }
        let saying = Saying {
            context: references.context,
            wording: references.wording,
            detail: references.detail,
            answer_name: name,
            ..saying(event)
        };
        gathered.told.add(&saying, question, &self.names);
        Ok(references)
    }

    /// Lets lines that were held back go, those of `known` ids and repetitions apart; returns how
    /// many go.
    pub(crate) fn clear(&mut self, doubtful: Vec<Doubtful>, known: &HashSet<[u8; 16]>) -> u64 {
        let mut here = HashSet::new();
        let mut count = 0;
        for doubtful in doubtful {
            if known.contains(&doubtful.id) || !here.insert(doubtful.id) {
                continue;
            }
            count += 1;
            let piece = match self.cleared.last_mut() {
                Some((segment, piece))
                    if *segment == doubtful.segment
                        && piece.bytes.len() < crate::segment::PIECE_BYTES =>
                {
                    piece
                }
                _ => {
                    let piece = Piece {
                        // Not the start of a segment; no line of these is bad.
                        offset: 1,
                        bytes: Vec::new(),
                        long_line: None,
                    };
                    self.cleared.push((doubtful.segment, piece));
                    let Some((_, piece)) = self.cleared.last_mut() else {
                        continue;
                    };
                    piece
                }
            };
            piece.bytes.extend(doubtful.line);
            piece.bytes.push(b'\n');
        }
        count
    }

    /// Takes out of `lines` those whose ids may be known.
    fn doubtful(&mut self, segment: usize, lines: &mut Vec<Line<'_>>) -> Vec<Doubtful> {
        let mut doubtful = Vec::new();
        lines.retain(|(event, line)| {
            let is_new = self
                .seen
                .as_mut()
                .is_some_and(|seen| !seen.insert(u128::from_be_bytes(event.id)));
            if !is_new {
                doubtful.push(Doubtful {
                    id: event.id,
                    segment,
                    line: line.to_vec(),
                });
            }
            is_new
        });
        doubtful
    }

    fn hold(&mut self, doubtful: Vec<Doubtful>) {
        self.held_bytes += doubtful
            .iter()
            .map(|doubtful| doubtful.line.len() + size_of::<Doubtful>())
            .sum::<usize>();
        self.found.doubtful.extend(doubtful);
    }
}

/// What an event says, short of what it refers to.
fn saying<'e>(decoded: &'e Decoded<'_>) -> Saying<'e> {
    let event = &decoded.event;
    Saying {
        kind: &event.kind,
        micros: decoded.micros,
        context: 0,
        wording: 0,
        detail: 0,
        session_id: &event.session_id,
        session_kind: &event.session_kind,
        project: &event.project,
        tool_use_id: event.tool_use_id.as_deref(),
        question_index: event.question_index,
        question_count: event.question_count,
        question_key: event.question_key.as_deref(),
        is_one_way: event.door.as_deref() == Some("one-way"),
        was_auto_decided: event.was_auto_decided,
        followed: event.followed_recommendation.flatten(),
        answer_name: None,
    }
}
