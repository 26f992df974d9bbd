//! Events as rows of the table `log`, behind its column `batch`.

use std::sync::LazyLock;

use duckdb::arrow::datatypes::SchemaRef;

use crate::columns::{Cell, Columns, Holds, schema};
use crate::decode::Decoded;
use crate::dimensions::References;

const COLUMNS: [(&str, Holds); 5] = [
    ("id", Holds::Id),
    ("ts", Holds::Time),
    ("context", Holds::Number),
    ("wording", Holds::Number),
    ("detail", Holds::Number),
];

/// The schema of [`columns`].
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&COLUMNS));

/// No rows yet.
pub(crate) fn columns() -> Columns {
    Columns::new(SCHEMA.clone(), &COLUMNS)
}

/// An event's cells.
pub(crate) fn row(decoded: &Decoded<'_>, references: References) -> [Cell<'static>; COLUMNS.len()] {
    [
        Cell::Id(decoded.id),
        Cell::Time(Some(decoded.micros)),
        Cell::Number(Some(references.context)),
        Cell::Number(Some(references.wording)),
        Cell::Number(Some(references.detail)),
    ]
}
