//! Details of a report, for its page and JSON: when people are asked, how long they take, how
//! each question went over time, and what was answered for them.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeZone, Timelike, Utc};
use serde::{Deserialize, Serialize};

use crate::report::{AnswerCount, Group, Timeline};
use crate::request::{By, Renamed, Request};
use crate::store::{Error, Store, json, utc};

/// An hour of the week, and how many questions the person was asked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hour {
    /// The day of the week in the person's time zone, 1 (Monday) to 7.
    pub weekday: u32,
    /// The hour of that day, 0 to 23.
    pub hour: u32,
    /// How many.
    pub asked: u64,
}

/// How long the person took for their answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnsweringTimes {
    /// The answers of which it is known.
    pub answers: u64,
    /// How many of these the person was away for: they are in `bins` alone.
    pub away_answers: u64,
    /// The median in seconds; `None` without answers.
    pub median_seconds: Option<f64>,
    /// The seconds that nine of ten answers took at most.
    pub p90_seconds: Option<f64>,
    /// Counts by how long, the shortest first, those of nought included.
    pub bins: Vec<TimeBin>,
}

/// The answers that took about as long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeBin {
    /// The least time in seconds.
    pub from: f64,
    /// The seconds that they took less than; `None` for any time.
    pub to: Option<f64>,
    /// How many answers.
    pub answers: u64,
}

/// The details of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionDetails {
    /// How often it came up in each part of the timeline.
    pub over_time: Vec<u64>,
    /// The period's answers, the most frequent first.
    pub answers: Vec<AnswerCount>,
}

/// Decisions without the person, by question and answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredForYou {
    /// The key that makes it the same question over time.
    pub question_key: String,
    /// The project's key.
    pub project: String,
    /// The text, as last asked in the period.
    pub question: String,
    /// Its name.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The labels that were answered, as sent; empty if the call was denied.
    #[serde(deserialize_with = "json")]
    pub answer: Vec<String>,
    /// The decider: a name of `totals.auto_decided_by`.
    pub decided_by: String,
    /// How often.
    pub times: u64,
    /// How often of these they took it back.
    pub undone: u64,
    /// When last.
    #[serde(with = "utc")]
    pub last_at: DateTime<Utc>,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Details {
    /// When the person was asked in the period: the hours with a question, in order.
    pub hours: Vec<Hour>,
    /// How long they took in the period.
    pub answering_times: AnsweringTimes,
    /// By question key and project.
    #[serde(skip)]
    pub questions: BTreeMap<(String, String), QuestionDetails>,
    /// The decisions without them in the period, the most frequent first.
    pub answered_for_you: Vec<AnsweredForYou>,
    /// The period's questions by project.
    pub projects: Vec<Group>,
    /// The same by who asked.
    pub askers: Vec<Group>,
}

impl Store {
    /// The details of the report that `request` describes, whose questions are `renamed` and whose period has the
    /// parts of `timeline`. Hours are those of `zone`, in whose days the store counts.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn report_details(
        &self,
        request: &Request<'_>,
        renamed: &Renamed,
        timeline: &Timeline,
        zone: &impl TimeZone,
    ) -> Result<Details, Error> {
        self.set_request(request)?;
        self.set_renamed(renamed)?;
        let sql = include_str!("../sql/page/answered_for_you.sql");
        let mut answered_for_you: Vec<AnsweredForYou> = self.rows(sql, [])?;
        for one in &mut answered_for_you {
            one.name = renamed.called(&one.question_key, &one.question);
        }
        Ok(Details {
            hours: by_hour(
                &self.rows(include_str!("../sql/page/asked_at.sql"), [])?,
                zone,
            ),
            answering_times: self.row(include_str!("../sql/page/answering_times.sql"), [])?,
            questions: self.question_details(timeline)?,
            answered_for_you,
            projects: self.report_by(request, By::Project)?.groups,
            askers: self.report_by(request, By::Asker)?.groups,
        })
    }

    fn question_details(
        &self,
        timeline: &Timeline,
    ) -> Result<BTreeMap<(String, String), QuestionDetails>, Error> {
        let mut found: BTreeMap<(String, String), QuestionDetails> = BTreeMap::new();
        let sql = include_str!("../sql/page/question_days.sql");
        for (key, project, day, times) in self.rows::<(_, _, NaiveDate, u64)>(sql, [])? {
            let details = found.entry((key, project)).or_default();
            details.over_time.resize(timeline.parts.len(), 0);
            let part = timeline.place(day);
            if let Some(part) = part.and_then(|part| details.over_time.get_mut(part)) {
                *part += times;
            }
        }
        let sql = include_str!("../sql/page/question_answers.sql");
        for (key, project, answer, times) in self.rows(sql, [])? {
            let details = found.entry((key, project)).or_default();
            details.answers.push(AnswerCount { answer, times });
        }
        Ok(found)
    }
}

/// Counts by quarters of an hour (UTC) as counts by hour of the week in `zone`.
fn by_hour(quarters: &[(NaiveDateTime, u64)], zone: &impl TimeZone) -> Vec<Hour> {
    let mut hours: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (quarter, asked) in quarters {
        let local = zone.from_utc_datetime(quarter);
        let hour = (local.weekday().number_from_monday(), local.hour());
        *hours.entry(hour).or_default() += asked;
    }
    let hour = |((weekday, hour), asked)| Hour {
        weekday,
        hour,
        asked,
    };
    hours.into_iter().map(hour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::FixedOffset;

    #[test]
    fn hours_are_those_of_the_zone() {
        let at = |text: &str| text.parse::<NaiveDateTime>().unwrap();
        let quarters = [
            (at("2026-11-22T18:00:00"), 1),
            (at("2026-11-22T18:15:00"), 2),
            (at("2026-11-22T18:30:00"), 4),
        ];
        let hour = |weekday, hour, asked| Hour {
            weekday,
            hour,
            asked,
        };
        // Nepal is 5 h 45 min ahead: it is Sunday there until 18:15.
        let nepal = FixedOffset::east_opt(5 * 3600 + 45 * 60).unwrap();
        assert_eq!(by_hour(&quarters, &nepal), [hour(1, 0, 6), hour(7, 23, 1)]);
        assert_eq!(by_hour(&quarters, &Utc), [hour(7, 18, 7)]);
    }
}
