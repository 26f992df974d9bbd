//! What is known of the questions of one group.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::backtest::asking::Asking;
use crate::backtest::score::ByLevel;
use crate::backtest::trial::{Trial, TrialRun};
use crate::evidence::{HumanAnswer, KeyEvidence, MOST_ANSWERS};
use crate::families::MOST_OF_A_SET;
use crate::suggest::candidate::Candidate;

/// What is known of the questions of one group, and their score.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The answers so far by the key they were logged under.
    series: BTreeMap<String, KeyEvidence>,
    /// The keys of the latest answers: of many texts with the same options these alone make families.
    latest: VecDeque<String>,
    /// The keys about which something was learned since the habits were found.
    stale: BTreeSet<String>,
    /// The habits in them, or in those of all projects.
    pub(super) candidates: Vec<Candidate>,
    /// What stands on trial, by its key.
    pub(super) trials: BTreeMap<String, Trial>,
    pub(super) by_level: ByLevel,
    pub(super) runs: Vec<TrialRun>,
    pub(super) last: Option<Asking>,
    pub(super) text_variants: usize,
}

impl Known {
    /// Knows one answer more.
    pub(super) fn know(&mut self, project: &str, key_source: &str, answer: HumanAnswer) {
        let key = answer.question_key.clone();
        self.stale.insert(key.clone());
        self.latest.push_back(key.clone());
        if self.latest.len() > MOST_OF_A_SET {
            self.latest.pop_front();
        }
        let series = self.series.entry(key).or_insert_with(|| KeyEvidence {
            project: project.to_owned(),
            question_key: answer.question_key.clone(),
            key_source: key_source.to_owned(),
            ..KeyEvidence::default()
        });
        series.answers.push(answer);
        if series.answers.len() > 2 * MOST_ANSWERS {
            series.answers.sort_by(HumanAnswer::in_time);
            series.answers.drain(..series.answers.len() - MOST_ANSWERS);
        }
        // The rate of asking changes what is saved, not whether anything is.
        series.recent_askings = 1;
    }

    /// The series that the habits follow from, but for those of single texts that are as they were: not more of them,
    /// however many there are.
    pub(super) fn take_stale(&mut self) -> Vec<KeyEvidence> {
        let mut keys = std::mem::take(&mut self.stale);
        keys.extend(self.latest.iter().cloned());
        let series = keys.iter().filter_map(|key| self.series.get(key));
        series.cloned().collect()
    }

    /// Takes the habits that were found in the series of the keys `looked_at`; those of other texts stay, and are
    /// none of a family's any more.
    pub(super) fn found(&mut self, looked_at: &BTreeSet<String>, mut found: Vec<Candidate>) {
        let others = std::mem::take(&mut self.candidates).into_iter();
        let others = others.filter(|one| {
            let evidence = &one.habit.evidence;
            evidence.template.is_none() && !looked_at.contains(&evidence.question_key)
        });
        found.extend(others.map(Candidate::without_family));
        self.candidates = found;
    }
}
