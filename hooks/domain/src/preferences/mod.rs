//! Preferences: the person's decisions about questions, for one project or globally.
//!
//! The CLI reads and writes whole files as [`PreferenceFile`]; the hook, which runs while a person
//! waits, goes through [`lookup`].

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

pub use self::file::{PreferenceFile, lookup, read, try_hold};
use crate::binding::{Difference, Form, Offered, Shown};
use crate::commitment::{Commitment, commitment, stands_alone};
use crate::event::Text;
use crate::familiar::{Familiar, New};
use crate::family::{asking_part, is_named, is_set_key};
use crate::keys::KeySource;
use crate::named::named_enum;
use crate::recommended::{is_option, recommended};
use crate::session_kind::holds_for;
use crate::wire::Members;
use crate::{binding, family};

mod file;

/// The version of the file format.
pub const VERSION: u32 = 1;

named_enum! {
    /// The policy of a preference.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Policy {
        /// Ask, regardless of other preferences.
        #[default]
        AlwaysAsk = "always-ask",
        /// Answer for the person.
        NeverAsk = "never-ask",
        /// Answer for the person unless the question is one-way.
        AskOnlyForOneWay = "ask-only-for-one-way",
        /// Ask, and show the person their usual answer.
        Assist = "assist",
    }
}

impl Policy {
    /// True when it answers for the person.
    pub fn answers(self) -> bool {
        matches!(self, Self::NeverAsk | Self::AskOnlyForOneWay)
    }

    /// True when it shows the person their usual answer.
    pub fn assists(self) -> bool {
        self == Self::Assist
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
    /// How the usual answer is shown to the person.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum AssistMode {
        /// In its option's description.
        Note = "note",
        /// In its option's description, with that option moved to first place.
        First = "first",
    }
}

named_enum! {
    /// The scope of a preference.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Scope {
        /// In one project.
        Project = "project",
        /// Everywhere.
        Global = "global",
    }
}

named_enum! {
    /// The questions that a preference covers.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Coverage {
        /// Exactly the texts that were seen.
        Texts = "texts",
        /// The fixed words of the texts that were seen, with slots for the parts that varied.
        Pattern = "pattern",
        /// These options, in any question of a kind that was asked ([`Familiar`]).
        Options = "options",
    }
}

/// The JSON member with the question's name.
const NAME: &str = "name";

/// The values of `set_by`.
const SETTERS: [&str; 4] = ["dialog", "fleet", "prefs", "suggest"];

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
    /// How it assists, if it does; `note` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assist: Option<AssistMode>,
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
    /// Options of which one was sometimes offered in addition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// The host ([`crate::host`]) where it was learned; any host if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whether several options could be chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multi_select: bool,
    /// The questions that it covers; those of `binding` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// The forms of the question that it was given for; if empty, exactly `question`.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "on_one_line"
    )]
    pub binding: Vec<Form>,
    /// The words of the questions that it was given for; if absent, those of `binding`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "on_one_line"
    )]
    pub familiar: Option<Familiar>,
    /// For a family: the words that its texts have in common, from which its key is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Vec<String>>,
    /// When it was set (RFC 3339, UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_at: Option<String>,
    /// The command that set it: one of [`SETTERS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by: Option<String>,
    /// The evidence when it was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<serde_json::Value>,
    /// For a family: the key in the file, if it was found by its option set.
    #[serde(skip)]
    pub key: Option<String>,
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

    /// True if a question with this `text` may belong to its family. Always true if it is not for a family.
    pub fn fits(&self, text: &str) -> bool {
        self.template
            .as_ref()
            .is_none_or(|template| family::fits(template, text))
    }

    /// True if it records the question that it was given for. A preference without that answers nothing.
    pub fn is_bound(&self) -> bool {
        self.question.is_some() && self.options.is_some()
    }

    /// A field with an unknown value, and the value. Its meaning is not known, so the preference answers nothing.
    pub fn unknown_value(&self) -> Option<(&'static str, &str)> {
        let key_source = self.key_source.as_deref();
        if let Some(value) = key_source.filter(|name| KeySource::parse(name).is_none()) {
            return Some(("key_source", value));
        }
        let set_by = self.set_by.as_deref();
        set_by
            .filter(|name| !SETTERS.contains(name))
            .map(|value| ("set_by", value))
    }

    /// Checks that the preference was given for the question `shown`: the person has seen everything that they would
    /// read. A preference that always asks covers everything.
    ///
    /// # Errors
    /// The difference.
    pub fn covers(&self, shown: &Shown<'_>) -> Result<(), Difference> {
        self.compare(shown).map_err(|differs| differs.in_what)
    }

    /// Like [`covers`](Self::covers), but the error also names the new word or field.
    ///
    /// # Errors
    /// The difference.
    pub fn compare(&self, shown: &Shown<'_>) -> Result<(), Differs> {
        if self.preference == Policy::AlwaysAsk {
            return Ok(());
        }
        let (Some(options), Some(text), None) =
            (&self.options, &self.question, self.unknown_value())
        else {
            return Err(Difference::NotBound.into());
        };
        let tools = self.tool.as_deref().zip(shown.tool);
        if tools.is_some_and(|(learned, asks)| !holds_for(learned, asks)) {
            return Err(Difference::Tool.into());
        }
        let label = self.label(shown);
        let stands = label.is_some_and(|label| stands_alone(shown.text, label));
        let is_pinned = self.answer.is_some();
        let offered = Offered {
            options,
            added: if is_pinned && stands {
                &self.added
            } else {
                &[]
            },
            multi_select: self.multi_select,
        };
        binding::check_options(offered, shown)?;
        let Some(label) = label else {
            // It has no clear answer; the gate says why.
            return Ok(());
        };
        let commitment = commitment(shown.text, label);
        if let Some(field) = shown.unknown_field {
            return Err(Difference::Field.with(field));
        }
        let derived;
        let familiar = match &self.familiar {
            Some(familiar) => familiar,
            None => {
                derived = Familiar::of_forms(text, &self.binding, options, label);
                &derived
            }
        };
        self.check_question(text, shown, commitment, familiar)?;
        check_act(label, shown, familiar).map_err(Differs::from)
    }

    /// The option in `shown` that it answers with.
    fn label<'s>(&self, shown: &Shown<'s>) -> Option<&'s str> {
        let pinned = |pinned: &String| {
            shown
                .options
                .iter()
                .position(|label| is_option(label, pinned) || is_option(pinned, label))
        };
        let at = match &self.answer {
            Some(answer) => pinned(answer),
            None => recommended(shown.text, shown.options),
        };
        shown.options.get(at?).map(String::as_str)
    }

    /// Checks that the question `shown` was seen, as far as the answer refers to it.
    fn check_question(
        &self,
        text: &str,
        shown: &Shown<'_>,
        commitment: Commitment,
        familiar: &Familiar,
    ) -> Result<(), Differs> {
        let header = shown.header.unwrap_or_default();
        let leaves_things = commitment == Commitment::LeavesThings;
        if self.coverage == Some(Coverage::Options) {
            // Paragraphs before the asking one are only context, because the label itself says what is done.
            let asking = asking_part(shown.text);
            familiar.check_amount(shown.text)?;
            return match leaves_things {
                true => familiar.check_kind(asking),
                false => familiar.check_question(asking, header),
            }
            .map_err(Differs::from);
        }
        let exact = [Form::of_text(text)];
        let forms = if self.binding.is_empty() {
            exact.as_slice()
        } else {
            self.binding.as_slice()
        };
        // An answer that leaves things as they are does so with any text before, as long as the same kind of thing is
        // asked.
        let is_behind = |text: &str| {
            let is_kind =
                || familiar.check_amount(text).is_ok() && familiar.check_kind(text).is_ok();
            let mut forms = forms.iter();
            leaves_things && forms.any(|form| form.describes_behind(text, familiar)) && is_kind()
        };
        let describes = |text: &str| {
            let mut forms = forms.iter();
            forms.any(|form| form.describes(text, familiar)) || is_behind(text)
        };
        // For an unseen text, names the unseen word, if there is one.
        let other = |what: Difference, text: &str| match familiar.check_words(text) {
            Err(New::Question(word)) => what.with(&word),
            _ => what.into(),
        };
        match commitment {
            Commitment::RefersToQuestion => {
                let is_seen = forms
                    .iter()
                    .any(|form| !form.text.takes_any() && form.describes(shown.text, familiar));
                let is_seen = is_seen
                    || self.coverage == Some(Coverage::Pattern)
                        && familiar.knows_question(shown.text);
                if !is_seen {
                    return Err(other(Difference::Text, shown.text));
                }
                let seen = familiar.check_words(header);
                seen.map_err(|_| other(Difference::Header, header))
            }
            _ if describes(shown.text) => Ok(()),
            // The label says what the answer does, the asking part was seen, and the rest has nothing new.
            _ if describes(asking_part(shown.text)) => match leaves_things {
                true => Ok(()),
                false => familiar
                    .check_question(shown.text, "")
                    .map_err(Differs::from),
            },
            _ => Err(other(Difference::Text, shown.text)),
        }
    }
}

/// How a question differs from those that a preference was given for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The kind of difference.
    pub in_what: Difference,
    /// The new word, or the field that is not shown, if that is the difference.
    pub new: Option<String>,
}

impl Difference {
    /// The difference of `new`, a word or field.
    fn with(self, new: &str) -> Differs {
        Differs {
            in_what: self,
            new: Some(new.to_owned()),
        }
    }
}

impl From<Difference> for Differs {
    fn from(in_what: Difference) -> Self {
        Self { in_what, new: None }
    }
}

impl From<New> for Differs {
    fn from(new: New) -> Self {
        let in_what = new.difference();
        match new {
            New::Question(word) | New::Description(word) => in_what.with(&word),
            // The opening of a question is not a single word, and a preview has no words.
            New::Kind(_) | New::Preview => in_what.into(),
        }
    }
}

/// The form in events: `new_in_description: public`.
impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.new {
            Some(new) => write!(f, "{}: {new}", self.in_what),
            None => write!(f, "{}", self.in_what),
        }
    }
}

/// Checks that the act of the option `label` in `shown` is `familiar`.
fn check_act(label: &str, shown: &Shown<'_>, familiar: &Familiar) -> Result<(), New> {
    let place = shown.options.iter().position(|other| other == label);
    let text =
        |texts: Option<&'_ [String]>, at: usize| texts.and_then(|texts| texts.get(at)).cloned();
    let at = place.unwrap_or_default();
    let description = text(shown.descriptions, at).unwrap_or_default();
    let preview = text(shown.previews, at).unwrap_or_default();
    familiar.check_act(label, &description, &preview)
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
        VERSION => Ok(file.preferences.0),
        other => Err(format!(
            "version {other} is not understood (this is {VERSION})"
        )),
    }
}

/// The entries for each of `keys` in a whole file, parsed by `read`. For the key of an option set, this includes those
/// of its templates.
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
        for (key, found) in keys.iter().zip(&mut found) {
            if is_named(&name, key) {
                let mut entry = read(entry)?;
                entry.key = is_set_key(key).then(|| name.to_string());
                found.push(entry);
            }
        }
    }
    Ok(found)
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
    fn entries_are_found_under_their_set_too() {
        let set = "fam-0123456789abcdef";
        let entry = r#"{"preference":"always-ask"}"#;
        let other = "fam-0123456789abcdee-00000000";
        let text = format!(
            r#"{{"version":1,"preferences":{{"{set}":{entry},"{set}-01234567":{entry},"{other}":{entry}}}}}"#
        );
        let template = format!("{set}-01234567");
        let (_folder, path) = write(&text, 0o600);
        let found = lookup(&path, &[set, &template, "fam-0123456789abcde"]).unwrap();
        let keys = |at: usize| -> Vec<Option<&str>> {
            found[at].iter().map(|entry| entry.key.as_deref()).collect()
        };
        assert_eq!(keys(0), [Some(set), Some(template.as_str())]);
        assert_eq!(keys(1), [None]);
        assert_eq!(found[2], []);
    }

    #[test]
    fn invalid_file_is_an_error_with_its_path() {
        for text in [
            "{",
            "[]",
            r#"{"preferences":{"a":{}}}"#,
            r#"{"version":2,"preferences":{"a":{"preference":"never-ask"}}}"#,
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
