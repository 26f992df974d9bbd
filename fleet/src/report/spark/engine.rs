//! Spark as an engine of reports.

use std::sync::Arc;

use duckdb::arrow::array::{ArrayRef, Int64Array, RecordBatch};

use super::session::Session;
use crate::failure::Failure;
use crate::report::connect::Server;
use crate::report::engine::{Engine, Scope};
use crate::report::rows::Row;

/// What queries rest on, whatever the server's defaults.
const SETTINGS: [(&str, &str); 3] = [
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.ansi.doubleQuotedIdentifiers", "false"),
];

/// Spark, with views of the lake's events.
pub(super) struct Spark {
    pub(super) session: Session,
    kept: Vec<String>,
}

impl Engine for Spark {
    fn keep(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        // Rows that are lost with a machine of the cluster are computed again.
        self.session.run(&format!("CACHE TABLE {name} AS\n{sql}"))?;
        self.kept.push(name.to_owned());
        Ok(())
    }

    fn define(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.session.run(&format!(
            "CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{sql}"
        ))
    }

    fn share(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.keep(name, sql)
    }

    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Failure> {
        self.session.rows(sql)
    }
}

impl Drop for Spark {
    fn drop(&mut self) {
        // The end of a session leaves what it kept in the cluster's memory.
        for name in self.kept.iter().rev() {
            let _ = self.session.run(&format!("UNCACHE TABLE IF EXISTS {name}"));
        }
        self.session.close();
    }
}

impl Spark {
    /// A session of its own on `server`.
    pub(super) fn open(server: &Server) -> Result<Self, Failure> {
        Ok(Self {
            session: Session::open(server, &SETTINGS)?,
            kept: Vec::new(),
        })
    }

    /// Sets what a report is about.
    pub(super) fn set(&self, scope: &Scope) -> Result<(), Failure> {
        let settings = scope.settings();
        let column = |value| -> ArrayRef { Arc::new(Int64Array::from(vec![value])) };
        let row = RecordBatch::try_from_iter(settings.map(|(name, value)| (name, column(value))))?;
        let schema = settings
            .map(|(name, _)| format!("{name} BIGINT"))
            .join(", ");
        self.session.local("settings", &row, &schema)
    }
}
