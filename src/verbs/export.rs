//! `plantune export`: the log for other tools.

use std::io;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone as _};
use chrono_tz::Tz;
use clap::Args;
use plantune_domain::sanitize;
use plantune_query::Store;
use plantune_query::sql::{ExportError, Range};
use plantune_reports::output::Output;
use plantune_reports::text::clean;

use crate::failure::{Failure, unwritten};
use crate::session::{Session, period};
use crate::{failure, terminal};

/// Write the log for other tools
///
/// Events are in order of time, with the texts of your questions and answers. docs/development/events.md describes them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune export --parquet events.parquet        the whole log, for other tools
  plantune export --jsonl - --since 2026-11-01
      events of this month, one a line")]
pub(crate) struct Arguments {
    /// Write a Parquet file
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl")]
    parquet: Option<PathBuf>,
    /// Write JSON lines, one per event; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "parquet")]
    jsonl: Option<PathBuf>,
    /// The first day, such as 2026-11-02 [default: the first in the log]
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// The last day, such as 2026-11-20 [default: the last in the log]
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Writes the events.
///
/// # Errors
/// Usage for a date that does not exist; refused for a file that is there; failed when the store cannot be
/// read, or the file not be written.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let range = arguments.range(session.today()?, session.zone()?)?;
    let store = session.store()?;
    let events = match &store {
        Some(store) if session.read(store.has_events())? => Some(store.as_ref()),
        _ => None,
    };
    let damaged = match events {
        Some(store) => session.read(store.damaged_segments())?,
        None => Vec::new(),
    };
    for segment in damaged {
        terminal::say(&format!(
            "plantune: {} is damaged and left out; `plantune doctor` says more\n",
            clean(&segment)
        ));
    }
    let lines = |out: &mut dyn Write| match events {
        Some(store) => write_lines(store, &range, out, session),
        None => Ok(()),
    };
    match (&arguments.parquet, &arguments.jsonl) {
        (None, Some(path)) if path == Path::new("-") => {
            lines(&mut BufWriter::new(io::stdout().lock()))
        }
        (None, Some(path)) => {
            let mut output = Output::open(path, arguments.force, |_| false).map_err(unwritten)?;
            lines(&mut BufWriter::new(output.file()))?;
            wrote(&output.put_in_place().map_err(unwritten)?)
        }
        (Some(path), _) => {
            if path == Path::new("-") {
                let fact = "Parquet can't be written to standard output";
                return Err(Failure::usage(fact).hint("name a file"));
            }
            let Some(store) = events else {
                return Err(Failure::failed("nothing has been logged yet")
                    .hint("run `plantune import claude-code` to load your past questions"));
            };
            let output = Output::open(path, arguments.force, |_| false).map_err(unwritten)?;
            session.read(store.export_parquet(&range, output.temporary()))?;
            wrote(&output.put_in_place().map_err(unwritten)?)
        }
        (None, None) => Ok(()),
    }
}

fn wrote(path: &Path) -> Result<(), Failure> {
    terminal::print(&format!("Wrote {}\n", clean(&path.to_string_lossy())))
}

/// Writes the events as lines, with nothing in them that a terminal would obey. A reader that has gone away is
/// no failure.
fn write_lines(
    store: &Store,
    range: &Range,
    out: &mut dyn Write,
    session: &Session,
) -> Result<(), Failure> {
    let done = store.export_lines(range, |line| writeln!(out, "{}", sanitize::json(line)));
    let done = match done {
        Ok(()) => out.flush(),
        Err(ExportError::Write(error)) => Err(error),
        Err(ExportError::Store(error)) => return session.read(Err(error)),
    };
    match done {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(failure::unwritten_to(Path::new("the export"), error))
        }
        _ => Ok(()),
    }
}

impl Arguments {
    fn range(&self, today: NaiveDate, zone: Tz) -> Result<Range, Failure> {
        let day = |option: &str, text: &Option<String>| {
            let day = text
                .as_deref()
                .map(|text| period::date(option, text, today));
            day.transpose()
        };
        let (since, until) = (day("--since", &self.since)?, day("--until", &self.until)?);
        if let (Some(since), Some(until)) = (since, until)
            && since > until
        {
            let fact = format!("--since {since} comes after the last day, {until}");
            return Err(
                Failure::usage(fact).hint("--since takes the earlier day, --until the later one")
            );
        }
        let after = until.and_then(|day| day.checked_add_days(Days::new(1)));
        Ok(Range {
            since: since.map(|day| start_of(day, zone)),
            until: after.map(|day| start_of(day, zone)),
        })
    }
}

/// The first moment of `day` in `zone`, in UTC: midnight, or what comes first where clocks skip it.
fn start_of(day: NaiveDate, zone: Tz) -> NaiveDateTime {
    let midnight = day.and_time(chrono::NaiveTime::MIN);
    let quarters = (0..=12).map(|quarter| midnight + TimeDelta::minutes(15 * quarter));
    let first = quarters
        .filter_map(|local| zone.from_local_datetime(&local).earliest())
        .next();
    first.map_or(midnight, |first| first.naive_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_where_the_person_is() {
        for (zone, day, start) in [
            ("Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00"),
            ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00"),
            // Midnight is skipped: clocks go from 23:59 to 01:00.
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00"),
        ] {
            let found = start_of(day.parse().unwrap(), zone.parse().unwrap());
            assert_eq!(found, start.parse().unwrap(), "{zone} {day}");
        }
    }
}
