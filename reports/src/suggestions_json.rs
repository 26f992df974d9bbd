//! Suggestions as JSON, `schema_version` 1: stable names for scripts.

use std::io::{self, Write};

use plantune_domain::preferences::{AssistMode, Policy, Scope};
use plantune_query::backtest::{ByLevel, Score};
use plantune_query::suggest::{
    Asked, AskerSuggestion, Evidence, Level, Rejected, Suggestion, Suggestions,
};
use serde::Serialize;

use crate::binding::covers;
use crate::inert;

#[derive(Serialize)]
pub(crate) struct Document<'a> {
    schema_version: u32,
    suggestions: Vec<Entry<'a>>,
    rejected: Vec<Refusal<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "serialised at once")]
enum Entry<'a> {
    Question(Proposal<'a>),
    Asker(AskerProposal<'a>),
}

/// All questions of one skill or plugin, scope `asker`.
#[derive(Serialize)]
struct AskerProposal<'a> {
    /// The asker's name, which `--only` takes.
    question_key: &'a str,
    level: &'static str,
    scope: &'static str,
    project: Option<&'a str>,
    preference: &'static str,
    answer: Option<&'a str>,
    /// What its questions would answer, in words.
    covers: Vec<String>,
    confidence: f64,
    evidence: AskerEvidence,
    seconds_saved_per_week: f64,
    /// What would be set for each of them.
    questions: Vec<Proposal<'a>>,
    /// The keys that are left out.
    exempt: Vec<&'a str>,
}

#[derive(Serialize)]
struct AskerEvidence {
    answers: usize,
    agreed: usize,
    questions: usize,
}

#[derive(Serialize)]
struct Proposal<'a> {
    question_key: &'a str,
    key_source: &'a str,
    /// Of a family: the words that the text must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template_text: Option<String>,
    question: &'a str,
    options: &'a [String],
    /// `assist`, `trial` or `standing`.
    level: &'static str,
    /// `project`, `global` for everywhere, or `asker`.
    scope: &'static str,
    /// Null for everywhere.
    project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: &'static str,
    /// Of `assist`: how the answer would be shown, `note` or `first`.
    assist: Option<&'static str>,
    answer: Option<&'a str>,
    /// What it would answer, in words; places that vary as `<one word>`.
    covers: Vec<String>,
    confidence: f64,
    evidence: EvidenceDocument,
    seconds_saved_per_week: f64,
    /// What the question is about, by what a wrong answer costs.
    kind: &'static str,
    wrong_answer_seconds: f64,
    /// What stands between it and the next level.
    lacks: Option<String>,
    /// What each level would have got right in these answers, null where it was not computed.
    backtest: Option<Levels>,
}

/// What each level would have got right.
#[derive(Serialize)]
struct Levels {
    assist: Right,
    trial: Right,
    standing: Right,
}

/// How many answers, and how many of them right.
#[derive(Serialize)]
struct Right {
    answers: u64,
    correct: u64,
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

#[derive(Serialize)]
struct Refusal<'a> {
    question_key: &'a str,
    question: &'a str,
    options: &'a [String],
    project: &'a str,
    reason: &'static str,
    explanation: String,
    evidence: EvidenceDocument,
}

/// Evidence as it stands in suggestions, preferences and events.
#[derive(Serialize)]
pub struct EvidenceDocument {
    answers: usize,
    agreed: usize,
    added: usize,
    assisted: usize,
    imported: usize,
    sessions: usize,
    days: usize,
    first: Option<String>,
    last: Option<String>,
    last_disagreement: Option<String>,
}

impl From<&Evidence> for EvidenceDocument {
    fn from(evidence: &Evidence) -> Self {
        let day = |day: Option<chrono::NaiveDate>| day.map(|day| day.to_string());
        Self {
            answers: evidence.answers,
            agreed: evidence.agreed,
            added: evidence.added,
            assisted: evidence.assisted,
            imported: evidence.imported,
            sessions: evidence.sessions,
            days: evidence.days,
            first: day(evidence.first),
            last: day(evidence.last),
            last_disagreement: day(evidence.last_disagreement),
        }
    }
}

/// Writes `found` as JSON: shares 0–1, seconds as numbers, dates ISO 8601, unknown is null. A null
/// `answer` follows the recommendation.
///
/// # Errors
/// Those of `out`.
pub fn write(found: &Suggestions, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(inert::json(&document(found))?.as_bytes())
}

/// The document that [`write`] writes.
pub(crate) fn document(found: &Suggestions) -> Document<'_> {
    Document {
        schema_version: 1,
        suggestions: found
            .suggestions
            .iter()
            .map(|one| Entry::Question(proposal(one)))
            .chain(found.askers.iter().map(|one| Entry::Asker(by_asker(one))))
            .collect(),
        rejected: found.rejected.iter().map(refusal).collect(),
    }
}

fn by_asker(found: &AskerSuggestion) -> AskerProposal<'_> {
    let questions: Vec<Proposal<'_>> = found.questions.iter().map(proposal).collect();
    let first = found.questions.first();
    AskerProposal {
        question_key: &found.asker,
        level: found
            .questions
            .iter()
            .map(|one| one.level)
            .max()
            .map_or("assist", Level::name),
        scope: "asker",
        project: None,
        preference: Policy::NeverAsk.as_str(),
        answer: None,
        covers: questions
            .iter()
            .flat_map(|one| one.covers.clone())
            .collect(),
        confidence: rounded(first.map_or(0.0, |one| one.confidence)),
        evidence: AskerEvidence {
            answers: found.answers,
            agreed: found.followed,
            questions: found.asked,
        },
        seconds_saved_per_week: rounded(found.saved()),
        questions,
        exempt: found
            .exempt
            .iter()
            .map(|one| one.question_key.as_str())
            .collect(),
    }
}

fn proposal(suggestion: &Suggestion) -> Proposal<'_> {
    let asked: &Asked = &suggestion.asked;
    Proposal {
        question_key: &asked.question_key,
        key_source: &asked.key_source,
        template: asked.template.as_deref(),
        template_text: asked.template_text(),
        question: &asked.question,
        options: &asked.options,
        level: suggestion.level.name(),
        scope: suggestion.scope().as_str(),
        project: match suggestion.scope() {
            Scope::Project => Some(&asked.project),
            Scope::Global => None,
        },
        projects: &suggestion.projects,
        preference: match suggestion.level {
            Level::Assist => Policy::Assist.as_str(),
            Level::Trial | Level::Standing => Policy::NeverAsk.as_str(),
        },
        assist: suggestion.assist.map(AssistMode::as_str),
        answer: suggestion.answer.as_deref(),
        covers: covers(&suggestion.binding.forms),
        confidence: rounded(suggestion.confidence),
        evidence: (&suggestion.evidence).into(),
        seconds_saved_per_week: rounded(suggestion.seconds_saved_per_week),
        kind: suggestion.wrong.kind.as_str(),
        wrong_answer_seconds: suggestion.wrong.seconds,
        lacks: suggestion.lacks.as_ref().map(ToString::to_string),
        backtest: suggestion.hindsight.as_ref().map(Levels::from),
    }
}

fn refusal(rejected: &Rejected) -> Refusal<'_> {
    Refusal {
        question_key: &rejected.asked.question_key,
        question: &rejected.asked.question,
        options: &rejected.asked.options,
        project: &rejected.asked.project,
        reason: rejected.reason.name(),
        explanation: rejected.reason.to_string(),
        evidence: (&rejected.evidence).into(),
    }
}

/// Four decimals: what lies beyond differs by machine and says nothing.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggestions_sample::sample;

    #[test]
    fn the_document_is_stable() {
        let mut found = sample();
        found.suggestions.remove(0);
        found.rejected.truncate(1);
        let mut out = Vec::new();
        write(&found, &mut out).unwrap();
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
