//! CSV (RFC 4180) for spreadsheets: one line for each question, group, decision or row of `sql`, with the same values as
//! the JSON, uncut. No text can begin a formula.

use std::io::{self, Write};

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use plantune_domain::sanitize::spreadsheet_text as text;
use plantune_query::questions::LoggedDecision;
use plantune_query::sql::{ResultColumn, ViewColumn};
use serde::Serialize;
use serde_json::Value;

use crate::report;

const QUESTIONS: &str = "question_key key_source project question header options door asked answered auto_decided \
                         failed dismissed agreement agreement_n median_seconds top_answer top_answer_share last_at";

const GROUPS: &str = "name questions asked answered auto_decided typed dismissed failed open human_seconds \
                      median_seconds away_answers away_seconds waiting_seconds waiting_away_seconds";

const DECISIONS: &str = "put_at project session_id session_kind agent tool_use_id question_index question_key \
                         key_source question header options recommended one_way outcome ask_reason answer typed \
                         noted preferred preference preference_scope mechanism level undone wanted reason \
                         human_seconds";

/// The groups of a report where it has some, else its questions.
///
/// # Errors
/// The errors of the serialiser; none is known.
pub fn report(document: &report::ReportDocument) -> io::Result<String> {
    match &document.groups {
        Some(groups) => written(GROUPS, &groups.groups),
        None => written(QUESTIONS, &document.report.questions),
    }
}

/// A line for each decision.
///
/// # Errors
/// The errors of [`report`].
pub fn decisions(decisions: &[LoggedDecision]) -> io::Result<String> {
    written(DECISIONS, decisions)
}

/// A line for each column of the views.
///
/// # Errors
/// The errors of [`report`].
pub fn views(columns: &[ViewColumn]) -> io::Result<String> {
    written("view column type meaning", columns)
}

/// A line for each of `rows`, below one that names the columns, with the members of its JSON that `columns` names: by
/// the column's own name, or by the pointer behind it.
///
/// # Errors
/// The errors of [`report`].
pub fn written(columns: &str, rows: &[impl Serialize]) -> io::Result<String> {
    let columns: Vec<(&str, String)> = columns
        .split(' ')
        .map(|one| match one.split_once('=') {
            Some((name, pointer)) => (name, pointer.to_owned()),
            None => (one, format!("/{one}")),
        })
        .collect();
    let mut out = Vec::new();
    let mut table = table(&mut out);
    table.write_record(columns.iter().map(|(name, _)| name))?;
    for row in rows {
        let row = serde_json::to_value(row)?;
        let cells = columns
            .iter()
            .map(|(_, pointer)| cell(row.pointer(pointer)));
        table.write_record(cells)?;
    }
    table.flush()?;
    drop(table);
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(one)) => text(one),
        Some(Value::Array(items)) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            text(&items.join(" | "))
        }
        // A whole number of seconds is written without a point.
        Some(Value::Number(number)) if number.is_f64() => {
            number.as_f64().unwrap_or_default().to_string()
        }
        Some(other) => other.to_string(),
    }
}

fn table(out: &mut dyn Write) -> Writer<&mut dyn Write> {
    WriterBuilder::new()
        .quote_style(QuoteStyle::NonNumeric)
        .terminator(Terminator::CRLF)
        .from_writer(out)
}

/// Rows whose columns are known when it runs.
pub struct Rows<'a> {
    table: Writer<&'a mut dyn Write>,
    is_number: Vec<bool>,
}

impl<'a> Rows<'a> {
    /// The line of the columns' names.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn new(columns: &[ResultColumn], out: &'a mut dyn Write) -> io::Result<Self> {
        let mut table = table(out);
        table.write_record(columns.iter().map(|one| text(&one.name)))?;
        Ok(Self {
            table,
            is_number: columns.iter().map(ResultColumn::is_number).collect(),
        })
    }

    /// A row; `None` is an empty cell.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn row(&mut self, cells: &[Option<&str>]) -> io::Result<()> {
        let cells = cells.iter().zip(&self.is_number);
        let cells = cells.map(|(cell, is_number)| match cell.unwrap_or_default() {
            number if *is_number => number.to_owned(),
            cell => text(cell),
        });
        Ok(self.table.write_record(cells)?)
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn end(mut self) -> io::Result<()> {
        self.table.flush()
    }
}
