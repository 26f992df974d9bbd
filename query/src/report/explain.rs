//! Behind `plantune report --explain`: the questions that a figure of a report is made of.

mod figure;
mod row;

use chrono::{DateTime, Datelike as _, NaiveDate, TimeZone, Timelike as _, Utc};
use duckdb::{Row, params};
use serde::Serialize;

use super::renamed::Renamed;
use super::saved::Saving;
use crate::families::Grouping;
use crate::period::Request;
use crate::permissions::prompts::{Prompt, WantedPrompts};
use crate::seconds::to_milliseconds;
use crate::store::{Error, Store};
use figure::Figure;

pub use figure::{Measure, TOTALS};
pub use row::FigureRow;

/// A figure with the questions behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// What the figure is of them.
    pub measure: Measure,
    /// The figure; `None` for a median or a share of nothing.
    pub value: Option<f64>,
    /// What it is a figure of, in the order of time.
    pub rows: Rows,
}

/// Questions, or prompts for permission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Rows {
    /// Questions.
    Questions(Vec<FigureRow>),
    /// Prompts for permission.
    Prompts(Vec<Prompt>),
}

impl Rows {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Questions(rows) => rows.len(),
            Self::Prompts(rows) => rows.len(),
        }
    }

    /// True without any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The prompts behind a figure of `permissions`; the bound in seconds after which the person was away.
type IsOne = fn(&Prompt, f64) -> bool;

/// The names of the figures of `permissions`, which prompts they are of, and what they are of these.
pub const OF_PERMISSIONS: [(&str, IsOne, Measure); 13] = [
    ("asked", |_, _| true, Measure::Prompts),
    (
        "granted",
        |one, _| one.outcome == "granted",
        Measure::Prompts,
    ),
    (
        "refused",
        |one, _| one.outcome == "refused",
        Measure::Prompts,
    ),
    (
        "ambiguous",
        |one, _| one.outcome == "ambiguous",
        Measure::Prompts,
    ),
    ("open", |one, _| one.outcome == "open", Measure::Prompts),
    ("seconds_waited", has_waited, Measure::Seconds),
    ("waits_known", has_waited, Measure::Prompts),
    ("seconds_away", has_waited_away, Measure::AwaySeconds),
    ("waits_away", has_waited_away, Measure::Prompts),
    (
        "asked_again",
        |one, _| one.asked_again_after.is_some(),
        Measure::Prompts,
    ),
    ("unattended", |one, _| one.unattended, Measure::Prompts),
    (
        "denied",
        |one, _| one.outcome == "denied",
        Measure::UnaskedCalls,
    ),
    (
        "auto_calls",
        |one, _| one.outcome == "ran",
        Measure::UnaskedCalls,
    ),
];

fn has_waited(prompt: &Prompt, away_after: f64) -> bool {
    prompt
        .waited_seconds
        .is_some_and(|seconds| seconds <= away_after)
}

fn has_waited_away(prompt: &Prompt, away_after: f64) -> bool {
    prompt
        .waited_seconds
        .is_some_and(|seconds| seconds > away_after)
}

impl Store {
    /// The questions behind the figure `name` of the report of `request`, whose questions are called as by
    /// `grouping`, in the time zone `zone`; `None` when that report has no such figure.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn explained(
        &self,
        name: &str,
        request: &Request<'_>,
        grouping: &Grouping<'_>,
        zone: &impl TimeZone,
    ) -> Result<Option<Explained>, Error> {
        if let Some(name) = name.strip_prefix("permissions.") {
            return self.explained_prompts(name, request);
        }
        self.set_request(request)?;
        let renamed = &self.renamed(grouping)?;
        let lines = match figure::may_be_a_line(name) {
            true => self.stands_out(request, renamed, zone)?,
            false => Vec::new(),
        };
        let Some(figure) = Figure::named(name, request, &lines) else {
            return Ok(None);
        };
        let saving = match figure.measure {
            Measure::SecondsSaved => Some(self.saving()?),
            _ => None,
        };
        let reader = Reader {
            open_from: request.open_from(),
            renamed,
            zone,
            saving,
        };
        let mut is_known = !figure.is_of_a_question();
        self.define_waits()?;
        let rows = self.rows(
            include_str!("../../sql/report/rows.sql"),
            params![
                figure.days.start,
                figure.days.end,
                request.project,
                request.previous.start.min(figure.days.start),
                request.period.end.max(figure.days.end),
            ],
            |row| {
                let row = reader.row(row)?;
                is_known = is_known || figure.conditions.first().is_some_and(|key| key.holds(&row));
                Ok(figure.holds(&row).then_some(row))
            },
        )?;
        if !is_known {
            return Ok(None);
        }
        let rows = figure.counted(rows.into_iter().flatten().collect());
        Ok(Some(Explained {
            value: figure.measure.of(&rows),
            measure: figure.measure,
            rows: Rows::Questions(rows),
        }))
    }

    fn explained_prompts(
        &self,
        name: &str,
        request: &Request<'_>,
    ) -> Result<Option<Explained>, Error> {
        let figure = OF_PERMISSIONS.iter().find(|(known, _, _)| *known == name);
        let Some((_, is_one, measure)) = figure else {
            return Ok(None);
        };
        let mut rows = match measure {
            Measure::UnaskedCalls => self.unasked(request)?,
            _ => {
                let mut prompts = self.prompts(&WantedPrompts {
                    days: Some(request.period),
                    project: request.project,
                    open_from: Some(request.open_from()),
                    ..WantedPrompts::default()
                })?;
                prompts.reverse();
                prompts
            }
        };
        let away_after = self.away_after_seconds();
        rows.retain(|one| is_one(one, away_after));
        let waited = rows.iter().filter_map(|one| one.waited_seconds);
        let calls = rows.iter().filter_map(|one| one.calls);
        Ok(Some(Explained {
            value: match measure {
                Measure::Seconds | Measure::AwaySeconds => Some(to_milliseconds(waited.sum())),
                Measure::UnaskedCalls => Some(count(calls.sum())),
                _ => Some(count(rows.len() as u64)),
            },
            measure: measure.clone(),
            rows: Rows::Prompts(rows),
        }))
    }
}

/// A number of rows, or of calls, as a figure.
#[allow(clippy::cast_precision_loss, reason = "they are far fewer than 2^52")]
fn count(rows: u64) -> f64 {
    rows as f64
}

/// What it takes to read a row.
struct Reader<'r, Z> {
    open_from: NaiveDate,
    renamed: &'r Renamed,
    zone: &'r Z,
    saving: Option<Saving>,
}

impl<Z: TimeZone> Reader<'_, Z> {
    fn row(&self, row: &Row<'_>) -> duckdb::Result<FigureRow> {
        let at: DateTime<Utc> = row.get("ts")?;
        let day: NaiveDate = row.get("day")?;
        let local = at.with_timezone(self.zone);
        let project: String = row.get("project")?;
        let logged: String = row.get("question_key")?;
        let outcome: String = row.get("outcome")?;
        let saved_nothing: bool = row.get("saved_nothing")?;
        let decided = outcome == "auto_decided" && !saved_nothing;
        let saving = self.saving.as_ref().filter(|_| decided);
        Ok(FigureRow {
            at,
            day,
            hour: (local.weekday().number_from_monday(), local.hour()),
            session_id: row.get("session_id")?,
            session_kind: row.get("session_kind")?,
            tool_use_id: row.get("tool_use_id")?,
            question_index: row.get("question_index")?,
            asker: row.get("skill")?,
            question: row.get("question")?,
            outcome: match outcome.as_str() {
                "open" if day < self.open_from => "dismissed".to_owned(),
                _ => outcome,
            },
            decided_by: row.get("decided_by")?,
            error_kind: row.get("error_kind")?,
            answer: row.get("answer_name")?,
            followed: row.get("followed_recommendation")?,
            human_seconds: row.get("human_seconds")?,
            answering_seconds: row.get("answering_seconds")?,
            away_seconds: row.get("away_seconds")?,
            waiting_seconds: row.get("waited_seconds")?,
            waited_while_away: row.get("waited_while_away")?,
            seconds_saved: saving.map(|saving| saving.of(&project, &logged)),
            question_key: self.renamed.key(logged, &project),
            project,
        })
    }
}
