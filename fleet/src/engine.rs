//! The statements of `fleet/sql/`, and the engine that computes them over a lake: DuckDB on this machine. `spark.rs` is
//! another engine. The statements of reports are in the common dialect of DuckDB and Spark.

use std::path::PathBuf;

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use plantune::failure::Failure;
use plantune_ingest::parquet_pattern;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// A view over the files of a lake, and the query that it is.
#[derive(Clone, Copy, Debug)]
pub struct LakeView {
    /// Its name.
    pub name: &'static str,
    /// The query.
    pub sql: &'static str,
    /// True if many queries read it, so that its rows are worth keeping.
    pub is_kept: bool,
}

const fn view(name: &'static str, sql: &'static str, is_kept: bool) -> LakeView {
    LakeView { name, sql, is_kept }
}

/// The views of the files, in order: each reads `files` or those before it.
pub const VIEWS: [LakeView; 3] = [
    view("events", include_str!("../sql/events.sql"), false),
    view("questions", include_str!("../sql/questions.sql"), true),
    view("prompts", include_str!("../sql/prompts.sql"), true),
];

/// The views of a report's parts, in order. They read [`VIEWS`], `settings` ([`SETTINGS`]) and `parts`, the parts that
/// are wanted.
pub const OF_PARTS: [LakeView; 2] = [
    view("grouped", include_str!("../sql/grouped.sql"), true),
    view("named", include_str!("../sql/named.sql"), true),
];

/// The row of settings, with a number for each name in braces.
pub const SETTINGS: &str = include_str!("../sql/settings.sql");

/// The contents of a lake.
pub const CONTENTS: &str = include_str!("../sql/contents.sql");

/// The figures of the groups of `parts`.
pub const FIGURES: &str = include_str!("../sql/figures.sql");

/// The answers that machines give alike.
pub const ALIKE: &str = include_str!("../sql/alike.sql");

/// The files that the views read on DuckDB: those that the variable of this name lists.
pub const FILES: &str = include_str!("../sql/files.sql");

/// The columns that the views read of the files, as Spark writes a schema.
pub const SPARK_COLUMNS: &str = include_str!("../sql/spark.sql");

/// A database that computes in a folder, the variable `folder`.
pub const SESSION: &str = include_str!("../sql/session.sql");

/// The statements of a push.
pub mod push {
    /// The table of events to push; `{columns}` are the columns of events.
    pub const DUE: &str = include_str!("../sql/push/due.sql");
    /// Its days.
    pub const DAYS: &str = include_str!("../sql/push/days.sql");
    /// Writes the file of a day: the variables `day` and `path`.
    pub const WRITE: &str = include_str!("../sql/push/write.sql");
    /// Some of its rows.
    pub const SAMPLES: &str = include_str!("../sql/push/samples.sql");
}

// The engine.

/// An engine. Errors are its own.
pub(crate) trait Engine {
    /// Makes what `sql` finds the view `name`, instead of the one of that name; `is_kept` where many queries read it.
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure>;

    /// The rows of `sql`.
    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure>;
}

/// The rows of `sql` on `engine`, as structs or tuples with its columns for fields.
pub(crate) fn found<T: DeserializeOwned>(
    engine: &mut dyn Engine,
    sql: &str,
) -> Result<Vec<T>, Failure> {
    in_batches(&engine.batches(sql)?)
}

/// The rows of an engine's answer.
///
/// # Errors
/// Failed for columns that are lacking or of other types.
pub(crate) fn in_batches<T: DeserializeOwned>(batches: &[RecordBatch]) -> Result<Vec<T>, Failure> {
    let mut rows = Vec::new();
    for batch in batches {
        rows.extend(serde_arrow::from_record_batch::<Vec<T>>(batch)?);
    }
    Ok(rows)
}

/// DuckDB, with a database of its own.
pub(crate) struct DuckDb {
    connection: Connection,
    /// Where the database lies; removed after it.
    _folder: TempDir,
}

impl DuckDb {
    /// One with a view of the files at these places, which uses `memory`, as DuckDB writes sizes: most of what there is
    /// unless it is said.
    pub(crate) fn open(files: &[PathBuf], memory: Option<&str>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        // What is kept lies in the database's file, compressed: a temporary table would lie in memory as it is.
        let connection = Connection::open(folder.path().join("computed.duckdb"))?;
        let patterns: Result<Vec<String>, _> =
            files.iter().map(|file| parquet_pattern(file)).collect();
        let set = |sql: &str, value: &str| connection.execute(sql, [value]);
        set("SET VARIABLE folder = ?", &folder.path().to_string_lossy())?;
        set(
            "SET VARIABLE files = from_json(?, '[\"VARCHAR\"]')",
            &serde_json::to_string(&patterns?)?,
        )?;
        if let Some(memory) = memory {
            set("SET memory_limit = ?", memory)?;
        }
        connection.execute_batch(SESSION)?;
        let mut engine = Self {
            connection,
            _folder: folder,
        };
        engine.make("files", FILES, false)?;
        Ok(engine)
    }
}

impl Engine for DuckDb {
    fn make(&mut self, name: &str, sql: &str, is_kept: bool) -> Result<(), Failure> {
        let what = if is_kept { "TABLE" } else { "VIEW" };
        Ok(self
            .connection
            .execute_batch(&format!("CREATE OR REPLACE {what} {name} AS\n{sql}"))?)
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        Ok(self.connection.prepare(sql)?.query_arrow([])?.collect())
    }
}
