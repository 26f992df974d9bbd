//! What is proposed, as a document: `schema_version` 1 in JSON, stable names for scripts. Shares 0–1, seconds as
//! numbers, dates ISO 8601, unknown is null; a null `answer` follows the recommendation.

mod asker;
mod question;
#[cfg(test)]
mod tests;

use plantune_query::permissions::propose::{Left, Proposals};
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{Evidence, Reason, Rejected, Suggestions};
use serde::{Serialize, Serializer};

use super::rules::{RuleProposal, TooWide};

use asker::AskerProposal;
use question::QuestionProposal;

/// What there is to propose.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// For questions; `None` where rules alone are wanted.
    pub questions: Option<&'a Suggestions>,
    /// Permission rules.
    pub rules: &'a Proposals,
    /// Rules that could be narrower.
    pub tighten: &'a [Tighten],
    /// What the person should know of questions and preferences, in words; not in the JSON.
    pub notes_on_questions: &'a [String],
    /// What could not be read of the rules, in words.
    pub notes: &'a [String],
    /// What brings more to propose, in sentences behind a space; empty where nothing has to be done. Not in the JSON.
    pub next: &'a str,
}

/// Everything that is proposed, and what is not.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    suggestions: Vec<Proposal<'a>>,
    rejected: Vec<Refusal<'a>>,
    permissions: Vec<RuleProposal<'a>>,
    /// How many decided prompts no proposal spares, by why.
    permissions_left: Left,
    tighten: Vec<TooWide<'a>>,
    notes: &'a [String],
}

impl<'a> From<Found<'a>> for Document<'a> {
    fn from(found: Found<'a>) -> Self {
        let questions = || found.questions.into_iter();
        let single = questions().flat_map(|all| &all.suggestions);
        let single = single.map(|one| Proposal::Question(one.into()));
        let askers = questions().flat_map(|all| &all.askers);
        let askers = askers.map(|one| Proposal::Asker(one.into()));
        let rejected = questions().flat_map(|all| &all.rejected);
        Self {
            suggestions: single.chain(askers).collect(),
            rejected: rejected.map(Refusal::from).collect(),
            permissions: found
                .rules
                .proposals
                .iter()
                .map(RuleProposal::from)
                .collect(),
            permissions_left: found.rules.left,
            tighten: found.tighten.iter().map(TooWide::from).collect(),
            notes: found.notes,
        }
    }
}

/// A proposal for questions.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "written at once")]
enum Proposal<'a> {
    /// For one question.
    Question(QuestionProposal<'a>),
    /// For the questions of one skill or plugin.
    Asker(AskerProposal<'a>),
}

/// A question that is not proposed.
#[derive(Clone, Debug, Serialize)]
struct Refusal<'a> {
    question_key: &'a str,
    name: &'a str,
    question: &'a str,
    options: &'a [String],
    project: &'a str,
    #[serde(serialize_with = "name")]
    reason: &'a Reason,
    explanation: String,
    evidence: &'a Evidence,
}

impl<'a> From<&'a Rejected> for Refusal<'a> {
    fn from(rejected: &'a Rejected) -> Self {
        let asked = &rejected.asked;
        Self {
            question_key: &asked.question_key,
            name: &asked.name,
            question: &asked.question,
            options: &asked.options,
            project: &asked.project,
            reason: &rejected.reason,
            explanation: rejected.explanation(),
            evidence: &rejected.evidence,
        }
    }
}

fn name<S: Serializer>(reason: &&Reason, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(reason.name())
}
