//! Databases of SQLite's that other programs keep, and may be writing to: read, and left as they are.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plantune_domain::wire::lenient_json;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Map, Value};

/// How long a writer that locks all of it is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The column that holds JSON.
const JSON: &str = "data";

/// What `query` finds in the database at `path`, as objects of its columns; `None` for a row whose JSON is none.
///
/// # Errors
/// When it is no such database, has other tables, or is locked.
pub(crate) fn rows(path: &Path, query: &str) -> io::Result<Vec<Option<Value>>> {
    if !is_open(path) {
        // Nobody writes: SQLite would leave files of its own beside it.
        let rows = rows_of(path, "immutable=1", query);
        if !is_open(path) {
            return rows.map_err(io::Error::other);
        }
    }
    rows_of(path, "mode=ro", query).map_err(io::Error::other)
}

/// True when somebody has it open to write, or left what the next one who does so takes over.
fn is_open(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log).exists()
}

fn rows_of(path: &Path, how: &str, query: &str) -> rusqlite::Result<Vec<Option<Value>>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let uri = format!("file:{}?{how}", escaped(path));
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let mut statement = connection.prepare(query)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let found = statement.query_map([], |row| object(row, &names))?;
    found.collect()
}

/// The path as a part of a URI.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                text.push(char::from(*byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn object(row: &Row<'_>, names: &[String]) -> rusqlite::Result<Option<Value>> {
    let mut object = Map::new();
    for (index, name) in names.iter().enumerate() {
        let value = match row.get_ref(index)? {
            ValueRef::Integer(number) => number.into(),
            ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
        };
        let value = match value.as_str() {
            Some(text) if name == JSON => match lenient_json(text) {
                Ok(value) => value,
                Err(_) => return Ok(None),
            },
            _ => value,
        };
        object.insert(name.clone(), value);
    }
    Ok(Some(object.into()))
}
