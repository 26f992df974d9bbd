//! How preferences have stood since they were set: what they answered, what the spot checks said,
//! and what follows. Everything is computed from the log, so a rebuilt store says the same.

#[cfg(test)]
mod tests;

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::trial::{self, TrialState};
use serde::{Deserialize, Serialize};

use crate::rows::json;
use crate::{Error, Store};

/// How many spot checks in a row must agree to make up for one that did not.
const MAKES_UP: u32 = 5;

/// After how many days without a confirmation a preference is to be renewed.
pub const RENEWED_AFTER_DAYS: u64 = 90;

/// A question that was asked to see whether its preference is still right.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct SpotCheck {
    /// The project it was asked in.
    project: String,
    /// Its key.
    question_key: String,
    /// Where the preference holds: `project` or `global`.
    scope: String,
    /// When (UTC).
    asked_at: NaiveDateTime,
    /// The day of that time in the person's time zone.
    day: NaiveDate,
    /// What the preference would have answered, as sent.
    #[serde(deserialize_with = "json")]
    preferred: Vec<String>,
    /// True when the person answered.
    answered: bool,
    /// The labels that they chose, as sent.
    #[serde(deserialize_with = "json")]
    labels: Vec<String>,
    /// True when they typed or noted something.
    said_more: bool,
}

/// What the log says of preferences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// In the order of time.
    checks: Vec<SpotCheck>,
    /// How many questions of a project and a key preferences answered on a day.
    decided: Vec<(String, String, NaiveDate, u64)>,
}

/// One preference, as its file records it.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceRecord<'a> {
    /// The question.
    pub question_key: &'a str,
    /// The project; `None` everywhere.
    pub project: Option<&'a str>,
    /// When it was set (UTC), if its file says so.
    pub set_at: Option<NaiveDateTime>,
    /// The day of that time in the person's time zone.
    pub set_on: Option<NaiveDate>,
    /// True for one that is on trial.
    pub on_trial: bool,
}

/// How a preference stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing speaks against it.
    #[default]
    Standing,
    /// A spot check disagreed, and not enough agreed since.
    UnderReview,
    /// Another one disagreed before it was made up for: its questions are asked again.
    Drifted,
    /// Nothing confirmed it for ninety days.
    DueForRenewal,
    /// On trial, and too few checks agreed to say more.
    OnTrial,
    /// On trial, and enough checks agreed for it to stand.
    TrialHeld,
    /// A check disagreed on trial: its questions are asked again.
    TrialEnded,
}

/// What became of a preference since it was set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// How many questions it answered.
    pub decided: u64,
    /// How many spot checks the person answered.
    pub spot_checks: u64,
    /// Of these, in how many they said what it would have answered.
    pub agreed: u64,
    /// The day it was last confirmed: set, or agreed with in a spot check.
    pub last_confirmed: Option<NaiveDate>,
    /// The day it last answered, or would have.
    pub last_used: Option<NaiveDate>,
    /// How it stands.
    pub state: State,
    /// Of the last spot check that disagreed: what it would have answered.
    pub would_answer: Option<String>,
    /// Of the same: what the person answered.
    pub chosen_instead: Option<String>,
    /// The spot checks that the person answered, the earliest first.
    pub checks: Vec<Checked>,
}

/// A spot check that the person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The day.
    pub day: NaiveDate,
    /// True when they said what the preference would have answered.
    pub agreed: bool,
}

impl Store {
    /// What the log says of preferences since the day `since`; ever, for `None`.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn preference_history(&self, since: Option<NaiveDate>) -> Result<History, Error> {
        let checks = include_str!("../sql/standing/spot_checks.sql");
        let decided = include_str!("../sql/standing/decided.sql");
        Ok(History {
            checks: self.rows(checks, params![since])?,
            decided: self.rows(decided, params![since])?,
        })
    }

    /// The person's answers to what was logged under `keys` in `project` (in every project for `None`)
    /// by name, with how often each was given, the most frequent first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn answers_by_name(
        &self,
        keys: &[String],
        project: Option<&str>,
    ) -> Result<Vec<(String, u64)>, Error> {
        let sql = include_str!("../sql/standing/answers.sql");
        self.rows(sql, params![keys.join(","), project])
    }
}

impl SpotCheck {
    /// What the preference would have answered, without its mark.
    fn would(&self) -> String {
        let label = self.preferred.first();
        label.map_or_else(String::new, |label| strip_mark(label).0.to_owned())
    }

    /// What the person answered, without marks, or `(typed)`.
    fn chose(&self) -> String {
        let names: Vec<&str> = self
            .labels
            .iter()
            .map(|label| strip_mark(label).0)
            .collect();
        match names.as_slice() {
            [] => "(typed)".to_owned(),
            names => names.join(", "),
        }
    }

    /// True when the person answered what the preference would have, and said nothing else.
    fn agreed(&self) -> bool {
        match (self.preferred.as_slice(), self.labels.as_slice()) {
            ([would], [label]) => self.answered && !self.said_more && same_label(would, label),
            _ => false,
        }
    }
}

impl History {
    /// How `preference` stands on the day `today`.
    ///
    /// Its spot checks are gone through in the order of time. A disagreement puts it under review;
    /// [`MAKES_UP`] agreements in a row lift that; another disagreement before that is drift, and
    /// stays until the preference is set again.
    pub fn standing(&self, preference: &PreferenceRecord<'_>, today: NaiveDate) -> Standing {
        let mut standing = self.decided_by(preference);
        standing.last_confirmed = preference.set_on;
        let mut to_make_up = 0;
        for check in self
            .checks
            .iter()
            .filter(|check| preference.is_checked_by(check))
        {
            standing.last_used = standing.last_used.max(Some(check.day));
            if !check.answered {
                continue;
            }
            let (day, agreed) = (check.day, check.agreed());
            standing.spot_checks += 1;
            standing.checks.push(Checked { day, agreed });
            if agreed {
                standing.agreed += 1;
                standing.last_confirmed = standing.last_confirmed.max(Some(day));
                to_make_up = u32::saturating_sub(to_make_up, 1);
                if to_make_up == 0 && standing.state == State::UnderReview {
                    standing.state = State::Standing;
                }
            } else {
                standing.state = match standing.state {
                    State::Standing => State::UnderReview,
                    _ => State::Drifted,
                };
                to_make_up = MAKES_UP;
                standing.would_answer = Some(check.would());
                standing.chosen_instead = Some(check.chose());
            }
        }
        if preference.on_trial {
            standing.state = trial_state(&standing);
        }
        let is_old = |day: NaiveDate| {
            today
                .checked_sub_days(chrono::Days::new(RENEWED_AFTER_DAYS))
                .is_some_and(|limit| day <= limit)
        };
        if standing.state == State::Standing && standing.last_confirmed.is_none_or(is_old) {
            standing.state = State::DueForRenewal;
        }
        standing
    }

    fn decided_by(&self, preference: &PreferenceRecord<'_>) -> Standing {
        let mut standing = Standing::default();
        for (project, key, day, times) in &self.decided {
            // Of the day it was set it is not known which preference answered: this one, as a rule.
            if key == preference.question_key
                && preference.project.is_none_or(|mine| mine == project)
                && preference.set_on.is_none_or(|set_on| *day >= set_on)
            {
                standing.decided += times;
                standing.last_used = standing.last_used.max(Some(*day));
            }
        }
        standing
    }
}

/// How a preference on trial stands by its checks.
fn trial_state(standing: &Standing) -> State {
    let count = |checks: u64| u32::try_from(checks).unwrap_or(u32::MAX);
    let disagreed = standing.spot_checks.saturating_sub(standing.agreed);
    match trial::state(count(standing.agreed), count(disagreed)) {
        TrialState::Running => State::OnTrial,
        TrialState::Held => State::TrialHeld,
        TrialState::Ended => State::TrialEnded,
    }
}

impl PreferenceRecord<'_> {
    fn is_checked_by(&self, check: &SpotCheck) -> bool {
        let in_scope = match self.project {
            Some(project) => check.scope == "project" && check.project == project,
            None => check.scope == "global",
        };
        in_scope
            && check.question_key == self.question_key
            && self.set_at.is_none_or(|set_at| check.asked_at >= set_at)
    }
}
