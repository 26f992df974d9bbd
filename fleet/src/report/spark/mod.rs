//! The report on Apache Spark: which files are read is judged here, by their ends; Spark reads them, where it runs.

mod engine;
mod paths;
mod projection;
mod session;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use duckdb::Connection;
use duckdb::arrow::array::{ArrayRef, RecordBatch, StringArray};
use plantune_reports::fleet::{Document, LakeState, SkippedFile};

use super::compute::compute;
use super::connect::Server;
use super::engine::{Engine as _, Scope, tables};
use super::source::{MOST_ATTEMPTS, Source, too_fast};
use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::{Listing, Read, Readable, Reader, missing};
use crate::lake::name::EVENTS;
use crate::lake::tombstones::{self, Tombstone};
use crate::projection::write::{Origin, Unfinished, Written};
use crate::projection::{Tried, with_newest};
use crate::workspace::Workspace;
use engine::Spark;
use paths::hadoop_path;
use session::Files;

/// The columns that are read, in Spark's notation.
const COLUMNS: &str = include_str!("../../../sql/spark/columns.sql");

/// The report of `scope`; where there is a file `record`, what was computed is written to it, too.
///
/// # Errors
/// Refused for another organisation's lake, and by the server; those of the lake and Spark.
pub(super) fn report(
    workspace: &Workspace,
    server: &Server,
    source: Source,
    scope: &Scope,
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let lake = workspace.lake()?;
    let mut not_used = None;
    if source == Source::Projection {
        let tried = with_newest(workspace, &lake, |stored, state| {
            let mut spark = Spark::open(server)?;
            spark.set(scope)?;
            projection::load(&mut spark, &lake, stored, scope)?;
            compute(&mut spark, source, scope, state, record)
        })?;
        match tried {
            Tried::Done(document) => return Ok(document),
            Tried::None(why) => not_used = why,
        }
    }
    let (document, _) = on_events(workspace, server, &lake, |spark, state| {
        spark.set(scope)?;
        let state = LakeState {
            not_used: not_used.clone(),
            ..state.clone()
        };
        compute(spark, Source::Events, scope, state, record)
    })?;
    Ok(document)
}

/// Has Spark compute what reports need of the events, and write it as a projection.
///
/// # Errors
/// Those of [`report`].
pub(super) fn prepare(
    workspace: &Workspace,
    lake: &Lake,
    server: &Server,
) -> Result<Written, Failure> {
    let (projection, origin) = on_events(workspace, server, lake, |spark, _| {
        tables(spark)?;
        let mut projection = Unfinished::new(lake)?;
        projection::write(spark, lake, &mut projection)?;
        Ok(projection)
    })?;
    projection.finish(workspace, origin)
}

/// Computes something of all events. When files are merged meanwhile, that begins again; what Spark cannot read is
/// passed over.
fn on_events<T>(
    workspace: &Workspace,
    server: &Server,
    lake: &Lake,
    mut compute: impl FnMut(&mut Spark, &LakeState) -> Result<T, Failure>,
) -> Result<(T, Origin), Failure> {
    // What Spark could not read.
    let mut damaged: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..MOST_ATTEMPTS {
        let Some(files) = judge(workspace, lake, &damaged)? else {
            continue;
        };
        let mut spark = Spark::open(server)?;
        let attempt = load(&mut spark, lake, &files)
            .and_then(|state| Ok((compute(&mut spark, &state)?, state)));
        let failure = match attempt {
            Ok((computed, state)) => {
                let origin = Origin {
                    read: files.read,
                    tombstones: files.tombstones,
                    state,
                };
                return Ok((computed, origin));
            }
            Err(failure) => failure,
        };
        let now = Listing::read(lake)?;
        let is_there = |file: &Readable| now.files.iter().any(|(_, entry)| *entry == file.entry);
        if !files.read.iter().all(is_there) {
            continue;
        }
        match inspect(&mut spark, lake, &files) {
            Ok(found) if !found.is_empty() => damaged.extend(found),
            _ => return Err(failure),
        }
    }
    Err(too_fast(lake))
}

/// The files of a lake.
struct Judged {
    read: Vec<Readable>,
    /// How many rows they say that they have, by path.
    row_counts: BTreeMap<String, u64>,
    skipped: Vec<SkippedFile>,
    missing: u64,
    tombstones: Vec<Tombstone>,
}

/// What there is to read, but for what is known to be damaged; `None` when a file is gone meanwhile.
fn judge(
    workspace: &Workspace,
    lake: &Lake,
    damaged: &BTreeMap<String, String>,
) -> Result<Option<Judged>, Failure> {
    let listing = Listing::read(lake)?;
    let tombstones = tombstones::all(lake)?;
    let connection = Connection::open_in_memory()?;
    let mut reader = Reader {
        lake,
        connection: &connection,
        key_check: workspace.key.check_value(),
        skipped: listing.skipped.clone(),
        footers_only: true,
    };
    let Read::Done(mut read) = reader.readable(&listing.files)? else {
        return Ok(None);
    };
    read.retain(|file| !damaged.contains_key(&file.entry.path));
    let Read::Done(row_counts) = reader.row_counts(&read)? else {
        return Ok(None);
    };
    let mut skipped: Vec<SkippedFile> = reader.skipped.into_iter().map(Into::into).collect();
    skipped.extend(damaged.iter().map(|(path, why)| SkippedFile {
        path: path.clone(),
        why: why.clone(),
    }));
    Ok(Some(Judged {
        missing: missing(&listing, &read),
        read,
        row_counts,
        skipped,
        tombstones,
    }))
}

/// Makes the lake's events the table `events`, and returns what was read.
fn load(spark: &mut Spark, lake: &Lake, files: &Judged) -> Result<LakeState, Failure> {
    let session = &spark.session;
    session.parquet("files", source(lake, files, false))?;
    let check = session.rows(include_str!("../../../sql/spark/check.sql"))?;
    let check = check.first().cloned().unwrap_or_default();
    let read = check.count("rows_read")?;
    let expected: u64 = files.row_counts.values().sum();
    if read != expected || check.count("lacking")? > 0 {
        let words = format!("Spark reads {read} of the {expected} rows of the lake's files");
        return Err(Failure::failed(words).hint(
            "all machines of the cluster must see the lake under the address in fleet.toml",
        ));
    }
    let (publishers, projects): (Vec<_>, Vec<_>) = files
        .tombstones
        .iter()
        .map(|tombstone| (tombstone.publisher.as_str(), tombstone.project.as_deref()))
        .unzip();
    let columns: [(&str, ArrayRef, bool); 2] = [
        ("publisher", Arc::new(StringArray::from(publishers)), false),
        ("project", Arc::new(StringArray::from(projects)), true),
    ];
    let tombstones = RecordBatch::try_from_iter_with_nullable(columns)?;
    session.local(
        "tombstones",
        &tombstones,
        "publisher STRING, project STRING",
    )?;
    spark.define("events", include_str!("../../../sql/spark/events.sql"))?;
    let contents = spark.rows(include_str!("../../../sql/fleet/contents.sql"))?;
    let contents = contents.first().cloned().unwrap_or_default();
    let skipped = files.skipped.iter().map(|skipped| SkippedFile {
        path: skipped.path.clone(),
        why: skipped.why.clone(),
    });
    Ok(LakeState {
        address: lake.address.clone(),
        files: files.read.len() as u64,
        rows: contents.count("rows_read")?,
        events: contents.count("events")?,
        publishers: contents.count("publishers")?,
        missing_files: files.missing,
        skipped: skipped.collect(),
        computed_at: None,
        files_since: None,
        not_used: None,
    })
}

fn source<'a>(lake: &Lake, files: &Judged, inspect: bool) -> Files<'a> {
    let paths = files
        .read
        .iter()
        .map(|file| hadoop_path(&lake.address, &file.entry.path));
    Files {
        paths: paths.collect(),
        schema: COLUMNS,
        inspect,
    }
}

/// The files of which Spark cannot read all rows, and why.
fn inspect(
    spark: &mut Spark,
    lake: &Lake,
    files: &Judged,
) -> Result<BTreeMap<String, String>, Failure> {
    spark
        .session
        .parquet("inspected", source(lake, files, true))?;
    let rows = spark.rows(include_str!("../../../sql/spark/inspect.sql"))?;
    let mut found = BTreeMap::new();
    for row in rows {
        // Nothing in a path below the lake's root is written in another way in an address.
        let path = row.text("file_path")?.unwrap_or_default();
        let path = path.rfind(EVENTS).and_then(|place| path.get(place..));
        let counts = (row.count("rows_read")?, row.count("lacking")?);
        found.insert(path.unwrap_or_default().to_owned(), counts);
    }
    let judged = files.row_counts.iter().filter_map(|(path, expected)| {
        let why = match found.get(path).copied().unwrap_or_default() {
            (read, _) if read < *expected => {
                format!("damaged: Spark reads {read} of {expected} rows")
            }
            (_, lacking) if lacking > 0 => format!("damaged: {lacking} rows lack what each has"),
            _ => return None,
        };
        Some((path.clone(), why))
    });
    Ok(judged.collect())
}
