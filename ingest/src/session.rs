//! What some events say about the agent's sessions.

use std::collections::HashMap;
use std::sync::LazyLock;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::arrow::error::ArrowError;

use crate::columns::{Cell, Columns, Holds, schema};
use crate::decode::Decoded;

/// The columns, named as those of `sessions`.
const COLUMNS: [(&str, Holds); 5] = [
    ("session_id", Holds::Text),
    ("session_kind", Holds::Text),
    ("first_at", Holds::Time),
    ("last_at", Holds::Time),
    ("ended_at", Holds::Time),
];

/// The schema of [`Sessions::batches`].
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&COLUMNS));

struct Session {
    /// The first event's time and session kind; of several, the first kind by name.
    first: (i64, String),
    last_at: i64,
    ended_at: Option<i64>,
}

/// Sessions by id.
#[derive(Default)]
pub(crate) struct Sessions(HashMap<String, Session>);

impl Sessions {
    pub(crate) fn add(&mut self, decoded: &Decoded<'_>) {
        let event = &decoded.event;
        if event.session_id.is_empty() {
            return;
        }
        let at = decoded.micros;
        let ended_at = (*event.kind == *"session_ended").then_some(at);
        match self.0.get_mut(&*event.session_id) {
            Some(session) => {
                if (at, &*event.session_kind) < (session.first.0, &session.first.1) {
                    session.first = (at, event.session_kind.to_string());
                }
                session.last_at = session.last_at.max(at);
                session.ended_at = session.ended_at.max(ended_at);
            }
            None => {
                let session = Session {
                    first: (at, event.session_kind.to_string()),
                    last_at: at,
                    ended_at,
                };
                self.0.insert(event.session_id.to_string(), session);
            }
        }
    }

    /// One row a session.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn batches(&self) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut columns = Columns::new(SCHEMA.clone(), &COLUMNS);
        for (id, session) in &self.0 {
            columns.push([
                Cell::Text(Some(id)),
                Cell::Text(Some(&session.first.1)),
                Cell::Time(Some(session.first.0)),
                Cell::Time(Some(session.last_at)),
                Cell::Time(session.ended_at),
            ])?;
        }
        columns.finish()
    }
}
