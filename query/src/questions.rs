//! The questions there are, every time that one was asked, what was decided about them, and what the person changed.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::params;
use plantune_domain::agreement::agreement::Asking;
use plantune_domain::event::{AWAY, AskReason, Mechanism, QuestionOutcome};
use plantune_domain::keys::KeySource;
use plantune_domain::preferences::Level;
use plantune_domain::registry::Registry;
use plantune_domain::results::DismissReason;
use plantune_domain::session_kind::SessionKind;
use serde::{Deserialize, Serialize};

use crate::evidence::{HumanAnswer, KeyEvidence, evidence};
use crate::habits::{QuestionGrouping, is_called, renamed};
use crate::request::DayRange;
use crate::store::{any_utc, json, utc};
use crate::{Named, Store, StoreError};

/// A question, with how often it was asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `options` or `text`.
    pub key_source: String,
    /// Its name in every verb: its text with `…` for the part that varies.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The text as last asked.
    pub question: String,
    /// The header as last asked.
    pub header: Option<String>,
    /// The labels as last sent.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
    /// How often it was asked.
    pub asked: u64,
    /// How many of these they answered.
    pub answered: u64,
    /// How often a preference answered.
    pub auto_decided: u64,
    /// The day it was last asked.
    pub last: Option<NaiveDate>,
    /// The keys it was logged under.
    #[serde(skip_serializing)]
    pub keys: Vec<String>,
}

/// One time that a question was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// When.
    #[serde(with = "any_utc")]
    pub at: Option<DateTime<Utc>>,
    /// The day of that time in the person's time zone.
    #[serde(skip_serializing)]
    pub day: Option<NaiveDate>,
    /// Whether a person was in the session.
    pub session_kind: Named<SessionKind>,
    /// The session.
    pub session_id: String,
    /// The call.
    pub tool_use_id: String,
    /// The text.
    pub question: String,
    /// How it ended.
    pub outcome: QuestionOutcome,
    /// The labels chosen, as sent.
    #[serde(deserialize_with = "json")]
    pub answer: Vec<String>,
    /// The typed text.
    pub free_text: Option<String>,
    /// The note.
    pub notes: Option<String>,
    /// How long the person took, in seconds.
    pub human_seconds: Option<f64>,
}

/// The questions of the store, or of one `project`, the most often asked first.
///
/// # Errors
/// The errors of DuckDB.
pub fn list(
    store: &Store,
    registry: &Registry,
    project: Option<&str>,
) -> Result<Vec<Listed>, StoreError> {
    list_by(store, &QuestionGrouping::read(store, registry)?, project)
}

/// The same by a `grouping` that was read already. It sets the request of the connection to all days and projects.
///
/// # Errors
/// The errors of DuckDB.
pub(crate) fn list_by(
    store: &Store,
    grouping: &QuestionGrouping<'_>,
    project: Option<&str>,
) -> Result<Vec<Listed>, StoreError> {
    // The day only says which open questions may still be answered, and that is not used here.
    let any_day = NaiveDate::default();
    let renamed = store.name_all_questions(any_day, grouping)?;
    let sql = include_str!("../sql/questions/list.sql");
    let mut listed = store.rows::<Listed>(sql, params![project])?;
    for one in &mut listed {
        one.name = grouping.names().of(&one.question_key, &one.question);
        if renamed.has(&one.question_key, &one.project) {
            KeySource::Registry.as_str().clone_into(&mut one.key_source);
        }
    }
    Ok(listed)
}

/// The name of a question today, and the keys it was logged under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionKeys {
    /// Its current key: that of a rule, if any.
    pub today: String,
    /// The keys: those that a rule names so, and its own.
    pub logged: Vec<String>,
}

/// The names of the question `key` by `grouping`: a key of today, one that it was logged under, or what it is called.
///
/// # Errors
/// The errors of DuckDB.
pub fn names(
    store: &Store,
    grouping: &QuestionGrouping<'_>,
    key: &str,
    project: Option<&str>,
) -> Result<QuestionKeys, StoreError> {
    let listed = list_by(store, grouping, project)?;
    let is_meant = |one: &&Listed| one.question_key == key;
    let is_logged = |one: &&Listed| one.keys.iter().any(|other| other == key);
    let is_named = |one: &&Listed| is_called(&one.name, key);
    let meant = listed
        .iter()
        .find(is_meant)
        .or_else(|| listed.iter().find(is_logged))
        .or_else(|| listed.iter().find(is_named));
    let today = meant.map_or(key, |one| &one.question_key);
    let of_today = listed.iter().filter(|one| one.question_key == today);
    let mut logged: Vec<String> = of_today.flat_map(|one| one.keys.iter().cloned()).collect();
    logged.extend([key.to_owned(), today.to_owned()]);
    logged.sort_unstable();
    logged.dedup();
    Ok(QuestionKeys {
        today: today.to_owned(),
        logged,
    })
}

/// Every time that `listed` was asked, in the order of time.
///
/// # Errors
/// The errors of DuckDB.
pub fn askings(store: &Store, listed: &Listed) -> Result<Vec<Occurrence>, StoreError> {
    let sql = include_str!("../sql/questions/askings.sql");
    store.rows(sql, params![listed.keys.join(","), listed.project])
}

impl Listed {
    /// How often it came up, answered by whomever.
    pub fn times(&self) -> u64 {
        self.asked + self.auto_decided
    }
}

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
    /// Their descriptions, one an option or none at all; `None` if they were not logged.
    #[serde(deserialize_with = "json")]
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, likewise.
    #[serde(deserialize_with = "json")]
    pub previews: Option<Vec<String>>,
    /// Whether several could be chosen.
    pub multi_select: bool,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
    /// The project in which it was asked under this key; `None` if a rule has named it since.
    #[serde(skip)]
    pub asked_in: Option<String>,
}

impl KnownQuestion {
    /// The question as the person read it.
    pub fn asking(&self) -> Asking<'_> {
        Asking {
            host: None,
            text: &self.question,
            header: self.header.as_deref().unwrap_or_default(),
            options: &self.options,
            descriptions: self.descriptions.as_deref().unwrap_or_default(),
            previews: self.previews.as_deref().unwrap_or_default(),
            multi_select: self.multi_select,
            unknown_field: None,
            is_opened: false,
        }
    }
}

/// Some questions of the store, read at once.
pub struct KnownQuestions {
    /// By key, as logged: in each project, the latest first.
    logged: HashMap<String, Vec<(Option<String>, KnownQuestion)>>,
    /// Questions that a rule has named since they were logged.
    derived: HashMap<String, Vec<KeyEvidence>>,
}

impl KnownQuestions {
    /// The questions `keys` in `store`. What a rule of `registry` names counts as asked when it was, under whatever
    /// key it was logged then.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn load(store: &Store, keys: &[&str], registry: &Registry) -> Result<Self, StoreError> {
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
        let is_renamed = |key: &&str| {
            !known.logged.contains_key(*key) && registry.rules_of(key).next().is_some()
        };
        let mut found: Vec<KeyEvidence> = Vec::new();
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
/// The errors of DuckDB.
pub fn known_question(
    store: &Store,
    key: &str,
    project: Option<&str>,
    registry: &Registry,
) -> Result<Option<KnownQuestion>, StoreError> {
    Ok(KnownQuestions::load(store, &[key], registry)?.of(key, project))
}

/// The question of `habits` as its answers show it, the project's own first.
fn last_of(habits: &[KeyEvidence], project: Option<&str>) -> Option<KnownQuestion> {
    let is_own = |habit: &&KeyEvidence| project == Some(habit.project.as_str());
    let habit = habits.iter().find(is_own).or(habits.first())?;
    let answers = habit.answers.iter();
    let last = answers.max_by(|one, other| HumanAnswer::in_time(one, other))?;
    let last = HumanAnswer::clone(last);
    Some(KnownQuestion {
        key_source: habit.key_source.clone(),
        question: last.question,
        header: last.header,
        options: last.options,
        descriptions: last.descriptions,
        previews: last.previews,
        multi_select: last.multi_select,
        one_way: last.one_way,
        asked_in: None,
    })
}

// The decisions of the log, the latest first, and changes of preferences.

/// One question and what was decided about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedDecision {
    /// The call.
    pub tool_use_id: Option<String>,
    /// Which question of the call.
    pub question_index: u32,
    /// The session.
    pub session_id: String,
    /// True when that session has ended.
    #[serde(skip_serializing)]
    pub session_over: bool,
    /// When it was asked (UTC).
    #[serde(rename(serialize = "put_at"), with = "utc")]
    pub asked_at: DateTime<Utc>,
    /// The project.
    pub project: String,
    /// Whether a person was in the session.
    pub session_kind: Named<SessionKind>,
    /// The word for the agent: `claude-code`, …
    pub agent: String,
    /// The key.
    pub question_key: Option<String>,
    /// How the key was found.
    pub key_source: String,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
    /// The recommended label without its mark.
    pub recommended: Option<String>,
    /// True when several could be chosen; `None` when not said.
    pub multi_select: Option<bool>,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
    /// How it ended.
    pub outcome: QuestionOutcome,
    /// Why it was asked, if the hook saw it.
    pub ask_reason: Option<Named<AskReason>>,
    /// The particular reason, if there is one: `new_in_description: public`.
    pub ask_detail: Option<String>,
    /// The answer: labels as sent.
    #[serde(deserialize_with = "json")]
    pub answer: Vec<String>,
    /// True when something was typed.
    pub typed: bool,
    /// True when something was noted.
    pub noted: bool,
    /// The answer of a preference, given or not.
    #[serde(deserialize_with = "json")]
    pub preferred: Vec<String>,
    /// The labels that were selected when the question was dismissed: as sent, and nobody's answer.
    #[serde(deserialize_with = "json")]
    pub selected: Vec<String>,
    /// That preference's policy.
    pub preference: Option<String>,
    /// The scope: `project` or `global`.
    pub preference_scope: Option<String>,
    /// How it answered.
    pub mechanism: Option<Named<Mechanism>>,
    /// At which level it answered, or [`AWAY`]; `None` if the event does not say.
    pub level: Option<Named<Level>>,
    /// True when the person took the answer back.
    pub undone: bool,
    /// The answer that they wanted instead, if they said so.
    pub wanted: Option<String>,
    /// Why it was dismissed, or the kind of its failure.
    pub reason: Option<Named<DismissReason>>,
    /// How long the person took, in seconds.
    pub human_seconds: Option<f64>,
}

/// Which decisions to look for; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedDecisions<'a> {
    /// The id of the call.
    pub tool_use_id: Option<&'a str>,
    /// The keys under which it was logged; any if empty.
    pub question_keys: &'a [String],
    /// The project.
    pub project: Option<&'a str>,
    /// Only questions that preferences answered.
    pub auto_decided: bool,
    /// Of these days.
    pub days: Option<DayRange>,
    /// The largest number to return.
    pub limit: u32,
    /// Only questions answered since then because the person was away.
    pub away_since: Option<DateTime<Utc>>,
}

impl LoggedDecision {
    /// True when the agent stopped waiting for the person and went on.
    pub fn is_timed_out(&self) -> bool {
        self.outcome == QuestionOutcome::Dismissed
            && self.reason == Some(DismissReason::AfkTimeout.into())
    }

    /// True when the person's reviewer answered, or turned it down.
    pub fn is_by_reviewer(&self) -> bool {
        self.mechanism == Some(Mechanism::Reviewer.into())
    }

    /// Why it was asked, as far as that is known.
    pub fn why_asked(&self) -> Option<AskReason> {
        self.ask_reason.as_ref()?.known()
    }

    /// True when it was answered as recommended because the person was away.
    pub fn is_away(&self) -> bool {
        let is_away = matches!(&self.level, Some(Named::Other(level)) if level == AWAY);
        self.outcome == QuestionOutcome::AutoDecided && is_away
    }
}

/// A change of the person's about a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreferenceChange {
    /// When (UTC).
    #[serde(with = "utc")]
    pub at: DateTime<Utc>,
    /// The project; empty if it holds everywhere.
    pub project: String,
    /// The preference since then; `None` for none.
    pub preference: Option<String>,
    /// `project` or `global`.
    pub scope: String,
    /// The pinned label, if any; for `undo` the answer that was given.
    #[serde(deserialize_with = "json")]
    pub answer: Vec<String>,
    /// The command that changed it: `suggest`, `prefs set`, `prefs clear`, `agreed to`, `undo`, …
    pub reason: String,
}

impl Store {
    /// The latest decisions that are `wanted`, the latest first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn decisions(
        &self,
        wanted: &WantedDecisions<'_>,
    ) -> Result<Vec<LoggedDecision>, StoreError> {
        let keys = wanted.question_keys;
        let parameters = params![
            wanted.tool_use_id,
            (!keys.is_empty()).then(|| keys.join(",")),
            wanted.project,
            wanted.auto_decided,
            wanted.limit,
            wanted.away_since.map(|since| since.naive_utc()),
            wanted.days.map(|days| days.start),
            wanted.days.map(|days| days.end)
        ];
        self.rows(include_str!("../sql/decisions/decisions.sql"), parameters)
    }

    /// The ids of calls and prompts that end in `end`, at most two.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn ids_ending(&self, end: &str) -> Result<Vec<String>, StoreError> {
        let ids: Vec<(String,)> =
            self.rows(include_str!("../sql/decisions/ids.sql"), params![end])?;
        Ok(ids.into_iter().map(|(id,)| id).collect())
    }

    /// The latest `limit` changes of preferences with one of `keys`, the latest first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn preference_changes(
        &self,
        keys: &[String],
        limit: u32,
    ) -> Result<Vec<PreferenceChange>, StoreError> {
        let sql = include_str!("../sql/decisions/changes.sql");
        self.rows(sql, params![keys.join(","), limit])
    }
}
