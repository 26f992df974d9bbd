//! The one converter of preferences that earlier versions wrote: the askings that they named become an agreement, under
//! the key that their question has today. What can't be read asks.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Preference, PreferenceFile};
use crate::agreement::agreement::{Agreement, Asking, Given};
use crate::keys::{is_of_early_version, key_of};
use crate::recommended::recommended;

/// What an entry of version 1 says beside the fields of today.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    multi_select: bool,
    tool: Option<String>,
    /// The askings that it was given for.
    binding: Vec<serde_json::Value>,
}

/// An asking without places that vary.
#[derive(Deserialize)]
struct Form {
    text: String,
    #[serde(default)]
    header: String,
    #[serde(default)]
    descriptions: Vec<String>,
    #[serde(default)]
    previews: Vec<String>,
}

/// What `preference` was given for: the askings in its `binding` that are written out, else its question alone. `None`
/// if it names no question, no options, or an answer that is none of them.
pub(super) fn agreement(preference: &Preference) -> Option<Agreement> {
    let question = preference.question.as_deref()?;
    let options = preference.options.as_deref()?;
    let other = preference.other.clone().into_iter().collect();
    let entry = Entry::deserialize(serde_json::Value::Object(other)).ok()?;
    let mut forms: Vec<Form> = entry
        .binding
        .into_iter()
        .filter_map(|form| Form::deserialize(form).ok())
        .collect();
    if forms.is_empty() {
        forms.push(Form {
            text: question.to_owned(),
            header: preference.header.clone().unwrap_or_default(),
            descriptions: Vec::new(),
            previews: Vec::new(),
        });
    }
    let recommended = || {
        options
            .get(recommended(question, options)?)
            .map(String::as_str)
    };
    let label = preference.answer.as_deref().or_else(recommended)?;
    let given = forms.iter().map(|form| Given {
        asking: Asking {
            host: entry.tool.as_deref(),
            text: &form.text,
            header: &form.header,
            options,
            descriptions: &form.descriptions,
            previews: &form.previews,
            multi_select: entry.multi_select,
            ..Asking::default()
        },
        label,
        session: "",
    });
    Agreement::exactly(&given.collect::<Vec<_>>())
}

/// The key that the entry `name` has today, whose question `read` returns; `name` itself if it is not an old one, or if
/// the entry names no question.
pub(super) fn key<'a>(name: &'a str, read: impl FnOnce() -> Option<Preference>) -> Cow<'a, str> {
    if !is_of_early_version(name) {
        return Cow::Borrowed(name);
    }
    let today = read().and_then(|entry| Some(key_of(&entry.question?, &entry.options?)));
    today.map_or(Cow::Borrowed(name), |(key, _)| Cow::Owned(key))
}

/// Gives the entries of `file` the keys that they have today. Of two that get the same one, the second keeps its own, so
/// that nothing is lost.
pub(super) fn rename(file: &mut PreferenceFile) {
    let old: Vec<String> = file.preferences.keys().cloned().collect();
    for name in old {
        let today = key(&name, || file.preferences.get(&name).cloned()).into_owned();
        if !file.preferences.contains_key(&today)
            && let Some(mut entry) = file.preferences.remove(&name)
        {
            let text = entry.question.as_deref().unwrap_or_default();
            let options = entry.options.as_deref().unwrap_or_default();
            entry.key_source = Some(key_of(text, options).1.as_str().to_owned());
            entry.other.remove("template");
            file.preferences.insert(today, entry);
        }
    }
}
