//! How the preferences stand, by the checks that the hook counts and by the log, and what follows from it: wider
//! preferences where the person agreed to more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};
use plantune_domain::gate::check_preference;
use plantune_domain::keys::typed;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Level, Preference};
use plantune_domain::registry::Registry;
use plantune_domain::state::{Stands, State, checks, count_file, stands};
use plantune_query::habits::{GrownPreference, Habits};
use plantune_query::standing::{History, PreferenceRecord, Standing, answered_as_new_since};
use plantune_reports::standing::StandingPreference;
use plantune_reports::text::one_line;
use serde_json::json;

use super::scope::PreferenceScope;
use super::writer::{Change, plan};
use super::{FoundFile, in_words};
use crate::failure::Failure;
use crate::session::Session;
use crate::{preferences, terminal};

/// Every preference that answers for the person, and how it stands, in the order of
/// projects and keys, the global ones last.
///
/// # Errors
/// Conflict for a registry or time zone that is not understood; failed when the store cannot be
/// read.
pub(crate) fn review(session: &Session) -> Result<Vec<StandingPreference>, Failure> {
    let registry = session.registry()?;
    let zone = session.zone()?;
    let found = preferences::all(session);
    let answering = answering(&found, registry);
    let since = |(_, _, preference): &(&FoundFile, &str, &Preference)| {
        Some(
            set_at(preference, session.now)?
                .with_timezone(&zone)
                .date_naive(),
        )
    };
    // Without preferences nothing is read; one of unknown age may be of any age.
    let known: Option<Vec<_>> = answering.iter().map(since).collect();
    let since = known.and_then(|days| days.into_iter().min());
    let history = session.ask(|store| match answering.is_empty() {
        true => Ok(History::default()),
        false => store.preference_history(since),
    })?;
    let rows = answering
        .iter()
        .map(|(file, key, preference)| {
            let set_at = set_at(preference, session.now);
            let record = PreferenceRecord {
                question_key: key,
                project: file.project.as_deref(),
                set_at: set_at.map(|at| at.naive_utc()),
                set_on: set_at.map(|at| at.with_timezone(&zone).date_naive()),
            };
            let (stands, since) = kept(&session.paths, &file.preference_scope(), key, preference);
            let since = since.map(|at| at.with_timezone(&zone).date_naive());
            let standing = Standing {
                since: since.or(record.set_on),
                ..with(stands, history.standing(&record))
            };
            row(file, key, preference, standing)
        })
        .collect();
    Ok(rows)
}

/// The preferences that the hook answers by.
fn answering<'a>(
    found: &'a [FoundFile],
    registry: &Registry,
) -> Vec<(&'a FoundFile, &'a str, &'a Preference)> {
    found
        .iter()
        .flat_map(|file| {
            file.preferences
                .iter()
                .map(move |(key, one)| (file, key.as_str(), one))
        })
        .filter(|(file, key, preference)| {
            preference.preference.answers()
                && file.inert_reason(key, preference, registry).is_none()
        })
        .collect()
}

/// When it was set, as far as that can be: a clock that was wrong then, or is now, must not keep what
/// happened since from counting.
fn set_at(preference: &Preference, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let text = preference.set_at.as_deref()?;
    let at = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    (at <= now).then_some(at)
}

fn row(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    standing: Standing,
) -> StandingPreference {
    let scope = file.preference_scope();
    let name = in_words::name(key, preference);
    let is_stopped = standing.state == State::Stopped;
    let word = || in_words::word_among(key, preference, &file.preferences);
    let remedy = is_stopped.then(|| scope.prefs("clear", &word()));
    StandingPreference {
        question_key: key.to_owned(),
        name,
        preference: preference.preference,
        level: preference.level(),
        answer: preference.answer.clone(),
        scope: file.scope,
        project: scope.project().map(str::to_owned),
        set_at: preference.set_at.clone(),
        standing,
        remedy,
    }
}

/// How `preference`, which stands under `key` in `scope`, stands by the checks that the hook counted: without the store,
/// and so without days, labels and what it answered.
pub(crate) fn standing(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> Standing {
    let (stands, _) = kept(paths, scope, key, preference);
    with(stands, Standing::default())
}

fn with(stands: Stands, standing: Standing) -> Standing {
    Standing {
        state: stands.state,
        reason: stands.reason,
        counted: stands.agreed,
        ..standing
    }
}

/// How `preference` stands by the checks that the hook counted, and since when, if a check led to that.
fn kept(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> (Stands, Option<DateTime<Utc>>) {
    let checks = checks(&count_of(paths, scope, key, preference));
    let on_trial = preference.level() == Level::Trial;
    let stands = stands(on_trial, checks.iter().map(|check| check.agrees));
    let led_to_it = stands.since_check.and_then(|at| checks.get(at));
    (
        stands,
        led_to_it.and_then(|check| DateTime::from_timestamp(check.at, 0)),
    )
}

/// The file that counts the calls of `preference`.
fn count_of(paths: &Paths, scope: &PreferenceScope, key: &str, preference: &Preference) -> PathBuf {
    let project = scope.project().unwrap_or_default();
    count_file(
        paths,
        scope.kind(),
        project,
        key,
        preference.set_at.as_deref(),
    )
}

/// Removes what the hook counted for preferences that are no more, unless one of their files cannot be read.
pub(crate) fn forget_cleared(session: &Session) {
    let found = preferences::all(session);
    if found.iter().all(|file| file.problem.is_none()) {
        forget(&session.paths.checks(), &counts(session, &found));
    }
}

/// The counts of every preference there is.
fn counts(session: &Session, found: &[FoundFile]) -> BTreeSet<PathBuf> {
    let counts = found.iter().flat_map(|file| {
        file.preferences.iter().map(move |(key, preference)| {
            count_of(&session.paths, &file.preference_scope(), key, preference)
        })
    });
    counts.collect()
}

/// Removes what is in the folder of counts and is of none of `counts`.
fn forget(folder: &Path, counts: &BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !counts.contains(&path.with_extension("")) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
}

// What preferences were given for, kept up with what the person agreed to since: an asking with something new, answered
// as the preference would, joins what it covers. It takes no command.
//
// Only in a run of the person's own, never in an agent's session, and only from answers that they gave themselves.

/// How much of a question is shown, in characters.
const SHOWN: usize = 120;

/// How many of the questions that it answers now are kept with the record of a change.
const RECORDED: usize = 8;

/// Has the preferences answer what was agreed to since they were set, and says so; `standing` is how they stand. A
/// failure is reported on standard error and stops nothing.
pub(crate) fn update_grown(session: &Session, standing: &[StandingPreference]) {
    if session.agent_session.is_some() {
        return;
    }
    let done = changes(session, standing).and_then(|grown| {
        let changes: Vec<Change> = grown.iter().map(|(change, _)| change.clone()).collect();
        if !changes.is_empty() {
            plan(session, &changes)?.make()?;
        }
        Ok(grown)
    });
    match done {
        Ok(grown) => grown
            .iter()
            .for_each(|(_, sentence)| terminal::say(sentence)),
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!("plantune: no preference was changed: {message}\n"));
        }
    }
}

/// The changes to make, each with what there is to say about it.
fn changes(
    session: &Session,
    standing: &[StandingPreference],
) -> Result<Vec<(Change, String)>, Failure> {
    let registry = session.registry()?;
    let found = preferences::all(session);
    let mut growing: Vec<(&FoundFile, &str, &Preference, NaiveDateTime)> = Vec::new();
    for file in found.iter().filter(|file| file.problem.is_none()) {
        for (key, preference) in &file.preferences {
            let is_stopped = file
                .standing(key, standing)
                .is_some_and(|one| one.standing.state == State::Stopped);
            if let Some(since) = since(preference)
                && !is_stopped
                && may_grow(key, preference, registry)
            {
                growing.push((file, key, preference, since));
            }
        }
    }
    let Some(first) = growing.iter().map(|(.., since)| *since).min() else {
        return Ok(Vec::new());
    };
    // The store as the verb has opened it: a verb that opened none found nothing new.
    let Some(store) = session.open_store() else {
        return Ok(Vec::new());
    };
    if session.read(answered_as_new_since(&store, first))? == 0 {
        return Ok(Vec::new());
    }
    let habits = session.read(Habits::read(&store, registry, false))?;
    let changes = growing
        .into_iter()
        .filter_map(|(file, key, preference, since)| {
            let seen = habits.answers_to(key, file.project.as_deref());
            let grown = seen.grown(preference, since)?;
            Some(change(file, key, grown))
        });
    Ok(changes.collect())
}

/// When `preference` was set (UTC); `None` if its file does not say, so that nothing is known to have come since.
fn since(preference: &Preference) -> Option<NaiveDateTime> {
    let at = DateTime::parse_from_rfc3339(preference.set_at.as_deref()?).ok()?;
    Some(at.naive_utc())
}

/// True for one that answers, and may.
fn may_grow(key: &str, preference: &Preference, registry: &Registry) -> bool {
    preference.preference.answers()
        && preference.unknown_value().is_none()
        && check_preference(key, preference, registry).is_ok()
}

fn change(file: &FoundFile, key: &str, grown: GrownPreference) -> (Change, String) {
    let name = in_words::name(key, &grown.preference);
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
        reason: "agreed to",
        undone: None,
    };
    (change, sentence)
}
