//! Decisions about questions lately, and the changes that the person made about them.

use chrono::{DateTime, Utc};
use duckdb::params;
use plantune_domain::event::AWAY;
use serde::{Deserialize, Serialize};

use crate::request::Days;
use crate::store::{json, utc};
use crate::{Error, Store};

/// One question and what was decided about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
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
    /// `interactive`, `headless` or `spawned`.
    pub session_kind: String,
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
    /// `answered`, `auto_decided`, `failed`, `dismissed` or `open`.
    pub outcome: String,
    /// Why it was asked, if the hook saw it.
    pub ask_reason: Option<String>,
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
    /// How it answered: `allow` or `deny`.
    pub mechanism: Option<String>,
    /// At which level it answered: `standing`, `trial` or `away`; `None` if the event does not say.
    pub level: Option<String>,
    /// True when the person took the answer back.
    pub undone: bool,
    /// The answer that they wanted instead, if they said so.
    pub wanted: Option<String>,
    /// Why it was dismissed or failed.
    pub reason: Option<String>,
    /// How long the person took, in seconds.
    pub human_seconds: Option<f64>,
}

/// Which decisions to look for; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// The id of the call.
    pub tool_use_id: Option<&'a str>,
    /// The keys under which it was logged; any if empty.
    pub question_keys: &'a [String],
    /// The project.
    pub project: Option<&'a str>,
    /// Only questions that preferences answered.
    pub auto_decided: bool,
    /// Of these days.
    pub days: Option<Days>,
    /// The largest number to return.
    pub limit: u32,
    /// Only questions answered since then because the person was away.
    pub away_since: Option<DateTime<Utc>>,
}

impl Decision {
    /// True when the agent stopped waiting for the person and went on.
    pub fn is_timed_out(&self) -> bool {
        self.outcome == "dismissed" && self.reason.as_deref() == Some("afk_timeout")
    }

    /// True when it was answered as recommended because the person was away.
    pub fn is_away(&self) -> bool {
        self.outcome == "auto_decided" && self.level.as_deref() == Some(AWAY)
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
    pub fn decisions(&self, wanted: &Wanted<'_>) -> Result<Vec<Decision>, Error> {
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
    pub fn ids_ending(&self, end: &str) -> Result<Vec<String>, Error> {
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
    ) -> Result<Vec<PreferenceChange>, Error> {
        let sql = include_str!("../sql/decisions/changes.sql");
        self.rows(sql, params![keys.join(","), limit])
    }
}
