//! The record of preferences since they were set: what they answered and what the spot checks said, by the log. What
//! follows from it is decided in [`plantune_domain::state`], as the hook stops a preference without the store.

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::preferences::Scope;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::state::{Cause, State};
use serde::{Deserialize, Serialize};

use crate::store::json;
use crate::{Named, Store, StoreError};

/// A question that was asked to see whether its preference is still right.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct SpotCheck {
    /// The project it was asked in.
    project: String,
    /// Its key.
    question_key: String,
    /// Where the preference holds.
    scope: Named<Scope>,
    /// When (UTC).
    asked_at: NaiveDateTime,
    /// The day of that time in the person's time zone.
    day: NaiveDate,
    /// The preference's answer, as sent.
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

/// A question that was asked although a preference for it stood.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct AskedAsNew {
    project: String,
    question_key: String,
    /// When (UTC).
    asked_at: NaiveDateTime,
    /// The new part, as events have it: `new_in_description: public`.
    detail: String,
}

/// The record of preferences in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreferenceHistory {
    /// In the order of time.
    checks: Vec<SpotCheck>,
    /// How many questions of a project and a key preferences answered on a day.
    decided: Vec<(String, String, NaiveDate, u64)>,
    /// In the order of time.
    asked_as_new: Vec<AskedAsNew>,
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
}

/// The record of a preference since it was set.
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
    /// How it stands, by the checks that the hook counted.
    pub state: State,
    /// Since which day; `None` if it is not known when it was set.
    pub since: Option<NaiveDate>,
    /// Why.
    pub reason: Cause,
    /// Of one that is on trial: how many checks count towards being on.
    #[serde(skip)]
    pub counted: u32,
    /// Of the last spot check that disagreed: what it would have answered.
    pub would_answer: Option<String>,
    /// Of the same: what the person answered.
    pub chosen_instead: Option<String>,
    /// The spot checks that the person answered, the earliest first.
    pub checks: Vec<CheckResult>,
    /// New parts of questions that were asked all the same, the earliest first.
    pub asked_as_new: Vec<NoveltyCount>,
}

/// Something new in questions that a preference left to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoveltyCount {
    /// What, as events have it: `new_in_description: public`.
    pub reason: String,
    /// In how many questions.
    pub times: u64,
}

/// A spot check that the person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckResult {
    /// The day.
    pub day: NaiveDate,
    /// True when they said what the preference would have answered.
    pub agreed: bool,
}

impl Store {
    /// The record of preferences since the day `since`; of all days, for `None`.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn preference_history(
        &self,
        since: Option<NaiveDate>,
    ) -> Result<PreferenceHistory, StoreError> {
        let checks = include_str!("../sql/standing/spot_checks.sql");
        let decided = include_str!("../sql/standing/decided.sql");
        let asked_as_new = include_str!("../sql/standing/asked_as_new.sql");
        Ok(PreferenceHistory {
            checks: self.rows(checks, params![since])?,
            decided: self.rows(decided, params![since])?,
            asked_as_new: self.rows(asked_as_new, params![since])?,
        })
    }

    /// The person's answers to what was logged under `keys` in `project` (in every project for `None`)
    /// by name, with how often each was given, the most frequent first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn answers_by_name(
        &self,
        keys: &[String],
        project: Option<&str>,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = include_str!("../sql/standing/answers.sql");
        self.rows(sql, params![keys.join(","), project])
    }
}

/// How many questions the person answered since the moment `since` (UTC) that they were asked although a preference
/// for them stood, as something in them was new to it.
///
/// # Errors
/// The errors of DuckDB.
pub fn answered_as_new_since(store: &Store, since: NaiveDateTime) -> Result<u64, StoreError> {
    let sql = include_str!("../sql/standing/answered_as_new.sql");
    Ok(store.row::<(u64,)>(sql, params![since])?.0)
}

impl SpotCheck {
    /// The preference's answer, without its mark.
    fn would(&self) -> String {
        let label = self.preferred.first();
        label.map_or_else(String::new, |label| strip_mark(label).0.to_owned())
    }

    /// The person's answer, without marks, or `(typed)`.
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

impl PreferenceHistory {
    /// What `preference` answered, and what its spot checks said.
    pub fn standing(&self, preference: &PreferenceRecord<'_>) -> Standing {
        let mut standing = self.decided_by(preference);
        standing.last_confirmed = preference.set_on;
        standing.asked_as_new = self.asked_by(preference);
        let of_it = |check: &&SpotCheck| preference.is_checked_by(check);
        for check in self.checks.iter().filter(of_it) {
            standing.last_used = standing.last_used.max(Some(check.day));
            if !check.answered {
                continue;
            }
            let (day, agreed) = (check.day, check.agreed());
            standing.spot_checks += 1;
            standing.checks.push(CheckResult { day, agreed });
            if agreed {
                standing.agreed += 1;
                standing.last_confirmed = standing.last_confirmed.max(Some(day));
            } else {
                standing.would_answer = Some(check.would());
                standing.chosen_instead = Some(check.chose());
            }
        }
        standing
    }

    /// New parts of the questions of `preference` that were asked all the same.
    fn asked_by(&self, preference: &PreferenceRecord<'_>) -> Vec<NoveltyCount> {
        let mut found: Vec<NoveltyCount> = Vec::new();
        let asked = self.asked_as_new.iter().filter(|one| {
            one.question_key == preference.question_key
                && preference.project.is_none_or(|mine| mine == one.project)
                && preference
                    .set_at
                    .is_none_or(|set_at| one.asked_at >= set_at)
        });
        for one in asked {
            match found.iter_mut().find(|new| new.reason == one.detail) {
                Some(new) => new.times += 1,
                None => found.push(NoveltyCount {
                    reason: one.detail.clone(),
                    times: 1,
                }),
            }
        }
        found
    }

    fn decided_by(&self, preference: &PreferenceRecord<'_>) -> Standing {
        let mut standing = Standing::default();
        for (project, key, day, times) in &self.decided {
            // On the day it was set an earlier preference may have answered, too; that is rare.
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

impl PreferenceRecord<'_> {
    fn is_checked_by(&self, check: &SpotCheck) -> bool {
        let in_scope = match self.project {
            Some(project) => check.scope == Scope::Project && check.project == project,
            None => check.scope == Scope::Global,
        };
        in_scope
            && check.question_key == self.question_key
            && self.set_at.is_none_or(|set_at| check.asked_at >= set_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + chrono::Days::new(u64::from(day))
    }

    /// Spot checks, one a day from the second on: `y` agrees, `n` does not, `-` was not answered.
    fn history(checks: &str) -> PreferenceHistory {
        let checks = (1..).zip(checks.chars()).map(|(number, said)| {
            let labels = match said {
                'y' => vec!["grid".to_owned()],
                _ => vec!["List (Recommended)".to_owned()],
            };
            SpotCheck {
                project: "p".to_owned(),
                question_key: "k".to_owned(),
                scope: Scope::Project.into(),
                asked_at: day(number).and_hms_opt(12, 0, 0).unwrap(),
                day: day(number),
                preferred: vec!["Grid (Recommended)".to_owned()],
                answered: said != '-',
                labels,
                said_more: false,
            }
        });
        PreferenceHistory {
            checks: checks.collect(),
            decided: vec![("p".to_owned(), "k".to_owned(), day(3), 7)],
            asked_as_new: Vec::new(),
        }
    }

    fn preference() -> PreferenceRecord<'static> {
        PreferenceRecord {
            question_key: "k",
            project: Some("p"),
            set_at: day(0).and_hms_opt(9, 0, 0),
            set_on: Some(day(0)),
        }
    }

    #[test]
    fn a_preference_says_what_it_answered_and_what_its_checks_said() {
        let standing = history("yn-y").standing(&preference());
        assert_eq!(
            (standing.decided, standing.spot_checks, standing.agreed),
            (7, 3, 2)
        );
        assert_eq!(standing.would_answer.as_deref(), Some("Grid"));
        assert_eq!(standing.chosen_instead.as_deref(), Some("List"));
        assert_eq!(standing.last_confirmed, Some(day(4)));
    }

    #[test]
    fn what_was_new_is_counted_since_it_was_set() {
        let asked = |key: &str, number: u32, detail: &str| AskedAsNew {
            project: "p".to_owned(),
            question_key: key.to_owned(),
            asked_at: day(number).and_hms_opt(8, 0, 0).unwrap(),
            detail: detail.to_owned(),
        };
        let (public, text) = ("new_in_description: public", "text_differs");
        let history = PreferenceHistory {
            asked_as_new: vec![
                asked("k", 0, text),
                asked("k", 1, public),
                asked("other", 2, text),
                asked("k", 3, text),
                asked("k", 4, public),
            ],
            ..PreferenceHistory::default()
        };
        let found = history.standing(&preference()).asked_as_new;
        let found: Vec<(&str, u64)> = found.iter().map(|new| (&*new.reason, new.times)).collect();
        assert_eq!(found, [(public, 2), (text, 1)]);
    }

    #[test]
    fn only_what_was_behind_it_counts() {
        let history = history("nn");
        let of = |preference: PreferenceRecord<'_>| history.standing(&preference).spot_checks;
        assert_eq!(of(preference()), 2);
        assert_eq!(
            of(PreferenceRecord {
                project: None,
                ..preference()
            }),
            0
        );
        assert_eq!(
            of(PreferenceRecord {
                project: Some("q"),
                ..preference()
            }),
            0
        );
        assert_eq!(
            of(PreferenceRecord {
                question_key: "j",
                ..preference()
            }),
            0
        );
        assert_eq!(
            of(PreferenceRecord {
                set_at: day(2).and_hms_opt(9, 0, 0),
                ..preference()
            }),
            1
        );
    }

    #[test]
    fn typed_answers_and_several_labels_are_no_agreement() {
        let check = || history("y").checks.remove(0);
        let of = |labels: &[&str], said_more| {
            let check = SpotCheck {
                preferred: vec!["Grid".to_owned()],
                labels: labels.iter().map(|&label| label.to_owned()).collect(),
                said_more,
                ..check()
            };
            (check.agreed(), check.chose())
        };
        assert_eq!(
            of(&["Grid (Recommended)"], false),
            (true, "Grid".to_owned())
        );
        assert_eq!(of(&["Grid"], true), (false, "Grid".to_owned()));
        assert_eq!(
            of(&["Grid", "List"], false),
            (false, "Grid, List".to_owned())
        );
        assert_eq!(of(&[], true), (false, "(typed)".to_owned()));
    }
}
