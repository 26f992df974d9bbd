//! What some events say about one question, put together. Pure: where the events come from, and
//! where the question goes, is not known here.

use crate::moments::{Moment, Moments, Name};

/// The kinds of events about a question, by rank: the description is taken from the first there is.
pub(crate) const KINDS: [&str; 5] = ["asked", "auto_decided", "answered", "dismissed", "failed"];

/// The rank of a kind; `None` for events that are not about a question.
pub(crate) fn rank(kind: &str) -> Option<usize> {
    KINDS.iter().position(|known| *known == kind)
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Outcome {
    Open = 0,
    Answered = 1,
    AutoDecided = 2,
    Failed = 3,
    Dismissed = 4,
}

/// What describes a question: the event it was taken from, by what that refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    /// The rank of the event's kind in [`KINDS`].
    pub(crate) rank: u8,
    pub(crate) context: u32,
    pub(crate) wording: u32,
    pub(crate) series: u64,
    pub(crate) scope: u64,
    pub(crate) session: u64,
    pub(crate) index: u32,
    pub(crate) count: Option<u32>,
    pub(crate) is_one_way: bool,
}

/// What some events say about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) description: Description,
    pub(crate) moments: Moments,
    pub(crate) was_auto_decided: Option<bool>,
    pub(crate) followed: Option<bool>,
    /// What the preference answered, and what came back.
    pub(crate) decided_name: Option<Name>,
    pub(crate) answer_name: Option<Name>,
}

impl Part {
    /// What two sides say together. The description is that of the side that ranks first, whole: a
    /// mixture would describe nothing. Of two events of a kind the earlier one counts; of two at one
    /// moment, which only foreign events are, always the same.
    pub(crate) fn and(mut self, other: Self) -> Self {
        if other.place() < self.place() {
            self.description = other.description;
        }
        let (mut moments, others) = (self.moments.all(), other.moments.all());
        let [_, decided, answered, ..] = moments;
        let [_, other_decided, other_answered, ..] = others;
        if is_earlier(other_decided, decided) {
            self.decided_name = other.decided_name;
        }
        if is_earlier(other_answered, answered) {
            self.answer_name = other.answer_name;
            self.was_auto_decided = other.was_auto_decided;
            self.followed = other.followed;
        }
        for (ours, theirs) in moments.iter_mut().zip(others) {
            if is_earlier(theirs, *ours) {
                *ours = theirs;
            }
        }
        self.moments = moments.into_iter().collect();
        self
    }

    /// When the question was put, in microseconds: when it was asked, else decided, else came back.
    pub(crate) fn put_at(&self) -> i64 {
        let [asked, decided, answered, dismissed, failed] = self.moments.all();
        asked
            .or(decided)
            .or(answered)
            .or(failed)
            .or(dismissed)
            .map_or(0, |moment| moment.at)
    }

    /// How the question ended. With nothing behind it, it was dismissed when its session went on
    /// after it (`went_on_at`, microseconds), and is open until then.
    pub(crate) fn outcome(&self, went_on_at: Option<i64>) -> Outcome {
        let [_, decided, answered, dismissed, failed] = self.moments.all();
        let both_named = self.answer_name.is_some() && self.decided_name.is_some();
        if answered.is_some()
            && decided.is_some()
            && self.was_auto_decided == Some(false)
            && both_named
            && self.answer_name != self.decided_name
        {
            // Somebody answered otherwise than the preference: the answer is theirs.
            Outcome::Answered
        } else if decided.is_some() || self.was_auto_decided == Some(true) {
            Outcome::AutoDecided
        } else if answered.is_some() {
            Outcome::Answered
        } else if failed.is_some() {
            Outcome::Failed
        } else if dismissed.is_some() || went_on_at > Some(self.put_at()) {
            Outcome::Dismissed
        } else {
            Outcome::Open
        }
    }

    /// From asked to answered in seconds, shared among the questions of the call; `None` for what no
    /// person answered.
    pub(crate) fn human_seconds(&self, outcome: Outcome) -> Option<f64> {
        let [Some(asked), _, Some(answered), ..] = self.moments.all() else {
            return None;
        };
        (outcome == Outcome::Answered && answered.at >= asked.at).then(|| {
            let count = self.description.count.unwrap_or(1).max(1);
            (answered.at - asked.at) as f64 / 1_000_000.0 / f64::from(count)
        })
    }

    /// True when nothing behind the asking is known.
    pub(crate) fn is_open(&self) -> bool {
        self.moments.all().iter().skip(1).all(Option::is_none)
            && self.was_auto_decided != Some(true)
    }

    /// The order of descriptions: the first one counts.
    fn place(&self) -> (u8, Option<i64>, u32, u32) {
        let Description {
            rank,
            wording,
            context,
            ..
        } = self.description;
        let moment = self.moments.get(rank);
        (rank, moment.map(|moment| moment.at), wording, context)
    }
}

/// True when `one` is there, and `other` is not or is later.
fn is_earlier(one: Option<Moment>, other: Option<Moment>) -> bool {
    let place = |moment: Moment| (moment.at, moment.detail);
    one.is_some_and(|one| other.is_none_or(|other| place(one) < place(other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ahash::RandomState;

    fn name(name: &str) -> Name {
        Name::new(name, &RandomState::with_seed(7))
    }

    fn part(kind: &str, at: i64) -> Part {
        let rank = rank(kind).unwrap();
        let moments = (0..KINDS.len()).map(|other| {
            (other == rank).then_some(Moment {
                at,
                detail: rank as u32,
            })
        });
        Part {
            description: Description {
                rank: rank as u8,
                context: rank as u32,
                wording: 0,
                series: 1,
                scope: 2,
                session: 3,
                index: 0,
                count: Some(2),
                is_one_way: false,
            },
            moments: moments.collect(),
            was_auto_decided: (kind == "answered").then_some(false),
            followed: (kind == "answered").then_some(true),
            decided_name: (kind == "auto_decided").then(|| name("Yes")),
            answer_name: (kind == "answered").then(|| name("Yes")),
        }
    }

    #[test]
    fn the_order_does_not_matter() {
        let parts = [
            part("failed", 9),
            part("answered", 30_000_000),
            part("asked", 0),
        ];
        let [failed, answered, asked] = parts;
        let expected = asked.and(answered).and(failed);
        for whole in [
            failed.and(asked).and(answered),
            answered.and(failed).and(asked),
            failed.and(answered.and(asked)),
        ] {
            assert_eq!(whole, expected);
        }
        assert_eq!(expected.description, asked.description);
        assert_eq!(expected.put_at(), 0);
        assert_eq!(expected.outcome(None), Outcome::Answered);
        assert_eq!(expected.human_seconds(Outcome::Answered), Some(15.0));
        assert_eq!(expected.followed, Some(true));
    }

    #[test]
    fn of_two_events_of_a_kind_the_earlier_counts() {
        let mut late = part("answered", 7);
        late.answer_name = Some(name("No"));
        late.description.wording = 8;
        for both in [late.and(part("answered", 5)), part("answered", 5).and(late)] {
            assert_eq!(both, part("answered", 5));
        }
    }

    #[test]
    fn outcomes() {
        let asked = part("asked", 5);
        assert_eq!(asked.outcome(None), Outcome::Open);
        assert_eq!(asked.outcome(Some(5)), Outcome::Open);
        assert_eq!(asked.outcome(Some(6)), Outcome::Dismissed);
        assert_eq!(
            asked.and(part("dismissed", 6)).outcome(None),
            Outcome::Dismissed
        );
        assert_eq!(
            asked.and(part("failed", 6)).outcome(Some(9)),
            Outcome::Failed
        );
        let decided = part("auto_decided", 5);
        assert_eq!(decided.outcome(None), Outcome::AutoDecided);
        assert_eq!(
            decided.and(part("answered", 6)).outcome(None),
            Outcome::AutoDecided
        );
        let mut otherwise = part("answered", 6);
        otherwise.answer_name = Some(name("No"));
        assert_eq!(decided.and(otherwise).outcome(None), Outcome::Answered);
        let mut known = part("answered", 6);
        known.was_auto_decided = Some(true);
        assert_eq!(known.outcome(None), Outcome::AutoDecided);
        assert_eq!(known.human_seconds(Outcome::AutoDecided), None);
    }
}
