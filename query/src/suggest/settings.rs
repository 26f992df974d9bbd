//! What answers must show before a habit is proposed.

use plantune_domain::config::{QuestionKind, SuggestSettings};

/// The guards of a suggestion. A person sets the last two; the others were chosen on made-up people whose habits are
/// known (docs/development/agreement.md).
#[derive(Clone, Debug, PartialEq)]
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
    /// False keeps every project to itself.
    pub across_projects: bool,
    /// The cost of a wrong answer, in seconds of the person's time; by the kind of question when `None`.
    pub wrong_answer_seconds: Option<f64>,
}

impl Default for Suggest {
    fn default() -> Self {
        Self::from(&SuggestSettings::default())
    }
}

impl From<&SuggestSettings> for Suggest {
    fn from(table: &SuggestSettings) -> Self {
        Self {
            // A low bound that is nearly certain distinguishes habits with an exception from leanings (the same answer three
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
            across_projects: table.across_projects,
            wrong_answer_seconds: table.wrong_answer_seconds,
        }
    }
}

impl Suggest {
    /// The time it takes to notice and undo a wrong answer to a question of this kind, in seconds.
    pub fn wrong_answer_seconds(&self, kind: QuestionKind) -> f64 {
        self.wrong_answer_seconds.unwrap_or(match kind {
            QuestionKind::GoOn => 30.0,
            QuestionKind::Scope => 60.0,
            QuestionKind::Content => 120.0,
            QuestionKind::Architecture => 300.0,
        })
    }
}
