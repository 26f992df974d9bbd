//! Suggestions as JSON, `schema_version` 1: stable names for scripts.

use std::io::{self, Write};

use plantune_query::suggest::{Asked, Evidence, Rejected, Suggestion, Suggestions};
use serde::Serialize;

use crate::binding::covers;
use crate::inert;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    suggestions: Vec<Proposal<'a>>,
    rejected: Vec<Refusal<'a>>,
}

#[derive(Serialize)]
struct Proposal<'a> {
    question_key: &'a str,
    key_source: &'a str,
    /// Of a family: the words that the text must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    question: &'a str,
    options: &'a [String],
    scope: &'static str,
    project: &'a str,
    preference: &'static str,
    answer: Option<&'a str>,
    /// What it would answer, in words; places that vary as `<one word>`.
    covers: Vec<String>,
    confidence: f64,
    evidence: EvidenceDocument,
    seconds_saved_per_week: f64,
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
    let document = Document {
        schema_version: 1,
        suggestions: found.suggestions.iter().map(proposal).collect(),
        rejected: found.rejected.iter().map(refusal).collect(),
    };
    out.write_all(inert::json(&document)?.as_bytes())
}

fn proposal(suggestion: &Suggestion) -> Proposal<'_> {
    let asked: &Asked = &suggestion.asked;
    Proposal {
        question_key: &asked.question_key,
        key_source: &asked.key_source,
        template: asked.template.as_deref(),
        question: &asked.question,
        options: &asked.options,
        scope: "project",
        project: &asked.project,
        preference: "never-ask",
        answer: suggestion.answer.as_deref(),
        covers: covers(&suggestion.binding.forms),
        confidence: rounded(suggestion.confidence),
        evidence: (&suggestion.evidence).into(),
        seconds_saved_per_week: rounded(suggestion.seconds_saved_per_week),
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
              "scope": "project",
              "project": "github.com/o/r",
              "preference": "never-ask",
              "answer": null,
              "covers": [
                "Style guide?",
                "Style guide, then?"
              ],
              "confidence": 0.9999,
              "evidence": {
                "answers": 22,
                "agreed": 20,
                "imported": 0,
                "sessions": 18,
                "days": 17,
                "first": "2026-09-01",
                "last": "2026-11-19",
                "last_disagreement": null
              },
              "seconds_saved_per_week": 31.25
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
