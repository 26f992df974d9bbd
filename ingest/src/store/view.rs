//! The view `events`: the whole log, each event once, for people's own queries.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use duckdb::Connection;

use super::segments::load;
use crate::arrow::columns_sql;
use crate::error::Error;
use crate::sealed::pattern;
use crate::spool::{Format, Segment, list};
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
    let long = with_long_lines(connection)?;
    let is_long = |segment: &Segment| {
        // What follows the last whole line is not in quarantine yet.
        let read = known
            .get(&segment.name.file_name())
            .map(|known| known.offset);
        let rest = segment.length.saturating_sub(read.unwrap_or_default());
        segment.name.format() != Format::Sealed
            && (long.contains(&segment.name.file_name()) || rest > LONGEST_LINE)
    };
    let (long, others): (Vec<Segment>, Vec<Segment>) = segments.into_iter().partition(is_long);
    let names = |segments: &[Segment], format: Option<Format>| {
        let of_format = |one: &&Segment| format.is_none_or(|format| one.name.format() == format);
        let paths = segments.iter().filter(of_format);
        let paths = paths.map(|one| pattern(&folder.join(one.name.file_name())));
        paths
            .map(|path| Ok(quote(&path?)))
            .collect::<io::Result<Vec<_>>>()
    };
    let files = |format| names(&others, Some(format));
    let (sealed, mut lines) = (files(Format::Sealed)?, files(Format::Lines)?);
    if !lines.is_empty() && long.is_empty() {
        // Those that come later, too.
        lines = vec![quote(&format!("{}/*.jsonl", pattern(&folder)?))];
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
                .replace("{files}", &files),
        );
    }
    if !long.is_empty() {
        let structure = columns_sql(|name, r#type| match r#type.strip_suffix("[]") {
            Some(item) => format!("\"{name}\": [\"{item}\"]"),
            None => format!("\"{name}\": \"{type}\""),
        });
        let sql = include_str!("../../sql/lines_between_long_ones.sql");
        selects.push(
            sql.replace("{structure}", &structure)
                .replace("{files}", &names(&long, None)?.join(", ")),
        );
    }
    if selects.is_empty() {
        return Ok(connection.execute_batch("DROP VIEW IF EXISTS events")?);
    }
    let selects = selects.join("\nUNION ALL BY NAME\n");
    let sql = include_str!("../../sql/view.sql").replace("{selects}", &selects);
    Ok(connection.execute_batch(&sql)?)
}

/// The longest line that DuckDB's reader of JSON skips, in bytes; a longer one fails every query. It takes twice as much
/// memory a thread.
pub(super) const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// The segments that hold a longer line, by the names of their files: what is in quarantine is in them still.
fn with_long_lines(connection: &Connection) -> Result<HashSet<String>, Error> {
    let mut statement = connection.prepare(include_str!("../../sql/with_long_lines.sql"))?;
    let segments = statement.query_map([LONGEST_LINE], |row| row.get(0))?;
    Ok(segments.collect::<duckdb::Result<_>>()?)
}

/// `text` as a literal of SQL.
pub(crate) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
