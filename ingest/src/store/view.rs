//! The view `events`: the whole log, each event once, for people's own queries.

use std::io;
use std::path::Path;

use duckdb::Connection;

use super::segments::load;
use crate::arrow::columns_sql;
use crate::error::Error;
use crate::sealed::pattern;
use crate::spool::{Format, list};
use crate::trace;

/// Makes the view over the segments in the folder `events`, as far as they are not damaged. Hot segments that
/// are added later are in it, too. Nothing of plantune's reads it, so that it may fail: then it is as it was.
pub(crate) fn save_view(connection: &Connection, events: &Path) {
    let _ = trace::step("view", || try_save(connection, events));
}

fn try_save(connection: &Connection, events: &Path) -> Result<(), Error> {
    let known = load(connection)?;
    let folder = events.canonicalize().unwrap_or_else(|_| events.to_owned());
    let mut segments = list(events)?;
    // What is damaged would fail every query; what is not read yet may be.
    segments.retain(|segment| {
        let known = known.get(&segment.name.file_name());
        known.is_some_and(|known| known.damage.is_none())
    });
    let files = |format: Format| {
        let of_format = segments.iter().filter(|one| one.name.format() == format);
        let paths = of_format.map(|one| pattern(&folder.join(one.name.file_name())));
        paths
            .map(|path| Ok(quote(&path?)))
            .collect::<io::Result<Vec<_>>>()
    };
    let (sealed, mut lines) = (files(Format::Sealed)?, files(Format::Gzip)?);
    if !files(Format::Lines)?.is_empty() {
        lines.push(quote(&format!("{}/*.jsonl", pattern(&folder)?)));
    }
    let mut selects = Vec::new();
    if !sealed.is_empty() {
        let files = sealed.join(", ");
        selects.push(format!(
            "SELECT * FROM read_parquet([{files}], union_by_name = true)"
        ));
    }
    if !lines.is_empty() {
        let files = lines.join(", ");
        let columns = columns_sql(|name, r#type| format!("\"{name}\": '{type}'"));
        let sql = include_str!("../../sql/lines.sql");
        selects.push(
            sql.replace("{columns}", &columns)
                .replace("{longest}", &longest_line(connection)?.to_string())
                .replace("{files}", &files),
        );
    }
    if selects.is_empty() {
        return Ok(connection.execute_batch("DROP VIEW IF EXISTS events")?);
    }
    let selects = selects.join("\nUNION ALL BY NAME\n");
    let sql = include_str!("../../sql/view.sql").replace("{selects}", &selects);
    Ok(connection.execute_batch(&sql)?)
}

/// How long a line DuckDB must be able to skip, in bytes: those in quarantine are in the segments still, and one that
/// is longer fails every query. It takes twice that much memory a thread.
fn longest_line(connection: &Connection) -> Result<u64, Error> {
    /// DuckDB's own.
    const LEAST: u64 = 16 * 1024 * 1024;
    let sql = include_str!("../../sql/longest_line.sql");
    let longest: Option<u64> = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(longest
        .unwrap_or_default()
        .clamp(LEAST, u64::from(u32::MAX)))
}

/// `text` as a literal of SQL.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
