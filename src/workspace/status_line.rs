//! What commands leave for the status line, which opens no store.

use chrono::{NaiveDate, NaiveTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use plantune_domain::paths::create_private_dir;
use plantune_domain::status_line::{Left, left};
use plantune_domain::{atomic_file, private_file};

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::workspace::period::{after, monday};

/// Leaves the time zone and what is given; what is `None` stays as it was, seconds of another week apart. A
/// failure costs the status line a word.
pub(crate) fn leave(
    workspace: &Workspace,
    seconds_saved: Option<f64>,
    proposals: Option<u64>,
    stopped: Option<u64>,
) {
    let _ = update(workspace, |left, week| {
        let saved = seconds_saved.map(|seconds| seconds as u64);
        left.seconds_saved = saved.or(left.seconds_saved.filter(|_| left.week == week));
        left.week = week;
        left.proposals = proposals.or(left.proposals);
        left.stopped = stopped.unwrap_or(left.stopped);
    });
}

/// Takes back how many proposals wait: some were applied just now.
pub(crate) fn forget_proposals(workspace: &Workspace) {
    let _ = update(workspace, |left, _| left.proposals = None);
}

/// Changes what is left; `change` also gets the current week.
fn update(workspace: &Workspace, change: impl Fn(&mut Left, [i64; 2])) -> Result<(), Failure> {
    let zone = workspace.zone()?;
    let path = workspace.paths.status_line();
    let before = left(&workspace.paths);
    // Who never had a question needs no folder.
    if before.is_none() && !workspace.paths.data().is_dir() {
        return Ok(());
    }
    let local = workspace.now.with_timezone(&zone);
    let mut after = before.unwrap_or_default();
    change(&mut after, week(local.date_naive(), zone));
    after.utc_offset_seconds = local.offset().fix().local_minus_utc().into();
    if before != Some(after) || private_file::read(&path, 1).is_none() {
        if let Some(folder) = path.parent() {
            create_private_dir(folder)?;
        }
        atomic_file::replace(&path, &serde_json::to_vec(&after)?, 0o600)?;
    }
    Ok(())
}

/// The ISO week of `day`: its first moment in `zone`, and the one after it, in Unix seconds.
fn week(day: NaiveDate, zone: Tz) -> [i64; 2] {
    let monday = monday(day);
    [monday, after(monday, 7)].map(|day| {
        let midnight = day.and_time(NaiveTime::MIN);
        // Where the clocks are changed at midnight, an hour is no matter.
        let start = zone.from_local_datetime(&midnight).earliest();
        start.map_or_else(|| midnight.and_utc().timestamp(), |start| start.timestamp())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday_at_the_persons_midnight() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let time = |text: &str| {
            chrono::DateTime::parse_from_rfc3339(text)
                .unwrap()
                .timestamp()
        };
        for sunday in ["2026-10-19", "2026-10-25"] {
            let found = week(day(sunday), Tz::Europe__Berlin);
            // The clocks go back on the Sunday.
            let expected = [
                time("2026-10-19T00:00:00+02:00"),
                time("2026-10-26T00:00:00+01:00"),
            ];
            assert_eq!(found, expected, "{sunday}");
        }
    }
}
