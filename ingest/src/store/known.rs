//! Which events the store has, so that an import need not append them to the log again.

use std::collections::HashSet;

use plantune_domain::event::Event;

use super::columns::{BatchBuilder, Value};
use super::temporary::{IDS, Table, Temporary};
use super::writer::Writer;
use crate::error::Error;
use crate::projection::{KINDS, row_id};

/// What identifies an event about a question: its kind, call and index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventKey {
    kind: String,
    tool_use_id: String,
    question_index: u32,
}

impl EventKey {
    pub(crate) fn of(event: &Event<'_>) -> Self {
        Self {
            kind: event.kind.to_string(),
            tool_use_id: event.tool_use_id.as_deref().unwrap_or_default().to_owned(),
            question_index: event.question_index.unwrap_or_default(),
        }
    }
}

impl Writer {
    /// The events that the store has, of the questions that `keys` are about.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn known_events<'k>(
        &self,
        keys: impl Iterator<Item = &'k EventKey>,
    ) -> Result<HashSet<EventKey>, Error> {
        let Some(connection) = self.connection() else {
            return Ok(HashSet::new());
        };
        let mut rows = BatchBuilder::new(IDS);
        for key in keys {
            rows.push([Value::U64(row_id(&key.tool_use_id, key.question_index))])?;
        }
        let incoming = Temporary::like(connection, Table::Ids, rows.finish()?)?;
        let mut known = HashSet::new();
        let mut statement = connection.prepare(include_str!("../../sql/known_events.sql"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let tool_use_id: String = row.get(0)?;
            let question_index = row.get(1)?;
            for (column, kind) in (2..).zip(KINDS) {
                if row.get(column)? {
                    known.insert(EventKey {
                        kind: kind.to_owned(),
                        tool_use_id: tool_use_id.clone(),
                        question_index,
                    });
                }
            }
        }
        incoming.drop()?;
        Ok(known)
    }
}
