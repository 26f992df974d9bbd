//! The spool as a stream of batches: pieces are read, decoded and built into rows by the threads
//! that append them, so that one `INSERT` takes a whole transaction and memory stays bounded.
//!
//! Only events that are certainly new go straight into the log. The others' lines are held back
//! until the store was asked about their ids.

use std::collections::HashSet;
use std::error;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use duckdb::arrow::array::{BooleanArray, RecordBatch};
use duckdb::arrow::compute::{filter_record_batch, not};
use duckdb::arrow::error::ArrowError;

use crate::batch;
use crate::error::Error;
use crate::feed::Source;
use crate::part::{Mark, Marker, Named, Parts, parts};
use crate::piece::{BadLine, Line, decode_piece};
use crate::progress::Progress;
use crate::seen::Seen;
use crate::segment::Piece;
use crate::session::Sessions;
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

/// What a transaction's events say beyond themselves.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) sessions: Sessions,
    parts: Parts,
    /// Questions with more than one part, or perhaps with one in the store.
    repeated: HashSet<u128>,
}

/// The spool from where the store's checkpoints are, shared by the threads that read it.
pub(crate) struct Stream {
    state: Mutex<State>,
    marker: Marker,
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
    told: Told,
}

impl Stream {
    pub(crate) fn new(work: Work, seen: Option<Seen>, progress: Progress) -> Self {
        let state = State {
            work,
            left: 0,
            cleared: Vec::new(),
            ready: Vec::new(),
            seen,
            held_bytes: 0,
            found: Found::default(),
            told: Told::default(),
        };
        Self {
            state: Mutex::new(state),
            marker: Marker::default(),
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
        let names: Vec<Option<String>> = lines
            .iter()
            .map(|(event, _)| batch::answer_name(event))
            .collect();
        let named = || -> Box<dyn Iterator<Item = Named<'_, '_>>> {
            let names = names.iter().map(Option::as_deref);
            Box::new(lines.iter().map(|(event, _)| event).zip(names))
        };
        let mut columns = batch::columns();
        for (event, name) in named() {
            columns.push(batch::row(event, name))?;
        }
        let batches = columns.finish()?;
        let parts = parts(named(), &self.marker)?;
        let mut state = self.lock();
        state.ready.extend(batches);
        state.keep(parts);
        for (event, _) in &lines {
            state.told.sessions.add(event);
        }
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

    /// What the events since this was last called say beyond themselves.
    pub(crate) fn take_told(&mut self) -> Told {
        take(&mut self.told)
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
                .is_some_and(|seen| !seen.insert(event.id));
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

    fn keep(&mut self, parts: Parts) {
        for Mark { question, .. } in parts.iter().flat_map(|(_, marks)| marks) {
            let may_be_known = self
                .seen
                .as_mut()
                .is_none_or(|seen| seen.insert(question.to_be_bytes()));
            if may_be_known {
                self.told.repeated.insert(*question);
            }
        }
        self.told.parts.extend(parts);
    }
}

impl Told {
    /// The parts that are whole questions which the store does not have and which have ended, and
    /// all others.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn split_parts(
        &mut self,
    ) -> Result<(Vec<RecordBatch>, Vec<RecordBatch>), ArrowError> {
        let (mut whole, mut others) = (Vec::new(), Vec::new());
        for (batch, marks) in take(&mut self.parts) {
            let is_whole: BooleanArray = marks
                .iter()
                .map(|mark| Some(mark.is_ended && !self.repeated.contains(&mark.question)))
                .collect();
            match is_whole.true_count() {
                0 => others.push(batch),
                count if count == batch.num_rows() => whole.push(batch),
                _ => {
                    whole.push(filter_record_batch(&batch, &is_whole)?);
                    others.push(filter_record_batch(&batch, &not(&is_whole)?)?);
                }
            }
        }
        Ok((whole, others))
    }
}
