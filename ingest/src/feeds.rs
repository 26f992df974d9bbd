//! What the ingester hands to DuckDB: the table functions, and the rows that each takes.

use std::sync::{Arc, LazyLock};

use duckdb::Connection;
use duckdb::arrow::datatypes::SchemaRef;

use crate::checkpoint::Reached;
use crate::columns::{Cell, Holds, schema};
use crate::dimensions;
use crate::fact::{self, Fact};
use crate::feed::Feed;
use crate::log;
use crate::piece::BadLine;
use crate::rows::Rows;
use crate::told::{Scope, Session};

const HALVES: [(&str, Holds); 3] = [
    ("hi", Holds::Big),
    ("lo", Holds::Big),
    ("number", Holds::Number),
];
const NUMBERS: [(&str, Holds); 1] = [("number", Holds::Number)];
const KEYS: [(&str, Holds); 1] = [("key", Holds::Big)];
const SESSIONS: [(&str, Holds); 6] = [
    ("session", Holds::Big),
    ("session_id", Holds::Text),
    ("session_kind", Holds::Text),
    ("first_at", Holds::Time),
    ("last_at", Holds::Time),
    ("ended_at", Holds::Time),
];
const SCOPES: [(&str, Holds); 3] = [
    ("scope", Holds::Big),
    ("project", Holds::Text),
    ("session_kind", Holds::Text),
];
const SERIES: [(&str, Holds); 3] = [
    ("series", Holds::Big),
    ("scope", Holds::Big),
    ("question_key", Holds::Text),
];
const CELLS: [(&str, Holds); 3] = [
    ("day", Holds::Day),
    ("series", Holds::Big),
    ("scope", Holds::Big),
];
const CHECKPOINTS: [(&str, Holds); 4] = [
    ("segment", Holds::Text),
    ("head", Holds::Text),
    ("offset", Holds::Big),
    ("events", Holds::Big),
];
const BAD_LINES: [(&str, Holds); 6] = [
    ("id", Holds::Text),
    ("segment", Holds::Text),
    ("offset", Holds::Big),
    ("reason", Holds::Text),
    ("bytes", Holds::Bytes),
    ("length", Holds::Big),
];
const HOOK_ERRORS: [(&str, Holds); 3] = [
    ("day", Holds::Day),
    ("project", Holds::Text),
    ("times", Holds::Number),
];

macro_rules! schemas {
    ($($name:ident of $columns:ident),*) => {
        $(static $name: LazyLock<SchemaRef> = LazyLock::new(|| schema(&$columns));)*
    };
}

schemas!(
    HALVES_SCHEMA of HALVES,
    NUMBERS_SCHEMA of NUMBERS,
    KEYS_SCHEMA of KEYS,
    SESSIONS_SCHEMA of SESSIONS,
    SCOPES_SCHEMA of SCOPES,
    SERIES_SCHEMA of SERIES,
    CELLS_SCHEMA of CELLS,
    CHECKPOINTS_SCHEMA of CHECKPOINTS,
    BAD_LINES_SCHEMA of BAD_LINES,
    HOOK_ERRORS_SCHEMA of HOOK_ERRORS
);

/// A day, series and scope whose rollups a change touches.
pub(crate) type Touched = (i32, u64, u64);

/// The table functions that bring rows in.
#[derive(Clone)]
pub(crate) struct Feeds {
    pub(crate) events: Feed,
    /// Of contexts, forms, wordings and details.
    pub(crate) dimensions: [Feed; 4],
    ids: Feed,
    numbers: Feed,
    keys: Feed,
    sessions: Feed,
    scopes: Feed,
    series: Feed,
    questions: Feed,
    cells: Feed,
    hook_errors: Feed,
    checkpoints: Feed,
    bad_lines: Feed,
}

impl Feeds {
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(connection: &Connection) -> duckdb::Result<Self> {
        let register = |name: &str, schema: &SchemaRef| {
            // Ids are in order, for the sake of later lookups.
            let is_ordered = name == "incoming_ids";
            Feed::register(connection, name, schema.clone(), is_ordered)
        };
        let [contexts, forms, wordings, details] = &*dimensions::SCHEMAS;
        Ok(Self {
            events: register("incoming_events", &log::SCHEMA)?,
            dimensions: [
                register("incoming_contexts", contexts)?,
                register("incoming_forms", forms)?,
                register("incoming_wordings", wordings)?,
                register("incoming_details", details)?,
            ],
            ids: register("incoming_ids", &HALVES_SCHEMA)?,
            numbers: register("incoming_numbers", &NUMBERS_SCHEMA)?,
            keys: register("incoming_keys", &KEYS_SCHEMA)?,
            sessions: register("incoming_sessions", &SESSIONS_SCHEMA)?,
            scopes: register("incoming_scopes", &SCOPES_SCHEMA)?,
            series: register("incoming_series", &SERIES_SCHEMA)?,
            questions: register("incoming_questions", &fact::SCHEMA)?,
            cells: register("incoming_cells", &CELLS_SCHEMA)?,
            hook_errors: register("incoming_hook_errors", &HOOK_ERRORS_SCHEMA)?,
            checkpoints: register("incoming_checkpoints", &CHECKPOINTS_SCHEMA)?,
            bad_lines: register("incoming_bad_lines", &BAD_LINES_SCHEMA)?,
        })
    }

    /// Ids with what they are the ids of, given out in the order given.
    pub(crate) fn ids(&self, ids: Vec<(u128, u32)>) {
        let rows = Rows::new(ids, &HALVES_SCHEMA, &HALVES, |(id, number)| {
            halves(*id, *number)
        });
        self.ids.connect(Arc::new(rows));
    }

    /// Ids that are all that is needed, given out in the order given.
    pub(crate) fn bare_ids(&self, ids: Vec<u128>) {
        let rows = Rows::new(ids, &HALVES_SCHEMA, &HALVES, |id| halves(*id, 0));
        self.ids.connect(Arc::new(rows));
    }

    pub(crate) fn numbers(&self, numbers: Vec<u32>) {
        let cells = |number: &u32| [Cell::Number(Some(*number))];
        let rows = Rows::new(numbers, &NUMBERS_SCHEMA, &NUMBERS, cells);
        self.numbers.connect(Arc::new(rows));
    }

    pub(crate) fn keys(&self, keys: Vec<u64>) {
        let rows = Rows::new(keys, &KEYS_SCHEMA, &KEYS, |key| [Cell::Big(*key)]);
        self.keys.connect(Arc::new(rows));
    }

    pub(crate) fn sessions(&self, sessions: Vec<(u64, Session)>) {
        let rows = Rows::new(sessions, &SESSIONS_SCHEMA, &SESSIONS, |(key, session)| {
            [
                Cell::Big(*key),
                Cell::Text(Some(&session.id)),
                Cell::Text(Some(&session.first.1)),
                Cell::Time(Some(session.first.0)),
                Cell::Time(Some(session.last_at)),
                Cell::Time(session.ended_at),
            ]
        });
        self.sessions.connect(Arc::new(rows));
    }

    pub(crate) fn scopes(&self, scopes: Vec<(u64, Scope)>) {
        let rows = Rows::new(scopes, &SCOPES_SCHEMA, &SCOPES, |(key, scope)| {
            [
                Cell::Big(*key),
                Cell::Text(Some(&scope.project)),
                Cell::Text(Some(&scope.session_kind)),
            ]
        });
        self.scopes.connect(Arc::new(rows));
    }

    pub(crate) fn series(&self, series: Vec<(u64, (u64, String))>) {
        let rows = Rows::new(series, &SERIES_SCHEMA, &SERIES, |(key, (scope, name))| {
            [Cell::Big(*key), Cell::Big(*scope), Cell::Text(Some(name))]
        });
        self.series.connect(Arc::new(rows));
    }

    /// Questions, each with whatever stands before it.
    pub(crate) fn questions(&self, facts: Vec<(u64, Fact)>) {
        let rows = Rows::new(facts, &fact::SCHEMA, &fact::COLUMNS, |(_, fact)| {
            fact.cells()
        });
        self.questions.connect(Arc::new(rows));
    }

    pub(crate) fn cells(&self, cells: Vec<Touched>) {
        let rows = Rows::new(cells, &CELLS_SCHEMA, &CELLS, |(day, series, scope)| {
            [Cell::Day(*day), Cell::Big(*series), Cell::Big(*scope)]
        });
        self.cells.connect(Arc::new(rows));
    }

    pub(crate) fn checkpoints(&self, checkpoints: Vec<Reached>) {
        let rows = Rows::new(checkpoints, &CHECKPOINTS_SCHEMA, &CHECKPOINTS, |reached| {
            [
                Cell::Text(Some(&reached.name)),
                Cell::Text(Some(&reached.head)),
                Cell::Big(reached.offset),
                Cell::Big(reached.events),
            ]
        });
        self.checkpoints.connect(Arc::new(rows));
    }

    /// Lines that are no events, each with its id and its segment's name.
    pub(crate) fn bad_lines(&self, lines: Vec<(String, String, BadLine)>) {
        let rows = Rows::new(
            lines,
            &BAD_LINES_SCHEMA,
            &BAD_LINES,
            |(id, segment, line)| {
                [
                    Cell::Text(Some(id)),
                    Cell::Text(Some(segment)),
                    Cell::Big(line.offset),
                    Cell::Text(Some(&line.reason)),
                    Cell::Bytes(&line.bytes),
                    Cell::Big(line.length),
                ]
            },
        );
        self.bad_lines.connect(Arc::new(rows));
    }

    pub(crate) fn hook_errors(&self, errors: Vec<((i32, String), u32)>) {
        let rows = Rows::new(
            errors,
            &HOOK_ERRORS_SCHEMA,
            &HOOK_ERRORS,
            |((day, project), times)| {
                [
                    Cell::Day(*day),
                    Cell::Text(Some(project)),
                    Cell::Number(Some(*times)),
                ]
            },
        );
        self.hook_errors.connect(Arc::new(rows));
    }
}

fn halves(id: u128, number: u32) -> [Cell<'static>; HALVES.len()] {
    [
        Cell::Big((id >> 64) as u64),
        Cell::Big(id as u64),
        Cell::Number(Some(number)),
    ]
}
