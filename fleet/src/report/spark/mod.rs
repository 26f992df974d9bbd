//! Spark as an engine of reports: it reads the lake where it runs; what files hold is judged here, by their ends.

mod paths;
mod session;
mod written;

use std::collections::BTreeMap;
use std::sync::Arc;

use duckdb::Connection;
use duckdb::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use plantune_reports::fleet::SkippedFile;
use serde::Deserialize;

use super::connect::Server;
use super::engine::{Engine, Kept, Scope, row, rows};
use super::events::Files;
use crate::failure::Failure;
use crate::lake::name::EVENTS;
use crate::lake::{Entry, Lake};
use crate::projection::write::Unfinished;
use crate::projection::{FOLDER, Projection, Table};
use paths::{address, hadoop_path};
use session::{Parquet, Session};

/// The columns that are read, in Spark's notation.
const COLUMNS: &str = include_str!("../../../sql/spark/columns.sql");

/// What queries rest on, whatever the server's defaults.
const SETTINGS: [(&str, &str); 3] = [
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.ansi.doubleQuotedIdentifiers", "false"),
];

/// Spark, with views of the lake's events.
pub(super) struct Spark {
    session: Session,
    kept: Vec<String>,
}

/// What Spark reads of files.
#[derive(Clone, Copy, Default, Deserialize)]
struct Counts {
    rows_read: u64,
    /// Rows that lack what each has.
    lacking: u64,
}

impl Spark {
    /// A session of its own on `server`.
    ///
    /// # Errors
    /// When nothing answers, or the server does not let us in.
    pub(super) fn open(server: &Server) -> Result<Self, Failure> {
        Ok(Self {
            session: Session::open(server, &SETTINGS)?,
            kept: Vec::new(),
        })
    }

    /// How many rows the table or view `name` has.
    fn count(&mut self, name: &str) -> Result<u64, Failure> {
        let (found,) = row(self, &format!("SELECT count(*) AS found FROM {name}"))?;
        Ok(found)
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

impl Engine for Spark {
    fn make(&mut self, name: &str, kept: Kept, sql: &str) -> Result<(), Failure> {
        let what = match kept {
            Kept::No => "CREATE OR REPLACE TEMPORARY VIEW",
            // Rows that are lost with a machine of the cluster are computed again.
            Kept::Yes | Kept::WhereCostly => "CACHE TABLE",
        };
        self.session.run(&format!("{what} {name} AS\n{sql}"))?;
        if kept != Kept::No {
            self.kept.push(name.to_owned());
        }
        Ok(())
    }

    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        self.session.batches(sql)
    }

    fn set(&mut self, scope: &Scope) -> Result<(), Failure> {
        let settings = scope.settings();
        let column = |value| -> ArrayRef { Arc::new(Int64Array::from(vec![value])) };
        let row = RecordBatch::try_from_iter(settings.map(|(name, value)| (name, column(value))))?;
        let schema = settings.map(|(name, _)| format!("{name} BIGINT"));
        self.session.local("settings", &row, &schema.join(", "))
    }

    fn load(&mut self, lake: &Lake, files: &mut Files) -> Result<(), Failure> {
        self.session.parquet("files", events(lake, files, false))?;
        let check: Counts = row(self, include_str!("../../../sql/spark/check.sql"))?;
        let expected: u64 = files.read.iter().map(|file| file.rows).sum();
        if check.rows_read != expected || check.lacking > 0 {
            let read = check.rows_read;
            let words = format!("Spark reads {read} of the {expected} rows of the lake's files");
            return Err(Failure::failed(words).hint(
                "all machines of the cluster must see the lake under the address in fleet.toml",
            ));
        }
        let (publishers, projects): (Vec<_>, Vec<_>) = files
            .tombstones
            .iter()
            .map(|tombstone| (tombstone.publisher.as_str(), tombstone.project.as_deref()))
            .unzip();
        let columns: [(&str, ArrayRef, bool); 2] = [
            ("publisher", Arc::new(StringArray::from(publishers)), false),
            ("project", Arc::new(StringArray::from(projects)), true),
        ];
        let tombstones = RecordBatch::try_from_iter_with_nullable(columns)?;
        let schema = "publisher STRING, project STRING";
        self.session.local("tombstones", &tombstones, schema)?;
        let sql = include_str!("../../../sql/spark/events.sql");
        self.make("events", Kept::No, sql)
    }

    fn damaged(&mut self, lake: &Lake, files: &Files) -> Result<Vec<SkippedFile>, Failure> {
        #[derive(Deserialize)]
        struct Inspected {
            file_path: String,
            #[serde(flatten)]
            counts: Counts,
        }
        self.session
            .parquet("inspected", events(lake, files, true))?;
        let inspected: Vec<Inspected> = rows(self, include_str!("../../../sql/spark/inspect.sql"))?;
        // Nothing in a path below the lake's root is written in another way in an address.
        let found = inspected.iter().filter_map(|file| {
            let place = file.file_path.rfind(EVENTS)?;
            Some((file.file_path.get(place..)?, file.counts))
        });
        let found: BTreeMap<&str, Counts> = found.collect();
        let judged = files.read.iter().filter_map(|file| {
            let path = &file.entry.path;
            let Counts { rows_read, lacking } = found.get(&**path).copied().unwrap_or_default();
            let why = match file.rows {
                rows if rows_read < rows => {
                    format!("damaged: Spark reads {rows_read} of {rows} rows")
                }
                _ if lacking > 0 => format!("damaged: {lacking} rows lack what each has"),
                _ => return None,
            };
            let path = path.clone();
            Some(SkippedFile { path, why })
        });
        Ok(judged.collect())
    }

    fn load_projection(
        &mut self,
        lake: &Lake,
        projection: &Projection,
        scope: &Scope,
    ) -> Result<(), Failure> {
        let connection = Connection::open_in_memory()?;
        for table in Table::ALL {
            let of_days = (table, scope.micros());
            let (entries, expected) = projection.stored(&connection, lake, of_days, true)?;
            let (schema, sql) = match table {
                Table::Questions => (
                    include_str!("../../../sql/spark/questions.sql"),
                    include_str!("../../../sql/spark/stored_questions.sql"),
                ),
                Table::Prompts => (
                    include_str!("../../../sql/spark/prompts.sql"),
                    include_str!("../../../sql/spark/stored_prompts.sql"),
                ),
                Table::Barred => (
                    include_str!("../../../sql/spark/barred.sql"),
                    include_str!("../../../sql/spark/stored_barred.sql"),
                ),
            };
            let stored = format!("stored_{}", table.name());
            let files = parquet(lake, &entries, schema);
            self.session.parquet(&stored, files)?;
            let found = self.count(&stored)?;
            if found != expected {
                let words = format!("Spark reads {found} of {expected} rows of {}", table.name());
                return Err(Failure::failed(words));
            }
            self.make(table.name(), Kept::Yes, sql)?;
        }
        Ok(())
    }

    fn write(&mut self, projection: &mut Unfinished<'_>) -> Result<(), Failure> {
        let mut counts = [0; 3];
        for (table, count) in Table::ALL.into_iter().zip(&mut counts) {
            let path = format!("{FOLDER}/{}/{}", projection.id, table.name());
            let sql = match table {
                Table::Questions => include_str!("../../../sql/spark/write_questions.sql"),
                Table::Prompts => include_str!("../../../sql/spark/write_prompts.sql"),
                Table::Barred => include_str!("../../../sql/spark/write_barred.sql"),
            };
            let lake = projection.lake;
            self.session.write(sql, &address(&lake.address, &path))?;
            let files = written::files(lake, table, &path)?;
            projection.tables.extend(files);
            *count = self.count(table.name())?;
        }
        projection.check(counts)
    }
}

/// The lake's events in Parquet files.
fn events<'a>(lake: &Lake, files: &Files, inspect: bool) -> Parquet<'a> {
    Parquet {
        inspect,
        ..parquet(lake, files.read.iter().map(|file| &file.entry), COLUMNS)
    }
}

fn parquet<'a, 'e>(
    lake: &Lake,
    entries: impl IntoIterator<Item = &'e Entry>,
    schema: &'a str,
) -> Parquet<'a> {
    let path = |entry: &Entry| hadoop_path(&lake.address, &entry.path);
    Parquet {
        paths: entries.into_iter().map(path).collect(),
        schema,
        inspect: false,
    }
}
