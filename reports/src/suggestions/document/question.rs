//! What is proposed for a question.

use plantune_domain::cost::QuestionKind;
use plantune_domain::preferences::{AssistMode, Coverage, Policy, Scope};
use plantune_query::backtest::{ByLevel, Score};
use plantune_query::suggest::{Asked, Evidence, Level, Suggestion};
use serde::Serialize;

use crate::binding::{covers, only};
use crate::json::{displayed, rounded};

/// One question.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionProposal<'a> {
    pub(in crate::suggestions) question_key: &'a str,
    key_source: &'a str,
    /// Of a family: the words that the text must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::suggestions) template_text: Option<String>,
    pub(in crate::suggestions) question: &'a str,
    options: &'a [String],
    pub(in crate::suggestions) level: Level,
    /// `project`, `global` for everywhere, or `asker`.
    scope: &'static str,
    /// Null for everywhere.
    pub(in crate::suggestions) project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: Policy,
    /// Of `assist`: how the answer would be shown, `note` or `first`.
    pub(in crate::suggestions) assist: Option<AssistMode>,
    pub(in crate::suggestions) answer: Option<&'a str>,
    /// What it would answer, in words; places that vary as `<one word>`.
    pub(in crate::suggestions) covers: Vec<String>,
    /// Which askings it would cover: `texts`, `pattern` or `options`.
    coverage: Option<Coverage>,
    /// Options of which one may be offered beside these.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    added: &'a [String],
    /// That it would answer nothing else, in words.
    #[serde(skip)]
    pub(in crate::suggestions) only: String,
    /// The tool that asks.
    #[serde(skip)]
    pub(in crate::suggestions) tool: Option<&'a str>,
    #[serde(serialize_with = "rounded")]
    pub(in crate::suggestions) confidence: f64,
    /// The expected share of right answers.
    #[serde(skip)]
    pub(in crate::suggestions) expected: f64,
    pub(in crate::suggestions) evidence: &'a Evidence,
    #[serde(serialize_with = "rounded")]
    pub(in crate::suggestions) seconds_saved_per_week: f64,
    /// What the question is about, by what a wrong answer costs.
    #[serde(serialize_with = "displayed")]
    pub(in crate::suggestions) kind: QuestionKind,
    pub(in crate::suggestions) wrong_answer_seconds: f64,
    /// What stands between it and the next level.
    pub(in crate::suggestions) lacks: Option<String>,
    /// What each level would have got right in these answers, null where it was not computed.
    pub(in crate::suggestions) backtest: Option<Levels>,
}

impl<'a> From<&'a Suggestion> for QuestionProposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        let asked: &Asked = &found.asked;
        let forms = &found.binding.forms;
        let coverage = found.binding.coverage;
        let covers = covers(coverage, forms, &found.binding.options);
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
            only: only(coverage, &covers, forms, &found.binding.added),
            coverage,
            added: &found.binding.added,
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
pub(in crate::suggestions) struct Levels {
    assist: Right,
    trial: Right,
    standing: Right,
}

/// How many answers, and how many of them right.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::suggestions) struct Right {
    pub(in crate::suggestions) answers: u64,
    pub(in crate::suggestions) correct: u64,
}

impl Levels {
    /// Each level with its name, the least first.
    pub(in crate::suggestions) fn named(&self) -> [(&'static str, Right); 3] {
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
