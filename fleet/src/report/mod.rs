//! The report over a lake, on one of two engines, and what follows from it.

pub(crate) mod connect;
mod duckdb;
mod engine;
mod rows;
#[cfg(feature = "spark")]
mod spark;
pub(crate) mod starters;

use std::fs::File;
use std::path::Path;

use chrono::NaiveDate;

pub(crate) use plantune_reports::fleet as document;

use connect::Server;
use document::{Document, LakeState, SkippedFile};
use engine::{Engine, Recorder, Scope};
use starters::Starter;

use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::Skipped;
use crate::workspace::Workspace;

/// How often reading begins again when a compaction removes files meanwhile.
const MOST_ATTEMPTS: usize = 20;

/// What computes a report.
pub(crate) enum Chosen {
    /// DuckDB, on this machine.
    DuckDb,
    /// Apache Spark, at a Spark Connect server.
    Spark(Server),
}

/// The report on the days from `start` to `end`, both included. Where there is a file `record`, the engine's
/// tables and answers are written to it, too.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and the engine.
pub(crate) fn report(
    workspace: &Workspace,
    engine: &Chosen,
    (start, end): (NaiveDate, NaiveDate),
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let scope = Scope::new(workspace, start, end)?;
    match engine {
        Chosen::DuckDb => {
            let folder = tempfile::tempdir()?;
            let (mut engine, lake) = duckdb::load(workspace, &scope, folder.path())?;
            compute(&mut engine, &scope, lake, record)
        }
        #[cfg(feature = "spark")]
        Chosen::Spark(server) => spark::report(workspace, server, &scope, record),
        #[cfg(not(feature = "spark"))]
        Chosen::Spark(server) => Err(connect::not_built().about(&server.address)),
    }
}

/// What nearly everybody answered alike in the days from `start` to `end`, both included.
///
/// # Errors
/// Those of [`report`].
pub(crate) fn starters(
    workspace: &Workspace,
    (start, end): (NaiveDate, NaiveDate),
) -> Result<Vec<Starter>, Failure> {
    let scope = Scope::new(workspace, start, end)?;
    let folder = tempfile::tempdir()?;
    let (mut engine, _) = duckdb::load(workspace, &scope, folder.path())?;
    engine::starters(&mut engine, &scope)
}

/// The report of what an engine has loaded.
fn compute(
    engine: &mut dyn Engine,
    scope: &Scope,
    lake: LakeState,
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let Some(path) = record else {
        return engine::document(engine, scope, lake);
    };
    let mut file =
        File::create(path).map_err(|error| Failure::from(error).about(path.display()))?;
    let mut recorder = Recorder {
        engine,
        file: &mut file,
    };
    engine::document(&mut recorder, scope, lake)
}

fn too_fast(lake: &Lake) -> Failure {
    let words = format!(
        "{}: files are merged faster than they can be read",
        lake.address
    );
    Failure::failed(words).hint("try again when no compaction runs")
}

impl From<Skipped> for SkippedFile {
    fn from(skipped: Skipped) -> Self {
        Self {
            path: skipped.path,
            why: skipped.why,
        }
    }
}
