//! The contents of the status line: today's questions, counted in the log's last lines, this week's numbers, as saved by
//! the last command, and the events that could not be logged.
//!
//! Claude Code calls it several times a second, so it opens no store and reads only the end of each segment. If that
//! does not reach back to midnight, the counts are marked as a lower bound.

use std::io;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::event::Kind;
use crate::named::counted;
use crate::paths::{Paths, create_private_dir};
use crate::{clock, lost_events, private_file};

/// How much of a segment is read, in bytes: a few hundred questions.
const MOST_BYTES: u64 = 256 * 1024;

/// The bytes of a line that contain id, time and kind.
const HEAD: usize = 160;

/// The size limit of the file with [`SavedNumbers`], in bytes.
const LONGEST: u64 = 4096;

/// How many events back to look for the same event, logged twice by a hook that is registered twice.
const NEAR: usize = 16;

/// The numbers that a command saves for the status line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedNumbers {
    /// The offset of the person's time zone from UTC, in seconds (positive to the east).
    pub utc_offset_seconds: i64,
    /// The week of these numbers: its start and its end (exclusive), in Unix seconds.
    pub week: [i64; 2],
    /// Seconds of the person's time saved in that week, if known.
    pub seconds_saved: Option<u64>,
    /// The number of waiting proposals, if known.
    pub proposals: Option<u64>,
    /// The number of stopped preferences; the hook adds those that it stops.
    pub stopped: u64,
}

/// Today's questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Today {
    /// How many the person was asked.
    asked: u64,
    /// How many were answered for them.
    decided: u64,
    /// True when there may be more.
    is_partial: bool,
}

/// The numbers that the last command saved, if any.
pub fn saved(paths: &Paths) -> Option<SavedNumbers> {
    serde_json::from_slice(&private_file::read(&paths.status_line(), LONGEST)?).ok()
}

/// Counts one more stopped preference, until the next command counts them all.
///
/// # Errors
/// File system errors.
pub fn add_stopped(paths: &Paths) -> io::Result<()> {
    let mut saved = saved(paths).unwrap_or_default();
    saved.stopped += 1;
    save(paths, &saved)
}

/// Saves the numbers.
///
/// # Errors
/// File system errors.
pub fn save(paths: &Paths, numbers: &SavedNumbers) -> io::Result<()> {
    let path = paths.status_line();
    if let Some(folder) = path.parent() {
        create_private_dir(folder)?;
    }
    private_file::replace(&path, &serde_json::to_vec(numbers)?)
}

/// The line for the time `now`; `None` when there is nothing to say.
pub fn line(paths: &Paths, now: DateTime<Utc>) -> Option<String> {
    let saved = saved(paths).unwrap_or_default();
    let today = today(paths, now, saved.utc_offset_seconds);
    let more = if today.is_partial { "+" } else { "" };
    let minutes = match saved.week {
        [start, end] if (start..end).contains(&now.timestamp()) => {
            saved.seconds_saved.unwrap_or(0) / 60
        }
        _ => 0,
    };
    let mut parts = Vec::new();
    let mut say = |count: u64, words: String| {
        if count > 0 {
            parts.push(words);
        }
    };
    // When prompts fill the whole part that is read, "0+" shows that there may be questions before them.
    let is_unknown = today.is_partial && today.decided == 0;
    say(
        today.asked.max(is_unknown.into()),
        format!("{}{more} asked today", today.asked),
    );
    say(
        today.decided,
        format!("{}{more} answered for you", today.decided),
    );
    say(minutes, format!("{minutes} min saved in 7 days"));
    let proposals = saved.proposals.unwrap_or(0);
    say(proposals, counted(proposals, "proposal", "proposals"));
    say(saved.stopped, format!("{} stopped", saved.stopped));
    let lost = lost_events::read(paths).map_or(0, |lost| lost.count);
    say(lost, format!("{lost} not logged"));
    (!parts.is_empty()).then(|| format!("plantune: {}\n", parts.join(" · ")))
}

/// The questions of the day of `now`, in a zone `offset` seconds ahead of UTC.
fn today(paths: &Paths, now: DateTime<Utc>, offset: i64) -> Today {
    let mut today = Today::default();
    let since = (now.timestamp() + offset).rem_euclid(24 * 60 * 60);
    let Some(midnight) = now.checked_sub_signed(TimeDelta::seconds(since)) else {
        return today;
    };
    let (first, last) = (clock::timestamp(midnight), clock::timestamp(now));
    let (first, last) = (first.get(..19).unwrap_or(&first), &*last);
    let day = |time: &str| time.get(..10).unwrap_or_default().to_owned();
    let mut days = vec![day(first), day(last)];
    days.dedup();
    for day in days {
        let segment = paths.events().join(day + ".jsonl");
        count(&segment, first, &mut today);
    }
    today
}

/// Counts the questions at the end of `segment`, those from the time `first` on.
fn count(segment: &Path, first: &str, today: &mut Today) {
    let mut seen: Vec<[u8; 32]> = Vec::new();
    let mut reaches_back = false;
    let is_all = private_file::last_lines(segment, (HEAD, MOST_BYTES), &mut |line| {
        let Some((id, time, kind)) = parts(line) else {
            return;
        };
        if time < first.as_bytes() {
            reaches_back = true;
            return;
        }
        let counter = match kind {
            kind if kind == Kind::Asked.as_str().as_bytes() => &mut today.asked,
            kind if kind == Kind::AutoDecided.as_str().as_bytes() => &mut today.decided,
            _ => return,
        };
        if let Ok(id) = id.try_into()
            && !seen.iter().rev().take(NEAR).any(|known| *known == id)
        {
            seen.push(id);
            *counter += 1;
        }
    });
    today.is_partial |= is_all == Some(false) && !reaches_back;
}

/// Id, time and kind of an event, which begin every line that the hook writes.
fn parts(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let rest = line.strip_prefix(br#"{"v":1,"id":""#)?;
    let (id, rest) = value(rest)?;
    let (time, rest) = value(rest.strip_prefix(br#","ts":""#)?)?;
    let (kind, _) = value(rest.strip_prefix(br#","kind":""#)?)?;
    Some((id, time, kind))
}

/// A string's value, and the text after it.
fn value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'"', text)?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, SCHEMA_VERSION};
    use crate::spool;

    fn log(paths: &Paths, kind: Kind, id: &str, at: &str) {
        let event = Event {
            v: SCHEMA_VERSION,
            id: format!("{id:0>32}").into(),
            ts: at.into(),
            kind: kind.as_str().into(),
            ..Event::default()
        };
        let time = DateTime::parse_from_rfc3339(at).unwrap().to_utc();
        spool::append(paths, time, &event.to_line().unwrap()).unwrap();
    }

    fn leave(paths: &Paths, numbers: SavedNumbers) {
        save(paths, &numbers).unwrap();
    }

    fn at(time: &str) -> DateTime<Utc> {
        time.parse().unwrap()
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        assert_eq!(line(&paths, at("2026-11-20T10:00:00Z")), None);
        leave(&paths, SavedNumbers::default());
        assert_eq!(line(&paths, at("2026-11-20T10:00:00Z")), None);
        private_file::replace(&paths.status_line(), b"{\"week\":").unwrap();
        assert_eq!(line(&paths, at("2026-11-20T10:00:00Z")), None);
    }

    #[test]
    fn the_day_is_the_persons_and_each_event_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for (kind, id, time) in [
            (Kind::Asked, "before", "2026-11-19T21:59:59.999Z"),
            (Kind::Asked, "after", "2026-11-19T22:00:00.000Z"),
            (Kind::Asked, "after", "2026-11-19T22:00:00.004Z"),
            (Kind::Answered, "a", "2026-11-19T22:00:09.000Z"),
            (Kind::PermissionAsked, "p", "2026-11-19T22:30:00.000Z"),
            (Kind::AutoDecided, "d", "2026-11-20T09:00:00.000Z"),
            (Kind::Asked, "b", "2026-11-20T09:30:00.000Z"),
        ] {
            log(&paths, kind, id, time);
        }
        let now = at("2026-11-20T10:00:00Z");
        let week =
            [at("2026-11-15T22:00:00Z"), at("2026-11-22T22:00:00Z")].map(|time| time.timestamp());
        leave(
            &paths,
            SavedNumbers {
                utc_offset_seconds: 2 * 60 * 60,
                week,
                seconds_saved: Some(859),
                proposals: Some(1),
                stopped: 2,
            },
        );
        assert_eq!(
            line(&paths, now).unwrap(),
            "plantune: 2 asked today · 1 answered for you · 14 min saved in 7 days · 1 proposal · \
             2 stopped\n"
        );
        let full = io::Error::from_raw_os_error(libc::ENOSPC);
        lost_events::add(&paths, now, 257, &full).unwrap();
        let shown = line(&paths, now).unwrap();
        assert!(
            shown.ends_with(" · 2 stopped · 257 not logged\n"),
            "{shown}"
        );
        lost_events::log(&paths, |_| Ok(())).unwrap();
        // On another day, in another week, the old numbers are not shown.
        let later = line(&paths, at("2026-11-23T10:00:00Z"));
        assert_eq!(later.unwrap(), "plantune: 1 proposal · 2 stopped\n");
        // Half a line, and lines that are not plantune's.
        spool::append(
            &paths,
            now,
            b"{\"v\":1,\"id\":\"x\",\"ts\":\"2026-11-20T09\n\nfoo\n{\"v\":1",
        )
        .unwrap();
        assert!(
            line(&paths, now)
                .unwrap()
                .starts_with("plantune: 2 asked today")
        );
    }

    #[test]
    fn prompts_that_fill_what_is_read_leave_the_count_open() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        log(&paths, Kind::Asked, "a", "2026-11-20T08:00:00.000Z");
        let time = "2026-11-20T09:00:00.000Z";
        for number in 0..4000 {
            log(&paths, Kind::PermissionAsked, &number.to_string(), time);
        }
        let now = at("2026-11-20T10:00:00Z");
        let shown = || line(&paths, now).unwrap();
        assert_eq!(shown(), "plantune: 0+ asked today\n");
        log(&paths, Kind::AutoDecided, "d", time);
        assert_eq!(shown(), "plantune: 1+ answered for you\n");
    }

    #[test]
    fn of_a_long_segment_the_end_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let now = at("2026-11-20T10:00:00Z");
        for number in 0..4000 {
            log(
                &paths,
                Kind::Asked,
                &format!("{number:032}"),
                "2026-11-20T09:00:00.000Z",
            );
        }
        let today = today(&paths, now, 0);
        assert!(
            today.is_partial && (800..4000).contains(&today.asked),
            "{today:?}"
        );
        assert!(line(&paths, now).unwrap().contains("+ asked today"));
        // If the part reaches back to midnight, nothing is missing.
        let next = "2026-11-21T00:00:01.000Z";
        for number in 0..20 {
            let id = format!("{number:032}");
            let event = Event {
                v: 1,
                id: id.into(),
                ts: next.into(),
                kind: "asked".into(),
                ..Event::default()
            };
            spool::append(&paths, now, &event.to_line().unwrap()).unwrap();
        }
        let mut found = Today::default();
        let segment = paths.events().join("2026-11-20.jsonl");
        count(&segment, "2026-11-21T00:00:00", &mut found);
        assert_eq!(
            found,
            Today {
                asked: 20,
                ..Today::default()
            }
        );
    }
}
