//! What could be answered by itself, as the report shows it; `suggest` shows more.

use std::cmp::Reverse;

use plantune_query::suggest::{AskerSuggestion, Reason, Rejected, Suggestion, Suggestions};
use serde::Serialize;

use crate::json::four_decimals;

/// A proposal with its evidence. Serialised, it is an entry of `report --json`, its fields named as in
/// `suggest --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// The question, or the asker's name.
    pub question_key: String,
    /// What it is called; of an asker, how many questions that are is in `questions`.
    pub question: Option<String>,
    /// `assist`, `trial` or `standing`.
    pub level: &'static str,
    /// `project`, `global` for everywhere, or `asker`.
    pub scope: &'static str,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// The label; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least.
    pub confidence: f64,
    /// The expected share (0–1); `None` for an asker.
    pub expected: Option<f64>,
    /// The answers it rests on.
    pub evidence: Evidence,
    /// How often it is asked in a week, of late.
    pub asked_per_week: f64,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
}

impl Proposal {
    /// True where questions would be answered, and not only shown with the usual answer first.
    pub(crate) fn answers(&self) -> bool {
        self.level != "assist"
    }
}

/// The answers that a proposal rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// How many.
    pub answers: u64,
    /// Of these, those that the proposal would have given.
    pub agreed: u64,
    /// Of how many questions.
    pub questions: u64,
}

/// What comes up again and again and is not proposed. Serialised, it is an entry of `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotProposed {
    /// The question.
    pub question_key: String,
    /// What it is called.
    pub question: String,
    /// The project.
    pub project: String,
    /// The answers that were looked at.
    pub answers: u64,
    /// Of these, those that were the same.
    pub agreed: u64,
    /// Why not, in words.
    pub why: String,
}

/// How many answers there must be to a question that is not proposed, and how many such questions are shown.
const LEAST_ANSWERS: usize = 3;
const MOST_NOT_PROPOSED: usize = 12;

/// What is answered often and not proposed in `found`, the most frequent first.
pub fn not_proposed(found: &Suggestions) -> Vec<NotProposed> {
    let recurs = |one: &&Rejected| {
        one.evidence.answers >= LEAST_ANSWERS && one.reason != Reason::PreferenceInForce
    };
    let mut recurring: Vec<&Rejected> = found.rejected.iter().filter(recurs).collect();
    recurring.sort_by_key(|one| Reverse(one.evidence.answers));
    let recurring = recurring.into_iter().take(MOST_NOT_PROPOSED);
    recurring
        .map(|one| NotProposed {
            question_key: one.asked.question_key.clone(),
            question: one.asked.name.clone(),
            project: one.asked.project.clone(),
            answers: count(one.evidence.answers),
            agreed: count(one.evidence.agreed),
            why: one.explanation(),
        })
        .collect()
}

/// The proposals among `found`, by question first, then by who asks.
pub fn proposals(found: &Suggestions) -> Vec<Proposal> {
    let by_question = found.suggestions.iter().map(Proposal::from);
    let by_asker = found.askers.iter().map(Proposal::from);
    by_question.chain(by_asker).collect()
}

impl From<&Suggestion> for Proposal {
    fn from(suggestion: &Suggestion) -> Self {
        let asked = &suggestion.asked;
        Self {
            question_key: asked.question_key.clone(),
            question: Some(asked.name.clone()),
            level: suggestion.level.as_str(),
            scope: suggestion.scope().as_str(),
            project: suggestion.project().map(str::to_owned),
            answer: suggestion.answer.clone(),
            confidence: four_decimals(suggestion.confidence),
            expected: Some(four_decimals(suggestion.expected)),
            evidence: Evidence {
                answers: count(suggestion.evidence.answers),
                agreed: count(suggestion.evidence.agreed),
                questions: 1,
            },
            asked_per_week: four_decimals(suggestion.asked_per_week),
            seconds_saved_per_week: four_decimals(suggestion.seconds_saved_per_week),
        }
    }
}

impl From<&AskerSuggestion> for Evidence {
    fn from(found: &AskerSuggestion) -> Self {
        Self {
            answers: count(found.answers),
            agreed: count(found.followed),
            questions: count(found.asked),
        }
    }
}

impl From<&AskerSuggestion> for Proposal {
    fn from(found: &AskerSuggestion) -> Self {
        Self {
            question_key: found.asker.clone(),
            question: None,
            level: found.level().as_str(),
            scope: "asker",
            project: None,
            answer: None,
            confidence: four_decimals(found.confidence()),
            expected: None,
            evidence: found.into(),
            asked_per_week: four_decimals(found.asked_per_week()),
            seconds_saved_per_week: four_decimals(found.saved()),
        }
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
