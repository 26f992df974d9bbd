//! `plantune sql`: a person's own questions to the store.

use std::io;
use std::io::{BufWriter, Read as _, Write};
use std::path::Path;
use std::rc::Rc;

use chrono::DateTime;
use plantune_domain::preferences::Preference;
use plantune_domain::sanitize;
use plantune_query::Store;
use plantune_query::habits::QuestionGrouping;
use plantune_query::sql::{PreferenceRow, ResultColumn, SqlError};
use plantune_reports::csv;
use plantune_reports::csv::Rows;
use plantune_reports::sql::{Views, show_rows};

use crate::document::Document;
use crate::failure::Failure;
use crate::preferences::{FoundFile, each};
use crate::request::RowFormat;
use crate::request::maintenance::SqlRequest;
use crate::session::Session;
use crate::{failure, preferences};

/// How many rows are shown to a person.
const SHOWN: usize = 1000;

/// How long a statement from standard input may be, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// Runs the statement, or lists the views.
///
/// # Errors
/// Usage for a statement that is wrong or no SELECT; failed when nothing was ever logged or the store cannot be
/// read.
pub(crate) fn run(request: &SqlRequest, session: &Session) -> Result<Document, Failure> {
    let statement = match request.statement.as_deref() {
        Some("-") => {
            let mut text = String::new();
            io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
            Some(text)
        }
        statement => statement.map(str::to_owned),
    };
    let zone = session.zone()?;
    let store = opened(session)?;
    let Some(statement) = statement else {
        let columns = session.read(store.views())?;
        let json = match request.format {
            RowFormat::Csv => return Ok(Document::exact(csv::views(&columns)?)),
            format => format == RowFormat::Json,
        };
        let time_zone = zone.name();
        return Document::of(&Views { time_zone, columns }, json, session);
    };
    let columns = store.select(&statement);
    let columns = columns.map_err(failed)?;
    // Rows are written as they are read, so that any number of them fits into memory.
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match request.format {
        RowFormat::Json => write_json(&store, &mut out),
        RowFormat::Csv => write_csv(&store, &columns, &mut out),
        RowFormat::Text => return show(&store, &columns, session),
    };
    match done {
        // A reader that has gone away is no failure.
        Err(SqlError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        done => done.map_err(failed)?,
    }
    Ok(Document::default())
}

/// A store of this verb's own, with its views, and locked.
fn opened(session: &Session) -> Result<Rc<Store>, Failure> {
    let store = session.store()?;
    session.close_store();
    let Some(store) = store else {
        return Err(Failure::failed("nothing has been logged yet")
            .hint("`plantune import claude-code` loads your past questions"));
    };
    let files = preferences::all(session);
    let preferences: Vec<_> = each(&files)
        .map(|(file, key, preference)| row(file, key, preference))
        .collect();
    let zone = session.zone()?;
    let today = session.today()?;
    session.define_whole_log(&store)?;
    // The views have the keys of questions, not their names, which depend on the answers.
    let grouping = QuestionGrouping::by_rules(session.registry()?);
    let done = store.define_views(&zone, today, &grouping, &preferences);
    session.read(done)?;
    Ok(store)
}

fn row<'a>(file: &'a FoundFile, key: &'a str, preference: &'a Preference) -> PreferenceRow<'a> {
    let answers = preference.preference.answers();
    PreferenceRow {
        scope: file.scope.as_str(),
        project: file.project.as_deref(),
        question_key: key,
        preference: preference.preference.as_str(),
        level: answers.then_some(preference.level().as_str()),
        answer: preference.answer.as_deref(),
        question: preference.question.as_deref(),
        set_at: preference
            .set_at
            .as_deref()
            .and_then(|at| Some(DateTime::parse_from_rfc3339(at).ok()?.naive_utc())),
        set_by: preference.set_by.as_deref(),
    }
}

/// Shows the first rows to a person.
fn show(store: &Store, columns: &[ResultColumn], session: &Session) -> Result<Document, Failure> {
    let mut rows: Vec<Vec<Option<String>>> = Vec::new();
    let mut is_part = false;
    let read = store.cells(|row| {
        is_part = rows.len() == SHOWN;
        if !is_part {
            rows.push(row.iter().map(|cell| cell.map(str::to_owned)).collect());
        }
        Ok(!is_part)
    });
    read.map_err(failed)?;
    let mut out = session.terminal();
    show_rows(columns, &rows, is_part, &mut out);
    Ok(Document::text(out.into_text()))
}

/// Writes each row as an object in a line of its own, all of them an array.
fn write_json(store: &Store, out: &mut dyn Write) -> Result<(), SqlError> {
    let mut before = "[\n";
    store.objects(|row| {
        write!(out, "{before}{}", sanitize::json(row))?;
        before = ",\n";
        Ok(())
    })?;
    let end = if before == "[\n" { "[]\n" } else { "\n]\n" };
    write!(out, "{end}")?;
    Ok(out.flush()?)
}

/// Writes each row as a line of CSV.
fn write_csv(store: &Store, columns: &[ResultColumn], out: &mut dyn Write) -> Result<(), SqlError> {
    let mut table = Rows::new(columns, out)?;
    store.cells(|row| table.row(row).map(|()| true))?;
    Ok(table.end()?)
}

/// The failure of a statement, for the person.
fn failed(error: SqlError) -> Failure {
    match error {
        SqlError::Statement(message) => Failure::usage(message).hint(
            "write one SELECT in DuckDB's SQL; `plantune sql` lists the views and their columns",
        ),
        SqlError::Damage(message) => Failure::failed(message).hint(
            "if the store is damaged and not the statement wrong, `plantune ingest --rebuild` computes it again",
        ),
        SqlError::Write(error) => failure::unwritten_to(Path::new("standard output"), error),
    }
}
