//! The spool as a stream of batches: pieces are read, decoded and built into rows by the threads
//! that append them, so that one `INSERT` takes a whole transaction and memory stays bounded.
//!
//! Only events that are certainly new go straight into the log. The others' lines are held back
//! until the store was asked about their ids. Pieces are decoded side by side and taken in one after
//! the other, in the order of the spool, so that of two tellings of an event the first one counts.
//! While the store works on one transaction, another thread reads ahead for the next. Each of the
//! parts has a lock of its own, and nobody holds two: who reads the spool keeps nobody from taking in.

mod ahead;
mod intake;
mod ready;
mod supply;

use std::error;
use std::mem::take;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use ahash::RandomState;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;

use crate::dimensions::Dimensions;
use crate::error::Error;
use crate::feed::Source;
use crate::log;
use crate::piece::{BadLine, decode_piece};
use crate::prepared::prepare;
use crate::progress::Progress;
use crate::seen::Seen;
use crate::work::Work;

use self::ahead::Ahead;
pub(crate) use self::ahead::EndOnDrop;
pub(crate) use self::intake::{Gathered, Intake};
use self::ready::Ready;
pub(crate) use self::supply::Supply;
use self::supply::Taken;

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

/// The spool from where the store's checkpoints are, shared by the threads that read it.
pub(crate) struct Stream {
    supply: Mutex<Supply>,
    intake: Mutex<Intake>,
    /// A piece was taken in.
    turned: Condvar,
    ready: Mutex<Ready>,
    ahead: Mutex<Ahead>,
    /// What the thread that reads ahead does is something else now.
    ahead_changed: Condvar,
    /// Hashes the names of answers.
    names: RandomState,
    progress: Progress,
}

impl Stream {
    /// A transaction takes about `transaction_bytes`. `seen` is what this run has brought; `None` when the
    /// store held events before.
    pub(crate) fn new(
        work: Work,
        transaction_bytes: u64,
        seen: Option<Seen>,
        dimensions: Dimensions,
        progress: Progress,
    ) -> Self {
        Self {
            supply: Mutex::new(Supply::new(work, transaction_bytes)),
            intake: Mutex::new(Intake::new(seen, dimensions)),
            turned: Condvar::new(),
            ready: Mutex::default(),
            ahead: Mutex::default(),
            ahead_changed: Condvar::new(),
            names: RandomState::new(),
            progress,
        }
    }

    /// What is still to be read.
    pub(crate) fn supply(&self) -> MutexGuard<'_, Supply> {
        lock(&self.supply)
    }

    /// What was taken in.
    pub(crate) fn intake(&self) -> MutexGuard<'_, Intake> {
        lock(&self.intake)
    }

    /// What the events since this was last called leave to be done. To be called while nobody reads; what
    /// is read from now on belongs to another transaction.
    pub(crate) fn take_gathered(&self) -> Gathered {
        self.supply().begin_transaction();
        self.intake().take_gathered()
    }

    /// Lets a statement take rows.
    pub(crate) fn begin_rows(&self) {
        lock(&self.ready).begin();
    }

    /// True when no rows are left that were made. To be asked while nobody reads.
    pub(crate) fn are_rows_taken(&self) -> bool {
        lock(&self.ready).is_empty()
    }

    /// Hashes the names of answers, in this run.
    pub(crate) fn names(&self) -> &RandomState {
        &self.names
    }

    /// What was found since this was last called. To be called while nobody reads.
    pub(crate) fn take_found(&self) -> Found {
        let bytes = self.supply().take_bytes();
        Found {
            bytes,
            ..take(&mut self.intake().found)
        }
    }

    fn take_piece(&self) -> Result<Option<Taken>, Error> {
        self.supply().take_piece(&self.progress)
    }

    /// Makes a piece's events rows, or holds them back. What can be done before the piece's turn is
    /// done before, and what can be done behind it behind it: meanwhile the others wait for theirs.
    fn take_in(&self, taken: Taken) -> Result<(), ArrowError> {
        let mut turn = Turn {
            stream: self,
            number: taken.number,
            is_over: false,
        };
        let (lines, bad_lines) = decode_piece(&taken.piece);
        let prepared = prepare(&lines);
        let mut intake = turn.wait();
        let references = intake.take_lines(&taken, &lines, &prepared, bad_lines, &self.names)?;
        let held = take(&mut intake.held);
        let counts = intake.counts();
        turn.pass(intake);
        let mut columns = log::columns();
        for ((event, _), references) in lines.iter().zip(references) {
            if let Some(references) = references {
                columns.push(log::row(event, references))?;
            }
        }
        lock(&self.ready).add(columns.finish()?);
        drop(prepared);
        drop(lines);
        self.supply().take_back(taken.piece.bytes, held, counts);
        Ok(())
    }
}

/// The right to take in a piece once those before it were; whatever happens, it passes on.
struct Turn<'s> {
    stream: &'s Stream,
    number: u64,
    is_over: bool,
}

impl<'s> Turn<'s> {
    fn wait(&self) -> MutexGuard<'s, Intake> {
        let mut intake = self.stream.intake();
        while intake.turns < self.number {
            intake = wait(&self.stream.turned, intake);
        }
        intake
    }

    fn pass(&mut self, mut intake: MutexGuard<'_, Intake>) {
        intake.turns = self.number + 1;
        self.is_over = true;
        drop(intake);
        self.stream.turned.notify_all();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.pass(self.wait());
        }
    }
}

impl Source for Stream {
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn error::Error>> {
        let thread = thread::current().id();
        loop {
            if let Some(batch) = lock(&self.ready).take(thread) {
                return Ok(Some(batch));
            }
            match self.take_piece()? {
                Some(taken) => self.take_in(taken)?,
                None => return Ok(lock(&self.ready).take_last(thread)),
            }
        }
    }

    fn rows(&self) -> Option<u64> {
        None
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'g, T>(changed: &Condvar, guard: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
    changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
}
