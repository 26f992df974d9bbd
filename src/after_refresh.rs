//! What a verb leaves when it is done: habits for the hook, figures for the status line, names for completions, none of
//! which open a store; and preferences that cover what the person agreed to since. Verbs only read; this is the one
//! place that writes down what they found.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{fs, io};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;
use plantune_domain::event::ChangeReason;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::typed;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::Preference;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_domain::status_line::{SavedNumbers, saved};
use plantune_domain::teach::{day_mark, folder, habits_file, is_day_mark};
use plantune_domain::{clock, private_file, status_line};
use plantune_query::habits::{GrownPreference, Habits};
use plantune_query::standing::answered_as_new_since;
use plantune_reports::standing::StandingPreference;
use plantune_reports::text::one_line;
use serde_json::json;

use crate::changes::{Change, make};
use crate::document::{Findings, LeftProposals};
use crate::failure::Failure;
use crate::period::{after, monday};
use crate::preferences::{FoundFile, each, name};
use crate::proposals::Depth;
use crate::session::Session;
use crate::standing::{count_of, review};
use crate::{preferences, projects, proposals, terminal};

/// Leaves the `findings` of this run. Where it brought the store up to date, what its verb did not ask is found
/// out too, so that it does not matter which verb comes first.
pub(crate) fn leave(session: &Session, mut findings: Findings) {
    if session.has_loaded() && !findings.is_outdated {
        complete(session, &mut findings);
    }
    if findings.standing.is_some() {
        forget_cleared(session);
    }
    if !findings.is_outdated {
        leave_proposals(session, &findings);
        if let Some(standing) = &findings.standing {
            widen_preferences(session, standing);
        }
    }
    projects::leave(session);
}

fn leave_proposals(session: &Session, findings: &Findings) {
    let proposed = findings.proposed.as_ref();
    if let Some(proposed) = proposed {
        leave_habits(session, proposed);
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
        findings.standing = review(session).ok();
    }
    if findings.proposed.is_none() {
        let found = proposals::find(session, &store, None, Depth::default(), |_| ());
        findings.proposed = found.ok().map(|(found, _)| proposals::left(&found, None));
    }
}

// What commands leave for the status line, which opens no store.

/// Leaves the time zone and the figures that are given. A figure that is `None` stays as it was, unless it is the
/// seconds of another week. A failure only means that the status line lacks a figure.
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
fn update(session: &Session, change: impl Fn(&mut SavedNumbers, [i64; 2])) -> Result<(), Failure> {
    let zone = session.zone()?;
    let path = session.paths.status_line();
    let before = saved(&session.paths);
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
        // Where clocks change at midnight this is an hour off, which does not matter.
        let start = zone.from_local_datetime(&midnight).earliest();
        start.map_or_else(|| midnight.and_utc().timestamp(), |start| start.timestamp())
    })
}

// The habits that the hook may point out: what `report` and `suggest` propose, in a file a project.

/// Leaves the habits of `proposed` for the hook, which opens no store. Where they are those of one project, the
/// others' are left as they are. A failure is reported on standard error and stops nothing.
fn leave_habits(session: &Session, proposed: &LeftProposals) {
    write_habits(session, proposed).unwrap_or_else(|error| {
        let folder = terminal::path(&folder(&session.paths));
        terminal::say(&format!("plantune: {folder}: {error}\n"));
    });
}

fn write_habits(session: &Session, proposed: &LeftProposals) -> io::Result<()> {
    let paths = &session.paths;
    let mut current = Vec::new();
    for (project, habits) in &proposed.habits {
        create_private_dir(&folder(paths))?;
        let file = habits_file(paths, project);
        let bytes = serde_json::to_vec(habits)?;
        if fs::read(&file).ok().as_ref() != Some(&bytes) {
            private_file::replace(&file, &bytes)?;
        }
        current.push(file);
    }
    let now = clock::timestamp(session.now);
    current.push(day_mark(paths, now.split('T').next().unwrap_or_default()));
    let meant = proposed.project.as_deref();
    let meant = meant.map(|project| habits_file(paths, project));
    for entry in fs::read_dir(folder(paths)).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_habits = path.extension().is_some_and(|ending| ending == "json");
        let is_meant = is_habits && meant.as_ref().is_none_or(|file| *file == path);
        if !current.contains(&path) && (is_day_mark(&path) || is_meant) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

/// Removes what the hook counted for preferences that are no more, unless one of their files cannot be read.
fn forget_cleared(session: &Session) {
    let found = preferences::all(session);
    if found.iter().any(|file| file.problem.is_some()) {
        return;
    }
    let counts: BTreeSet<PathBuf> = each(&found)
        .map(|(file, key, one)| count_of(&session.paths, &file.preference_scope(), key, one))
        .collect();
    let folder = fs::read_dir(session.paths.checks());
    for entry in folder.into_iter().flatten().flatten() {
        let path = entry.path();
        if !counts.contains(&path.with_extension("")) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
}

// Preferences grow with what the person agrees to: when a question has something new and they answer it as the
// preference would have, the preference covers that from then on. No command is needed.
//
// Only in a run of the person's own, never in an agent's session, and only from answers that they gave themselves.

/// How much of a question is shown, in characters.
const SHOWN: usize = 120;

/// How many of the questions that it answers now are kept with the record of a change.
const RECORDED: usize = 8;

/// Extends the preferences by what was agreed to since they were set, and says so; `standing` is how they stand. A
/// failure is reported on standard error and stops nothing.
fn widen_preferences(session: &Session, standing: &[StandingPreference]) {
    if session.agent_session.is_some() {
        return;
    }
    let done = widened(session, standing).and_then(|(changes, sentences)| {
        if !changes.is_empty() {
            make(session, &changes, false, |_| Ok(true))?;
        }
        Ok(sentences)
    });
    match done {
        Ok(sentences) => sentences.iter().for_each(|one| terminal::say(one)),
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!("plantune: no preference was changed: {message}\n"));
        }
    }
}

/// The changes to make, and what there is to say about each.
fn widened(
    session: &Session,
    standing: &[StandingPreference],
) -> Result<(Vec<Change>, Vec<String>), Failure> {
    let registry = session.registry()?;
    let found = preferences::all(session);
    let may_grow = |(file, key, preference)| {
        let since = may_grow(file, key, preference, standing, registry)?;
        Some((file, key, preference, since))
    };
    let growing: Vec<_> = each(&found).filter_map(may_grow).collect();
    let Some(first) = growing.iter().map(|(.., since)| *since).min() else {
        return Ok(<_>::default());
    };
    // The store as the verb has opened it: a verb that opened none found nothing new.
    let Some(store) = session.open_store() else {
        return Ok(<_>::default());
    };
    if session.read(answered_as_new_since(&store, first))? == 0 {
        return Ok(<_>::default());
    }
    let habits = session.read(Habits::read(&store, registry, false))?;
    let changes = growing.into_iter();
    let changes = changes.filter_map(|(file, key, preference, since)| {
        let seen = habits.answers_to(key, file.project.as_deref());
        Some(change(file, key, seen.grown(preference, since)?))
    });
    Ok(changes.unzip())
}

/// When `preference` was set (UTC), if it may grow by what came since. `None` for one that does not answer or was
/// stopped, and where its file does not say when it was set, so that it is not known what came since.
fn may_grow(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    standing: &[StandingPreference],
    registry: &Registry,
) -> Option<NaiveDateTime> {
    let at = DateTime::parse_from_rfc3339(preference.set_at.as_deref()?).ok()?;
    let stands = file.standing(key, standing).map(|one| one.standing.state);
    let may = file.problem.is_none()
        && stands != Some(State::Stopped)
        && preference.preference.answers()
        && preference.unknown_value().is_none()
        && check_preference(key, preference, registry).is_ok();
    may.then(|| at.naive_utc())
}

fn change(file: &FoundFile, key: &str, grown: GrownPreference) -> (Change, String) {
    let name = name(key, &grown.preference);
    let texts: Vec<&str> = grown
        .texts
        .iter()
        .rev()
        .take(RECORDED)
        .map(String::as_str)
        .collect();
    let asked = texts
        .first()
        .map_or_else(String::new, |text| one_line(text, SHOWN));
    let more = match grown.texts.len() {
        0 | 1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    let sentence = format!(
        "plantune: {} now also covers what you answered yourself: \"{asked}\"{more}\n",
        one_line(typed(key, &name), SHOWN)
    );
    let change = Change {
        scope: file.preference_scope(),
        key: key.to_owned(),
        evidence: Some(json!({"agreed_to": texts})),
        preference: Some(grown.preference),
        reason: ChangeReason::AgreedTo,
        undone: None,
    };
    (change, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday_at_the_persons_midnight() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let time = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().timestamp();
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
