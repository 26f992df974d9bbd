//! What is proposed, as a document: `schema_version` 1 in JSON, stable names for scripts. Shares 0–1, seconds as
//! numbers, dates ISO 8601, unknown is null; a null `answer` follows the recommendation.

use plantune_domain::cost::QuestionKind;
use plantune_domain::preferences::{AssistMode, Policy, Scope};
use plantune_query::backtest::{ByLevel, Score};
use plantune_query::permissions::propose::Proposals;
use plantune_query::permissions::tighten::Tighten;
use plantune_query::suggest::{
    Asked, AskerSuggestion, EVERYWHERE, Evidence, Level, Reason, Rejected, Suggestion, Suggestions,
};
use serde::{Serialize, Serializer};

use super::rules::Rules;
use crate::binding::{covers, only};
use crate::json::{displayed, rounded};

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
}

/// Everything that is proposed, and what is not.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    #[serde(flatten)]
    pub(super) questions: Questions<'a>,
    #[serde(flatten)]
    pub(super) rules: Rules<'a>,
    pub(super) notes: &'a [String],
    #[serde(skip)]
    pub(super) notes_on_questions: &'a [String],
    #[serde(skip)]
    pub(super) are_questions_wanted: bool,
}

impl<'a> From<Found<'a>> for Document<'a> {
    fn from(found: Found<'a>) -> Self {
        Self {
            questions: found
                .questions
                .map_or_else(Questions::default, Questions::from),
            rules: Rules::new(found.rules, found.tighten),
            notes: found.notes,
            notes_on_questions: found.notes_on_questions,
            are_questions_wanted: found.questions.is_some(),
        }
    }
}

/// What is proposed for questions, and what is not.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Questions<'a> {
    schema_version: u32,
    pub(super) suggestions: Vec<Proposal<'a>>,
    pub(super) rejected: Vec<Refusal<'a>>,
}

impl Default for Questions<'_> {
    fn default() -> Self {
        Self {
            schema_version: 1,
            suggestions: Vec::new(),
            rejected: Vec::new(),
        }
    }
}

impl<'a> From<&'a Suggestions> for Questions<'a> {
    fn from(found: &'a Suggestions) -> Self {
        let questions = found.suggestions.iter().map(Proposal::from);
        Self {
            suggestions: questions
                .chain(found.askers.iter().map(Proposal::from))
                .collect(),
            rejected: found.rejected.iter().map(Refusal::from).collect(),
            ..Self::default()
        }
    }
}

impl Questions<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.suggestions.is_empty() && self.rejected.is_empty()
    }
}

/// A proposal for questions.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "written at once")]
pub enum Proposal<'a> {
    /// For one question.
    Question(QuestionProposal<'a>),
    /// For the questions of one skill or plugin.
    Asker(AskerProposal<'a>),
}

impl<'a> From<&'a Suggestion> for Proposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        Self::Question(found.into())
    }
}

impl<'a> From<&'a AskerSuggestion> for Proposal<'a> {
    fn from(found: &'a AskerSuggestion) -> Self {
        Self::Asker(found.into())
    }
}

/// All questions of one skill or plugin, scope `asker`.
#[derive(Clone, Debug, Serialize)]
pub struct AskerProposal<'a> {
    /// The asker's name, which `--only` takes.
    #[serde(rename = "question_key")]
    pub(super) asker: &'a str,
    level: Level,
    scope: &'static str,
    project: Option<&'a str>,
    preference: Policy,
    answer: Option<&'a str>,
    /// What its questions would answer, in words.
    covers: Vec<String>,
    #[serde(serialize_with = "rounded")]
    confidence: f64,
    pub(super) evidence: AskerEvidence,
    #[serde(serialize_with = "rounded")]
    seconds_saved_per_week: f64,
    /// What would be set for each of them.
    pub(super) questions: Vec<QuestionProposal<'a>>,
    /// The keys that are left out.
    pub(super) exempt: Vec<&'a str>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct AskerEvidence {
    pub(super) answers: usize,
    pub(super) agreed: usize,
    pub(super) questions: usize,
}

impl<'a> From<&'a AskerSuggestion> for AskerProposal<'a> {
    fn from(found: &'a AskerSuggestion) -> Self {
        let questions: Vec<QuestionProposal<'_>> =
            found.questions.iter().map(QuestionProposal::from).collect();
        let levels = questions.iter().map(|one| one.level);
        let covered = questions.iter().flat_map(|one| one.covers.clone());
        Self {
            asker: &found.asker,
            level: levels.max().unwrap_or(Level::Assist),
            scope: "asker",
            project: None,
            preference: Policy::NeverAsk,
            answer: None,
            covers: covered.collect(),
            confidence: questions.first().map_or(0.0, |one| one.confidence),
            evidence: AskerEvidence {
                answers: found.answers,
                agreed: found.followed,
                questions: found.asked,
            },
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

/// One question.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionProposal<'a> {
    pub(super) question_key: &'a str,
    key_source: &'a str,
    /// Of a family: the words that the text must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) template_text: Option<String>,
    pub(super) question: &'a str,
    options: &'a [String],
    pub(super) level: Level,
    /// `project`, `global` for everywhere, or `asker`.
    scope: &'static str,
    /// Null for everywhere.
    pub(super) project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: Policy,
    /// Of `assist`: how the answer would be shown, `note` or `first`.
    pub(super) assist: Option<AssistMode>,
    pub(super) answer: Option<&'a str>,
    /// What it would answer, in words; places that vary as `<one word>`.
    pub(super) covers: Vec<String>,
    /// That it would answer nothing else, in words.
    #[serde(skip)]
    pub(super) only: String,
    /// The tool that asks.
    #[serde(skip)]
    pub(super) tool: Option<&'a str>,
    #[serde(serialize_with = "rounded")]
    pub(super) confidence: f64,
    /// The expected share of right answers.
    #[serde(skip)]
    pub(super) expected: f64,
    pub(super) evidence: &'a Evidence,
    #[serde(serialize_with = "rounded")]
    pub(super) seconds_saved_per_week: f64,
    /// What the question is about, by what a wrong answer costs.
    #[serde(serialize_with = "displayed")]
    pub(super) kind: QuestionKind,
    pub(super) wrong_answer_seconds: f64,
    /// What stands between it and the next level.
    pub(super) lacks: Option<String>,
    /// What each level would have got right in these answers, null where it was not computed.
    pub(super) backtest: Option<Levels>,
}

impl<'a> From<&'a Suggestion> for QuestionProposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        let asked: &Asked = &found.asked;
        let forms = &found.binding.forms;
        let covers = covers(forms);
        Self {
            question_key: &asked.question_key,
            key_source: &asked.key_source,
            template: asked.template.as_deref(),
            template_text: asked.template_text(),
            question: &asked.question,
            options: &asked.options,
            level: found.level,
            scope: found.scope().as_str(),
            project: match found.scope() {
                Scope::Project => Some(&asked.project),
                Scope::Global => None,
            },
            projects: &found.projects,
            preference: match found.level {
                Level::Assist => Policy::Assist,
                Level::Trial | Level::Standing => Policy::NeverAsk,
            },
            assist: found.assist,
            answer: found.answer.as_deref(),
            only: only(&covers, forms),
            covers,
            tool: found.binding.tool.as_deref(),
            confidence: found.confidence,
            expected: found.expected,
            evidence: &found.evidence,
            seconds_saved_per_week: found.seconds_saved_per_week,
            kind: found.wrong.kind,
            wrong_answer_seconds: found.wrong.seconds,
            lacks: found.lacks.as_ref().map(ToString::to_string),
            backtest: found.hindsight.as_ref().map(Levels::from),
        }
    }
}

/// What each level would have got right.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Levels {
    assist: Right,
    trial: Right,
    standing: Right,
}

/// How many answers, and how many of them right.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Right {
    pub(super) answers: u64,
    pub(super) correct: u64,
}

impl Levels {
    /// Each level with its name, the least first.
    pub(super) fn named(&self) -> [(&'static str, Right); 3] {
        [
            (Level::Assist.name(), self.assist),
            (Level::Trial.name(), self.trial),
            (Level::Standing.name(), self.standing),
        ]
    }
}

impl From<&ByLevel> for Levels {
    fn from(levels: &ByLevel) -> Self {
        let right = |score: &Score| Right {
            answers: score.auto_decided(),
            correct: score.correct,
        };
        Self {
            assist: right(&levels.assist),
            trial: right(&levels.trial),
            standing: right(&levels.standing),
        }
    }
}

/// A question that is not proposed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Refusal<'a> {
    pub(super) question_key: &'a str,
    #[serde(skip)]
    pub(super) template_text: Option<String>,
    pub(super) question: &'a str,
    options: &'a [String],
    project: &'a str,
    /// The answer that came nearest; `None` for the recommended one.
    #[serde(skip)]
    pub(super) answer: Option<&'a str>,
    #[serde(serialize_with = "name")]
    pub(super) reason: &'a Reason,
    pub(super) explanation: String,
    pub(super) evidence: &'a Evidence,
}

impl<'a> From<&'a Rejected> for Refusal<'a> {
    fn from(rejected: &'a Rejected) -> Self {
        let asked = &rejected.asked;
        Self {
            question_key: &asked.question_key,
            template_text: asked.template_text(),
            question: &asked.question,
            options: &asked.options,
            project: &asked.project,
            answer: rejected.answer.as_deref(),
            reason: &rejected.reason,
            explanation: rejected.reason.to_string(),
            evidence: &rejected.evidence,
        }
    }
}

impl Refusal<'_> {
    /// The project; `None` for everywhere.
    pub(super) fn project(&self) -> Option<&str> {
        (self.project != EVERYWHERE).then_some(self.project)
    }
}

fn name<S: Serializer>(reason: &&Reason, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(reason.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::suggestions::sample::sample;

    #[test]
    fn the_document_is_stable() {
        let mut found = sample();
        found.suggestions.remove(0);
        found.rejected.truncate(1);
        let mut out = Vec::new();
        json::write(&Questions::from(&found), &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r#"
        {
          "schema_version": 1,
          "suggestions": [
            {
              "question_key": "style",
              "key_source": "marker",
              "question": "Style\u001b[31m\nguide\u202e?",
              "options": [
                "Create it (Recommended)",
                "Skip"
              ],
              "level": "trial",
              "scope": "project",
              "project": "github.com/o/r",
              "projects": [
                "github.com/o/r"
              ],
              "preference": "never-ask",
              "assist": null,
              "answer": null,
              "covers": [
                "Style guide?",
                "Style guide, then?"
              ],
              "confidence": 0.9999,
              "evidence": {
                "answers": 22,
                "agreed": 20,
                "added": 0,
                "assisted": 0,
                "imported": 0,
                "sessions": 18,
                "days": 17,
                "first": "2026-09-01",
                "last": "2026-11-19",
                "last_disagreement": null
              },
              "seconds_saved_per_week": 31.25,
              "kind": "content",
              "wrong_answer_seconds": 120.0,
              "lacks": "needs 3 more agreeing answers, on 2 more days",
              "backtest": null
            },
            {
              "question_key": "todo",
              "key_source": "marker",
              "question": "What would you like to do with this todo?",
              "options": [
                "Create it (Recommended)",
                "Skip"
              ],
              "level": "assist",
              "scope": "global",
              "project": null,
              "projects": [
                "github.com/o/other",
                "github.com/o/r"
              ],
              "preference": "assist",
              "assist": "first",
              "answer": "Work on it now",
              "covers": [
                "What would you like to do with this todo?"
              ],
              "confidence": 0.478,
              "evidence": {
                "answers": 5,
                "agreed": 4,
                "added": 1,
                "assisted": 0,
                "imported": 0,
                "sessions": 18,
                "days": 17,
                "first": "2026-09-01",
                "last": "2026-11-19",
                "last_disagreement": "2026-10-02"
              },
              "seconds_saved_per_week": 40.0,
              "kind": "go_on",
              "wrong_answer_seconds": 30.0,
              "lacks": "you often add something to this answer",
              "backtest": null
            }
          ],
          "rejected": [
            {
              "question_key": "layout",
              "question": "Which layout?",
              "options": [
                "Create it (Recommended)",
                "Skip"
              ],
              "project": "github.com/o/r",
              "reason": "too_little",
              "explanation": "needs 3 more agreeing answers, on 2 more days",
              "evidence": {
                "answers": 8,
                "agreed": 8,
                "added": 0,
                "assisted": 0,
                "imported": 0,
                "sessions": 18,
                "days": 17,
                "first": "2026-09-01",
                "last": "2026-11-19",
                "last_disagreement": null
              }
            }
          ]
        }
        "#);
    }
}
