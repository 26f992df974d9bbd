//! What Spark wrote into the lake, by the ends of its files.

use std::collections::BTreeMap;

use duckdb::Connection;
use plantune_ingest::parquet_pattern;
use serde::Deserialize;

use crate::database::{choose, rows};
use crate::failure::Failure;
use crate::lake::{Entry, Lake};
use crate::projection::Table;
use crate::projection::manifest::TableFile;

/// The end of a file.
#[derive(Deserialize)]
struct End {
    file: String,
    rows: u64,
    first_us: Option<i64>,
    last_us: Option<i64>,
}

/// The files with rows of `table` that lie in the folder `path`.
///
/// # Errors
/// The store's and DuckDB's; failed for one that is gone.
pub(super) fn files(lake: &Lake, table: Table, path: &str) -> Result<Vec<TableFile>, Failure> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut patterns = Vec::new();
    for entry in lake.list_once(path)? {
        let name = entry.path.rsplit('/').next().unwrap_or_default();
        // Beside them lie checksums and a file that says that Spark is done.
        if !name.starts_with(['_', '.']) && name.ends_with(".parquet") {
            let Some(end) = lake.on_this_machine(&entry, true)? else {
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
    choose(&connection, &patterns)?;
    let sql = include_str!("../../../sql/projection/footers.sql");
    let ends: Vec<End> = rows(&connection, sql, [])?;
    let files = ends.into_iter().filter_map(|end| {
        let entry = entries.get(&end.file).filter(|_| end.rows > 0)?;
        let name = entry.path.rsplit('/').next()?;
        Some(TableFile {
            path: format!("{}/{name}", table.name()),
            bytes: entry.size,
            rows: end.rows,
            first_us: end.first_us,
            last_us: end.last_us,
        })
    });
    let mut files: Vec<TableFile> = files.collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}
