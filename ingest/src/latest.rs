//! The latest answers of a series, of those that were the latest and what changed. Pure: where either
//! comes from is not known here.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;

use crate::fact::Fact;

/// How many answers of a series the rollup keeps.
const KEPT: usize = 40;

/// A question that a person answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) number: u32,
    /// When the question was put, in microseconds since 1970, UTC, and which comes last of several put at
    /// once.
    pub(crate) moment: (i64, u64),
}

impl Answer {
    /// With its series; `None` for a question that no person answered.
    fn of(fact: &Fact) -> Option<(u64, Self)> {
        let answer = Self {
            number: fact.number,
            moment: (fact.part.put_at(), fact.tie),
        };
        let series = fact.part.description.series;
        fact.is_the_persons().then_some((series, answer))
    }
}

/// What changed in the answers, by series.
#[derive(Default)]
pub(crate) struct Changed {
    /// Those that came, at least the latest [`KEPT`] of each series.
    came: HashMap<u64, Vec<Answer>, RandomState>,
    /// The numbers of those that may no longer be what they were.
    gone: HashSet<u32, RandomState>,
}

/// What is to be done with the answers that were the latest of a series.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) removed: Vec<u32>,
    pub(crate) added: Vec<u32>,
}

impl Changed {
    /// Takes note of a question as it was.
    pub(crate) fn forget(&mut self, fact: &Fact) {
        if let Some((series, answer)) = Answer::of(fact) {
            self.came.entry(series).or_default();
            self.gone.insert(answer.number);
        }
    }

    /// Takes note of a question as it is.
    pub(crate) fn add(&mut self, fact: &Fact) {
        if let Some((series, answer)) = Answer::of(fact) {
            // Many series have one answer.
            let new = || Vec::with_capacity(1);
            let came = self.came.entry(series).or_insert_with(new);
            came.push(answer);
            if came.len() >= 2 * KEPT {
                keep_latest(came);
            }
        }
    }

    /// The series whose answers changed.
    pub(crate) fn series(&self) -> Vec<u64> {
        self.came.keys().copied().collect()
    }

    /// The latest answers of a series, of which `known` were the latest; `None` when one of those is gone
    /// for which one counts again that nobody here knows.
    pub(crate) fn latest(&self, series: u64, known: &[Answer]) -> Option<Vec<u32>> {
        let stay = known.iter().filter(|one| !self.gone.contains(&one.number));
        let came = self.came.get(&series).into_iter().flatten();
        let mut latest: Vec<Answer> = stay.chain(came).copied().collect();
        keep_latest(&mut latest);
        let oldest = |answers: &[Answer]| answers.iter().map(|one| one.moment).min();
        let is_complete =
            known.len() < KEPT || latest.len() >= KEPT && oldest(&latest) >= oldest(known);
        is_complete.then(|| latest.iter().map(|one| one.number).collect())
    }

    /// Adds to `replaced` what makes of `known`, which were the latest of a series, the `latest`. What
    /// stays as it is is not written again.
    pub(crate) fn replace(&self, known: &[Answer], latest: &[u32], replaced: &mut Replaced) {
        let stays = |number: &u32| !self.gone.contains(number);
        let known = known.iter().map(|one| one.number);
        let removed = known
            .clone()
            .filter(|number| !stays(number) || !latest.contains(number));
        replaced.removed.extend(removed);
        let is_known = |number: &u32| stays(number) && known.clone().any(|known| known == *number);
        let added = latest.iter().filter(|number| !is_known(number));
        replaced.added.extend(added);
    }
}

fn keep_latest(answers: &mut Vec<Answer>) {
    if answers.len() > KEPT {
        answers.select_nth_unstable_by(KEPT, |one, other| other.moment.cmp(&one.moment));
        answers.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERIES: u64 = 7;

    fn answer(number: u32) -> Answer {
        Answer {
            number,
            moment: (i64::from(number / 2), u64::from(number)),
        }
    }

    fn changed(came: impl IntoIterator<Item = u32>, gone: &[u32]) -> Changed {
        let mut changed = Changed {
            gone: gone.iter().copied().collect(),
            ..Changed::default()
        };
        changed
            .came
            .insert(SERIES, came.into_iter().map(answer).collect());
        changed
    }

    fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
        numbers.sort_unstable();
        numbers
    }

    /// The latest, and what was removed and added for it.
    fn after(changed: &Changed, known: &[u32]) -> Option<(Vec<u32>, Replaced)> {
        let known: Vec<Answer> = known.iter().copied().map(answer).collect();
        let latest = changed.latest(SERIES, &known)?;
        let mut replaced = Replaced::default();
        changed.replace(&known, &latest, &mut replaced);
        let Replaced { removed, added } = replaced;
        let replaced = Replaced {
            removed: sorted(removed),
            added: sorted(added),
        };
        Some((sorted(latest), replaced))
    }

    #[test]
    fn the_latest_stay_whatever_their_order() {
        let came = changed((0..97).map(|at| at * 31 % 97), &[]);
        let (latest, replaced) = after(&came, &[]).unwrap();
        assert_eq!(latest, (57..97).collect::<Vec<u32>>());
        assert_eq!(replaced.added, latest);
        let came = changed([100, 3], &[]);
        let (latest, replaced) = after(&came, &(20..60).collect::<Vec<u32>>()).unwrap();
        assert_eq!((latest.len(), latest.contains(&3)), (40, false));
        assert_eq!(replaced.removed, [20]);
        assert_eq!(replaced.added, [100]);
    }

    #[test]
    fn what_changed_is_written_again() {
        let (latest, replaced) = after(&changed([2], &[2, 5]), &[1, 2, 3]).unwrap();
        assert_eq!(latest, [1, 2, 3]);
        assert_eq!((replaced.removed, replaced.added), (vec![2], vec![2]));
    }

    #[test]
    fn one_that_is_gone_makes_room_for_one_that_only_the_facts_know() {
        let known: Vec<u32> = (20..60).collect();
        assert_eq!(after(&changed([], &[30]), &known), None);
        assert_eq!(after(&changed([19], &[30]), &known), None);
        let (latest, _) = after(&changed([30], &[30]), &known).unwrap();
        assert_eq!(latest, known);
        let (latest, _) = after(&changed([61], &[30]), &known).unwrap();
        assert!(latest.contains(&20) && latest.contains(&61) && !latest.contains(&30));
        // Fewer than are kept are all there are.
        let (latest, _) = after(&changed([], &[30]), &known[..39]).unwrap();
        assert_eq!(latest.len(), 38);
    }
}
