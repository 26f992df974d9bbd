//! Of the questions that changed, those that may be among the latest answers of their series.

use std::collections::HashMap;

use ahash::RandomState;

use crate::fact::Fact;

/// How many answers of a series the rollup keeps.
const KEPT: usize = 40;

/// What the rollup of the latest answers has to know of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) series: u64,
    pub(crate) number: u32,
    /// When the question was put, in microseconds since 1970, UTC, and which comes last of several put at
    /// once; `None` for what no longer is as it was.
    pub(crate) moment: Option<(i64, u64)>,
}

/// The latest of `facts` that the person answered, at least [`KEPT`] of each series if it has as many.
pub(crate) fn latest<'f>(facts: impl Iterator<Item = &'f Fact>) -> Vec<Change> {
    let mut by_series: HashMap<u64, Vec<Change>, RandomState> = HashMap::default();
    for fact in facts.filter(|fact| fact.is_the_persons()) {
        let series = fact.part.description.series;
        let latest = by_series.entry(series).or_default();
        latest.push(Change {
            series,
            number: fact.number,
            moment: Some((fact.part.put_at(), fact.tie)),
        });
        if latest.len() >= 2 * KEPT {
            keep_latest(latest);
        }
    }
    by_series.values_mut().for_each(keep_latest);
    by_series.into_values().flatten().collect()
}

fn keep_latest(changes: &mut Vec<Change>) {
    if changes.len() > KEPT {
        changes.select_nth_unstable_by(KEPT, |one, other| other.moment.cmp(&one.moment));
        changes.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_stay_whatever_their_order() {
        let change = |at: i64| Change {
            series: 7,
            number: at as u32,
            moment: Some((at / 2, at as u64)),
        };
        let all: Vec<Change> = (0..97).map(|at| change(at * 31 % 97)).collect();
        let mut kept = Vec::new();
        for change in all {
            kept.push(change);
            if kept.len() >= 2 * KEPT {
                keep_latest(&mut kept);
            }
        }
        keep_latest(&mut kept);
        let mut numbers: Vec<u32> = kept.iter().map(|change| change.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (57..97).collect::<Vec<u32>>());
    }
}
