//! A sealed month that is gone or damaged: the store that still holds its rows is the second copy, and the month is
//! written again from them. What no row has stays lost: folders of questions, and fields that no report shows.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Datelike as _, NaiveDate};
use duckdb::arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray, UInt32Array};
use duckdb::{AccessMode, Connection};
use plantune_domain::event::{Kind, question_event_id};
use plantune_domain::hash;
use plantune_domain::paths::Paths;

use crate::arrow::{column, complete, texts};
use crate::encode::{EventLine, lines_of_batch};
use crate::in_order::{InOrder, Survey};
use crate::parquet::write_sealed;
use crate::segment::{Segment, SegmentName, list};
use crate::store::Writer;
use crate::store::checkpoints::{Checkpoint, load_checkpoints, save_checkpoints};
use crate::store::lost::LostMonth;
use crate::store::open::{open, sync_folder, was_killed};
use crate::{Error, Progress};

/// A month that was written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The name of its file.
    pub segment: String,
    /// How many events it has.
    pub events: u64,
    /// Where the damaged file is now.
    pub damaged: Option<PathBuf>,
}

impl Writer {
    /// Writes the sealed segment of `month`, one of [`Writer::lost_months`], from the rows of the store: all events of the
    /// month that the log does not have, and those of other months that no lost segment is named for. A damaged file is
    /// kept beside it.
    ///
    /// # Errors
    /// Errors of the file system, of the log and of DuckDB. The damaged file is where it was, then.
    pub fn restore_month(
        &mut self,
        month: &LostMonth,
        progress: &Progress,
    ) -> Result<Restored, Error> {
        let paths = self.paths().clone();
        let others: Vec<NaiveDate> = self.lost_months()?.iter().map(|lost| lost.month).collect();
        self.closed_during(|| restore(&paths, month, &others, progress))?
    }
}

fn restore(
    paths: &Paths,
    lost: &LostMonth,
    others: &[NaiveDate],
    progress: &Progress,
) -> Result<Restored, Error> {
    let store = open(&paths.store(), &AccessMode::ReadOnly)?;
    let mut segments = list(&paths.events())?;
    segments.retain(|segment| segment.name.file_name() != lost.segment);
    let day = |segment: &Segment| segment.name.month().or(segment.name.day());
    let logged: Vec<NaiveDate> = segments
        .iter()
        .filter_map(day)
        .map(first_of_month)
        .collect();
    let mut known = Survey::of(segments, progress)?.into_ids();
    known.sort_unstable();
    let mut events = InOrder::new(paths.data());
    for (is_of_session, sql) in [
        (false, include_str!("../sql/restore/questions.sql")),
        (true, include_str!("../sql/restore/sessions.sql")),
        (false, include_str!("../sql/restore/preference_changes.sql")),
        (false, include_str!("../sql/restore/permission_events.sql")),
        (false, include_str!("../sql/restore/hook_errors.sql")),
    ] {
        let mut statement = store.prepare(sql)?;
        for batch in statement.stream_arrow([])? {
            for event in with_ids(&batch)? {
                let of = month_of(&event);
                // Which ids the events of a session had is not known: those of other months may be in the log.
                let is_elsewhere = others.contains(&of) || is_of_session && logged.contains(&of);
                let is_wanted = of == lost.month || !is_elsewhere;
                if is_wanted && known.binary_search(&event.id).is_err() {
                    events.push(event)?;
                }
            }
        }
    }
    let path = paths.events().join(&lost.segment);
    let temporary = path.with_extension("parquet.tmp");
    let failed = |error| Error::SpoolWrite(path.clone(), error);
    if temporary.exists() {
        fs::remove_file(&temporary).map_err(failed)?;
    }
    let written = write_sealed(events, &temporary).inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    })?;
    let damaged = lost.damage.is_some().then(|| unused(&path));
    if let Some(damaged) = &damaged {
        fs::rename(&path, damaged).map_err(failed)?;
    }
    fs::rename(&temporary, &path).map_err(failed)?;
    sync_folder(&path);
    // A store that a killed run left is computed again, and reads the file then.
    if !was_killed(paths) {
        save(paths, store, lost, &path, written)?;
    }
    Ok(Restored {
        segment: lost.segment.clone(),
        events: written,
        damaged,
    })
}

/// Records in the store that it has read the new file.
fn save(
    paths: &Paths,
    store: Connection,
    lost: &LostMonth,
    path: &Path,
    events: u64,
) -> Result<(), Error> {
    let before = load_checkpoints(&store)?.remove(&lost.segment);
    store.close().map_err(|(_, error)| error)?;
    let failed = |error| Error::SpoolWrite(path.to_owned(), error);
    let metadata = fs::metadata(path).map_err(failed)?;
    let Some(name) = SegmentName::parse(&lost.segment) else {
        return Ok(());
    };
    let segment = Segment::new(name, path.to_owned(), &metadata);
    let checkpoint = Checkpoint {
        offset: segment.length,
        events,
        last_hook_at: before.and_then(|before| before.last_hook_at),
        ..Checkpoint::start(&segment)
    };
    let store = open(&paths.store(), &AccessMode::ReadWrite)?;
    save_checkpoints(&store, &HashMap::from([(lost.segment.clone(), checkpoint)]))?;
    Ok(store.close().map_err(|(_, error)| error)?)
}

/// A name beside `path` that nothing has: `2026-10.parquet.damaged`, `2026-10.parquet.damaged-2` …
fn unused(path: &Path) -> PathBuf {
    let name = |number: u32| match number {
        1 => path.with_added_extension("damaged"),
        number => path.with_added_extension(format!("damaged-{number}")),
    };
    let mut names = (1..).map(name);
    names
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| name(1))
}

fn month_of(event: &EventLine) -> NaiveDate {
    let at = DateTime::from_timestamp_micros(event.micros).unwrap_or_default();
    first_of_month(at.date_naive())
}

fn first_of_month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// The events of `batch`. Those without an id get theirs: that of a question's event is known, and that of a session's is
/// made up from what it says.
fn with_ids(batch: &RecordBatch) -> Result<Vec<EventLine>, Error> {
    let (ids, kinds) = (texts(batch, "id")?, texts(batch, "kind")?);
    let calls = batch.column_by_name("tool_use_id");
    let calls = calls.and_then(|calls| calls.as_any().downcast_ref::<StringArray>());
    let times = column::<duckdb::arrow::array::TimestampMicrosecondArray>(batch, "ts")?;
    let sessions = texts(batch, "session_id")?;
    let id = |row: usize| -> Result<String, Error> {
        if ids.is_valid(row) {
            return Ok(ids.value(row).to_owned());
        }
        let kind = Kind::parse(kinds.value(row)).filter(|kind| kind.is_of_question());
        Ok(match (kind, calls) {
            (Some(kind), Some(calls)) => {
                let index: &UInt32Array = column(batch, "question_index")?;
                question_event_id(kind, calls.value(row), index.value(row))
            }
            _ => hash::hex(&[
                "restored",
                kinds.value(row),
                sessions.value(row),
                &times.value(row).to_string(),
            ]),
        })
    };
    let ids: StringArray = (0..batch.num_rows())
        .map(|row| id(row).map(Some))
        .collect::<Result<_, _>>()?;
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, values)| match field.name().as_str() {
        "id" => (field.name().clone(), Arc::new(ids.clone()) as ArrayRef),
        name => (name.to_owned(), values.clone()),
    });
    let batch = RecordBatch::try_from_iter(columns.collect::<Vec<_>>())?;
    match complete(&batch, true)? {
        Some(events) => lines_of_batch(&events),
        None => Ok(Vec::new()),
    }
}
