//! Bringing the store up to date before it is read.

use std::time::Duration;

use chrono_tz::Tz;
use plantune_domain::registry::Registry;
use plantune_ingest::{Error, Progress, Reason, Summary, Writer, has_undecided, is_current};
use plantune_query::Store;
use plantune_query::health::health;
use plantune_reports::text::clean;

use crate::failure::Failure;
use crate::failure::write_failure::WriteFailure;
use crate::platform;
use crate::terminal::{self, progress::Bar};
use crate::workspace::environment::Environment;
use crate::workspace::transcripts::Unread;
use crate::workspace::{missing, store};

/// The store with what the hooks have logged up to now, so that a report shows the question answered
/// just now, and with what is new in transcripts, as `registry` names it; and whether anything had to be loaded for
/// that. `None` where nothing was ever logged.
///
/// A store that another program only reads can be read here too, and one that may not be written: then
/// what it holds is shown, and that it may be a little old.
///
/// # Errors
/// When the store cannot be written, or the log not be read.
pub(crate) fn refresh(
    environment: &Environment,
    zone: Tz,
    registry: Option<&Registry>,
) -> Result<(Option<Store>, bool), Failure> {
    // Without the rules that name questions nothing is read that could be named otherwise.
    let unread = registry.map(|registry| (registry, Unread::find(environment)));
    let unread = unread.filter(|(_, unread)| !unread.is_empty());
    if unread.is_none() {
        if !environment.paths.events().exists() && !environment.paths.store().exists() {
            return Ok((None, false));
        }
        if let Some(store) = current(environment, zone)? {
            return Ok((Some(store), false));
        }
    }
    let loaded = privately(environment, zone).and_then(|mut writer| {
        if let Some((registry, unread)) = unread {
            announce(environment, writer.reason());
            unread.read_aside(&mut writer, registry, environment)?;
        }
        ingest(environment, &mut writer).map(drop)
    });
    if let Err(error) = &loaded {
        match kept_from_writing(error) {
            Some(why) if is_readable(environment) => terminal::say(&format!(
                "plantune: what was logged since the last time is left out: the store {}\n",
                clean(&why)
            )),
            _ => return Err(failure(environment, error)),
        }
    }
    Ok((store::open(&environment.paths)?, loaded.is_ok()))
}

/// Why the store cannot be written, where it may be read all the same: somebody holds it, or the person
/// may not write. A full disk is none of these: it keeps the hook from logging, too.
fn kept_from_writing(error: &Error) -> Option<String> {
    if let Error::Held { holder, .. } = error {
        return Some(format!("is in use by {holder}"));
    }
    let found = match error {
        Error::DuckDb(error) => WriteFailure::in_message(&error.to_string()),
        Error::Folder { error, .. } => WriteFailure::of(error),
        _ => None,
    };
    match found? {
        WriteFailure::ReadOnly => Some("is on a read-only file system".to_owned()),
        WriteFailure::Forbidden => Some("may not be written by you".to_owned()),
        WriteFailure::Full | WriteFailure::TooLong => None,
    }
}

/// The store, if it can be read and holds all of the log. What is wrong with it is left to the writer.
fn current(environment: &Environment, zone: Tz) -> Result<Option<Store>, Failure> {
    let Ok(store) = Store::open_within(&environment.paths.store(), Duration::ZERO) else {
        return Ok(None);
    };
    let connection = store.connection();
    let current = is_current(connection, &environment.paths, zone.name())
        .and_then(|current| Ok(current && !has_undecided(connection, environment.now)?));
    match current {
        Ok(true) => Ok(Some(store)),
        Ok(false) | Err(Error::Broken(_)) => Ok(None),
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
    ingest(environment, writer).map_err(|error| failure(environment, &error))
}

fn ingest(environment: &Environment, writer: &mut Writer) -> Result<Summary, Error> {
    announce(environment, writer.reason());
    let was_announced = writer.reason().is_some();
    let progress = Progress::default();
    let bar = Bar::watch("reading the log", &progress);
    let summary = writer.ingest(&progress)?;
    writer.read_transcripts(environment.now, &progress)?;
    drop(bar);
    if !was_announced {
        announce(environment, summary.computed.as_ref());
    }
    Ok(summary)
}

/// Says why the store is going to be computed again, unless somebody asked for it, there is none, or it is time
/// for it; and which events are gone, because somebody deleted their segment.
pub(crate) fn announce(environment: &Environment, reason: Option<&Reason>) {
    match reason {
        None | Some(Reason::Missing | Reason::Asked | Reason::Scattered) => {}
        Some(reason) => announce_reason(&reason.to_string()),
    }
    if matches!(reason, Some(Reason::LogChanged(_))) {
        // The store as it was still knows what it was computed from.
        let contents = health(&environment.paths.store(), 0).ok();
        for gone in contents
            .and_then(|health| health.contents)
            .map(|contents| missing::segments(&environment.paths, &contents))
            .unwrap_or_default()
        {
            terminal::say(&format!(
                "plantune: gone from the log: {gone}\n  hint: {PUT_BACK}\n"
            ));
        }
    }
}

/// What to do about a segment that is gone.
pub(crate) const PUT_BACK: &str =
    "put the file of a backup in its place, and run `plantune ingest`";

fn announce_reason(reason: &str) {
    let reason = clean(reason);
    terminal::say(&format!(
        "plantune: computing the store again from the log: {reason}\n"
    ));
}

/// Computes the store again because a block of it turned out to be damaged: one is only read when its
/// rows are.
///
/// # Errors
/// Those of [`refresh`].
pub(crate) fn compute_again(environment: &Environment, zone: Tz) -> Result<(), Failure> {
    announce_reason("it is damaged");
    let mut writer = open(environment, zone)?;
    writer.discard();
    load(environment, &mut writer).map(drop)
}

/// Opens the store for writing.
///
/// # Errors
/// When the store is held, or of a newer plantune.
pub(crate) fn open(environment: &Environment, zone: Tz) -> Result<Writer, Failure> {
    privately(environment, zone).map_err(|error| failure(environment, &error))
}

/// Opens the store such that its files are private from the start: DuckDB gives them the modes the
/// process gives, and a run that is killed sets none later.
fn privately(environment: &Environment, zone: Tz) -> Result<Writer, Error> {
    platform::create_privately();
    Writer::open(&environment.paths, zone.name())
}

/// Says on standard error which segments cannot be read to their ends.
///
/// # Errors
/// DuckDB's.
pub(crate) fn name_damaged(environment: &Environment, writer: &Writer) -> Result<(), Failure> {
    let damaged = writer.damaged();
    for (name, error) in damaged.map_err(|error| failure(environment, &error))? {
        let (name, error) = (clean(&name), clean(&error));
        terminal::say(&format!(
            "plantune: {name} is damaged, and what stands behind the damage is not in the store: {error}\n  \
             hint: {PUT_BACK}\n"
        ));
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
        Error::Spool(_) | Error::Damage(_) | Error::SpoolWrite(..) | Error::Folder { .. } => {
            failure.hint("run `plantune doctor` to see what is wrong with the folder")
        }
        Error::Missing(_) | Error::Root(..) => failure,
        Error::Broken(_) | Error::DuckDb(_) => failure
            .hint("nothing was changed; run `plantune doctor` to see what is wrong with the store"),
    }
}

/// The failure, when a file could not be written: no space, or no permission.
fn write_failure(environment: &Environment, error: &Error) -> Option<Failure> {
    const LATER: &str = "nothing is lost: what is not in the store yet stays in the log, and is \
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
