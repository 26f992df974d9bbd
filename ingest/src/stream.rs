//! The spool as a stream of batches: pieces are read, decoded and built into rows by the threads
//! that append them, so that one `INSERT` takes a whole transaction and memory stays bounded.
//!
//! Only events that are certainly new go straight into the log. The others' lines are held back
//! until the store was asked about their ids. Pieces are decoded side by side and taken in one after
//! the other, in the order of the spool, so that of two tellings of an event the first one counts.
//! While the store works on one transaction, another thread reads ahead for the next.

use std::collections::HashSet;
use std::error;
use std::mem::take;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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

/// How much is read ahead, in bytes: about what the other core decodes while the store takes in what
/// a transaction leaves to be done.
const AHEAD_BYTES: u64 = 192 * 1024 * 1024;

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

/// What the thread that reads ahead does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Waits,
    Reads,
    /// It is to wait, and has a piece in hand.
    Stops,
    /// It is to end.
    Ends,
}

/// The spool from where the store's checkpoints are, shared by the threads that read it.
pub(crate) struct Stream {
    state: Mutex<State>,
    /// Something that a thread may wait for has changed.
    changed: Condvar,
    /// Hashes the names of answers.
    names: RandomState,
    progress: Progress,
}

pub(crate) struct State {
    pub(crate) work: Work,
    /// How many bytes may still be taken.
    left: u64,
    /// How many pieces were taken out of the spool, and how many of them were taken in.
    taken: u64,
    taken_in: u64,
    ahead: Ahead,
    failed: Option<Error>,
    /// Pieces of lines that were held back and are new.
    cleared: Vec<(usize, Piece)>,
    ready: Vec<RecordBatch>,
    /// What this run has brought; `None` when the store held events before.
    seen: Option<Seen>,
    held_bytes: usize,
    found: Found,
    pub(crate) dimensions: Dimensions,
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
            taken: 0,
            taken_in: 0,
            ahead: Ahead::Waits,
            failed: None,
            cleared: Vec::new(),
            ready: Vec::new(),
            seen,
            held_bytes: 0,
            found: Found::default(),
            dimensions,
            gathered: Gathered::default(),
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            names: RandomState::new(),
            progress,
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hashes the names of answers, in this run.
    pub(crate) fn names(&self) -> &RandomState {
        &self.names
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a piece's events rows, or holds them back.
    fn take_in(&self, taken: &Taken) -> Result<(), ArrowError> {
        let turn = Turn {
            stream: self,
            number: taken.number,
        };
        let (mut lines, bad_lines) = decode_piece(&taken.piece);
        let decoded = lines.len() as u64;
        let questions: Vec<_> = lines
            .iter()
            .map(|(event, _)| saying(event).question())
            .collect();
        let mut state = turn.wait();
        let mut questions = questions.into_iter();
        if !taken.is_cleared {
            state.found.decoded += decoded;
            questions = state
                .hold_doubtful(taken.segment, &mut lines, questions)
                .into_iter();
        }
        let mut references = Vec::with_capacity(lines.len());
        for ((event, _), question) in lines.iter().zip(questions) {
            references.push(state.take_event(event, question, &self.names)?);
        }
        state.work.add_events(taken.segment, lines.len() as u64);
        state.found.given += lines.len() as u64;
        for line in bad_lines {
            state.held_bytes += line.bytes.len();
            state.found.bad_lines.push((taken.segment, line));
        }
        drop(state);
        drop(turn);
        let mut columns = log::columns();
        for ((event, _), references) in lines.iter().zip(references) {
            columns.push(log::row(event, references))?;
        }
        let batches = columns.finish()?;
        self.lock().ready.extend(batches);
        Ok(())
    }

    /// Reads ahead whenever [`Stream::read_ahead`] lets it, until [`Stream::end`].
    pub(crate) fn run_ahead(&self) {
        let _end = EndOnDrop(self);
        let mut state = self.lock();
        loop {
            match state.ahead {
                Ahead::Ends => return,
                Ahead::Waits => state = self.wait(state),
                Ahead::Stops => {
                    state.ahead = Ahead::Waits;
                    self.changed.notify_all();
                }
                Ahead::Reads => match state.take_piece(&self.progress) {
                    Ok(Some(taken)) => {
                        drop(state);
                        let done = self.take_in(&taken);
                        state = self.lock();
                        if let Err(error) = done {
                            state.failed = Some(error.into());
                        }
                    }
                    Ok(None) => state = self.wait(state),
                    Err(error) => {
                        state.failed = Some(error);
                        state = self.wait(state);
                    }
                },
            }
        }
    }

    /// Lets pieces be read ahead, which belong to the next transaction.
    pub(crate) fn read_ahead(&self) {
        let mut state = self.lock();
        state.left = AHEAD_BYTES;
        state.ahead = Ahead::Reads;
        self.changed.notify_all();
    }

    /// Ends reading ahead; when this returns, nobody does.
    pub(crate) fn stop_ahead(&self) {
        let mut state = self.lock();
        if state.ahead == Ahead::Reads {
            state.ahead = Ahead::Stops;
            self.changed.notify_all();
        }
        while state.ahead == Ahead::Stops {
            state = self.wait(state);
        }
        state.left = 0;
    }

    /// Lets the thread that reads ahead end.
    pub(crate) fn end(&self) {
        self.lock().ahead = Ahead::Ends;
        self.changed.notify_all();
    }

    fn next_piece(&self) -> Result<Step, Error> {
        let mut state = self.lock();
        if let Some(batch) = state.ready.pop() {
            return Ok(Step::Give(batch));
        }
        let taken = state.take_piece(&self.progress)?;
        Ok(taken.map_or(Step::End, Step::TakeIn))
    }
}

/// Lets a stream's thread end, and nobody wait for it, however its owner ends.
pub(crate) struct EndOnDrop<'s>(pub(crate) &'s Stream);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A piece of a segment.
struct Taken {
    /// Of how many pieces it is which.
    number: u64,
    segment: usize,
    piece: Piece,
    /// True when its events are known to be new.
    is_cleared: bool,
}

/// The right to take in a piece once those before it were; whatever happens, it passes on.
struct Turn<'s> {
    stream: &'s Stream,
    number: u64,
}

impl<'s> Turn<'s> {
    fn wait(&self) -> MutexGuard<'s, State> {
        let mut state = self.stream.lock();
        while state.taken_in < self.number {
            state = self.stream.wait(state);
        }
        state
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.wait().taken_in = self.number + 1;
        self.stream.changed.notify_all();
    }
}

enum Step {
    Give(RecordBatch),
    TakeIn(Taken),
    End,
}

impl Source for Stream {
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn error::Error>> {
        loop {
            match self.next_piece()? {
                Step::Give(batch) => return Ok(Some(batch)),
                Step::TakeIn(taken) => self.take_in(&taken)?,
                Step::End => return Ok(None),
            }
        }
    }

    fn rows(&self) -> Option<u64> {
        None
    }
}

impl State {
    /// The next piece, if one may be taken.
    fn take_piece(&mut self, progress: &Progress) -> Result<Option<Taken>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let (segment, piece, is_cleared) = match self.cleared.pop() {
            Some((segment, piece)) => (segment, piece, true),
            None if self.left == 0 || self.held_bytes >= HELD_BYTES => return Ok(None),
            None => {
                let Some((segment, piece, bytes)) = self.work.next()? else {
                    return Ok(None);
                };
                self.left = self.left.saturating_sub(bytes);
                self.found.bytes += bytes;
                progress.add(bytes);
                (segment, piece, false)
            }
        };
        let number = self.taken;
        self.taken += 1;
        Ok(Some(Taken {
            number,
            segment,
            piece,
            is_cleared,
        }))
    }

    /// Lets the stream give `bytes` out, rounded up to a piece; what was read ahead is among them.
    pub(crate) fn allow(&mut self, bytes: u64) {
        self.left = bytes.saturating_sub(self.found.bytes);
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
        question: Option<u128>,
        names: &RandomState,
    ) -> Result<References, ArrowError> {
        let name = answer_name(event);
        let name = name.as_deref();
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
        gathered.told.add(&saying, question, names);
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

    /// Holds back those of `lines` whose ids may be known; returns the others' questions.
    fn hold_doubtful(
        &mut self,
        segment: usize,
        lines: &mut Vec<Line<'_>>,
        mut questions: impl Iterator<Item = Option<u128>>,
    ) -> Vec<Option<u128>> {
        let mut doubtful = Vec::new();
        let mut others = Vec::with_capacity(lines.len());
        lines.retain(|(event, line)| {
            let question = questions.next().flatten();
            let id = u128::from_be_bytes(event.id);
            let is_new = self.seen.as_mut().is_some_and(|seen| !seen.insert(id));
            if is_new {
                others.push(question);
            } else {
                doubtful.push(Doubtful {
                    id: event.id,
                    segment,
                    line: line.to_vec(),
                });
            }
            is_new
        });
        self.hold(doubtful);
        others
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
