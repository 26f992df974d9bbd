//! How the preferences stand, by the checks that the hook counts and by the log, and how each is shown.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Level, Preference};
use plantune_domain::state::{Cause, State, checks, count_file, stands};
use plantune_query::habits::QuestionGrouping;
use plantune_query::questions::names;
use plantune_query::standing::{PreferenceHistory, PreferenceRecord, Standing};
use plantune_reports::humanize;
use plantune_reports::standing::{
    StandingPreference, StoredPreference, policy_in_words, since_in_words, state_in_words,
};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::preferences;
use crate::preferences::{FoundFile, PreferenceScope, each, name, word_among};
use crate::session::Session;

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
    let is_obeyed = |(file, key, preference): &(&FoundFile, &str, &Preference)| {
        preference.preference.answers() && file.inert_reason(key, preference, registry).is_none()
    };
    let answering: Vec<_> = each(&found).filter(is_obeyed).collect();
    let day = |at: DateTime<Utc>| at.with_timezone(&zone).date_naive();
    // Without preferences nothing is read; one of unknown age may be of any age.
    let known = answering.iter();
    let known = known.map(|(_, _, preference)| set_at(preference, session.now).map(day));
    let known: Option<Vec<_>> = known.collect();
    let since = known.and_then(|days| days.into_iter().min());
    let history = session.ask(|store| match answering.is_empty() {
        true => Ok(PreferenceHistory::default()),
        false => store.preference_history(since),
    })?;
    let row = |(file, key, preference): (&FoundFile, &str, &Preference)| {
        let set_at = set_at(preference, session.now);
        let record = PreferenceRecord {
            question_key: key,
            project: file.project.as_deref(),
            set_at: set_at.map(|at| at.naive_utc()),
            set_on: set_at.map(day),
        };
        let scope = file.preference_scope();
        let (counted, since) = counted(&session.paths, &scope, key, preference);
        let is_stopped = counted.state == State::Stopped;
        let word = || word_among(key, preference, &file.preferences);
        StandingPreference {
            question_key: key.to_owned(),
            name: name(key, preference),
            preference: preference.preference,
            level: preference.level(),
            answer: preference.answer.clone(),
            scope: file.scope,
            project: file.project.clone(),
            set_at: preference.set_at.clone(),
            standing: Standing {
                state: counted.state,
                reason: counted.reason,
                counted: counted.counted,
                since: since.map(day).or(record.set_on),
                ..history.standing(&record)
            },
            remedy: is_stopped.then(|| scope.prefs("clear", &word())),
        }
    };
    Ok(answering.into_iter().map(row).collect())
}

/// When it was set; `None` for a time in the future, which a wrong clock gave: it must not keep what happened since from
/// counting.
fn set_at(preference: &Preference, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let text = preference.set_at.as_deref()?;
    let at = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    (at <= now).then_some(at)
}

/// How `preference`, which stands under `key` in `scope`, stands by the checks that the hook counted: without the store,
/// and so without days, labels and what it answered.
pub(crate) fn standing(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> Standing {
    counted(paths, scope, key, preference).0
}

/// The same, and since when, if a check led to that.
fn counted(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> (Standing, Option<DateTime<Utc>>) {
    let checks = checks(&count_of(paths, scope, key, preference));
    let on_trial = preference.level() == Level::Trial;
    let stands = stands(on_trial, checks.iter().map(|check| check.agrees));
    let led_to_it = stands.since_check.and_then(|at| checks.get(at));
    let standing = Standing {
        state: stands.state,
        reason: stands.reason,
        counted: stands.agreed,
        ..Standing::default()
    };
    let since = led_to_it.and_then(|check| DateTime::from_timestamp(check.at, 0));
    (standing, since)
}

/// The file that counts the calls of `preference`.
pub(crate) fn count_of(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> PathBuf {
    let project = scope.project().unwrap_or_default();
    let set_at = preference.set_at.as_deref();
    count_file(paths, scope.kind(), project, key, set_at)
}

// A preference as it is shown.

/// How much of a text from a preferences file is shown.
const SHOWN: usize = 400;

/// `preference` of `file` as it is shown; `standing` is how one that answers stands, where that could be read.
///
/// # Errors
/// Conflict for a registry.toml or a time zone that cannot be read.
pub(crate) fn stored(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    standing: Option<&StandingPreference>,
    session: &Session,
) -> Result<StoredPreference, Failure> {
    let registry = session.registry()?;
    let answers = preference.preference.answers();
    let scope = file.preference_scope();
    let word = word_among(key, preference, &file.preferences);
    let stands = answers.then(|| match standing {
        Some(known) => known.standing.clone(),
        None => self::standing(&session.paths, &scope, key, preference),
    });
    let mut remarks = Vec::new();
    if let Some(stands) = &stands {
        // What is on because it was set says so by when that was.
        if (stands.state, stands.reason) != (State::On, Cause::Set) {
            remarks.push(since_in_words(stands));
        }
        if stands.state == State::Stopped {
            let clear = scope.prefs("clear", &word);
            remarks.push(format!("you are asked every time; to remove it: `{clear}`"));
        }
    }
    if let Some(remark) = file.remark(key, preference, registry) {
        remarks.push(format!("ignored: {}", one_line(&remark, 2 * SHOWN)));
    }
    let does = match (&stands, &preference.answer) {
        (None, _) => policy_in_words(preference).to_owned(),
        (Some(stands), None) => format!("{}, as recommended", state_in_words(stands.state)),
        (Some(stands), Some(label)) => {
            let answer = answer_in_words(Some(label));
            format!("{}, {answer}", state_in_words(stands.state))
        }
    };
    Ok(StoredPreference {
        question_key: key.to_owned(),
        name: name(key, preference),
        word,
        preference: preference.preference,
        level: answers.then_some(preference.level()),
        answer: preference.answer.clone(),
        scope: file.scope,
        project: file.project.clone(),
        question: preference.question.clone(),
        state: stands
            .filter(|_| standing.is_none())
            .map(|stands| stands.state),
        set_at: preference.set_at.clone(),
        set_by: preference.set_by.clone(),
        evidence: preference.evidence.clone(),
        inert: file.inert_reason(key, preference, registry),
        does,
        set: set(preference, session)?,
        remarks,
    })
}

/// When it was set and what set it, as far as its file says so.
fn set(preference: &Preference, session: &Session) -> Result<String, Failure> {
    let (zone, today) = (session.zone()?, session.today()?);
    let day = preference.set_at.as_deref().and_then(|at| {
        let at = DateTime::parse_from_rfc3339(at).ok()?;
        let day = at.with_timezone(&zone).date_naive();
        Some(format!(" {}", humanize::day(day, today)))
    });
    let by = preference.set_by.as_deref();
    let by = by.map(|by| format!(" by {}", one_line(by, SHOWN)));
    let words: String = [day, by].into_iter().flatten().collect();
    Ok(match words.is_empty() {
        true => words,
        false => format!(" (set{words})"),
    })
}

// What the log says about a question when its preference is changed, for the record of the change.

/// The evidence known now about the question `key` in `scope`, for the record of a change:
/// `answered` (the person's answers by name and how often), and for a preference that stands there
/// `auto_decided`, `spot_checks` and `spot_checks_agreed`. `None` when the store cannot be read.
pub(crate) fn evidence_now(session: &Session, key: &str, scope: &PreferenceScope) -> Option<Value> {
    // A change must not fail because the store is in use: then what it holds is good enough.
    let store = session.store().or_else(|_| session.stale_store()).ok()??;
    let grouping = QuestionGrouping::read(&store, session.registry().ok()?).ok()?;
    let names = names(&store, &grouping, key, scope.project()).ok()?;
    let answers = store.answers_by_name(&names.logged, scope.project()).ok()?;
    let answered: serde_json::Map<String, Value> = answers
        .into_iter()
        .map(|(name, times)| (name, times.into()))
        .collect();
    let mut evidence = json!({ "answered": answered });
    let rows = review(session).ok()?;
    let mine = |row: &&StandingPreference| row.is_of(key, scope.project());
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
