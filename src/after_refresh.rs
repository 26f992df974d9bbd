//! The files that a verb leaves for programs that open no store: habits and agreed words for the hook, figures
//! for the status line, names for completions. Verbs only read; this is the one place that writes down what they found.

use chrono::{NaiveDate, NaiveTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use plantune_domain::state::State;
use plantune_domain::status_line::{Left, left};
use plantune_domain::{private_file, status_line};
use plantune_reports::standing::StandingPreference;

use crate::document::Findings;
use crate::failure::Failure;
use crate::period::{after, monday};
use crate::preferences;
use crate::preferences::proposals::Depth;
use crate::preferences::{InForce, proposals};
use crate::projects;
use crate::session::Session;

/// Leaves the `findings` of this run. Where it brought the store up to date, what its verb did not ask is found
/// out too, so that it does not matter which verb comes first.
pub(crate) fn leave(session: &Session, mut findings: Findings) {
    if session.has_loaded() && !findings.is_outdated {
        complete(session, &mut findings);
    }
    if findings.standing.is_some() {
        preferences::standing::forget_cleared(session);
    }
    if !findings.is_outdated {
        leave_proposals(session, &findings);
        if let Some(standing) = &findings.standing {
            preferences::standing::update_grown(session, standing);
        }
    }
    projects::leave(session);
}

fn leave_proposals(session: &Session, findings: &Findings) {
    let proposed = findings.proposed.as_ref();
    if let Some(proposed) = proposed {
        proposals::update_nudges(session, proposed);
    }
    let is_stopped = |one: &&StandingPreference| one.standing.state == State::Stopped;
    let standing = findings.standing.as_ref();
    let stopped = standing.map(|all| all.iter().filter(is_stopped).count() as u64);
    if session.has_loaded()
        || proposed.is_some()
        || findings.seconds_saved.is_some()
        || stopped.is_some()
    {
        let of_all = proposed.filter(|one| one.project.is_none());
        let waiting = of_all.map(|one| one.waiting);
        leave_status_line(session, findings.seconds_saved, waiting, stopped);
    }
}

/// Finds out what the verb did not. What goes wrong there is reported by the verb that is about it.
fn complete(session: &Session, findings: &mut Findings) {
    let Some(store) = session.open_store() else {
        return;
    };
    if findings.standing.is_none() {
        findings.standing = preferences::standing::review(session).ok();
    }
    if findings.proposed.is_none() {
        let in_force = InForce::new(session);
        let found = proposals::find(session, &store, &in_force, None, Depth::default(), |_| ());
        findings.proposed = found.ok().map(|found| proposals::left(&found, None));
    }
}

// What commands leave for the status line, which opens no store.

/// Leaves the time zone and what is given; what is `None` stays as it was, seconds of another week apart. A
/// failure costs the status line a word.
pub(crate) fn leave_status_line(
    session: &Session,
    seconds_saved: Option<f64>,
    proposals: Option<u64>,
    stopped: Option<u64>,
) {
    let _ = update(session, |left, week| {
        let saved = seconds_saved.map(|seconds| seconds as u64);
        left.seconds_saved = saved.or(left.seconds_saved.filter(|_| left.week == week));
        left.week = week;
        left.proposals = proposals.or(left.proposals);
        left.stopped = stopped.unwrap_or(left.stopped);
    });
}

/// Takes back how many proposals wait: some were applied just now.
pub(crate) fn forget_proposals(session: &Session) {
    let _ = update(session, |left, _| left.proposals = None);
}

/// Changes what is left; `change` also gets the current week.
fn update(session: &Session, change: impl Fn(&mut Left, [i64; 2])) -> Result<(), Failure> {
    let zone = session.zone()?;
    let path = session.paths.status_line();
    let before = left(&session.paths);
    // Who never had a question needs no folder.
    if before.is_none() && !session.paths.data().is_dir() {
        return Ok(());
    }
    let local = session.now.with_timezone(&zone);
    let mut after = before.unwrap_or_default();
    change(&mut after, week(local.date_naive(), zone));
    after.utc_offset_seconds = local.offset().fix().local_minus_utc().into();
    if before != Some(after) || private_file::read(&path, 1).is_none() {
        status_line::save(&session.paths, &after)?;
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
