//! Whether a file of the log may be sealed or dropped.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use plantune_domain::config::Retention;
use plantune_domain::platform;

use super::plan::{Planned, Step, Why};
use crate::spool::{Format, Segment, SegmentName};
use crate::store::{Checkpoint, goes_on};

/// How old a day must be to be closed, in days: some clocks are slow, and some zones behind.
const CLOSED_DAYS: i64 = 2;

/// What the store knows of the log.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By file name.
    pub(super) checkpoints: HashMap<String, Checkpoint>,
    /// Lines in quarantine by segment.
    pub(super) quarantined: HashMap<String, u64>,
}

/// What is to happen to the file `name` in the folder `events`.
pub(super) fn judge(
    events: &Path,
    name: &str,
    known: &Known,
    retention: &Retention,
    now: DateTime<Utc>,
) -> Planned {
    let path = events.join(name);
    let metadata = fs::symlink_metadata(&path);
    let bytes = metadata.as_ref().map_or(0, Metadata::len);
    let step = metadata
        .and_then(|metadata| step(&path, name, &metadata, known, retention, now))
        .unwrap_or_else(|error| Step::Keep(Why::Unreadable(error.to_string())));
    Planned {
        file_name: name.to_owned(),
        bytes,
        step,
    }
}

fn step(
    path: &Path,
    file_name: &str,
    metadata: &Metadata,
    known: &Known,
    retention: &Retention,
    now: DateTime<Utc>,
) -> io::Result<Step> {
    if metadata.is_symlink() {
        return Ok(Step::Keep(Why::Link));
    }
    let name = SegmentName::parse(file_name).filter(|_| metadata.is_file());
    let day = |name: &SegmentName| name.day().or(name.month().map(last_day));
    let Some((name, day)) = name.and_then(|name| Some((name.clone(), day(&name)?))) else {
        return Ok(Step::Keep(Why::Unknown));
    };
    let format = name.format();
    // A sealed segment is written later than its days.
    let written = match format {
        Format::Sealed => day,
        _ => DateTime::<Utc>::from(metadata.modified()?).date_naive(),
    };
    let today = now.date_naive();
    let days_since = |day: NaiveDate| (today - day.max(written)).num_days();
    let age = days_since(day);
    if age < CLOSED_DAYS {
        return Ok(Step::Keep(Why::DayIsOpen));
    }
    let segment = Segment::new(name, path.to_owned(), metadata);
    if let Some(why) = unread(&segment, known.checkpoints.get(file_name))? {
        return Ok(Step::Keep(why));
    }
    let is_due = |days: Option<u32>, age: i64| days.is_some_and(|days| age >= i64::from(days));
    let is_to_be_dropped = is_due(retention.drop_after_days, age);
    let is_to_be_sealed = format != Format::Sealed && is_due(retention.seal_after_days, age);
    let lines = known.quarantined.get(file_name).copied().unwrap_or(0);
    Ok(if (is_to_be_dropped || is_to_be_sealed) && lines > 0 {
        Step::Keep(Why::Quarantined { lines })
    } else if is_to_be_dropped {
        Step::Drop
    } else if !is_to_be_sealed {
        let days = u32::try_from(age).unwrap_or(u32::MAX);
        Step::Keep(Why::Young { days })
    } else if !is_due(retention.seal_after_days, days_since(last_day(day)))
        || days_since(last_day(day)) < CLOSED_DAYS
    {
        Step::Keep(Why::MonthIsOpen)
    } else if !may_be_sealed_into(path, &SegmentName::sealed(day), known) {
        Step::Keep(Why::MonthIsDamaged)
    } else {
        Step::Seal
    })
}

/// The last day of the month of `day`.
fn last_day(day: NaiveDate) -> NaiveDate {
    let last = u32::from(day.num_days_in_month());
    day.with_day(last).unwrap_or(day)
}

/// Why not every byte of the segment is in the store; `None` when it is.
fn unread(segment: &Segment, known: Option<&Checkpoint>) -> io::Result<Option<Why>> {
    if segment.length == 0 {
        return Ok(Some(Why::Empty));
    }
    let known = known.cloned().unwrap_or_default();
    let is_as_read = known.is_of(segment);
    if segment.name.format() != Format::Lines {
        return Ok(match (is_as_read, known.damage) {
            (true, None) => None,
            (true, Some(_)) => Some(Why::Damaged),
            (false, _) => Some(Why::NotRead {
                bytes: segment.length,
            }),
        });
    }
    if !is_as_read && !goes_on(&known, segment)? {
        return Ok(Some(Why::Replaced));
    }
    if known.offset == segment.length {
        return Ok(None);
    }
    let mut last = [0];
    platform::read_exact_at(&File::open(&segment.path)?, &mut last, segment.length - 1)?;
    Ok(Some(match last {
        [b'\n'] => Why::NotRead {
            bytes: segment.length - known.offset,
        },
        _ => Why::Torn,
    }))
}

/// True when the sealed segment `month`, beside the file `path`, is as it was read, or not there.
fn may_be_sealed_into(path: &Path, month: &SegmentName, known: &Known) -> bool {
    let path = path.with_file_name(month.file_name());
    match fs::symlink_metadata(&path) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(metadata) => {
            let checkpoint = known.checkpoints.get(&month.file_name());
            let sealed = Segment::new(month.clone(), path, &metadata);
            metadata.is_file()
                && checkpoint.is_some_and(|known| known.is_of(&sealed) && known.damage.is_none())
        }
    }
}
