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
    /// How many questions the transaction's events are about, and how many of its bytes were taken.
    questions: usize,
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
            questions: 0,
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

    /// Takes a piece's memory back, of whose lines so much is held, and with which the transaction is
    /// about so many questions.
    pub(super) fn take_back(&mut self, memory: Vec<u8>, held: Held, questions: usize) {
        self.work.give_back(memory);
        self.held.add(held);
        if questions / ROW_GROUP > self.questions / ROW_GROUP
            && self.of_transaction >= self.most / 2
        {
            self.is_full = true;
        }
        self.questions = self.questions.max(questions);
    }

    /// Lets what is taken from now on be another transaction's.
    pub(super) fn begin_transaction(&mut self) {
        self.questions = 0;
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
