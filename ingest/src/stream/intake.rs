//! What was taken in of the spool, in its order.

use std::collections::HashSet;
use std::mem::take;

use ahash::RandomState;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;

use super::supply::{Counts, Held, Taken};
use super::{Doubtful, Found};
use crate::decode::Decoded;
use crate::dimensions::{Dimensions, References, Repeats};
use crate::piece::{BadLine, Line};
use crate::prepared::{Prepared, saying};
use crate::seen::Seen;
use crate::told::{Saying, Told};

/// What a bad line takes beside its own bytes, in bytes, about: its reason, and a place in each of the
/// lists on its way. Most are short.
const BAD_LINE_BYTES: usize = 512;

/// What a transaction leaves to be done behind the log.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) told: Told,
    /// Questions that the store may have.
    pub(crate) doubtful: HashSet<u128, RandomState>,
    /// The ids of the events given out.
    pub(crate) ids: Vec<u128>,
    /// How many of them each segment gave, by its index.
    pub(crate) given: Vec<(usize, u64)>,
}

/// What was taken in.
pub(crate) struct Intake {
    /// How many pieces were.
    pub(super) turns: u64,
    /// What this run has brought; `None` when the store held events before.
    seen: Option<Seen>,
    /// What was held back since this was last taken.
    pub(super) held: Held,
    pub(super) found: Found,
    dimensions: Dimensions,
    gathered: Gathered,
}

impl Intake {
    pub(super) fn new(seen: Option<Seen>, dimensions: Dimensions) -> Self {
        Self {
            turns: 0,
            seen,
            held: Held::default(),
            found: Found::default(),
            dimensions,
            gathered: Gathered::default(),
        }
    }

    /// True when the run may meet events that the store held before it.
    pub(crate) fn all_are_doubtful(&self) -> bool {
        self.seen.is_none()
    }

    /// How much the transaction's events leave to be done so far.
    pub(super) fn counts(&self) -> Counts {
        Counts {
            events: self.gathered.ids.len(),
            questions: self.gathered.told.questions.len(),
            sessions: self.gathered.told.sessions.len(),
            series: self.gathered.told.series.len(),
            text: self.dimensions.bytes(),
        }
    }

    /// What the events since this was last called leave to be done.
    pub(super) fn take_gathered(&mut self) -> Gathered {
        take(&mut self.gathered)
    }

    /// The rows of the dimensions that were new since this was last called.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn take_rows(&mut self) -> Result<[Vec<RecordBatch>; 4], ArrowError> {
        self.dimensions.take_rows()
    }

    /// Which of `ids` this transaction has given out: their rows are in the log, and they are not yet
    /// in the store's list of ids.
    pub(crate) fn given_of(&self, ids: &HashSet<[u8; 16]>) -> HashSet<[u8; 16]> {
        let given = self.gathered.ids.iter().map(|id| id.to_be_bytes());
        given.filter(|id| ids.contains(id)).collect()
    }

    /// Takes in a piece's lines; returns what the events refer to that are new, in the lines' order.
    pub(super) fn take_lines(
        &mut self,
        taken: &Taken,
        lines: &[Line<'_>],
        prepared: &[Prepared<'_>],
        bad_lines: Vec<BadLine>,
        names: &RandomState,
    ) -> Result<Vec<Option<References>>, ArrowError> {
        let are_new = if taken.is_cleared {
            vec![true; lines.len()]
        } else {
            self.found.decoded += lines.len() as u64;
            self.hold_doubtful(taken.segment, lines, prepared)
        };
        let mut references = Vec::with_capacity(lines.len());
        let mut given = 0;
        let mut follows_on = false;
        for (((event, _), prepared), is_new) in lines.iter().zip(prepared).zip(are_new) {
            references.push(if is_new {
                given += 1;
                Some(self.take_event(event, prepared, follows_on, names)?)
            } else {
                None
            });
            follows_on = is_new;
        }
        self.found.given += given;
        self.gathered.given.push((taken.segment, given));
        for line in bad_lines {
            self.held.bad += line.bytes.len() + BAD_LINE_BYTES;
            self.found.bad_lines.push((taken.segment, line));
        }
        Ok(references)
    }

    /// Takes in an event that is new, and `follows_on` the one that was taken in before if that is the
    /// one before it in the piece.
    fn take_event(
        &mut self,
        event: &Decoded<'_>,
        prepared: &Prepared<'_>,
        follows_on: bool,
        names: &RandomState,
    ) -> Result<References, ArrowError> {
        let name = prepared.answer_name.as_deref();
        let repeats = if follows_on {
            prepared.repeats
        } else {
            Repeats::default()
        };
        let references = self.dimensions.find(&event.event, name, repeats)?;
        let gathered = &mut self.gathered;
        gathered.ids.push(prepared.id);
        let saying = Saying {
            context: references.context,
            wording: references.wording,
            detail: references.detail,
            answer_name: name,
            ..saying(event)
        };
        let is_first = gathered.told.add(&saying, prepared.question, names);
        if let Some(question) = prepared.question.filter(|_| is_first)
            && self.seen.as_mut().is_none_or(|seen| seen.insert(question))
        {
            gathered.doubtful.insert(question);
        }
        Ok(references)
    }

    /// Holds back those of `lines` whose ids may be known; returns which are new.
    fn hold_doubtful(
        &mut self,
        segment: usize,
        lines: &[Line<'_>],
        prepared: &[Prepared<'_>],
    ) -> Vec<bool> {
        let ids = prepared.iter().map(|one| one.id);
        // Nothing but this in the loop: what each id waits for in memory is then waited for together.
        let are_new: Vec<bool> = match &mut self.seen {
            Some(seen) => ids.map(|id| !seen.insert(id)).collect(),
            None => vec![false; lines.len()],
        };
        let held = lines.iter().zip(&are_new).filter(|(_, is_new)| !**is_new);
        for ((event, line), _) in held {
            self.held.doubtful += line.len() + size_of::<Doubtful>();
            self.found.doubtful.push(Doubtful {
                id: event.id,
                segment,
                line: line.to_vec(),
            });
        }
        are_new
    }
}
