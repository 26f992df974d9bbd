//! Being away: for a period that the person set, questions get the answers that they recommend.
//!
//! The file stores the period by the wall clock and by the time since the machine started. So setting the clock back,
//! or faking it for one program, does not extend the period.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::paths::{Paths, create_private_dir};
use crate::{clock, hash, private_file};

/// The longest period that the person can set.
pub const LONGEST: TimeDelta = TimeDelta::hours(12);

/// The size limit of the file, in bytes. plantune writes no longer one.
const MOST_AWAY_BYTES: u64 = 8 * 1024;

/// The version of the file. No other version can be read.
const VERSION: u32 = 1;

/// The period for which the person is away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Away {
    /// When they set it.
    pub made_at: DateTime<Utc>,
    /// When it ends.
    pub until: DateTime<Utc>,
    /// Seconds from the machine's start to `made_at`.
    pub made_at_uptime: u64,
    /// The time from which they have not reviewed the answers; earlier than `made_at` when the period was extended.
    pub review_from: DateTime<Utc>,
    /// The project that it applies to; `None` for every project.
    pub project: Option<String>,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAway {
    version: u32,
    made_at: String,
    until: String,
    made_at_uptime_seconds: u64,
    review_from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    project: Option<String>,
}

impl Away {
    /// Reads the file at `path`; `None` without one.
    ///
    /// # Errors
    /// Why the file is ignored, with its path: others may write to it, it is malformed, or its period is longer than
    /// [`LONGEST`].
    pub fn load(path: &Path) -> Result<Option<Self>, String> {
        let text = private_file::read_own(path, MOST_AWAY_BYTES);
        let read = text.and_then(|text| text.map(|text| Self::parse(&text)).transpose());
        read.map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let written: WrittenAway = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if written.version != VERSION {
            return Err(format!("version {} is not known", written.version));
        }
        let time = |text: &str| {
            let time = DateTime::parse_from_rfc3339(text);
            time.map(|time| time.to_utc())
                .map_err(|error| format!("{text:?}: {error}"))
        };
        let away = Self {
            made_at: time(&written.made_at)?,
            until: time(&written.until)?,
            made_at_uptime: written.made_at_uptime_seconds,
            review_from: time(&written.review_from)?,
            project: written.project,
        };
        if away.length() <= TimeDelta::zero() || away.length() > LONGEST {
            return Err(
                "ignored, because it is for no time, or for longer than twelve hours".into(),
            );
        }
        Ok(away)
    }

    /// The file's text.
    ///
    /// # Errors
    /// The errors of the serialiser. None are expected.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let written = WrittenAway {
            version: VERSION,
            made_at: clock::timestamp(self.made_at),
            until: clock::timestamp(self.until),
            made_at_uptime_seconds: self.made_at_uptime,
            review_from: clock::timestamp(self.review_from),
            project: self.project.clone(),
        };
        Ok(serde_json::to_string_pretty(&written)? + "\n")
    }

    /// True while the person is away: `now` is the clock's time, and `uptime` the seconds since the machine started.
    /// False after a restart, or when the clock is before the file's time.
    pub fn is_on(&self, now: DateTime<Utc>, uptime: Option<u64>) -> bool {
        let elapsed = uptime.and_then(|uptime| uptime.checked_sub(self.made_at_uptime));
        let length = u64::try_from(self.length().num_seconds()).unwrap_or_default();
        self.made_at <= now && now < self.until && elapsed.is_some_and(|seconds| seconds < length)
    }

    /// True when it applies to questions of `project`.
    pub fn covers(&self, project: &str) -> bool {
        self.project.as_ref().is_none_or(|only| only == project)
    }

    fn length(&self) -> TimeDelta {
        self.until - self.made_at
    }
}

// Corrections: answers that the person changed after the agent got them, kept until the agent is informed.
//
// `plantune undo` leaves them for the session that asked or, if it has ended, for the next session in its project. The
// hook picks them up.

/// How much of a file is read, in bytes.
const MOST_CORRECTION_BYTES: u64 = 64 * 1024;

/// One answer that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The question's text.
    pub question: String,
    /// The answer that plantune gave.
    pub answered: String,
    /// The answer that the person wants instead; `None` when they only took the answer back.
    pub wanted: Option<String>,
}

/// The file with the corrections for a session.
pub fn of_session(paths: &Paths, session: &str) -> PathBuf {
    // Ids come from outside, so they name files only as hashes.
    paths.corrections().join(hash::hex(&["session", session]))
}

/// The file with the corrections for the next session of a project.
pub fn of_project(paths: &Paths, project: &str) -> PathBuf {
    paths.corrections().join(hash::hex(&["project", project]))
}

/// Appends `corrections` to the file at `path`.
///
/// # Errors
/// File system errors.
pub fn add(path: &Path, corrections: &[Correction]) -> io::Result<()> {
    let mut lines = Vec::new();
    for correction in corrections {
        lines.extend(serde_json::to_vec(correction)?);
        lines.push(b'\n');
    }
    append(path, &lines)
}

fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_private_dir(folder)?;
    }
    private_file::append(path)?.write_all(lines)
}

/// Removes and returns the corrections in `path`. When two hooks run at once, only one gets them.
pub fn take(path: &Path) -> Vec<Correction> {
    let text = take_text(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Leaves the corrections that the session was not informed of for the next session in the project.
pub fn leave_to_project(paths: &Paths, session: &str, project: &str) {
    if let Some(text) = take_text(&of_session(paths, session)) {
        // If this fails, the agent is not informed. The person sees the change in `plantune log`.
        let _ = append(&of_project(paths, project), text.as_bytes());
    }
}

fn take_text(path: &Path) -> Option<String> {
    let taken = path.with_extension(std::process::id().to_string());
    // Nearly always there is nothing, and then this is the only system call.
    fs::rename(path, &taken).ok()?;
    let bytes = private_file::read(&taken, MOST_CORRECTION_BYTES);
    let _ = fs::remove_file(&taken);
    Some(String::from_utf8_lossy(&bytes?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn away() -> Away {
        Away {
            made_at: time("2026-11-20T10:00:00Z"),
            until: time("2026-11-20T13:00:00Z"),
            made_at_uptime: 5_000,
            review_from: time("2026-11-20T09:00:00Z"),
            project: None,
        }
    }

    #[test]
    fn it_is_on_between_its_making_and_its_end() {
        for (now, uptime, on) in [
            ("2026-11-20T10:00:00Z", 5_000, true),
            ("2026-11-20T12:59:59Z", 15_799, true),
            ("2026-11-20T13:00:00Z", 15_800, false),
            ("2026-11-20T09:59:59Z", 5_000, false),
            // The clock was set back, or stopped.
            ("2026-11-20T10:30:00Z", 15_800, false),
            ("2026-11-20T10:00:00Z", 90_000, false),
            // The machine was restarted.
            ("2026-11-20T10:30:00Z", 60, false),
        ] {
            assert_eq!(away().is_on(time(now), Some(uptime)), on, "{now} {uptime}");
        }
        assert!(!away().is_on(time("2026-11-20T10:30:00Z"), None));
    }

    #[test]
    fn it_is_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("away.json");
        let load = |text: &str| {
            crate::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
            Away::load(&path)
        };
        assert_eq!(Away::load(&path), Ok(None));
        let text = away().to_json().unwrap();
        assert_eq!(load(&text), Ok(Some(away())));
        let long = |end: &str| text.replace("2026-11-20T13", end);
        assert!(load(&long("2026-11-20T22")).is_ok());
        for wrong in [
            String::new(),
            "{}".to_owned(),
            text.replace("\"version\": 1", "\"version\": 2"),
            text.replace("\"version\"", "\"forever\": true, \"version\""),
            text.replace("2026-11-20T13", "someday"),
            long("2026-11-20T23"),
            long("2026-11-20T10"),
            long("2126-11-20T13"),
            "x".repeat(9_000),
        ] {
            assert!(load(&wrong).is_err(), "{wrong}");
        }
    }
}

#[cfg(test)]
mod corrections_tests {
    use super::*;

    fn correction(wanted: Option<&str>) -> Correction {
        Correction {
            question: "Which\ncolour?".to_owned(),
            answered: "Red".to_owned(),
            wanted: wanted.map(str::to_owned),
        }
    }

    #[test]
    fn they_are_taken_once_and_left_to_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let (session, project) = (of_session(&paths, "../s"), of_project(&paths, "o/r"));
        assert_eq!(take(&session), []);
        let all = [correction(Some("Blue")), correction(None)];
        add(&session, &all[..1]).unwrap();
        add(&session, &all[1..]).unwrap();
        assert_eq!(take(&session), all);
        assert_eq!(take(&session), []);
        add(&session, &all).unwrap();
        leave_to_project(&paths, "../s", "o/r");
        assert_eq!(take(&session), []);
        assert_eq!(take(&project), all);
        assert_eq!(fs::read_dir(paths.corrections()).unwrap().count(), 0);
    }
}
