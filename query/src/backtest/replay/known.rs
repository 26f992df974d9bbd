//! What is known of the questions of one group.

use std::collections::BTreeMap;

use crate::backtest::asking::Asking;
use crate::backtest::score::ByLevel;
use crate::backtest::trial::{Trial, TrialRun};
use crate::evidence::{HumanAnswer, KeyEvidence, MOST_ANSWERS};
use crate::suggest::candidate::Candidate;

/// What is known of the questions of one group, and their score.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The answers so far by the key they were logged under.
    pub(super) series: BTreeMap<String, KeyEvidence>,
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
}
