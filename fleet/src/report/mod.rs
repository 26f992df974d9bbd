//! The report over a lake, on one of two engines, and what follows from it.

mod compute;
pub(crate) mod connect;
pub(crate) mod duckdb;
pub(crate) mod engine;
mod rows;
mod source;
#[cfg(feature = "spark")]
mod spark;
pub(crate) mod starters;

use std::path::Path;

use chrono::NaiveDate;

pub(crate) use plantune_reports::fleet as document;
pub(crate) use source::Source;

use compute::compute;
use connect::Server;
use document::{Document, LakeState, SkippedFile};
use engine::{Engine, Scope};
use starters::Starter;

use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::Skipped;
use crate::projection::write::{Unfinished, Written};
use crate::projection::{self, Tried};
use crate::workspace::Workspace;

/// What computes a report.
pub(crate) enum Chosen {
    /// DuckDB, on this machine, with so much memory: most of what there is unless it is said.
    DuckDb { memory: Option<String> },
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
    source: Source,
    (start, end): (NaiveDate, NaiveDate),
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let scope = Scope::new(workspace, start, end)?;
    match engine {
        Chosen::DuckDb { memory } => {
            let memory = memory.as_deref();
            on_duckdb(workspace, &scope, source, memory, |engine, source, lake| {
                compute(engine, source, &scope, lake, record)
            })
        }
        #[cfg(feature = "spark")]
        Chosen::Spark(server) => spark::report(workspace, server, source, &scope, record),
        #[cfg(not(feature = "spark"))]
        Chosen::Spark(server) => Err(connect::not_built().about(&server.address)),
    }
}

/// Computes what reports need of the events of `lake`, and keeps it there as a projection.
///
/// # Errors
/// Those of [`report`].
pub(crate) fn prepare(
    workspace: &Workspace,
    lake: &Lake,
    engine: &Chosen,
) -> Result<Written, Failure> {
    match engine {
        Chosen::DuckDb { memory } => {
            let folder = tempfile::tempdir()?;
            let memory = memory.as_deref();
            let (mut engine, origin) = duckdb::load(workspace, lake, folder.path(), memory)?;
            engine::tables(&mut engine)?;
            let mut projection = Unfinished::new(lake)?;
            projection.write(&engine.0, folder.path())?;
            projection.finish(workspace, origin)
        }
        #[cfg(feature = "spark")]
        Chosen::Spark(server) => spark::prepare(workspace, lake, server),
        #[cfg(not(feature = "spark"))]
        Chosen::Spark(server) => Err(connect::not_built().about(&server.address)),
    }
}

/// What nearly everybody answered alike in the days from `start` to `end`, both included, and what was read.
///
/// # Errors
/// Those of [`report`].
pub(crate) fn starters(
    workspace: &Workspace,
    source: Source,
    (start, end): (NaiveDate, NaiveDate),
) -> Result<(Vec<Starter>, LakeState), Failure> {
    let scope = Scope::new(workspace, start, end)?;
    on_duckdb(workspace, &scope, source, None, |engine, source, lake| {
        Ok((engine::starters(engine, source, &scope)?, lake))
    })
}

/// Computes something of the lake on DuckDB; `compute` gets what it is computed from, a projection or the events.
fn on_duckdb<T>(
    workspace: &Workspace,
    scope: &Scope,
    source: Source,
    memory: Option<&str>,
    mut compute: impl FnMut(&mut dyn Engine, Source, LakeState) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let lake = workspace.lake()?;
    let folder = tempfile::tempdir()?;
    let mut not_used = None;
    if source == Source::Projection {
        let tried = projection::with_newest(workspace, &lake, |projection, state| {
            let folder = tempfile::tempdir_in(folder.path())?;
            let mut engine =
                duckdb::load_projection(&lake, projection, scope, folder.path(), memory)?;
            compute(&mut engine, source, state)
        })?;
        match tried {
            Tried::Done(computed) => return Ok(computed),
            Tried::None(why) => not_used = why,
        }
    }
    let (mut engine, origin) = duckdb::load(workspace, &lake, folder.path(), memory)?;
    engine.set(scope)?;
    let state = LakeState {
        not_used,
        ..origin.state
    };
    compute(&mut engine, Source::Events, state)
}

impl From<Skipped> for SkippedFile {
    fn from(skipped: Skipped) -> Self {
        Self {
            path: skipped.path,
            why: skipped.why,
        }
    }
}
