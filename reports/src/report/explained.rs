//! The rows behind a figure of the report, and what they come to.

use std::io::{self, Write};

use plantune_query::permissions::prompts::Prompt;
use plantune_query::report::explain::{Explained, FigureRow, Measure, Rows};
use serde::Serialize;

use super::document::Period;
use super::heading::Heading;
use crate::amount::{duration, percent};
use crate::csv;
use crate::decisions::Clock;
use crate::table::{self, Column};
use crate::text::{clean, wrap};

/// A figure with its rows.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation<'a> {
    schema_version: u32,
    /// The figure's name.
    figure: &'a str,
    period: Period,
    /// What the figure is of the rows.
    measure: Measure,
    /// The figure; `null` for a median or a share of nothing.
    value: Option<f64>,
    rows: Rows,
    #[serde(skip)]
    title: String,
}

impl<'a> Explanation<'a> {
    /// The figure `name` of the report with the heading `heading`.
    pub fn new(name: &'a str, heading: &Heading, explained: Explained) -> Self {
        Self {
            schema_version: 1,
            figure: name,
            period: heading.into(),
            measure: explained.measure,
            value: explained.value,
            rows: explained.rows,
            title: heading.title(),
        }
    }

    /// The projects of the rows, to be called otherwise.
    pub fn projects(&mut self) -> Vec<&mut String> {
        match &mut self.rows {
            Rows::Questions(rows) => rows.iter_mut().map(|row| &mut row.project).collect(),
            Rows::Prompts(rows) => rows.iter_mut().map(|row| &mut row.project).collect(),
        }
    }

    /// Writes `top` of the rows, and what all of them come to, for a terminal `width` columns wide.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(
        &self,
        clock: Clock<'_>,
        top: usize,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let paragraph = |text: &str, out: &mut dyn Write| {
            wrap(text, width)
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))
        };
        paragraph(&format!("{} in {}", clean(self.figure), self.title), out)?;
        writeln!(out)?;
        let rows: Vec<Vec<String>> = match &self.rows {
            Rows::Questions(rows) => {
                let cells = |row: &FigureRow| question(row, &self.measure, clock);
                rows.iter().take(top).map(cells).collect()
            }
            Rows::Prompts(rows) => rows
                .iter()
                .take(top)
                .map(|row| prompt(row, clock))
                .collect(),
        };
        if !rows.is_empty() {
            let text = match &self.rows {
                Rows::Questions(_) => "question",
                Rows::Prompts(_) => "permission",
            };
            let columns = [
                Column::text("time"),
                Column::text("project").least(8).rank(2),
                Column::text(text).least(20),
                Column::text("answer").least(8).rank(1),
                Column::text("outcome"),
                Column::number("seconds"),
            ];
            for line in table::lines(&columns, &rows, width) {
                writeln!(out, "{line}")?;
            }
            let all = self.rows.len();
            if all > rows.len() {
                paragraph(
                    &format!("… and {} more; --json lists them", all - rows.len()),
                    out,
                )?;
            }
            writeln!(out)?;
        }
        paragraph(&self.sum(), out)
    }

    /// Writes the rows as CSV.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        csv::write_rows(&self.rows, out)
    }

    /// What the rows come to, in words.
    fn sum(&self) -> String {
        let n = self.rows.len();
        let counted = |one: &str| match n {
            1 => format!("1 {one}"),
            _ => format!("{n} {one}s"),
        };
        let of = match &self.rows {
            Rows::Questions(_) => counted("question"),
            Rows::Prompts(_) => counted("prompt"),
        };
        let none = || "nothing".to_owned();
        let exactly = |seconds: f64| format!("{} ({seconds} s)", duration(seconds));
        match self.measure {
            Measure::Questions | Measure::Prompts => of,
            Measure::UnaskedCalls => match self.value {
                Some(1.0) => "1 call that nobody was asked about".to_owned(),
                calls => format!(
                    "{} calls that nobody was asked about",
                    calls.unwrap_or_default()
                ),
            },
            Measure::Calls => format!("{}, each with its first question", counted("call")),
            Measure::Sessions => format!("{}, each with its first question", counted("session")),
            Measure::WaitingSeconds => {
                let value = self.value.map_or_else(none, exactly);
                format!(
                    "{value} in {}, each with its first question",
                    counted("call")
                )
            }
            Measure::Seconds | Measure::AwaySeconds | Measure::SecondsSaved => {
                format!("{} in {of}", self.value.map_or_else(none, exactly))
            }
            Measure::MedianSeconds => {
                format!("Median of {of}: {}", self.value.map_or_else(none, exactly))
            }
            Measure::NinthDecile => {
                let value = self.value.map_or_else(none, exactly);
                format!("Nine of ten of {of} took at most {value}")
            }
            Measure::FollowedShare => {
                let value = self.value.map_or_else(none, percent);
                format!("{value} of {of} answered as recommended")
            }
            Measure::TopAnswerShare => {
                let value = self.value.map_or_else(none, percent);
                format!("{value} of {of} answered alike")
            }
        }
    }
}

fn question(row: &FigureRow, measure: &Measure, clock: Clock<'_>) -> Vec<String> {
    let outcome = match (row.outcome.as_str(), row.decided_by.as_deref()) {
        ("auto_decided", Some("turned_down")) => "turned down".to_owned(),
        ("auto_decided", Some(by)) => format!("by {by}"),
        ("failed", _) => format!("failed: {}", row.error_kind.as_deref().unwrap_or("unknown")),
        (outcome, _) => outcome.to_owned(),
    };
    let seconds = match measure {
        Measure::SecondsSaved => row.seconds_saved,
        Measure::WaitingSeconds => row.waiting_seconds,
        _ => row.human_seconds,
    };
    vec![
        clock(row.at),
        clean(&row.project),
        clean(&row.question),
        row.answer.as_deref().map_or_else(none, clean),
        clean(&outcome),
        seconds.map_or_else(none, shown),
    ]
}

fn prompt(row: &Prompt, clock: Clock<'_>) -> Vec<String> {
    vec![
        clock(row.at),
        clean(&row.project),
        match (row.outcome.as_str(), row.calls) {
            ("ran", Some(1)) => "1 call".to_owned(),
            ("ran", Some(calls)) => format!("{calls} calls"),
            _ => clean(&row.subject),
        },
        row.grant.as_deref().map_or_else(none, clean),
        clean(&row.outcome),
        row.waited_seconds.map_or_else(none, shown),
    ]
}

/// Seconds to the millisecond, without zeros behind.
fn shown(seconds: f64) -> String {
    ((seconds * 1000.0).round() / 1000.0).to_string()
}

/// What stands where something is not known.
fn none() -> String {
    "–".to_owned()
}
