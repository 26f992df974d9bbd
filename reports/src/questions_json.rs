//! The questions there are, as JSON, `schema_version` 1: stable names for scripts.

use std::io::{self, Write};

use plantune_query::questions::{Listed, Occurrence, Unmarked};
use serde::Serialize;

use crate::inert;

#[derive(Serialize)]
struct List<'a> {
    schema_version: u32,
    questions: Vec<Question<'a>>,
}

#[derive(Serialize)]
struct Family<'a> {
    #[serde(flatten)]
    question: Question<'a>,
    rule: &'a str,
}

#[derive(Serialize)]
struct Question<'a> {
    question_key: &'a str,
    key_source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<&'a [String]>,
    project: &'a str,
    question: &'a str,
    header: Option<&'a str>,
    options: &'a [String],
    asked: u64,
    answered: u64,
    auto_decided: u64,
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    askings: Option<Vec<Asking<'a>>>,
}

#[derive(Serialize)]
struct Asking<'a> {
    at: Option<String>,
    session_id: &'a str,
    session_kind: &'a str,
    tool_use_id: &'a str,
    question: &'a str,
    outcome: &'a str,
    answer: &'a [String],
    free_text: Option<&'a str>,
    notes: Option<&'a str>,
    human_seconds: Option<f64>,
}

/// Writes the list: counts as numbers, dates ISO 8601, unknown is null.
///
/// # Errors
/// Those of `out`.
pub fn write_list(listed: &[Listed], out: &mut dyn Write) -> io::Result<()> {
    let document = List {
        schema_version: 1,
        questions: listed.iter().map(question).collect(),
    };
    out.write_all(inert::json(&document)?.as_bytes())
}

/// Writes every time that questions were asked: times as RFC 3339 in UTC, times in seconds.
///
/// # Errors
/// Those of `out`.
pub fn write_askings(shown: &[(&Listed, Vec<Occurrence>)], out: &mut dyn Write) -> io::Result<()> {
    let questions = shown.iter().map(|(listed, occurrences)| {
        serde_json::to_value(Question {
            askings: Some(occurrences.iter().map(asking).collect()),
            ..question(listed)
        })
    });
    let questions = questions.collect::<serde_json::Result<Vec<_>>>()?;
    let document = serde_json::json!({ "schema_version": 1, "questions": questions });
    out.write_all(inert::json(&document)?.as_bytes())
}

/// Writes the families that a rule could name, each with its rule.
///
/// # Errors
/// Those of `out`.
pub fn write_unmarked(families: &[(&Unmarked, &str)], out: &mut dyn Write) -> io::Result<()> {
    let family =
        |(family, rule): &(&'_ Unmarked, &'_ str)| -> serde_json::Result<serde_json::Value> {
            serde_json::to_value(Family {
                question: question(&family.listed),
                rule,
            })
        };
    let families = families.iter().map(family);
    let families = families.collect::<serde_json::Result<Vec<_>>>()?;
    let document = serde_json::json!({ "schema_version": 1, "families": families });
    out.write_all(inert::json(&document)?.as_bytes())
}

fn question(listed: &Listed) -> Question<'_> {
    Question {
        question_key: &listed.question_key,
        key_source: &listed.key_source,
        template: listed.template.as_deref(),
        project: &listed.project,
        question: &listed.question,
        header: listed.header.as_deref(),
        options: &listed.options,
        asked: listed.asked,
        answered: listed.answered,
        auto_decided: listed.auto_decided,
        last: listed.last.map(|day| day.to_string()),
        askings: None,
    }
}

fn asking(occurrence: &Occurrence) -> Asking<'_> {
    Asking {
        at: occurrence
            .at
            .map(|at| at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()),
        session_id: &occurrence.session_id,
        session_kind: &occurrence.session_kind,
        tool_use_id: &occurrence.tool_use_id,
        question: &occurrence.question,
        outcome: &occurrence.outcome,
        answer: &occurrence.labels,
        free_text: occurrence.free_text.as_deref(),
        notes: occurrence.notes.as_deref(),
        human_seconds: occurrence.human_seconds,
    }
}
