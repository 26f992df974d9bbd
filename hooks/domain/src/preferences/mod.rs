//! Preferences: the person's decisions about questions, for one project or globally.
//!
//! The CLI reads and writes whole files as [`PreferenceFile`]; the hook, which runs while a person
//! waits, goes through [`lookup`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

pub use self::file::{PreferenceFile, lookup, read, try_hold};
use crate::agreement::agreement::{Agreement, Asking, Given, Novelty, NoveltyKind};
use crate::json::Members;
use crate::json::Text;
use crate::keys::{KeySource, is_of_early_version, key_of};
use crate::named::named_enum;
use crate::recommended::recommended;

mod file;

/// The version of the file format.
pub const VERSION: u32 = 2;

/// The version before, which is read as well.
const VERSION_1: u32 = 1;

named_enum! {
    /// The policy of a preference.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Policy {
        /// Ask, regardless of other preferences. Files may hold a policy `assist` of earlier versions, which asked too.
        #[default]
        #[serde(alias = "assist")]
        AlwaysAsk = "always-ask",
        /// Answer for the person.
        NeverAsk = "never-ask",
        /// Answer for the person unless the question is one-way.
        AskOnlyForOneWay = "ask-only-for-one-way",
    }
}

impl Policy {
    /// True when it answers for the person.
    pub fn answers(self) -> bool {
        matches!(self, Self::NeverAsk | Self::AskOnlyForOneWay)
    }
}

named_enum! {
    /// The level of a preference that answers.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Level {
        /// On trial: checked often, less so as it proves right. One disagreement ends it.
        Trial = "trial",
        /// Answers, except for spot checks.
        Standing = "standing",
    }
}

named_enum! {
    /// The scope of a preference.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Scope {
        /// In one project.
        Project = "project",
        /// Everywhere.
        Global = "global",
    }
}

/// The JSON member with the question's name.
const NAME: &str = "name";

named_enum! {
    /// The command that sets a preference: its `set_by`.
    pub enum Setter {
        /// The hook, as the person told it in a dialog.
        Dialog = "dialog",
        /// `plantune fleet adopt`.
        Fleet = "fleet",
        /// `plantune prefs set`.
        Prefs = "prefs",
        /// `plantune suggest --apply`.
        Suggest = "suggest",
    }
}

/// One preference, with its origin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Preference {
    /// Its policy.
    pub preference: Policy,
    /// The label to answer with; the recommended option when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Its level; `standing` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// How the key was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_source: Option<String>,
    /// The question as last seen before this was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Its header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// What the person agreed to; absent in version 1 of the format.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "on_one_line"
    )]
    pub agreement: Option<Agreement>,
    /// When it was set (RFC 3339, UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_at: Option<String>,
    /// The command that set it: one of [`Setter`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by: Option<String>,
    /// The evidence when it was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<serde_json::Value>,
    /// Fields that a newer version wrote.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

/// Serialises on one line, to keep the file short: the hook searches it while a person waits.
fn on_one_line<T: Serialize + ?Sized, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = serde_json::value::to_raw_value(value).map_err(S::Error::custom)?;
    text.serialize(serializer)
}

impl Preference {
    /// A preference with this `policy` and no other data.
    pub fn of(policy: Policy) -> Self {
        Self {
            preference: policy,
            ..Self::default()
        }
    }

    /// Its level, if it answers.
    pub fn level(&self) -> Level {
        self.level.unwrap_or(Level::Standing)
    }

    /// The question's name, with `…` for parts that vary, if it was saved. The hook uses it only in messages, so it is
    /// not a field.
    pub fn name(&self) -> Option<&str> {
        self.other.get(NAME)?.as_str()
    }

    /// Saves the question's name.
    pub fn set_name(&mut self, name: &str) {
        self.other.insert(NAME.to_owned(), name.into());
    }

    /// A field with an unknown value, and the value. Its meaning is not known, so the preference answers nothing.
    pub fn unknown_value(&self) -> Option<(&'static str, &str)> {
        let key_source = self.key_source.as_deref();
        if let Some(value) = key_source.filter(|name| KeySource::parse(name).is_none()) {
            return Some(("key_source", value));
        }
        let set_by = self.set_by.as_deref();
        set_by
            .filter(|name| Setter::parse(name).is_none())
            .map(|value| ("set_by", value))
    }

    /// What the person agreed to; `None` if that is not known, and nothing is answered.
    ///
    /// One of version 1 is converted.
    pub fn agreement(&self) -> Option<Cow<'_, Agreement>> {
        if self.unknown_value().is_some() {
            return None;
        }
        match &self.agreement {
            Some(agreement) => Some(Cow::Borrowed(agreement)),
            None => agreement_of_version_1(self).map(Cow::Owned),
        }
    }

    /// The option of `asking` that it answers with.
    ///
    /// # Errors
    /// What in the asking is new.
    pub fn covers(&self, asking: &Asking<'_>) -> Result<usize, Novelty> {
        let agreement = self.agreement().ok_or(NoveltyKind::NotBound.is(""))?;
        agreement.covers(asking, self.answer.is_none())
    }

    /// True if it applies to `asking`: it covers it, or always asks.
    pub fn concerns(&self, asking: &Asking<'_>) -> bool {
        self.preference == Policy::AlwaysAsk || self.covers(asking).is_ok()
    }
}

// The entries of a few keys in a whole file, without parsing the others.

#[derive(Deserialize)]
struct EntriesOfFile<'a> {
    version: u32,
    #[serde(borrow, default)]
    preferences: Members<'a>,
}

/// Every entry of a whole file with its key, in order, including duplicates.
///
/// # Errors
/// Why the text cannot be read.
pub fn entries(bytes: &[u8]) -> Result<Vec<(Text<'_>, &RawValue)>, String> {
    // A derived deserializer would accept an array as the fields in order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err("no object".to_owned());
    }
    let file: EntriesOfFile<'_> =
        serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match file.version {
        VERSION | VERSION_1 => Ok(file.preferences.0),
        other => Err(format!(
            "version {other} is not understood (this is {VERSION})"
        )),
    }
}

/// The entries for each of `keys` in a whole file, parsed by `read`.
///
/// # Errors
/// Why the text cannot be read.
fn find(
    bytes: &[u8],
    keys: &[&str],
    read: impl Fn(&RawValue) -> Result<Preference, String>,
) -> Result<Vec<Vec<Preference>>, String> {
    let mut found = vec![Vec::new(); keys.len()];
    for (name, entry) in entries(bytes)? {
        let name = key_of_today(&name, || read(entry).ok());
        for (key, found) in keys.iter().zip(&mut found) {
            if name == **key {
                found.push(read(entry)?);
            }
        }
    }
    Ok(found)
}

// Version 1 of the format: the askings that a preference named become an agreement, under the key that their question
// has today. A preference that cannot be read answers nothing, so the person is asked.

/// What an entry of version 1 says beside the fields of today.
#[derive(Default, Deserialize)]
#[serde(default)]
struct EntryOfVersion1 {
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
fn agreement_of_version_1(preference: &Preference) -> Option<Agreement> {
    let question = preference.question.as_deref()?;
    let options = preference.options.as_deref()?;
    let other = preference.other.clone().into_iter().collect();
    let entry = EntryOfVersion1::deserialize(serde_json::Value::Object(other)).ok()?;
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

/// The key that the entry `name` has today, computed from its question, which `read` returns. It is `name` itself if
/// that is not a key of version 1, or if the entry names no question.
fn key_of_today<'a>(name: &'a str, read: impl FnOnce() -> Option<Preference>) -> Cow<'a, str> {
    if !is_of_early_version(name) {
        return Cow::Borrowed(name);
    }
    let today = read().and_then(|entry| Some(key_of(&entry.question?, &entry.options?)));
    today.map_or(Cow::Borrowed(name), |(key, _)| Cow::Owned(key))
}

/// Gives the entries of `file` the keys that they have today. Of two that get the same one, the second keeps its own, so
/// that nothing is lost.
fn rename_keys(file: &mut PreferenceFile) {
    let old: Vec<String> = file.preferences.keys().cloned().collect();
    for name in old {
        let today = key_of_today(&name, || file.preferences.get(&name).cloned()).into_owned();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    const FILE: &str = r#"{"version":1,"note":"mine","preferences":{
    "a":{"preference":"never-ask","answer":"Skip","colour":"red"},
    "b":{"preference":"always-ask"},
    "b":{"preference":"never-ask"}}}"#;

    fn write(text: &str, mode: u32) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        crate::atomic_file::replace(&path, text.as_bytes(), mode).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[test]
    fn only_wanted_entries_are_read() {
        let (_folder, path) = write(FILE, 0o600);
        let found = lookup(&path, &["b", "c", "a"]).unwrap();
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(found[2][0].answer.as_deref(), Some("Skip"));
        assert!(
            PreferenceFile::load(&path)
                .unwrap_err()
                .contains("b stands in it more than once")
        );
    }

    #[test]
    fn a_policy_of_an_earlier_version_asks() {
        let hint = r#"{"preference":"assist","assist":"first","answer":"Skip"}"#;
        let text = FILE.replace(r#"{"preference":"always-ask"}"#, hint);
        let (_folder, path) = write(
            &text.replace(",\n    \"b\":{\"preference\":\"never-ask\"}", ""),
            0o600,
        );
        let found = lookup(&path, &["b", "a"]).unwrap();
        assert_eq!(found[0][0].preference, Policy::AlwaysAsk);
        assert_eq!(found[1][0].preference, Policy::NeverAsk);
        assert_eq!(
            PreferenceFile::load(&path)
                .unwrap()
                .unwrap()
                .preferences
                .len(),
            2
        );
    }

    #[test]
    fn invalid_file_is_an_error_with_its_path() {
        for text in [
            "{",
            "[]",
            r#"{"preferences":{"a":{}}}"#,
            r#"{"version":3,"preferences":{"a":{"preference":"never-ask"}}}"#,
        ] {
            let (_folder, path) = write(text, 0o600);
            assert!(
                PreferenceFile::load(&path)
                    .unwrap_err()
                    .contains("preferences.json"),
                "{text}"
            );
        }
        let (_folder, path) = write(FILE, 0o666);
        assert!(
            lookup(&path, &["a"])
                .unwrap_err()
                .contains("others may write it")
        );
    }

    #[test]
    fn escapes_in_keys_are_read_as_json_reads_them() {
        let mut file = PreferenceFile::empty(None);
        for (key, policy) in [
            ("colour", Policy::NeverAsk),
            ("layout", Policy::AlwaysAsk),
            ("top-10", Policy::AlwaysAsk),
        ] {
            let entry = serde_json::json!({"preference": policy.as_str()});
            let entry = serde_json::from_value(entry).unwrap();
            file.preferences.insert(key.to_owned(), entry);
        }
        let text = String::from_utf8(file.to_bytes().unwrap()).unwrap();
        for (key, escaped) in [
            ("layout", "layou\\u0074"),
            ("layout", "\\u006Cayout"),
            ("top-10", "top\\u002d10"),
            ("top-10", "top-1\\u0030"),
        ] {
            let text = text.replace(&format!("\"{key}\""), &format!("\"{escaped}\""));
            let (_folder, path) = write(&text, 0o600);
            let found = lookup(&path, &[key, "colour"]).unwrap();
            let policies = |at: usize| -> Vec<Policy> {
                found[at].iter().map(|entry| entry.preference).collect()
            };
            assert_eq!(policies(0), [Policy::AlwaysAsk], "{escaped}");
            assert_eq!(policies(1), [Policy::NeverAsk], "{escaped}");
            // Two spellings of the same JSON key are both found.
            let twice = text.replace("\"colour\"", &format!("\"{key}\""));
            let (_folder, path) = write(&twice, 0o600);
            assert_eq!(lookup(&path, &[key]).unwrap()[0].len(), 2, "{escaped}");
            let error = PreferenceFile::load(&path).unwrap_err();
            assert!(error.contains("more than once"), "{error}");
        }
    }

    #[test]
    fn unknown_fields_survive_a_rewrite() {
        let text = FILE.replace("\"b\":{\"preference\":\"always-ask\"},", "");
        let file: PreferenceFile = serde_json::from_str(&text).unwrap();
        let again: serde_json::Value = serde_json::to_value(&file).unwrap();
        assert_eq!(
            again,
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        );
    }
}
