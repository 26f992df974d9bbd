//! How the preferences stand by the log.

use chrono::{DateTime, Utc};
use plantune_domain::keys::typed;
use plantune_domain::preferences::{Level, Preference};
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_query::standing::{History, PreferenceRecord};
use plantune_reports::standing::StandingPreference;

use crate::failure::Failure;
use crate::preferences::called;
use crate::preferences::files::{self, Found};
use crate::workspace::Workspace;

/// Every preference that answers for the person, and how it stands by the log, in the order of
/// projects and keys, the global ones last.
///
/// # Errors
/// Conflict for a registry or time zone that is not understood; failed when the store cannot be
/// read.
pub(crate) fn review(workspace: &Workspace) -> Result<Vec<StandingPreference>, Failure> {
    let registry = workspace.registry()?;
    let zone = workspace.zone()?;
    let found = files::all(workspace);
    let answering = answering(&found, registry);
    let since = |(_, _, preference): &(&Found, &str, &Preference)| {
        Some(
            set_at(preference, workspace.now)?
                .with_timezone(&zone)
                .date_naive(),
        )
    };
    // Without preferences nothing is read; one of unknown age may be of any age.
    let known: Option<Vec<_>> = answering.iter().map(since).collect();
    let since = known.and_then(|days| days.into_iter().min());
    let history = workspace.ask(|store| match answering.is_empty() {
        true => Ok(History::default()),
        false => store.preference_history(since),
    })?;
    let rows = answering
        .iter()
        .map(|(file, key, preference)| {
            let set_at = set_at(preference, workspace.now);
            let record = PreferenceRecord {
                question_key: key,
                project: file.project.as_deref(),
                set_at: set_at.map(|at| at.naive_utc()),
                set_on: set_at.map(|at| at.with_timezone(&zone).date_naive()),
                on_trial: preference.level() == Level::Trial,
            };
            row(file, key, preference, history.standing(&record))
        })
        .collect();
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
    file: &Found,
    key: &str,
    preference: &Preference,
    standing: plantune_query::standing::Standing,
) -> StandingPreference {
    let scope = file.preference_scope();
    let name = called::name(key, preference);
    let is_stopped = standing.state == State::Stopped;
    let remedy = is_stopped.then(|| scope.prefs("clear", typed(key, &name)));
    StandingPreference {
        question_key: key.to_owned(),
        name,
        preference: preference.preference.as_str(),
        level: preference.level().as_str(),
        answer: preference.answer.clone(),
        scope: file.scope.as_str(),
        project: scope.project().map(str::to_owned),
        set_at: preference.set_at.clone(),
        standing,
        remedy,
    }
}
