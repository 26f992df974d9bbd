//! The store for a verb: brought up to date with the log and with the transcripts that changed, then opened to read.

use std::fmt::Display;
use std::time::Duration;

use chrono_tz::Tz;
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_ingest::{
    Error, LostMonth, Progress, RebuildReason, SegmentName, Summary, Writer, has_undecided,
    is_current, lost_months,
};
use plantune_query::health::{Contents, SegmentRead, health};
use plantune_query::{Store, StoreError};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::environment::{Environment, create_privately};
use crate::failure::{Failure, FailureClass, WriteFailure};
use crate::terminal;
use crate::terminal::Bar;
use crate::unread::Unread;

/// The store with what the hooks have logged up to now, so that a report shows the question answered
/// just now, and with what is new in transcripts, as `registry` names it; and whether anything had to be loaded for
/// that. `None` if nothing was ever logged.
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
            name_all(
                environment,
                lost_months(store.connection(), &environment.paths.events(), false),
            )?;
            return Ok((Some(store), false));
        }
    }
    let loaded = privately(environment, zone).and_then(|mut writer| {
        if let Some((registry, unread)) = unread {
            announce_computing(environment, &writer);
            unread.read_aside(&mut writer, registry, environment)?;
        }
        ingest(environment, &mut writer).map(drop)
    });
    if let Err(error) = &loaded {
        match kept_from_writing(error) {
            Some(why) if is_readable(environment) => terminal::say(&format!(
                "plantune: the latest entries are missing, because the store {}\n",
                clean(&why)
            )),
            _ => return Err(failure(environment, error)),
        }
    }
    let store = open_to_read(&environment.paths)?;
    if let Some(store) = &store {
        name_all(
            environment,
            lost_months(store.connection(), &environment.paths.events(), false),
        )?;
    }
    Ok((store, loaded.is_ok()))
}

/// Says on standard error which sealed months are gone or damaged, while the store still has them.
///
/// # Errors
/// The errors of DuckDB.
pub(crate) fn name_lost(environment: &Environment, writer: &Writer) -> Result<(), Failure> {
    name_all(environment, writer.lost_months()).map(drop)
}

/// The same of the store as the last run left it; returns their files. None of a store that cannot be read.
///
/// # Errors
/// The errors of DuckDB.
pub(crate) fn name_lost_of(environment: &Environment) -> Result<Vec<String>, Failure> {
    let Ok(store) = Store::open_within(&environment.paths.store(), Duration::ZERO) else {
        return Ok(Vec::new());
    };
    name_all(
        environment,
        lost_months(store.connection(), &environment.paths.events(), false),
    )
}

fn name_all(
    environment: &Environment,
    lost: Result<Vec<LostMonth>, Error>,
) -> Result<Vec<String>, Failure> {
    let lost = lost.map_err(|error| failure(environment, &error))?;
    for month in &lost {
        terminal::say(&format!(
            "plantune: {}; only the store still has them\n  hint: {}\n",
            lost_in_words(month),
            put_back(month)
        ));
    }
    Ok(lost.into_iter().map(|lost| lost.segment).collect())
}

/// `2026-10.parquet is gone, with 4,321 events`, or that it is damaged, and why.
pub(crate) fn lost_in_words(month: &LostMonth) -> String {
    let events = counted(month.events, "event", "events");
    let segment = clean(&month.segment);
    match &month.damage {
        None => format!("{segment} is gone, with {events}"),
        Some(why) => format!("{segment} is damaged, with {events} ({})", clean(why)),
    }
}

/// The remedy for a month that only the store holds.
pub(crate) fn put_back(month: &LostMonth) -> String {
    let name = month.month.format("%Y-%m");
    format!("restore it from a backup, or run `plantune restore-month {name}`")
}

/// Why the store cannot be written, where it may be read all the same: somebody holds it, or the person
/// may not write. A full disk is different: it keeps the hook from logging, too.
fn kept_from_writing(error: &Error) -> Option<String> {
    match error {
        Error::Held { holder, .. } => return Some(format!("is in use by {holder}")),
        // To compute it again would lose what only it has.
        Error::OnlyCopy { months, reason } => {
            let months = months.join(", ");
            return Some(format!(
                "is the only copy of {months}, and would be computed again: {reason}"
            ));
        }
        _ => {}
    }
    let found = match error {
        Error::DuckDb(error) => WriteFailure::in_message(&error.to_string()),
        Error::Folder { error, .. } => WriteFailure::of(error),
        _ => None,
    };
    match found? {
        WriteFailure::ReadOnly => Some("is on a read-only file system".to_owned()),
        WriteFailure::Forbidden => Some("is not yours to write".to_owned()),
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
/// The errors of [`refresh`].
pub(crate) fn load(environment: &Environment, writer: &mut Writer) -> Result<Summary, Failure> {
    ingest(environment, writer).map_err(|error| failure(environment, &error))
}

fn ingest(environment: &Environment, writer: &mut Writer) -> Result<Summary, Error> {
    announce_computing(environment, writer);
    let was_announced = writer.reason().is_some();
    let progress = Progress::of("loading the log");
    let bar = Bar::watch(&progress);
    let summary = writer.ingest(&progress)?;
    writer.read_transcripts(environment.now, &progress)?;
    drop(bar);
    if !was_announced {
        announce(environment, summary.computed.as_ref());
    }
    Ok(summary)
}

/// [`announce`] of a writer, unless it will refuse, because its store is the only copy of a month.
fn announce_computing(environment: &Environment, writer: &Writer) {
    let reason = writer.reason();
    let is_kept = |reason: &RebuildReason| {
        let may_refuse = !matches!(reason, RebuildReason::Missing | RebuildReason::Asked);
        may_refuse && writer.lost_months().is_ok_and(|lost| !lost.is_empty())
    };
    if !reason.is_some_and(is_kept) {
        announce(environment, reason);
    }
}

/// Says why the store is going to be computed again, unless somebody asked for it, there is none, or it is time
/// for it; and which events are gone, because somebody deleted their segment.
pub(crate) fn announce(environment: &Environment, reason: Option<&RebuildReason>) {
    match reason {
        None | Some(RebuildReason::Missing | RebuildReason::Asked | RebuildReason::Scattered) => {}
        Some(reason) => announce_reason(&reason.to_string()),
    }
    if matches!(reason, Some(RebuildReason::LogChanged(_))) {
        // The store as it was still knows what it was computed from.
        let contents = health(&environment.paths.store()).ok();
        for gone in contents
            .map(|contents| gone_segments(&environment.paths, &contents))
            .unwrap_or_default()
        {
            terminal::say(&format!(
                "plantune: gone from the log: {gone}\n  hint: {PUT_BACK}\n"
            ));
        }
    }
}

/// The remedy for a segment that is gone.
pub(crate) const PUT_BACK: &str = "restore it from a backup, and run `plantune report`";

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
/// The errors of [`refresh`].
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
    create_privately();
    Writer::open(&environment.paths, zone.name())
}

/// Says on standard error which segments cannot be read to their ends.
///
/// # Errors
/// The errors of DuckDB.
pub(crate) fn name_damaged(environment: &Environment, writer: &Writer) -> Result<(), Failure> {
    let damaged = writer.damaged();
    for (name, error) in damaged.map_err(|error| failure(environment, &error))? {
        let (name, error) = (clean(&name), clean(&error));
        terminal::say(&format!(
            "plantune: {name} is damaged, and events after the damage are missing: {error}\n  \
             hint: {PUT_BACK}\n"
        ));
    }
    Ok(())
}

/// The failure of the ingester, for the person.
pub(crate) fn failure(environment: &Environment, error: &Error) -> Failure {
    if let Some(failure) = write_failure(environment, error) {
        return failure;
    }
    let failure = match error {
        Error::Broken(error) => return damaged_store(&environment.paths, error),
        Error::Newer(_) | Error::DuckDb(_) | Error::OnlyCopy { .. } => {
            Failure::failed(format!("{}: {error}", environment.paths.store().display()))
        }
        _ => Failure::failed(error),
    };
    match error {
        Error::Held { .. } => failure.hint(HELD),
        Error::OnlyCopy { .. } => failure
            .hint("run `plantune restore-month`, which writes them again from it")
            .hint("or `plantune ingest --rebuild` to do without them"),
        Error::Newer(_) => failure.hint(NEWER),
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
    const AGAIN: &str = "nothing is lost; run the same command again to add the rest";
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

// Reading the store.

/// The remedy for a store that is in use.
const HELD: &str = "wait until it is done, or end that process, then try again";

/// The remedy for a store of a newer plantune.
const NEWER: &str =
    "a newer plantune wrote this store, and it was not changed; install that version";

/// The store, or `None` when there is none yet.
///
/// # Errors
/// Failed when it cannot be opened or is of another version.
pub(crate) fn open_to_read(paths: &Paths) -> Result<Option<Store>, Failure> {
    match Store::open(&paths.store()) {
        Ok(store) => Ok(Some(store)),
        Err(StoreError::Missing(_)) => Ok(None),
        Err(error) => Err(read_failure(paths, &error)),
    }
}

/// The failure of a read of the store, for the person.
pub(crate) fn read_failure(paths: &Paths, error: &StoreError) -> Failure {
    if let StoreError::Broken(error) = error {
        return damaged_store(paths, error);
    }
    let failure = Failure::failed(format!("{}: {error}", paths.store().display()));
    match error {
        StoreError::Held(_) => failure.hint(HELD),
        StoreError::Version { found, known } if found > known => failure.hint(NEWER),
        StoreError::Version { .. } => failure.hint("run `plantune report` to update it"),
        StoreError::Missing(_) => failure.hint("run `plantune import claude-code` to make one"),
        StoreError::Broken(_) | StoreError::DuckDb(_) => {
            failure.hint("run `plantune doctor` to see what is wrong with it")
        }
    }
}

/// A store's file that is none or damaged, in DuckDB's words `why`.
fn damaged_store(paths: &Paths, why: &impl Display) -> Failure {
    let why = why.to_string();
    let why = clean(why.lines().next().unwrap_or_default());
    let message = format!("{} is damaged: {why}", paths.store().display());
    Failure::new(FailureClass::DamagedStore, message)
        .hint("run `plantune report`, which rebuilds the store from the log")
}

// Segments of the log that the store was computed from and that are gone: somebody deleted them, and with
// them the only copy of their events.

/// The segments that the store has read and that are not there any more, each in words:
/// `2026-11-19.jsonl, with 2 events of 2026-11-19`.
pub(crate) fn gone_segments(paths: &Paths, contents: &Contents) -> Vec<String> {
    let events = paths.events();
    let is_gone = |read: &&SegmentRead| events.join(&read.segment).symlink_metadata().is_err();
    let gone = contents.segments.iter().filter(is_gone);
    gone.map(segment_in_words).collect()
}

fn segment_in_words(read: &SegmentRead) -> String {
    let count = counted(read.events, "event", "events");
    let name = SegmentName::parse(&read.segment);
    let day = name.as_ref().and_then(|name| Some(name.day()?.to_string()));
    let month = || Some(name.as_ref()?.month()?.format("%Y-%m").to_string());
    let of = day.or_else(month);
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    clean(&format!("{}, with {count}{of}", read.segment))
}
