//! The report over a lake, on one of two engines, and what follows from it.

#[cfg(feature = "spark")]
mod connect;
mod duckdb;
mod engine;
pub(crate) mod events;
mod queries;
#[cfg(feature = "spark")]
mod spark;
pub(crate) mod starters;

use std::path::Path;

use chrono::NaiveDate;
use plantune_reports::fleet::{Document, LakeState, Starter};

use duckdb::DuckDb;
use engine::{Engine, Scope};
use events::on_events;
use queries::Queries;

use crate::failure::Failure;
use crate::lake::Lake;
use crate::projection::write::Unfinished;
use crate::projection::{Projection, with_newest};
use crate::workspace::Workspace;

/// What computes a report.
pub(crate) enum Chosen {
    /// DuckDB, on this machine, with so much memory: most of what there is unless it is said.
    DuckDb { memory: Option<String> },
    /// Apache Spark, at a Spark Connect server.
    #[cfg(feature = "spark")]
    Spark(connect::Server),
}

impl Chosen {
    /// Apache Spark, at the server that `connect` names, else fleet.toml.
    ///
    /// # Errors
    /// Those of [`connect::Server::find`].
    #[cfg(feature = "spark")]
    pub(crate) fn spark(workspace: &Workspace, connect: Option<&str>) -> Result<Self, Failure> {
        connect::Server::find(workspace, connect).map(Self::Spark)
    }

    /// Usage: this program was built without Spark's client.
    #[cfg(not(feature = "spark"))]
    pub(crate) fn spark(_: &Workspace, _: Option<&str>) -> Result<Self, Failure> {
        let words = "this plantune-fleet was built without Apache Spark's client";
        Err(Failure::usage(words).hint(
            "in plantune's source: `make fleet-install SPARK=1`; it needs protoc (protobuf-compiler)",
        ))
    }

    /// The engine, with nothing in it.
    ///
    /// # Errors
    /// The engine's.
    fn open(&self) -> Result<Box<dyn Engine>, Failure> {
        match self {
            Self::DuckDb { memory } => Ok(Box::new(DuckDb::open(memory.as_deref())?)),
            #[cfg(feature = "spark")]
            Self::Spark(server) => Ok(Box::new(spark::Spark::open(server)?)),
        }
    }

    /// True where nothing of files but their ends is read on this machine.
    fn reads_elsewhere(&self) -> bool {
        !matches!(self, Self::DuckDb { .. })
    }
}

/// The report on the days from the first to the last of `days`, on all events where it is to be `fresh`. Where there
/// is a file `record`, the engine's tables and answers are written to it, too.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and the engine.
pub(crate) fn report(
    workspace: &Workspace,
    chosen: &Chosen,
    fresh: bool,
    days: (NaiveDate, NaiveDate),
    record: Option<&Path>,
) -> Result<Document, Failure> {
    let scope = Scope::new(workspace, days)?;
    computed(workspace, chosen, fresh, &scope, record, |queries, lake| {
        queries.document(&scope, lake)
    })
}

/// Computes what reports need of the events of `lake`, and keeps it there as a projection.
///
/// # Errors
/// Those of [`report`].
pub(crate) fn prepare(
    workspace: &Workspace,
    lake: &Lake,
    chosen: &Chosen,
) -> Result<Projection, Failure> {
    let (projection, files, state) = on_events(workspace, lake, chosen, |engine, _| {
        Queries::new(engine, None)?.tables()?;
        let mut projection = Unfinished::new(lake)?;
        engine.write(&mut projection)?;
        Ok(projection)
    })?;
    projection.finish(workspace, files, state)
}

/// What nearly everybody answered alike in these days, and what was read.
///
/// # Errors
/// Those of [`report`].
pub(crate) fn starters(
    workspace: &Workspace,
    fresh: bool,
    days: (NaiveDate, NaiveDate),
) -> Result<(Vec<Starter>, LakeState), Failure> {
    let scope = Scope::new(workspace, days)?;
    let chosen = Chosen::DuckDb { memory: None };
    computed(workspace, &chosen, fresh, &scope, None, |queries, lake| {
        Ok((queries.starters(&scope)?, lake))
    })
}

/// Computes something of the newest projection that may be read; of the events where there is none, or `fresh` asks
/// for that.
fn computed<T>(
    workspace: &Workspace,
    chosen: &Chosen,
    fresh: bool,
    scope: &Scope,
    record: Option<&Path>,
    mut compute: impl FnMut(&mut Queries<'_>, LakeState) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let lake = workspace.lake()?;
    let mut not_used = None;
    if !fresh {
        let tried = with_newest(workspace, &lake, |projection, state| {
            let mut engine = chosen.open()?;
            engine.set(scope)?;
            engine.load_projection(&lake, projection, scope)?;
            compute(&mut Queries::new(&mut *engine, record)?, state)
        })?;
        match tried {
            Ok(computed) => return Ok(computed),
            Err(why) => not_used = why,
        }
    }
    let (computed, ..) = on_events(workspace, &lake, chosen, |engine, state| {
        engine.set(scope)?;
        let state = LakeState {
            not_used: not_used.clone(),
            ..state.clone()
        };
        let mut queries = Queries::new(engine, record)?;
        queries.tables()?;
        compute(&mut queries, state)
    })?;
    Ok(computed)
}
