//! What the store knows about a question by its key.

use duckdb::{OptionalExt as _, params};

use plantune_domain::binding::Shown;
use plantune_domain::family;
use plantune_domain::registry::Registry;

use crate::evidence::{HumanAnswer, KeyEvidence, evidence};
use crate::families::{groups, habits, renamed};
use crate::labels::{labels, labels_if_any};
use crate::{Error, Store};

/// A question as last asked.
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
    /// Their descriptions, one an option or none at all; `None` where they were not logged.
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, likewise.
    pub previews: Option<Vec<String>>,
    /// Whether several could be chosen.
    pub multi_select: bool,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
}

impl KnownQuestion {
    /// What the person read of it.
    pub fn shown(&self) -> Shown<'_> {
        Shown {
            tool: None,
            text: &self.question,
            header: self.header.as_deref(),
            options: &self.options,
            multi_select: self.multi_select,
            descriptions: self.descriptions.as_deref(),
            previews: self.previews.as_deref(),
        }
    }
}

/// The question `key` as last asked in `project`, else as last asked anywhere; `None` if it never was. What
/// a rule of `registry` names counts as asked when it was, under whatever key it was logged then.
///
/// # Errors
/// DuckDB's.
pub fn known_question(
    store: &Store,
    key: &str,
    project: Option<&str>,
    registry: &Registry,
) -> Result<Option<KnownQuestion>, Error> {
    if key.starts_with(family::PREFIX) {
        let habits = groups(evidence(store, registry)?)
            .into_iter()
            .flat_map(|(group, series)| habits(&group, series));
        return Ok(last_of(habits.map(|habit| habit.evidence), key, project));
    }
    let found = store.connection.query_row(
        include_str!("../sql/known_question.sql"),
        params![key, project],
        |row| {
            Ok(KnownQuestion {
                key_source: row.get(0)?,
                question: row.get(1)?,
                header: row.get(2)?,
                options: labels(row, 3)?,
                descriptions: labels_if_any(row, 6)?,
                previews: labels_if_any(row, 7)?,
                multi_select: row.get(5)?,
                one_way: row.get(4)?,
                template: None,
            })
        },
    );
    let found = found.optional()?;
    if found.is_some() || registry.rules_of(key).next().is_none() {
        return Ok(found);
    }
    let series = renamed(evidence(store, registry)?, registry);
    Ok(last_of(series.into_iter(), key, project))
}

/// The question `key` as its answers show it, the project's own first.
fn last_of(
    habits: impl Iterator<Item = KeyEvidence>,
    key: &str,
    project: Option<&str>,
) -> Option<KnownQuestion> {
    let mut found: Vec<_> = habits.filter(|habit| habit.question_key == key).collect();
    found.sort_by_key(|habit| project != Some(habit.project.as_str()));
    let habit = found.into_iter().next()?;
    let last = habit.answers.into_iter().max_by(HumanAnswer::in_time)?;
    Some(KnownQuestion {
        key_source: habit.key_source,
        question: last.question,
        header: last.header,
        options: last.options,
        descriptions: last.descriptions,
        previews: last.previews,
        multi_select: last.multi_select,
        one_way: last.one_way,
        template: habit.template,
    })
}
