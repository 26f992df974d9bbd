//! How preferences have stood since they were set: what they answered, what the spot checks said,
//! and what follows. Everything is computed from the log, so a rebuilt store says the same.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

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
pub struct SpotCheck {
    /// The project it was asked in.
    pub project: String,
    /// Its key.
    pub question_key: String,
    /// Where the preference holds: `project` or `global`.
    pub scope: String,
    /// When (UTC).
    pub asked_at: NaiveDateTime,
    /// The day of that time in the person's time zone.
    pub day: NaiveDate,
    /// What the preference would have answered, without its mark.
    #[serde(skip)]
    pub would: String,
    /// What the person answered, without marks, or `(typed)`; `None` when they did not answer.
    #[serde(skip)]
    pub chose: Option<String>,
    /// True when the person answered that, and said nothing else.
    #[serde(skip)]
    pub agreed: bool,
}

/// What the log says of preferences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    checks: Vec<SpotCheck>,
    decided: BTreeMap<(String, String, NaiveDate), u64>,
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
        let sql = include_str!("../sql/standing/spot_checks.sql");
        let checks = self.pairs(sql, params![since])?.into_iter();
        let sql = include_str!("../sql/standing/decided.sql");
        let decided = self.rows(sql, params![since])?.into_iter();
        Ok(History {
            checks: checks
                .map(|(check, said)| spot_check(check, &said))
                .collect(),
            decided: decided
                .map(|(project, key, day, times)| ((project, key, day), times))
                .collect(),
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

/// What came back in a spot check.
#[derive(Deserialize)]
struct Said {
    #[serde(deserialize_with = "json")]
    preferred: Vec<String>,
    answered: bool,
    #[serde(deserialize_with = "json")]
    labels: Vec<String>,
    said_more: bool,
}

/// `check` with what would have been and what was answered.
fn spot_check(check: SpotCheck, said: &Said) -> SpotCheck {
    let Said {
        preferred,
        answered,
        labels,
        said_more,
    } = said;
    let names: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
    let chose = match names.as_slice() {
        _ if !*answered => None,
        [] => Some("(typed)".to_owned()),
        names => Some(names.join(", ")),
    };
    let agreed = match (preferred.as_slice(), labels.as_slice()) {
        ([would], [label]) => *answered && !*said_more && same_label(would, label),
        _ => false,
    };
    SpotCheck {
        would: preferred
            .first()
            .map_or_else(String::new, |label| strip_mark(label).0.to_owned()),
        chose,
        agreed,
        ..check
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
            let Some(chose) = &check.chose else { continue };
            standing.spot_checks += 1;
            standing.checks.push(Checked {
                day: check.day,
                agreed: check.agreed,
            });
            if check.agreed {
                standing.agreed += 1;
                standing.last_confirmed = standing.last_confirmed.max(Some(check.day));
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
                standing.would_answer = Some(check.would.clone());
                standing.chosen_instead = Some(chose.clone());
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
        for ((project, key, day), times) in &self.decided {
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
