//! Bringing the store up to date before it is read.

use plantune_hooks::config::Config;
use plantune_ingest::{Error, Progress, Summary, Writer};
use rustix::fs::Mode;
use rustix::process::umask;

use crate::context::Context;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::time_zone;

/// Loads what the hooks have logged since the last time into the store, so that a report shows
/// the question answered a moment ago. Where nothing was ever logged, no store is made.
///
/// # Errors
/// When the store cannot be written, or the log not be read.
pub(crate) fn refresh(context: &Context, config: &Config) -> Result<(), Failure> {
    if context.paths.events().exists() || context.paths.store().exists() {
        ingest(context, config)?;
    }
    Ok(())
}

/// Loads what is new, and returns what was done.
///
/// # Errors
/// Those of [`refresh`].
pub(crate) fn ingest(context: &Context, config: &Config) -> Result<Summary, Failure> {
    let mut writer = open(context, config)?;
    let progress = Progress::default();
    let _bar = Bar::watch("reading the log", &progress);
    writer
        .ingest(context.now, &progress)
        .map_err(|error| failure(context, &error))
}

/// Opens the store for writing.
///
/// # Errors
/// When the store is held, newer, or broken; when the time zone is unknown.
pub(crate) fn open(context: &Context, config: &Config) -> Result<Writer, Failure> {
    let zone = time_zone::resolve(config)?;
    // DuckDB gives its files the modes the process gives; a run that is killed sets no mode later.
    umask(Mode::RWXG | Mode::RWXO);
    let writer =
        Writer::open(&context.paths, zone.name()).map_err(|error| failure(context, &error))?;
    Ok(match context.transaction_bytes {
        Some(bytes) => writer.with_transaction_bytes(bytes),
        None => writer,
    })
}

/// What a failure of the ingester means to the person.
pub(crate) fn failure(context: &Context, error: &Error) -> Failure {
    let failure = match error {
        Error::Newer(_) | Error::DuckDb(_) => {
            Failure::failed(format!("{}: {error}", context.paths.store().display()))
        }
        _ => Failure::failed(error),
    };
    match error {
        Error::Held { .. } => {
            failure.hint("wait until it is done, or end that process, and try again")
        }
        Error::Newer(_) => {
            failure.hint("install the newest plantune; a newer one wrote this store")
        }
        Error::Spool(_) | Error::Folder { .. } => {
            failure.hint("run `plantune doctor` to see what is wrong with the folder")
        }
        Error::DuckDb(_) | Error::Arrow(_) => failure
            .hint("nothing was changed; run `plantune doctor` to see what is wrong with the store"),
    }
}
