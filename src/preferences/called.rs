//! What the question of a preference is called, and which one a person means by a word.

use plantune_domain::keys::{is_id, typed};
use plantune_domain::preferences::Preference;
use plantune_query::families::{Grouping, is_called, template_text};

use crate::failure::Failure;
use crate::preferences::files;
use crate::workspace::{Workspace, listed};

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
    let mut found: Vec<String> = Vec::new();
    for file in files::all(workspace) {
        let called = file.preferences.iter();
        let called = called.filter(|(key, preference)| is_called(&name(key, preference), word));
        found.extend(called.map(|(key, _)| key.clone()));
    }
    if found.is_empty() {
        let listed = listed::questions(None, workspace)?.into_iter();
        let called = listed.filter(|one| is_called(&one.name, word));
        found.extend(called.map(|one| one.question_key));
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [key] => Ok(key.clone()),
        [] => Ok(word.to_owned()),
        several => {
            let failure = Failure::usage("several questions are called so");
            Err(failure.hint(format!("give the key of one: {}", several.join(", "))))
        }
    }
}
