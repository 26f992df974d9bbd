//! What is known of the events about one question, small: there are hundreds of thousands of these in
//! memory at once.

use std::num::NonZeroU64;

use ahash::RandomState;

use crate::part::KINDS;

/// An event of one kind about the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Microseconds since 1970, UTC.
    pub(crate) at: i64,
    /// What it tells, in the dimension.
    pub(crate) detail: u32,
}

/// The events about a question, by rank in [`KINDS`]. Five optional [`Moment`]s would take twice as much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moments {
    /// A bit for each that is known; the others are zero.
    known: u8,
    details: [u32; KINDS.len()],
    ats: [i64; KINDS.len()],
}

impl Moments {
    /// Each, or that it is not known.
    pub(crate) fn all(&self) -> [Option<Moment>; KINDS.len()] {
        let mut all = [None; KINDS.len()];
        let known = self.ats.into_iter().zip(self.details);
        for (rank, (moment, (at, detail))) in all.iter_mut().zip(known).enumerate() {
            *moment = (self.known & 1 << rank != 0).then_some(Moment { at, detail });
        }
        all
    }

    /// The one of that rank.
    pub(crate) fn get(&self, rank: u8) -> Option<Moment> {
        self.all().get(usize::from(rank)).copied().flatten()
    }
}

impl FromIterator<Option<Moment>> for Moments {
    /// Of as many as there are ranks, in their order.
    fn from_iter<I: IntoIterator<Item = Option<Moment>>>(moments: I) -> Self {
        let mut all = Self::default();
        let places = all.ats.iter_mut().zip(&mut all.details);
        for (rank, (moment, (at, detail))) in moments.into_iter().zip(places).enumerate() {
            if let Some(moment) = moment {
                all.known |= 1 << rank;
                (*at, *detail) = (moment.at, moment.detail);
            }
        }
        all
    }
}

/// Stands for an answer's name: a hash, comparable within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name(NonZeroU64);

impl Name {
    pub(crate) fn new(name: &str, names: &RandomState) -> Self {
        // A bit less to tell names by, and none for whether there is one.
        Self(NonZeroU64::MIN | names.hash_one(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_comes_out_and_nothing_else() {
        let moment = |at, detail| Some(Moment { at, detail });
        for moments in [
            [None; 5],
            [
                moment(0, 0),
                None,
                moment(-1, u32::MAX),
                None,
                moment(i64::MIN, 7),
            ],
            [moment(1, 1); 5],
        ] {
            let all: Moments = moments.into_iter().collect();
            assert_eq!(all.all(), moments);
            assert_eq!(all.get(2), moments[2]);
        }
        assert_eq!(Moments::default().get(9), None);
    }
}
