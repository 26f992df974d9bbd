//! What is proposed for a question.

use plantune_domain::cost::QuestionKind;
use plantune_domain::preferences::{AssistMode, Coverage, Policy};
use plantune_query::backtest::{ByLevel, Score};
use plantune_query::suggest::{Asked, Evidence, Level, Suggestion};
use serde::{Serialize, Serializer};

use crate::binding::covers;
use crate::json::{displayed, rounded};

/// One question.
#[derive(Clone, Debug, Serialize)]
pub(super) struct QuestionProposal<'a> {
    question_key: &'a str,
    name: &'a str,
    key_source: &'a str,
    /// Of a family: the words that the text must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template_text: Option<String>,
    question: &'a str,
    options: &'a [String],
    level: Level,
    /// `project`, `global` for everywhere, or `asker`.
    scope: &'static str,
    /// Null for everywhere.
    project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: Policy,
    /// Of `assist`: how the answer would be shown, `note` or `first`.
    assist: Option<AssistMode>,
    answer: Option<&'a str>,
    /// What it would answer, in words; places that vary as `<one word>`.
    pub(super) covers: Vec<String>,
    /// Which askings it would cover: `texts`, `pattern` or `options`.
    coverage: Option<Coverage>,
    /// Options of which one may be offered beside these.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    added: &'a [String],
    #[serde(serialize_with = "rounded")]
    confidence: f64,
    evidence: &'a Evidence,
    #[serde(serialize_with = "rounded")]
    seconds_saved_per_week: f64,
    /// What the question is about, by what a wrong answer costs.
    #[serde(serialize_with = "displayed")]
    kind: QuestionKind,
    wrong_answer_seconds: f64,
    /// What stands between it and the next level.
    lacks: Option<String>,
    /// What each level would have got right in these answers, null where it was not computed.
    #[serde(serialize_with = "rights")]
    backtest: Option<&'a ByLevel>,
}

impl<'a> From<&'a Suggestion> for QuestionProposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        let asked: &Asked = &found.asked;
        Self {
            question_key: &asked.question_key,
            key_source: &asked.key_source,
            template: asked.template.as_deref(),
            template_text: asked.template_text(),
            name: &asked.name,
            question: &asked.question,
            options: &asked.options,
            level: found.level,
            scope: found.scope().as_str(),
            project: found.project(),
            projects: &found.projects,
            preference: match found.level {
                Level::Assist => Policy::Assist,
                Level::Trial | Level::Standing => Policy::NeverAsk,
            },
            assist: found.assist,
            answer: found.answer.as_deref(),
            coverage: found.binding.coverage,
            added: &found.binding.added,
            covers: covers(
                found.binding.coverage,
                &found.binding.forms,
                &found.binding.options,
            ),
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

/// What each level would have got right: how many answers, and how many of them right.
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
