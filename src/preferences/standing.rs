//! How the preferences stand, and what follows for the hook.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_domain::atomic_file;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::registry::Registry;
use plantune_domain::spot_check::{count_file, withdrawn_mark};
use plantune_query::Store;
use plantune_query::questions::names;
use plantune_query::standing::{Held, History, State};
use plantune_reports::standing::StandingPreference;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::preferences::files::{self, Found};
use crate::preferences::scope::{Place, quoted};
use crate::terminal::harmless;
use crate::workspace::context::Context;
use crate::workspace::refresh;
use crate::workspace::store;
use crate::workspace::time_zone;
use crate::workspace::user_files;

/// Every preference that answers for the person, and how it stands by the log, in the order of
/// projects and keys, the global ones last. What the hook has to know of it is left for the hook.
///
/// # Errors
/// Conflict for a registry or time zone that is not understood; failed when the store cannot be
/// read.
pub(crate) fn review(
    context: &Context,
    store: Option<&Store>,
) -> Result<Vec<StandingPreference>, Failure> {
    let config = user_files::config(context)?;
    let registry = user_files::registry(context)?;
    let zone = time_zone::resolve(&config)?;
    let found = files::all(context);
    let answering = answering(&found, &registry);
    let since = |(_, _, preference): &(&Found, &str, &Preference)| {
        Some(
            set_at(preference, context.now)?
                .with_timezone(&zone)
                .date_naive(),
        )
    };
    // Without preferences nothing is read; one of unknown age may be of any age.
    let known: Option<Vec<_>> = answering.iter().map(since).collect();
    let history = match store {
        Some(store) if !answering.is_empty() => store
            .preference_history(known.and_then(|days| days.into_iter().min()))
            .map_err(|error| store::failure(&context.paths, &error))?,
        _ => History::default(),
    };
    let today = context.now.with_timezone(&zone).date_naive();
    let rows: Vec<StandingPreference> = answering
        .iter()
        .map(|(file, key, preference)| {
            let set_at = set_at(preference, context.now);
            let held = Held {
                question_key: key,
                project: project(file),
                set_at: set_at.map(|at| at.naive_utc()),
                set_on: set_at.map(|at| at.with_timezone(&zone).date_naive()),
            };
            row(file, key, preference, history.standing(&held, today))
        })
        .collect();
    tell_the_hook(context, &found, &rows).unwrap_or_else(|error| {
        let folder = harmless(&context.paths.checks().display().to_string());
        eprintln!("plantune: {folder}: {error}");
    });
    Ok(rows)
}

/// The preferences that the hook answers by.
fn answering<'a>(
    found: &'a [Found],
    registry: &Registry,
) -> Vec<(&'a Found, &'a str, &'a Preference)> {
    found
        .iter()
        .flat_map(|file| {
            file.preferences
                .iter()
                .map(move |(key, one)| (file, key.as_str(), one))
        })
        .filter(|(file, key, preference)| {
            preference.preference != Policy::AlwaysAsk
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

fn project(file: &Found) -> Option<&str> {
    match file.scope {
        Scope::Project => file.project.as_deref(),
        Scope::Global => None,
    }
}

fn row(
    file: &Found,
    key: &str,
    preference: &Preference,
    standing: plantune_query::standing::Standing,
) -> StandingPreference {
    let place = project(file).map_or(Place::Global, |project| Place::Project(project.to_owned()));
    let verb = match standing.state {
        State::Standing => None,
        State::UnderReview | State::Drifted => Some("clear"),
        State::DueForRenewal => Some("renew"),
    };
    let remedy = verb.map(|verb| {
        harmless(&format!(
            "plantune prefs {verb} {} {}",
            quoted(key),
            place.words()
        ))
    });
    StandingPreference {
        question_key: key.to_owned(),
        preference: preference.preference.as_str(),
        answer: preference.answer.clone(),
        scope: file.scope.as_str(),
        project: place.project().map(str::to_owned),
        set_at: preference.set_at.clone(),
        standing,
        remedy,
    }
}

/// Marks the preferences that have lost their standing, so that the hook asks, and takes the marks
/// of the others away. What was counted for preferences that are no more is removed.
fn tell_the_hook(
    context: &Context,
    found: &[Found],
    rows: &[StandingPreference],
) -> io::Result<()> {
    for row in rows {
        let scope = match row.project {
            Some(_) => Scope::Project,
            None => Scope::Global,
        };
        let project = row.project.as_deref().unwrap_or_default();
        let set_at = row.set_at.as_deref();
        let count = count_file(&context.paths, scope, project, &row.question_key, set_at);
        let mark = withdrawn_mark(&count);
        match (row.standing.state == State::Drifted, mark.exists()) {
            (true, false) => {
                create_private_dir(&context.paths.checks())?;
                atomic_file::replace(&mark, b"", 0o600)?;
            }
            (false, true) => fs::remove_file(&mark)?,
            _ => {}
        }
    }
    if found.iter().all(|file| file.problem.is_none()) {
        forget(&context.paths.checks(), &counted(context, found));
    }
    Ok(())
}

/// The counts of every preference there is.
fn counted(context: &Context, found: &[Found]) -> BTreeSet<PathBuf> {
    let counts = found.iter().flat_map(|file| {
        file.preferences.iter().map(move |(key, preference)| {
            let project = project(file).unwrap_or_default();
            let set_at = preference.set_at.as_deref();
            count_file(&context.paths, file.scope, project, key, set_at)
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

/// What is known at this moment about the question `key` in `place`, for the record of a change:
/// `answered` (the person's answers by name and how often), and for a preference that stands there
/// `auto_decided`, `spot_checks` and `spot_checks_agreed`. `None` when the store cannot tell.
pub(crate) fn evidence_now(context: &Context, key: &str, place: &Place) -> Option<Value> {
    let config = user_files::config(context).ok()?;
    // A change must not fail because the store is in use: then what it holds is good enough.
    let _ = refresh::refresh(context, &config);
    let store = store::open(&context.paths).ok()??;
    let registry = user_files::registry(context).ok()?;
    let names = names(&store, &registry, key, place.project()).ok()?;
    let answers = store.answers_by_name(&names.logged, place.project()).ok()?;
    let answered: serde_json::Map<String, Value> = answers
        .into_iter()
        .map(|(name, times)| (name, times.into()))
        .collect();
    let mut evidence = json!({ "answered": answered });
    let rows = review(context, Some(&store)).ok()?;
    let mine = |row: &&StandingPreference| {
        row.question_key == key && row.project.as_deref() == place.project()
    };
    if let (Some(row), Some(evidence)) = (rows.iter().find(mine), evidence.as_object_mut()) {
        let counts = [
            ("auto_decided", row.standing.decided),
            ("spot_checks", row.standing.spot_checks),
            ("spot_checks_agreed", row.standing.agreed),
        ];
        evidence.extend(counts.map(|(name, count)| (name.to_owned(), count.into())));
    }
    Some(evidence)
}
