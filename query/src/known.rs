//! What the store knows about a question by its key.

use std::collections::HashMap;

use plantune_domain::binding::Shown;
use plantune_domain::family;
use plantune_domain::registry::Registry;
use serde::Deserialize;

use crate::evidence::{GivenAnswer, HumanAnswer, KeyEvidence, evidence};
use crate::families::{groups, habits, renamed};
use crate::rows::json;
use crate::{Error, Store};

/// A question as last asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct KnownQuestion {
    /// How the key was found.
    pub key_source: String,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
    /// Their descriptions, one an option or none at all; `None` where they were not logged.
    #[serde(deserialize_with = "json")]
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, likewise.
    #[serde(deserialize_with = "json")]
    pub previews: Option<Vec<String>>,
    /// Whether several could be chosen.
    pub multi_select: bool,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
    /// Of a family: the words that all its texts hold, in their order.
    #[serde(skip)]
    pub template: Option<Vec<String>>,
    /// The project in which it was asked under this key; `None` of a family, and of what a rule has named since.
    #[serde(skip)]
    pub asked_in: Option<String>,
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
            unknown_field: None,
        }
    }
}

/// What the store knows of some questions, read at once.
pub struct KnownQuestions {
    /// By key, as logged: in each project, the latest first.
    logged: HashMap<String, Vec<(Option<String>, KnownQuestion)>>,
    /// Of families, and of what rules have named since it was logged.
    derived: HashMap<String, Vec<KeyEvidence>>,
}

impl KnownQuestions {
    /// What `store` knows of `keys`. What a rule of `registry` names counts as asked when it was, under whatever
    /// key it was logged then.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn load(store: &Store, keys: &[&str], registry: &Registry) -> Result<Self, Error> {
        let list = serde_json::Value::from(keys).to_string();
        let sql = include_str!("../sql/known_questions.sql");
        let rows = store.pairs::<(String, Option<String>), KnownQuestion>(sql, [list])?;
        let mut known = Self {
            logged: HashMap::new(),
            derived: HashMap::new(),
        };
        for ((key, project), question) in rows {
            let of_key = known.logged.entry(key).or_default();
            of_key.push((project, question));
        }
        let is_family = |key: &&str| key.starts_with(family::PREFIX);
        let mut found: Vec<KeyEvidence> = Vec::new();
        if keys.iter().any(is_family) {
            let series = groups(evidence(store, registry)?).into_iter();
            let habits = series.flat_map(|(group, series)| habits(&group, series));
            found.extend(
                habits
                    .map(|habit| habit.evidence)
                    .filter(|habit| is_family(&&*habit.question_key)),
            );
        }
        let is_renamed = |key: &&str| {
            !is_family(key)
                && !known.logged.contains_key(*key)
                && registry.rules_of(key).next().is_some()
        };
        if keys.iter().any(is_renamed) {
            let series = renamed(evidence(store, registry)?, registry).into_iter();
            found.extend(series.filter(|one| is_renamed(&&*one.question_key)));
        }
        for one in found {
            let of_key = known.derived.entry(one.question_key.clone()).or_default();
            of_key.push(one);
        }
        Ok(known)
    }

    /// The question `key` as last asked in `project`, else as last asked anywhere; `None` if it never was, or was not
    /// looked for.
    pub fn of(&self, key: &str, project: Option<&str>) -> Option<KnownQuestion> {
        if let Some(habits) = self.derived.get(key) {
            return last_of(habits, project);
        }
        let of_key = self.logged.get(key)?;
        let own = of_key
            .iter()
            .find(|(of, _)| project.is_some() && of.as_deref() == project);
        let (asked_in, question) = own.or(of_key.first())?;
        Some(KnownQuestion {
            asked_in: asked_in.clone(),
            ..question.clone()
        })
    }
}

/// The question `key` alone, as [`KnownQuestions::of`] gives it.
///
/// # Errors
/// DuckDB's.
pub fn known_question(
    store: &Store,
    key: &str,
    project: Option<&str>,
    registry: &Registry,
) -> Result<Option<KnownQuestion>, Error> {
    Ok(KnownQuestions::load(store, &[key], registry)?.of(key, project))
}

/// The question of `habits` as its answers show it, the project's own first.
fn last_of(habits: &[KeyEvidence], project: Option<&str>) -> Option<KnownQuestion> {
    let is_own = |habit: &&KeyEvidence| project == Some(habit.project.as_str());
    let habit = habits.iter().find(is_own).or(habits.first())?;
    let answers = habit.answers.iter();
    let last = answers.max_by(|one, other| HumanAnswer::in_time(one, other))?;
    let last = GivenAnswer::clone(last);
    Some(KnownQuestion {
        key_source: habit.key_source.clone(),
        question: last.question,
        header: last.header,
        options: last.options,
        descriptions: last.descriptions,
        previews: last.previews,
        multi_select: last.multi_select,
        one_way: last.one_way,
        template: habit.template.clone(),
        asked_in: None,
    })
}
