//! Bringing the store up to date before it is read.

use std::time::Duration;

use chrono_tz::Tz;
use plantune_ingest::{Error, Progress, Summary, Writer};
use plantune_query::Store;
use plantune_reports::text::clean;
use rustix::fs::Mode;
use rustix::process::umask;

use crate::failure::Failure;
use crate::failure::write_failure::WriteFailure;
use crate::terminal::progress::Bar;
use crate::workspace::environment::Environment;
use crate::workspace::store;

/// Loads what the hooks have logged since the last time into the store, so that a report shows
/// the question answered a moment ago. Where nothing was ever logged, no store is made.
///
/// A store that another program only reads can be read here too: then what it holds is shown, and
/// that it may be a little old.
///
/// # Errors
/// When the store cannot be written, or the log not be read.
pub(crate) fn refresh(environment: &Environment, zone: Tz) -> Result<(), Failure> {
    if !environment.paths.events().exists() && !environment.paths.store().exists() {
        return Ok(());
    }
    match privately(environment, zone) {
        Ok(mut writer) => load(environment, &mut writer).map(drop),
        Err(Error::Held { holder, .. }) if is_readable(environment) => {
            eprintln!(
                "plantune: what was logged since the last time is left out: the store is in use by {}",
                clean(&holder)
            );
            Ok(())
        }
        Err(error) => Err(failure(environment, &error)),
    }
}

fn is_readable(environment: &Environment) -> bool {
    Store::open_within(&environment.paths.store(), Duration::ZERO).is_ok()
}

/// Loads what is new, and returns what was done.
///
/// # Errors
/// Those of [`refresh`].
pub(crate) fn load(environment: &Environment, writer: &mut Writer) -> Result<Summary, Failure> {
    let progress = Progress::default();
    let _bar = Bar::watch("reading the log", &progress);
    writer
        .ingest(environment.now, &progress)
        .map_err(|error| failure(environment, &error))
}

/// Opens the store for writing.
///
/// # Errors
/// When the store is held, newer, or broken.
pub(crate) fn open(environment: &Environment, zone: Tz) -> Result<Writer, Failure> {
    let writer = privately(environment, zone).map_err(|error| failure(environment, &error))?;
    Ok(match environment.transaction_bytes {
        Some(bytes) => writer.with_transaction_bytes(bytes),
        None => writer,
    })
}

/// Opens the store such that its files are private from the start: DuckDB gives them the modes the
/// process gives, and a run that is killed sets none later.
fn privately(environment: &Environment, zone: Tz) -> Result<Writer, Error> {
    umask(Mode::RWXG | Mode::RWXO);
    Writer::open(&environment.paths, zone.name())
}

/// Says on standard error which compressed segments cannot be read to their ends.
///
/// # Errors
/// When the spool's folder cannot be read.
pub(crate) fn name_damaged(environment: &Environment, writer: &Writer) -> Result<(), Failure> {
    let damaged = writer.damaged();
    for (name, error) in damaged.map_err(|error| failure(environment, &error))? {
        let (name, error) = (clean(&name), clean(&error));
        eprintln!(
            "plantune: {name} is damaged, and what stands behind the damage is not in the store: {error}\n  \
             hint: put the file of a backup in its place, and run `plantune ingest`"
        );
    }
    Ok(())
}

/// What a failure of the ingester means to the person.
pub(crate) fn failure(environment: &Environment, error: &Error) -> Failure {
    if let Some(failure) = write_failure(environment, error) {
        return failure;
    }
    let failure = match error {
        Error::Broken(error) => return store::broken(&environment.paths, error),
        Error::Newer(_) | Error::DuckDb(_) => {
            Failure::failed(format!("{}: {error}", environment.paths.store().display()))
        }
        _ => Failure::failed(error),
    };
    match error {
        Error::Held { .. } => failure.hint(store::HELD),
        Error::Newer(_) => failure.hint(store::NEWER),
        Error::TimeZone(_) => {
            failure.hint("set time_zone in config.toml to a name such as \"Europe/Berlin\"")
        }
        Error::Spool(_) | Error::SpoolWrite(..) | Error::Folder { .. } => {
            failure.hint("run `plantune doctor` to see what is wrong with the folder")
        }
        Error::Broken(_) | Error::DuckDb(_) | Error::Arrow(_) => failure
            .hint("nothing was changed; run `plantune doctor` to see what is wrong with the store"),
    }
}

/// The failure, when a file could not be written: no space, or no permission.
fn write_failure(environment: &Environment, error: &Error) -> Option<Failure> {
    const LATER: &str = "nothing is lost: what is not in the store yet stays in the spool, and is \
                         loaded the next time";
    const AGAIN: &str = "nothing is lost: run the same command again to add what is missing";
    match error {
        Error::DuckDb(error) => WriteFailure::in_message(&error.to_string())
            .map(|found| found.failure(&environment.paths.store(), LATER)),
        Error::Folder { path, error } => {
            WriteFailure::of(error).map(|found| found.failure(path, LATER))
        }
        Error::SpoolWrite(path, error) => {
            WriteFailure::of(error).map(|found| found.failure(path, AGAIN))
        }
        _ => None,
    }
}
