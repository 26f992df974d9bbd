//! A preference in words: the name of its question, and what a change of it means.

use std::slice;

use plantune_domain::keys::{is_id, typed};
use plantune_domain::preferences::{Level, Policy, Preference};
use plantune_query::habits::{Grouping, is_called};
use plantune_reports::standing::{covers_any, title_of};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;

use super::FoundFile;
use super::scope::{PreferenceScope, quoted};
use super::writer::Change;
use crate::failure::Failure;
use crate::projects;
use crate::projects::ShortNames;
use crate::session::Session;
use crate::{preferences, session};

/// How many characters of a name are shown.
const SHOWN_WORD: usize = 80;

/// The name of the question of `preference`; its `key` where nothing is known of it.
pub(crate) fn name(key: &str, preference: &Preference) -> String {
    let Some(text) = &preference.question else {
        return key.to_owned();
    };
    preference.name().unwrap_or(text).to_owned()
}

/// The word to type for the question of `preference` in `scope`, as [`word_among`] all that [`key`] looks at there.
pub(crate) fn word(
    key: &str,
    preference: &Preference,
    scope: &PreferenceScope,
    session: &Session,
) -> String {
    let files = match scope {
        PreferenceScope::Project(_) => preferences::of(session, slice::from_ref(scope)),
        // `undo` cannot say that it means those.
        PreferenceScope::Global => preferences::all(session),
    };
    word_among(
        key,
        preference,
        files.iter().flat_map(|file| &file.preferences),
    )
}

/// The word to type for the question of `preference` among `all`: its name; its `key` where that says something, or
/// where another is called so too.
pub(crate) fn word_among<'a>(
    key: &str,
    preference: &Preference,
    all: impl IntoIterator<Item = (&'a String, &'a Preference)>,
) -> String {
    let word = name(key, preference);
    let mut others = all.into_iter().filter(|(other, _)| *other != key);
    let is_its_own =
        is_called(&word, &word) && !others.any(|(other, one)| is_called(&name(other, one), &word));
    match is_its_own {
        true => typed(key, &word).to_owned(),
        false => key.to_owned(),
    }
}

/// The store's name of the question `key`, whose text is `text`; `None` without a store.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn in_store(
    key: &str,
    text: &str,
    session: &Session,
) -> Result<Option<String>, Failure> {
    let registry = session.registry()?;
    session.ask(|store| {
        let grouping = Grouping::read(store, registry)?;
        Ok(Some(grouping.names().of(key, text)))
    })
}

/// The key that is meant by `word`: itself, or that of the preference that is called so in `scope`, or else in the
/// project of the folder; else of any preference, else of the question.
///
/// # Errors
/// Failed where several are called so, and when the store cannot be read.
pub(crate) fn key(
    word: &str,
    scope: Option<&PreferenceScope>,
    session: &Session,
) -> Result<String, Failure> {
    if is_id(word) {
        return Ok(word.to_owned());
    }
    let here = projects::resolve(".", session).map(PreferenceScope::Project);
    let near = scope.or(here.as_ref().ok());
    let is_near = |file: &FoundFile| Some(&file.preference_scope()) == near;
    let files = preferences::all(session).into_iter();
    let (near, others): (Vec<FoundFile>, Vec<FoundFile>) = files.partition(is_near);
    let mut found: Vec<(String, String)> = Vec::new();
    for files in [near, others] {
        let all = files.iter().flat_map(|file| &file.preferences);
        let named = all.map(|(key, preference)| (name(key, preference), key.clone()));
        match found.is_empty() {
            true => found.extend(named.filter(|(name, _)| is_called(name, word))),
            false => break,
        }
    }
    if found.is_empty() {
        let project = scope.and_then(PreferenceScope::project);
        let listed = session::questions(project, session)?.into_iter();
        let called = listed.filter(|one| is_called(&one.name, word));
        found.extend(called.map(|one| (one.name, one.question_key)));
    }
    found.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
    found.dedup_by(|(_, one), (_, other)| one == other);
    match found.as_slice() {
        [(_, key)] => Ok(key.clone()),
        [] => Ok(word.to_owned()),
        several => {
            let word = one_line(word, SHOWN_WORD);
            let failure = Failure::usage(format!("more than one question is called \"{word}\""));
            Err(failure.hint(format!("give one of: {}", told_apart(several).join(", "))))
        }
    }
}

/// Words that tell `several` questions apart, each with its name and key: the name, or the key where two have one name.
fn told_apart(several: &[(String, String)]) -> Vec<String> {
    let is_shared = |name: &str| several.iter().filter(|one| one.0 == name).count() > 1;
    let word = |(name, key): &(String, String)| match is_shared(name) {
        true => key.clone(),
        false => format!("\"{}\"", one_line(name, SHOWN_WORD)),
    };
    several.iter().map(word).collect()
}

// What a change of preferences means, in a sentence.

/// How much of a question, an asker or a project is shown, in columns.
const SHOWN_TEXT: usize = 120;

/// Describes the effect of `change`, and the command that undoes it. `asker` is who asks the question, if known;
/// `before` is what stood there.
pub(crate) fn from_now_on(
    change: &Change,
    before: Option<&Preference>,
    asker: Option<&str>,
    session: &Session,
) -> String {
    let question = question(change, before, asker);
    let names = names(session);
    let place = match &change.scope {
        PreferenceScope::Project(project) => {
            format!("in {}", one_line(names.of(project), SHOWN_TEXT))
        }
        PreferenceScope::Global => "everywhere".to_owned(),
    };
    let Some(preference) = &change.preference else {
        return format!("From now on, you are asked {question} again {place}.");
    };
    let answered = match &preference.answer {
        Some(label) => format!("with {}", answer_in_words(Some(label))),
        None => "as recommended".to_owned(),
    };
    let does = match (preference.preference, preference.level()) {
        (Policy::AlwaysAsk, _) => {
            format!("you are always asked {question} {place}, and plantune stops proposing it.")
        }
        (_, Level::Trial) => format!(
            "plantune answers {question} {place} {answered}. At first it still asks you one time in three."
        ),
        (_, Level::Standing) => {
            format!("plantune answers {question} {place} {answered}, and sometimes asks to check.")
        }
    };
    let undo = undo(&change.key, preference, &change.scope, &names, session);
    format!("From now on, {does}\nTo undo: {undo}")
}

/// The names of projects in a sentence.
pub(crate) fn names(session: &Session) -> ShortNames {
    let names = ShortNames::new(session);
    names.unwrap_or_else(|_| ShortNames::without_store(session))
}

/// The command that takes back the `preference` for `key` in `scope`, in backquotes.
pub(crate) fn undo(
    key: &str,
    preference: &Preference,
    scope: &PreferenceScope,
    names: &ShortNames,
    session: &Session,
) -> String {
    let word = word(key, preference, scope, session);
    let is_other = |file: &&FoundFile| file.preference_scope() != *scope;
    let files = preferences::all(session);
    let mut others = files.iter().filter(is_other);
    if scope.project().is_none() && others.any(|file| file.preferences.contains_key(key)) {
        // `undo` takes the nearest one.
        return format!("`{}`", scope.prefs("clear", &word));
    }
    let here = projects::resolve(".", session).ok();
    let elsewhere = match scope {
        PreferenceScope::Project(project) if here.as_ref() != Some(project) => {
            format!(" --project {}", quoted(names.of(project)))
        }
        _ => String::new(),
    };
    format!("`plantune undo {}{elsewhere}`", quoted(&word))
}

/// The question in words, and nothing wider: `"Which layout?"`, `"Which layout?" of /review`, `any question with
/// "Yes", "No"`.
fn question(change: &Change, before: Option<&Preference>, asker: Option<&str>) -> String {
    let preference = change.preference.as_ref();
    let answered = preference.filter(|one| one.preference != Policy::AlwaysAsk);
    let title = answered.and_then(title_of);
    if let (true, Some((any, _))) = (answered.is_some_and(covers_any), &title) {
        return one_line(any, SHOWN_TEXT);
    }
    let text = preference
        .or(before)
        .filter(|one| one.question.is_some())
        .map(|one| name(&change.key, one));
    let of = asker.map_or_else(String::new, |asker| {
        format!(" of {}", one_line(asker, SHOWN_TEXT))
    });
    match (title, text) {
        (Some((text, 0)), _) | (None, Some(text)) => {
            format!("\"{}\"{of}", one_line(&text, SHOWN_TEXT))
        }
        (Some((text, more)), _) => {
            format!("\"{}\" and {more} more{of}", one_line(&text, SHOWN_TEXT))
        }
        (None, None) => format!("the question {}{of}", one_line(&change.key, SHOWN_TEXT)),
    }
}
