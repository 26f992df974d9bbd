//! What the question of a preference is called, and which one a person means by a word.

use plantune_domain::keys::{is_id, typed};
use plantune_domain::preferences::Preference;
use plantune_query::families::{Grouping, is_called, template_text};
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::preferences::files;
use crate::workspace::{Workspace, listed};

/// How many characters of a name are shown.
const SHOWN: usize = 80;

/// What the question of `preference` is called; its `key` where nothing is known of it.
pub(crate) fn name(key: &str, preference: &Preference) -> String {
    let Some(text) = &preference.question else {
        return key.to_owned();
    };
    let options = preference.options.as_deref().unwrap_or_default();
    let of_template = |template: &Vec<String>| template_text(template, text, options);
    let name = preference.name().map(str::to_owned);
    name.or_else(|| preference.template.as_ref().map(of_template))
        .unwrap_or_else(|| text.clone())
}

/// What the person types for the question of `preference`: its `key` where that says something, else its name.
pub(crate) fn word(key: &str, preference: &Preference) -> String {
    typed(key, &name(key, preference)).to_owned()
}

/// What the store calls the question `key`, whose text is `text`; `None` without a store.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn in_store(
    key: &str,
    text: &str,
    workspace: &Workspace,
) -> Result<Option<String>, Failure> {
    let registry = workspace.registry()?;
    workspace.ask(|store| {
        let grouping = Grouping::read(store, registry)?;
        Ok(Some(grouping.names().of(key, text)))
    })
}

/// The key that is meant by `word`: itself, or that of the preference, else of the question, that is called so.
///
/// # Errors
/// Failed where several are called so, and when the store cannot be read.
pub(crate) fn key(word: &str, workspace: &Workspace) -> Result<String, Failure> {
    if is_id(word) {
        return Ok(word.to_owned());
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for file in files::all(workspace) {
        let named = file.preferences.iter();
        let named = named.map(|(key, preference)| (name(key, preference), key.clone()));
        found.extend(named.filter(|(name, _)| is_called(name, word)));
    }
    if found.is_empty() {
        let listed = listed::questions(None, workspace)?.into_iter();
        let called = listed.filter(|one| is_called(&one.name, word));
        found.extend(called.map(|one| (one.name, one.question_key)));
    }
    found.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
    found.dedup_by(|(_, one), (_, other)| one == other);
    match found.as_slice() {
        [(_, key)] => Ok(key.clone()),
        [] => Ok(word.to_owned()),
        several => {
            let word = one_line(word, SHOWN);
            let failure = Failure::usage(format!("more than one question is called \"{word}\""));
            Err(failure.hint(format!("give one of: {}", told_apart(several).join(", "))))
        }
    }
}

/// What tells `several` questions apart, each with its name and key: the name, or the key where two have one name.
fn told_apart(several: &[(String, String)]) -> Vec<String> {
    let is_shared = |name: &str| several.iter().filter(|one| one.0 == name).count() > 1;
    let word = |(name, key): &(String, String)| match is_shared(name) {
        true => key.clone(),
        false => format!("\"{}\"", one_line(name, SHOWN)),
    };
    several.iter().map(word).collect()
}
