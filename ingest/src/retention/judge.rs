//! Whether a file of the spool may be compressed or dropped.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};
use plantune_domain::config::Retention;

use super::{Planned, Step, Why};
use crate::checkpoint::{Checkpoints, State};
use crate::segment::{Segment, look_at};
use crate::segment_name::SegmentName;

/// How old a day must be to be closed, in days: some clocks are slow, and some zones behind.
const CLOSED_DAYS: i64 = 2;

/// What the store knows of the spool.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) checkpoints: Checkpoints,
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
    name: &str,
    metadata: &Metadata,
    known: &Known,
    retention: &Retention,
    now: DateTime<Utc>,
) -> io::Result<Step> {
    if metadata.is_symlink() {
        return Ok(Step::Keep(Why::Link));
    }
    let named = SegmentName::parse(name);
    let day = named.as_ref().and_then(SegmentName::day);
    let (Some(name), Some(day), true) = (named, day, metadata.is_file()) else {
        return Ok(Step::Keep(Why::Unknown));
    };
    let written = DateTime::<Utc>::from(metadata.modified()?).date_naive();
    let age = age(day, written, now);
    if age < CLOSED_DAYS {
        return Ok(Step::Keep(Why::DayIsOpen));
    }
    let segment = look_at(&name, path.to_owned())?;
    if let Some(why) = unread(&segment, &known.checkpoints)? {
        return Ok(Step::Keep(why));
    }
    let lines = known.quarantined.get(name.segment()).copied();
    Ok(by_age(age, lines.unwrap_or(0), &name, retention))
}

/// Days since the segment's day, and since it was last written to, whichever is less.
fn age(day: NaiveDate, written: NaiveDate, now: DateTime<Utc>) -> i64 {
    (now.date_naive() - day.max(written)).num_days()
}

fn by_age(age: i64, quarantined: u64, name: &SegmentName, retention: &Retention) -> Step {
    let is_due = |days: Option<u32>| days.is_some_and(|days| age >= i64::from(days));
    let may_be_dropped = is_due(retention.drop_after_days);
    if may_be_dropped && quarantined == 0 {
        Step::Drop
    } else if is_due(retention.compress_after_days) && !name.is_compressed() {
        Step::Compress
    } else if may_be_dropped {
        Step::Keep(Why::Quarantined { lines: quarantined })
    } else {
        let days = u32::try_from(age).unwrap_or(u32::MAX);
        Step::Keep(Why::Young { days })
    }
}

/// Why not every byte of the segment is in the store; `None` when it is.
fn unread(segment: &Segment, checkpoints: &Checkpoints) -> io::Result<Option<Why>> {
    if let Some(seal) = &segment.seal {
        let bytes = segment.length;
        return Ok(match checkpoints.get(&segment.file_name) {
            Some(known) => match &known.state {
                // A file that plantune compressed ends with a line; one of another's may not.
                State::Sealed(known_word) if *known_word == seal.word() => {
                    (known.offset % (1 << 32) != bytes).then_some(Why::Torn)
                }
                State::Damaged(known) if *known == seal.exact_word() => Some(Why::Damaged),
                _ => Some(Why::NotRead { bytes }),
            },
            None => Some(Why::NotRead { bytes }),
        });
    }
    if segment.length == 0 {
        return Ok(Some(Why::Empty));
    }
    let reached = checkpoints.reached(segment);
    let offset = reached.map_or(0, |known| known.offset);
    if offset == segment.length {
        return Ok(None);
    }
    let mut last = [0];
    File::open(&segment.path)?.read_exact_at(&mut last, segment.length - 1)?;
    let was_another = checkpoints
        .get(&segment.file_name)
        .is_some_and(|known| reached.is_none() && known.offset > 0);
    Ok(Some(match last {
        [b'\n'] if was_another => Why::Replaced,
        [b'\n'] => Why::NotRead {
            bytes: segment.length - offset,
        },
        _ => Why::Torn,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_decide() {
        let name = |name: &str| SegmentName::parse(name).unwrap();
        let (plain, compressed) = (name("2026-01-01.jsonl"), name("2026-01-01.jsonl.gz"));
        let retention = |compress_after_days, drop_after_days| Retention {
            compress_after_days,
            drop_after_days,
        };
        let both = retention(Some(14), Some(90));
        for (age, lines, name, retention, step) in [
            (13, 0, &plain, &both, Step::Keep(Why::Young { days: 13 })),
            (14, 0, &plain, &both, Step::Compress),
            (14, 9, &plain, &both, Step::Compress),
            (
                89,
                0,
                &compressed,
                &both,
                Step::Keep(Why::Young { days: 89 }),
            ),
            (90, 0, &compressed, &both, Step::Drop),
            (90, 0, &plain, &both, Step::Drop),
            (90, 1, &plain, &both, Step::Compress),
            (
                90,
                1,
                &compressed,
                &both,
                Step::Keep(Why::Quarantined { lines: 1 }),
            ),
            (
                9999,
                0,
                &plain,
                &retention(None, None),
                Step::Keep(Why::Young { days: 9999 }),
            ),
            (2, 0, &plain, &retention(Some(0), None), Step::Compress),
        ] {
            assert_eq!(by_age(age, lines, name, retention), step, "{age} {lines}");
        }
        let day = |text: &str| text.parse().unwrap();
        let now = "2026-11-20T00:30:00Z".parse().unwrap();
        assert_eq!(age(day("2026-11-18"), day("2026-11-18"), now), 2);
        assert_eq!(age(day("2026-01-01"), day("2026-11-19"), now), 1);
        assert_eq!(age(day("2027-01-01"), day("2026-01-01"), now), -42);
    }
}
