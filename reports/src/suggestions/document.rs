//! The proposals of `suggest` as a document: `schema_version` 1 in JSON, stable names for scripts. Shares 0–1, seconds as
//! numbers, dates ISO 8601, unknown is null; a null `answer` follows the recommendation.

use plantune_domain::agreement::agreement::Consent;
use plantune_domain::config::QuestionKind;
use plantune_domain::preferences::{Level, Policy, Scope};
use plantune_query::permissions::propose::{RuleProposal, UncoveredPrompts};
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{ByLevel, Evidence, Reason, Rejected, Score, Suggestion};
use serde::{Serialize, Serializer};

use super::entry::{Entry, Proposed};
use crate::standing::covers;
use crate::text::{displayed, rounded};

/// Everything that is proposed, and what is not.
#[derive(Clone, Debug, Serialize)]
pub struct ProposalsDocument<'a> {
    suggestions: Vec<QuestionProposal<'a>>,
    rejected: Vec<Refusal<'a>>,
    permissions: Vec<RuleEntry<'a>>,
    /// How many decided prompts no proposal spares, by why.
    permissions_left: UncoveredPrompts,
    tighten: &'a [Tighten],
    notes: &'a [String],
}

impl<'a> From<Proposed<'a>> for ProposalsDocument<'a> {
    fn from(found: Proposed<'a>) -> Self {
        let questions = || found.questions.into_iter();
        let of_questions = questions().flat_map(|all| &all.suggestions);
        let rules = found.rules.proposals.iter().map(Entry::Rule);
        let all = of_questions.map(Entry::Question).chain(rules);
        Self {
            permissions_left: found.rules.left,
            tighten: found.tighten,
            notes: found.notes,
            ..Self::of(all, questions().flat_map(|all| &all.rejected))
        }
    }
}

impl<'a> ProposalsDocument<'a> {
    /// The document of `chosen` and `rejected` alone.
    pub fn of(
        chosen: impl IntoIterator<Item = Entry<'a>>,
        rejected: impl IntoIterator<Item = &'a Rejected>,
    ) -> Self {
        let (mut suggestions, mut permissions) = (Vec::new(), Vec::new());
        for one in chosen {
            match one {
                Entry::Question(one) => suggestions.push(one.into()),
                Entry::Rule(proposal) => permissions.push(RuleEntry {
                    handle: one.handle(),
                    proposal,
                }),
            }
        }
        Self {
            suggestions,
            rejected: rejected.into_iter().map(Refusal::from).collect(),
            permissions,
            permissions_left: UncoveredPrompts::default(),
            tighten: &[],
            notes: &[],
        }
    }
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
            explanation: rejected.reason.to_string(),
            evidence: &rejected.evidence,
        }
    }
}

fn name<S: Serializer>(reason: &&Reason, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(reason.name())
}

/// One question.
#[derive(Clone, Debug, Serialize)]
struct QuestionProposal<'a> {
    handle: String,
    question_key: &'a str,
    name: &'a str,
    key_source: &'a str,
    question: &'a str,
    options: &'a [String],
    level: Level,
    scope: Scope,
    /// Null for everywhere.
    project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: Policy,
    answer: Option<&'a str>,
    /// The questions it would be given for.
    covers: Vec<String>,
    /// How it is confirmed: `yes` or `type`.
    consent: Consent,
    /// How likely (0–1) the next answer agrees.
    #[serde(serialize_with = "rounded")]
    confidence: f64,
    evidence: &'a Evidence,
    #[serde(serialize_with = "rounded")]
    seconds_saved_per_week: f64,
    /// The kind of the question, by what a wrong answer costs.
    #[serde(serialize_with = "displayed")]
    kind: QuestionKind,
    wrong_answer_seconds: f64,
    /// Of a trial: the reason why it is not proposed to be automatic.
    lacks: Option<String>,
    /// The score of each level over these answers, null if it was not computed.
    #[serde(serialize_with = "rights")]
    backtest: Option<&'a ByLevel>,
}

impl<'a> From<&'a Suggestion> for QuestionProposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        let asked = &found.asked;
        Self {
            handle: Entry::Question(found).handle(),
            question_key: &asked.question_key,
            key_source: &asked.key_source,
            name: &asked.name,
            question: &asked.question,
            options: &asked.options,
            level: found.level,
            scope: found.scope(),
            project: found.project(),
            projects: &found.projects,
            preference: Policy::NeverAsk,
            answer: found.answer.as_deref(),
            consent: found.consent,
            covers: covers(&found.agreement, &asked.options, Some(&asked.key_source)),
            confidence: found.confidence,
            evidence: &found.evidence,
            seconds_saved_per_week: found.seconds_saved_per_week,
            kind: found.wrong.kind,
            wrong_answer_seconds: found.wrong.seconds,
            lacks: found.lacks.as_ref().map(ToString::to_string),
            backtest: found.hindsight.as_ref(),
        }
    }
}

/// The score of each level: how many answers, and how many of them right.
fn rights<S: Serializer>(levels: &Option<&ByLevel>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Right {
        answers: u64,
        correct: u64,
    }
    let Some(levels) = levels else {
        return to.serialize_none();
    };
    let right = |score: &Score| Right {
        answers: score.auto_decided(),
        correct: score.correct,
    };
    let levels = levels.levels().into_iter();
    to.collect_map(levels.map(|(level, score)| (level, right(score))))
}

/// A permission rule.
#[derive(Clone, Debug, Serialize)]
struct RuleEntry<'a> {
    handle: String,
    #[serde(flatten)]
    proposal: &'a RuleProposal,
}
