//! Prompts for permission as JSON, `schema_version` 1: stable names for scripts.

use std::io::{self, Write};

use plantune_query::permissions::prompts::{Prompt, Subject};
use serde::Serialize;

use crate::inert;
use crate::prompts::{Shown, rules};

#[derive(Serialize)]
struct Described<'a> {
    #[serde(flatten)]
    subject: &'a Subject,
    offered: Vec<Offered<'a>>,
    prompts: &'a [Prompt],
}

#[derive(Serialize)]
struct Offered<'a> {
    rule: &'a str,
    times: usize,
}

/// Writes the first `most` of `subjects`: counts as numbers, times as RFC 3339 in UTC, unknown is null.
///
/// # Errors
/// Those of `out`.
pub fn write_list(subjects: &[Subject], most: usize, out: &mut dyn Write) -> io::Result<()> {
    let subjects: Vec<&Subject> = subjects.iter().take(most).collect();
    let document = serde_json::json!({ "schema_version": 1, "subjects": subjects });
    out.write_all(inert::json(&document)?.as_bytes())
}

/// Writes subjects with the latest `most` of their prompts, and with all rules that were offered.
///
/// # Errors
/// Those of `out`.
pub fn write_subjects(shown: &[Shown], most: usize, out: &mut dyn Write) -> io::Result<()> {
    let described = |one: &'_ Shown| -> serde_json::Result<serde_json::Value> {
        let offered = rules(&one.prompts)
            .into_iter()
            .map(|(rule, times)| Offered { rule, times });
        serde_json::to_value(Described {
            subject: &one.subject,
            offered: offered.collect(),
            prompts: one.prompts.get(..most).unwrap_or(&one.prompts),
        })
    };
    let subjects = shown.iter().map(described);
    let subjects = subjects.collect::<serde_json::Result<Vec<_>>>()?;
    let document = serde_json::json!({ "schema_version": 1, "subjects": subjects });
    out.write_all(inert::json(&document)?.as_bytes())
}
