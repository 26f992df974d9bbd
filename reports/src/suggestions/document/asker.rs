//! What is proposed for whoever asks.

use plantune_domain::preferences::Policy;
use plantune_query::suggest::{AskerSuggestion, Level};
use serde::Serialize;

use super::QuestionProposal;
use crate::json::rounded;
use crate::report::Evidence;

/// All questions of one skill or plugin, scope `asker`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AskerProposal<'a> {
    /// The asker's name, which `--only` takes.
    #[serde(rename = "question_key")]
    asker: &'a str,
    level: Level,
    scope: &'static str,
    project: Option<&'a str>,
    preference: Policy,
    answer: Option<&'a str>,
    /// What its questions would answer, in words.
    covers: Vec<String>,
    #[serde(serialize_with = "rounded")]
    confidence: f64,
    evidence: Evidence,
    #[serde(serialize_with = "rounded")]
    seconds_saved_per_week: f64,
    /// What would be set for each of them.
    questions: Vec<QuestionProposal<'a>>,
    /// The keys that are left out.
    exempt: Vec<&'a str>,
}

impl<'a> From<&'a AskerSuggestion> for AskerProposal<'a> {
    fn from(found: &'a AskerSuggestion) -> Self {
        let questions: Vec<QuestionProposal<'_>> =
            found.questions.iter().map(QuestionProposal::from).collect();
        let covered = questions.iter().flat_map(|one| one.covers.clone());
        Self {
            asker: &found.asker,
            level: found.level(),
            scope: "asker",
            project: None,
            preference: Policy::NeverAsk,
            answer: None,
            covers: covered.collect(),
            confidence: found.confidence(),
            evidence: found.into(),
            seconds_saved_per_week: found.saved(),
            questions,
            exempt: found
                .exempt
                .iter()
                .map(|one| one.question_key.as_str())
                .collect(),
        }
    }
}
