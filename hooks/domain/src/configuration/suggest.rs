//! The table `[suggest]` of config.toml, which the command line reads and the hook passes over.

use std::path::Path;

use serde::Deserialize;

use super::file::load;
use crate::cost::{WrongAnswerSeconds, number_or_table};

/// The guards of a suggestion.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Suggest {
    /// The least number of a person's answers.
    pub min_answers: u32,
    /// The least number of distinct sessions.
    pub min_sessions: u32,
    /// The least number of distinct days.
    pub min_days: u32,
    /// The least lower bound of the agreement's posterior (0–1).
    pub min_agreement: f64,
    /// The credibility of that bound (0–1).
    pub credibility: f64,
    /// The same for a question that was never answered otherwise.
    pub credibility_unbroken: f64,
    /// How many of the latest answers must all agree.
    pub recent_agreeing: u32,
    /// After how many days an answer weighs half.
    pub half_life_days: f64,
    /// The least number of agreeing answers before a question is answered on trial.
    pub trial_answers: u32,
    /// The least number of distinct sessions of these, and of distinct days.
    pub trial_sessions: u32,
    /// The least lower bound of the agreement's posterior for a trial (0–1).
    pub trial_agreement: f64,
    /// The credibility of that bound (0–1).
    pub trial_credibility: f64,
    /// From how many agreeing answers on the usual one is shown.
    pub assist_answers: u32,
    /// How much an agreement counts that was shown to the person as their usual answer (0–1).
    pub assisted_weight: f64,
    /// False keeps every project to itself.
    pub across_projects: bool,
    /// What a wrong answer costs, in seconds of the person's time.
    #[serde(deserialize_with = "number_or_table")]
    pub wrong_answer_seconds: WrongAnswerSeconds,
}

impl Default for Suggest {
    fn default() -> Self {
        Self {
            // Chosen on made-up people whose habits are known (docs/development/suggesting.md). A low bound that
            // is nearly certain distinguishes habits with an exception from leanings (the same answer three
            // times of four) better than a high one that is less so.
            min_answers: 8,
            min_sessions: 4,
            min_days: 4,
            min_agreement: 0.74,
            credibility: 0.99,
            credibility_unbroken: 0.95,
            recent_agreeing: 2,
            half_life_days: 180.0,
            trial_answers: 6,
            trial_sessions: 3,
            trial_agreement: 0.68,
            trial_credibility: 0.9,
            assist_answers: 4,
            assisted_weight: 0.5,
            across_projects: true,
            wrong_answer_seconds: WrongAnswerSeconds::default(),
        }
    }
}

/// The whole file, the other tables apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SuggestFile {
    suggest: Suggest,
}

impl Suggest {
    /// The table of the file `path`; the defaults where there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed
    /// ([`crate::private_file::open_own`]).
    pub fn load(path: &Path) -> Result<Self, String> {
        Ok(load::<SuggestFile>(path)?.suggest)
    }
}
