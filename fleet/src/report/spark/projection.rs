//! Projections on Apache Spark: Spark writes and reads their files; what these hold is judged here, by their ends.

use std::collections::BTreeMap;

use duckdb::Connection;
use plantune_ingest::parquet_pattern;

use super::engine::Spark;
use super::paths::{address, hadoop_path};
use super::session::Files;
use crate::failure::Failure;
use crate::lake::{Entry, Lake};
use crate::projection::manifest::TableFile;
use crate::projection::write::{Unfinished, check_rows};
use crate::projection::{FOLDER, Projection, Table, rows};
use crate::report::engine::{Engine as _, Scope};

/// A table's columns, in Spark's notation.
fn schema(table: Table) -> &'static str {
    match table {
        Table::Questions => include_str!("../../../sql/spark/questions.sql"),
        Table::Prompts => include_str!("../../../sql/spark/prompts.sql"),
        Table::Barred => include_str!("../../../sql/spark/barred.sql"),
    }
}

/// Has Spark make what `projection` holds of the days of `scope` its tables.
///
/// # Errors
/// Those of the lake and Spark; failed for files that are gone or damaged, or that Spark does not see.
pub(super) fn load(
    spark: &mut Spark,
    lake: &Lake,
    projection: &Projection,
    scope: &Scope,
) -> Result<(), Failure> {
    let connection = Connection::open_in_memory()?;
    let (first_us, end_us) = scope.micros();
    for table in Table::ALL {
        let is_read =
            |file: &&TableFile| file.table() == Some(table) && file.is_about(first_us, end_us);
        let files: Vec<TableFile> = projection
            .manifest
            .tables
            .iter()
            .filter(is_read)
            .cloned()
            .collect();
        let (mut ends, mut paths) = (Vec::new(), Vec::new());
        for file in &files {
            let entry = projection.entry(file);
            let Some(end) = lake.footer(&entry)? else {
                return Err(Failure::failed(format!("{} is gone", entry.path)));
            };
            ends.push((parquet_pattern(&end)?, file.rows));
            paths.push(hadoop_path(&lake.address, &entry.path));
        }
        if !ends.is_empty() {
            check_rows(&connection, &ends)?;
        }
        let source = Files {
            paths,
            schema: schema(table),
            inspect: false,
        };
        let stored = format!("stored_{}", table.name());
        spark.session.parquet(&stored, source)?;
        let found = spark.rows(&format!("SELECT count(*) AS found FROM {stored}"))?;
        let found = found.first().cloned().unwrap_or_default().count("found")?;
        let expected = rows(&files, table);
        if found != expected {
            let words = format!("Spark reads {found} of {expected} rows of {}", table.name());
            return Err(Failure::failed(words));
        }
        let sql = match table {
            Table::Questions => include_str!("../../../sql/spark/stored_questions.sql"),
            Table::Prompts => include_str!("../../../sql/spark/stored_prompts.sql"),
            Table::Barred => "SELECT * FROM stored_barred",
        };
        spark.keep(table.name(), sql)?;
    }
    Ok(())
}

/// Has Spark write its tables as those of `projection`.
///
/// # Errors
/// Those of the lake and Spark; failed when the files do not hold what was to be written.
pub(super) fn write(
    spark: &mut Spark,
    lake: &Lake,
    projection: &mut Unfinished<'_>,
) -> Result<(), Failure> {
    let mut counts = [0; 3];
    for (table, count) in Table::ALL.into_iter().zip(&mut counts) {
        let path = format!("{FOLDER}/{}/{}", projection.id, table.name());
        let sql = match table {
            Table::Questions => include_str!("../../../sql/spark/write_questions.sql"),
            Table::Prompts => include_str!("../../../sql/spark/write_prompts.sql"),
            Table::Barred => include_str!("../../../sql/spark/write_barred.sql"),
        };
        spark.session.write(sql, &address(&lake.address, &path))?;
        projection.tables.extend(written(lake, table, &path)?);
        let found = spark.rows(&format!("SELECT count(*) AS found FROM {}", table.name()))?;
        *count = found.first().cloned().unwrap_or_default().count("found")?;
    }
    projection.check(counts)
}

/// The files with rows of `table` that lie in the folder `path`.
fn written(lake: &Lake, table: Table, path: &str) -> Result<Vec<TableFile>, Failure> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut patterns = Vec::new();
    for entry in lake.list_once(path)? {
        let name = entry.path.rsplit('/').next().unwrap_or_default();
        // Beside them lie checksums and a file that says that Spark is done.
        if !name.starts_with(['_', '.']) && name.ends_with(".parquet") {
            let Some(end) = lake.footer(&entry)? else {
                return Err(Failure::failed(format!("{} is gone", entry.path)));
            };
            patterns.push(parquet_pattern(&end)?);
            entries.insert(end.to_string_lossy().into_owned(), entry);
        }
    }
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let connection = Connection::open_in_memory()?;
    let patterns = serde_json::to_string(&patterns)?;
    connection.execute(include_str!("../../../sql/lake/choose.sql"), [patterns])?;
    let mut statement = connection.prepare(include_str!("../../../sql/projection/footers.sql"))?;
    let found = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut files = Vec::new();
    for row in found {
        let (end, rows, first_us, last_us): (String, u64, Option<i64>, Option<i64>) = row?;
        if let Some(entry) = entries.get(&end).filter(|_| rows > 0) {
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            files.push(TableFile {
                path: format!("{}/{name}", table.name()),
                bytes: entry.size,
                rows,
                first_us,
                last_us,
            });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
