//! What the store knows about a question by its key.

use duckdb::{OptionalExt as _, params};

use plantune_hooks::family;

use crate::evidence::{evidence, texts};
use crate::families::{habits, places};
use crate::{Error, Store};

/// A question as last put.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownQuestion {
    /// How the key was found.
    pub key_source: String,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
}

/// The question `key` as last put in `project`, else as last put anywhere; `None` if it never was.
///
/// # Errors
/// DuckDB's.
pub fn known_question(
    store: &Store,
    key: &str,
    project: Option<&str>,
) -> Result<Option<KnownQuestion>, Error> {
    if key.starts_with(family::PREFIX) {
        return family(store, key, project);
    }
    let found = store.connection.query_row(
        include_str!("../sql/known_question.sql"),
        params![key, project],
        |row| {
            Ok(KnownQuestion {
                key_source: row.get(0)?,
                question: row.get(1)?,
                header: row.get(2)?,
                options: texts(row.get(3)?),
                one_way: row.get(4)?,
                template: None,
            })
        },
    );
    Ok(found.optional()?)
}

/// The family `key`, as its answers show it.
fn family(store: &Store, key: &str, project: Option<&str>) -> Result<Option<KnownQuestion>, Error> {
    let habits = places(evidence(store)?)
        .into_iter()
        .flat_map(|(place, series)| habits(&place, series));
    let mut found: Vec<_> = habits
        .map(|habit| habit.evidence)
        .filter(|habit| habit.question_key == key)
        .collect();
    let elsewhere = |habit: &crate::evidence::KeyEvidence| project != Some(habit.project.as_str());
    found.sort_by_key(elsewhere);
    let Some(mut habit) = found.into_iter().next() else {
        return Ok(None);
    };
    let Some(last) = habit.answers.pop() else {
        return Ok(None);
    };
    Ok(Some(KnownQuestion {
        key_source: habit.key_source,
        question: last.question,
        header: last.header,
        options: last.options,
        one_way: last.one_way,
        template: habit.template,
    }))
}
