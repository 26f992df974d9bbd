//! What is still to be read of the spool, and how much of it may be now.

use std::collections::HashSet;
use std::mem::take;

use super::Doubtful;
use super::ready::ROW_GROUP;
use crate::error::Error;
use crate::progress::Progress;
use crate::segment::{PIECE_BYTES, Piece};
use crate::work::Work;

/// How much may be held back before the store is asked, in bytes.
const HELD_BYTES: usize = 48 * 1024 * 1024;

/// How much bad lines may take before they go to quarantine, in bytes: on their way they are there
/// several times.
const BAD_BYTES: usize = 12 * 1024 * 1024;

/// How many transactions have to be left for two of them to be made one.
const MANY: u64 = 6;

/// What a transaction's events may take in memory until it ends, in bytes, about, however long or short
/// they are: what two row groups of questions take, with two events each.
const MOST_KEPT: usize = 2 * ROW_GROUP * 760;
const EVENT_BYTES: usize = 64;
const QUESTION_BYTES: usize = 300;
const SESSION_BYTES: usize = 550;
const SERIES_BYTES: usize = 350;

/// How much a transaction's events leave to be done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) events: usize,
    pub(super) questions: usize,
    pub(super) sessions: usize,
    pub(super) series: usize,
    /// What the dimensions' new rows hold, in bytes.
    pub(super) text: usize,
}

impl Counts {
    fn max(self, other: Self) -> Self {
        Self {
            events: self.events.max(other.events),
            questions: self.questions.max(other.questions),
            sessions: self.sessions.max(other.sessions),
            series: self.series.max(other.series),
            text: self.text.max(other.text),
        }
    }

    /// What it takes in memory, in bytes, about.
    fn kept(self) -> usize {
        let Self {
            events,
            questions,
            sessions,
            series,
            text,
        } = self;
        events * EVENT_BYTES
            + questions * QUESTION_BYTES
            + sessions * SESSION_BYTES
            + series * SERIES_BYTES
            + text * 3 / 2
    }
}

/// What the store is to be asked about, or to take, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub(super) doubtful: usize,
    pub(super) bad: usize,
}

impl Held {
    fn add(&mut self, other: Self) {
        self.doubtful += other.doubtful;
        self.bad += other.bad;
    }

    /// True when the store is to take something off before more is read.
    fn is_enough(self) -> bool {
        self.doubtful >= HELD_BYTES || self.bad >= BAD_BYTES
    }
}

/// A piece of a segment.
pub(super) struct Taken {
    /// Of how many pieces it is which.
    pub(super) number: u64,
    pub(super) segment: usize,
    pub(super) piece: Piece,
    /// True when its events are known to be new.
    pub(super) is_cleared: bool,
}

/// What is still to be read.
pub(crate) struct Supply {
    pub(crate) work: Work,
    /// What a transaction takes at most, in bytes, and what this one does.
    transaction_bytes: u64,
    most: u64,
    /// How many bytes may still be taken.
    left: u64,
    /// How many bytes were, since this was last asked.
    bytes: u64,
    /// How many pieces were.
    taken: u64,
    held: Held,
    /// What the transaction has gathered, and how many of its bytes were taken.
    gathered: Counts,
    of_transaction: u64,
    /// True when the transaction is to end here.
    is_full: bool,
    /// Why reading ahead ended.
    failed: Option<Error>,
    /// Pieces of lines that were held back and are new.
    cleared: Vec<(usize, Piece)>,
}

impl Supply {
    pub(super) fn new(work: Work, transaction_bytes: u64) -> Self {
        let mut supply = Self {
            work,
            transaction_bytes,
            most: 0,
            left: 0,
            bytes: 0,
            taken: 0,
            held: Held::default(),
            gathered: Counts::default(),
            of_transaction: 0,
            is_full: false,
            failed: None,
            cleared: Vec::new(),
        };
        supply.begin_transaction();
        supply
    }

    /// The next piece, if one may be taken.
    pub(super) fn take_piece(&mut self, progress: &Progress) -> Result<Option<Taken>, Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let (segment, piece, is_cleared) = match self.cleared.pop() {
            Some((segment, piece)) => (segment, piece, true),
            None if self.left == 0 || self.is_full || self.held.is_enough() => return Ok(None),
            None => {
                let Some((segment, piece, bytes)) = self.work.next()? else {
                    return Ok(None);
                };
                self.left = self.left.saturating_sub(bytes);
                self.bytes += bytes;
                self.of_transaction += bytes;
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

    /// Takes a piece's memory back, of whose lines so much is held, and with which the transaction has
    /// gathered so much.
    pub(super) fn take_back(&mut self, memory: Vec<u8>, held: Held, gathered: Counts) {
        self.work.give_back(memory);
        self.held.add(held);
        let before = self.gathered;
        self.gathered = before.max(gathered);
        let fills = self.gathered.questions / ROW_GROUP > before.questions / ROW_GROUP;
        let kept = self.gathered.kept();
        // Behind half of the memory there may be no room for another row group.
        let is_enough = self.of_transaction >= self.most / 2 || kept >= MOST_KEPT / 2;
        self.is_full |= fills && is_enough || kept >= MOST_KEPT;
    }

    /// Lets what is taken from now on be another transaction's.
    pub(super) fn begin_transaction(&mut self) {
        self.gathered = Counts::default();
        self.of_transaction = 0;
        self.is_full = false;
        // Each brings the rollups up to date. The last ones are small: beside them nothing is decoded.
        let is_much = self.work.bytes_left() >= MANY.saturating_mul(self.transaction_bytes);
        self.most = self
            .transaction_bytes
            .saturating_mul(1 + u64::from(is_much));
    }

    /// How much the transaction takes at most, in bytes. Behind half of that it ends where its questions
    /// fill row groups.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// True when the transaction is to end, although it has not taken all that it may.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Has the next who asks for a piece fail.
    pub(super) fn fail(&mut self, error: Error) {
        self.failed = Some(error);
    }

    /// How many bytes were taken since this was last called; nothing is held any more.
    pub(super) fn take_bytes(&mut self) -> u64 {
        self.held = Held::default();
        take(&mut self.bytes)
    }

    /// Lets the stream give `bytes` out, rounded up to a piece; what was read ahead is among them.
    pub(crate) fn allow(&mut self, bytes: u64) {
        self.left = bytes.saturating_sub(self.bytes);
    }

    /// Lets `bytes` more be taken than were.
    pub(super) fn allow_more(&mut self, bytes: u64) {
        self.left = bytes;
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
                    if *segment == doubtful.segment && piece.bytes.len() < PIECE_BYTES =>
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
}
