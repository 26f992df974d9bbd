//! Who asked: the one that asks most, and the one whose questions Claude Code rejects.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::asker::bare;

/// From how many questions, or rejected calls, on one asker is worth a sentence.
const LEAST: u64 = 5;
const LEAST_REJECTED: u64 = 2;

/// What one command, skill, plugin or sub-agent asked in one project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Asked {
    pub(super) project: String,
    pub(super) asker: Option<String>,
    /// Questions that the person was asked.
    pub(super) asked: u64,
    /// Calls that Claude Code rejected, as they were not what its question tool takes.
    pub(super) rejected: u64,
}

/// The one that asks most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsksMost {
    /// Its name.
    pub asker: String,
    /// The project that the counts are of; `None` for all that were reported on.
    pub project: Option<String>,
    /// Its questions.
    pub asked: u64,
    /// All questions.
    pub of: u64,
}

/// The one whose calls were rejected most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedCalls {
    /// Its name.
    pub asker: String,
    /// How many calls.
    pub calls: u64,
}

/// The one that asks most, where that is a quarter of all questions, or half of those in the project in which it asks
/// nine of ten of its own.
pub(super) fn asks_most(found: &[Asked]) -> Option<AsksMost> {
    let (asker, mine) = most(found, |one| one.asked)?;
    let asked = sum(&mine, |one| one.asked);
    let everybody: Vec<&Asked> = found.iter().collect();
    let projects: BTreeSet<&str> = found.iter().map(|one| one.project.as_str()).collect();
    let home = mine.iter().max_by_key(|one| one.asked)?;
    if projects.len() > 1 && home.asked >= LEAST && 10 * home.asked >= 9 * asked {
        let there = found.iter().filter(|one| one.project == home.project);
        let of = sum(&there.collect::<Vec<_>>(), |one| one.asked);
        if 2 * home.asked >= of {
            return Some(AsksMost {
                asker,
                project: Some(home.project.clone()),
                asked: home.asked,
                of,
            });
        }
    }
    let of = sum(&everybody, |one| one.asked);
    (asked >= LEAST && 4 * asked >= of).then_some(AsksMost {
        asker,
        project: None,
        asked,
        of,
    })
}

/// The one whose calls were rejected most, from two on.
pub(super) fn rejected_most(found: &[Asked]) -> Option<RejectedCalls> {
    let (asker, mine) = most(found, |one| one.rejected)?;
    let calls = sum(&mine, |one| one.rejected);
    (calls >= LEAST_REJECTED).then_some(RejectedCalls { asker, calls })
}

fn sum(of: &[&Asked], count: fn(&Asked) -> u64) -> u64 {
    of.iter().map(|one| count(one)).sum()
}

/// The asker with the highest sum of `count`, as it is called, and what it asked; of a skill and the command of its
/// name that is typed, which are one, the command's name.
fn most(found: &[Asked], count: fn(&Asked) -> u64) -> Option<(String, Vec<&Asked>)> {
    let mut askers: BTreeMap<&str, Vec<&Asked>> = BTreeMap::new();
    for one in found {
        if let Some(asker) = one.asker.as_deref() {
            askers.entry(bare(asker)).or_default().push(one);
        }
    }
    let mine = askers.into_values().max_by_key(|mine| sum(mine, count))?;
    let name = mine.iter().filter_map(|one| one.asker.as_ref()).min()?;
    Some((name.clone(), mine))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(project: &str, asker: &str, asked: u64, rejected: u64) -> Asked {
        Asked {
            project: project.to_owned(),
            asker: (!asker.is_empty()).then(|| asker.to_owned()),
            asked,
            rejected,
        }
    }

    fn said(found: &[Asked]) -> Option<String> {
        let one = asks_most(found)?;
        let project = one.project.unwrap_or_else(|| "all".to_owned());
        Some(format!(
            "{} of {} in {project}: {}",
            one.asked, one.of, one.asker
        ))
    }

    #[test]
    fn who_asks_most_is_named_with_its_project_or_all() {
        let of_project = [
            asked("box", "/gsd:discuss", 121, 0),
            asked("box", "", 13, 0),
            asked("shop", "gsd:discuss", 2, 0),
            asked("shop", "", 400, 0),
        ];
        assert_eq!(
            said(&of_project).unwrap(),
            "121 of 134 in box: /gsd:discuss"
        );
        let spread = [
            asked("a", "plan", 20, 0),
            asked("b", "plan", 20, 0),
            asked("b", "", 90, 0),
        ];
        assert_eq!(said(&spread).unwrap(), "40 of 130 in all: plan");
        let one_project = [asked("a", "plan", 5, 0), asked("a", "", 1, 0)];
        assert_eq!(said(&one_project).unwrap(), "5 of 6 in all: plan");
        for too_little in [
            vec![asked("a", "plan", 4, 0)],
            vec![asked("a", "plan", 24, 0), asked("a", "", 100, 0)],
            vec![asked("a", "", 100, 0)],
            Vec::new(),
        ] {
            assert_eq!(said(&too_little), None, "{too_little:?}");
        }
    }

    #[test]
    fn one_rejected_call_is_chance() {
        let rejected = |calls| rejected_most(&[asked("a", "plan", 9, calls)]);
        assert_eq!(rejected(1), None);
        assert_eq!(rejected(2).unwrap().calls, 2);
    }
}
