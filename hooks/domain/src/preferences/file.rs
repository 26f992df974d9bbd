//! Finds a few preferences in a large file while a person waits.
//!
//! One pass over the file produces its outline: a `0` replaces each entry, and members with other plain names than the
//! wanted ones are left out. The outline and the wanted entries are parsed as JSON; the other entries are only skipped,
//! from bracket to bracket. The file's formatting does not matter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::{io, mem};

#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr as sse2;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Preference, VERSION, entries, find, rename_keys};
use crate::keys::is_of_early_version;
use crate::paths::create_private_dir;
use crate::private_file;

const BUFFER: usize = 64 * 1024;

/// The nesting depth of an entry: the file, its preferences, the entry.
const ENTRY: usize = 3;

/// The preferences in `path` for each of `keys`; several for a key that is in the file twice.
///
/// # Errors
/// A message that names the file, if it cannot be read or parsed, or if others may write to it. In entries that are not
/// wanted, only the brackets are checked.
pub fn lookup(path: &Path, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let found = match private_file::open_own(path, LONGEST) {
        Ok(Some(file)) => look_up(&file, keys),
        Ok(None) => Ok(vec![Vec::new(); keys.len()]),
        Err(error) => Err(error),
    };
    found.map_err(|error| format!("{}: {error}", path.display()))
}

fn look_up(mut file: &File, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let outline = Outline::of(file, keys).map_err(|error| error.to_string())?;
    let found = find(&outline.text, keys, |entry| outline.entry(file, entry));
    found.or_else(|_| {
        // The error must describe the whole file, so it is parsed again.
        let mut bytes = Vec::new();
        io::Seek::rewind(&mut file)
            .and_then(|()| file.read_to_end(&mut bytes))
            .map_err(|error| error.to_string())?;
        find(&bytes, keys, |entry| parsed(entry.get().as_bytes()))
    })
}

fn parsed(entry: &[u8]) -> Result<Preference, String> {
    serde_json::from_slice(entry).map_err(|error| error.to_string())
}

/// A file without the contents of its entries.
#[derive(Default)]
struct Outline<'k> {
    /// The keys that are looked for.
    keys: &'k [&'k str],
    /// The file's JSON with a `0` for each entry, without members of other names.
    text: Vec<u8>,
    entries: Vec<EntryPlace>,
    /// Where the text behind the last entry begins.
    behind: usize,
    /// True if the last entry has a name, so that another member may follow.
    is_member: bool,
    /// True in an entry that is left out.
    is_left_out: bool,
    /// The number of open objects.
    depth: usize,
    in_string: bool,
    /// True if the next byte is escaped by the backslash before it.
    is_escaped: bool,
}

/// The position of an entry.
struct EntryPlace {
    in_outline: usize,
    in_file: u64,
    /// In the file.
    length: usize,
}

impl<'k> Outline<'k> {
    fn of(mut file: &File, keys: &'k [&'k str]) -> io::Result<Self> {
        let mut outline = Self {
            keys,
            ..Self::default()
        };
        let mut buffer = vec![0; BUFFER];
        let mut offset = 0;
        loop {
            let read = file.read(&mut buffer)?;
            let Some(window) = buffer.get(..read).filter(|_| read > 0) else {
                return Ok(outline);
            };
            outline.take(window, offset);
            offset += read as u64;
        }
    }

    /// Processes the next bytes of the file, at `offset`.
    fn take(&mut self, window: &[u8], offset: u64) {
        let part = |from: usize, to: usize| window.get(from..to).unwrap_or_default();
        // The position up to which quotation marks were counted, and up to which the text was copied or left out.
        let mut counted = usize::from(mem::take(&mut self.is_escaped));
        let mut kept = 0;
        for at in marks(window) {
            if at < counted {
                continue;
            }
            self.in_string ^= quotes(part(counted, at)) % 2 == 1;
            counted = at + 1;
            match window.get(at) {
                Some(b'\\') => {
                    self.is_escaped = counted == window.len();
                    counted += 1;
                }
                Some(b'{') if !self.in_string => {
                    self.depth += 1;
                    if self.depth == ENTRY {
                        self.open(part(kept, at), offset + at as u64);
                    }
                }
                Some(b'}') if !self.in_string => {
                    if self.depth == ENTRY {
                        kept = counted;
                        self.close(offset + counted as u64);
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
        self.in_string ^= quotes(part(counted, window.len())) % 2 == 1;
        if self.depth < ENTRY {
            self.text.extend_from_slice(part(kept, window.len()));
        }
    }

    /// An entry begins at `in_file`, after `before`.
    fn open(&mut self, before: &[u8], in_file: u64) {
        self.text.extend_from_slice(before);
        let between = self.text.get(self.behind..).unwrap_or_default();
        let name = Some(between).filter(|_| self.is_member).and_then(next_name);
        self.is_left_out = name.is_some_and(|name| {
            let is_wanted = self.keys.iter().any(|key| key.as_bytes() == name);
            !is_wanted && !str::from_utf8(name).is_ok_and(is_of_early_version)
        });
        if self.is_left_out {
            return self.text.truncate(self.behind);
        }
        self.is_member = ends_with(between, b':').is_some();
        self.entries.push(EntryPlace {
            in_outline: self.text.len(),
            in_file,
            length: 0,
        });
        self.text.push(b'0');
        self.behind = self.text.len();
    }

    /// The entry ends before `end` of the file.
    fn close(&mut self, end: u64) {
        if !self.is_left_out
            && let Some(entry) = self.entries.last_mut()
        {
            entry.length = (end - entry.in_file) as usize;
        }
    }

    /// The preference for `entry` of the outline.
    fn entry(&self, file: &File, entry: &RawValue) -> Result<Preference, String> {
        let text = entry.get();
        let at = text.as_ptr().addr() - self.text.as_ptr().addr();
        let entries = self
            .entries
            .binary_search_by_key(&at, |entry| entry.in_outline);
        let Some(place) = entries.ok().and_then(|number| self.entries.get(number)) else {
            return parsed(text.as_bytes());
        };
        let mut bytes = vec![0; place.length];
        file.read_exact_at(&mut bytes, place.in_file)
            .map_err(|error| error.to_string())?;
        parsed(&bytes)
    }
}

/// The name in `between`, the text between two entries, if it is a comma and a name without escapes.
fn next_name(between: &[u8]) -> Option<&[u8]> {
    let start = between.iter().position(|byte| !is_blank(*byte))?;
    let rest = between.get(start..)?.strip_prefix(b",")?;
    let start = rest.iter().position(|byte| !is_blank(*byte))?;
    let name = rest.get(start..)?.strip_prefix(b"\"")?;
    let name = ends_with(ends_with(name, b':')?, b'"')?;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    name.iter().all(is_plain).then_some(name)
}

/// `text` without white space and `sign` at its end; `None` if it ends with another one.
fn ends_with(text: &[u8], sign: u8) -> Option<&[u8]> {
    let last = text.iter().rposition(|byte| !is_blank(*byte))?;
    text.get(..=last)?.strip_suffix(&[sign])
}

/// True for white space of JSON.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The positions of object brackets and backslashes in `window`.
#[cfg(target_arch = "x86_64")]
fn marks(window: &[u8]) -> impl Iterator<Item = usize> {
    // Every processor of this kind has the instructions for these. `memchr` itself first detects the processor's
    // features, and under a hypervisor each such query takes longer than scanning a few KB.
    let marks = sse2::Three::new(b'{', b'}', b'\\');
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + marks?.find(window.get(from..)?)?;
        from = at + 1;
        Some(at)
    })
}

/// The number of quotation marks in `text`.
#[cfg(target_arch = "x86_64")]
fn quotes(text: &[u8]) -> usize {
    sse2::One::new(b'"').map_or(0, |quote| quote.count(text))
}

#[cfg(not(target_arch = "x86_64"))]
fn marks(window: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr3_iter(b'{', b'}', b'\\', window)
}

#[cfg(not(target_arch = "x86_64"))]
fn quotes(text: &[u8]) -> usize {
    memchr::memchr_iter(b'"', text).count()
}

// A file of preferences, read and written as a whole.

/// The size limit of the file, in bytes: about fifty thousand preferences. A longer file is not read.
pub(super) const LONGEST: u64 = 32 * 1024 * 1024;

/// A whole file of preferences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreferenceFile {
    /// The format's version.
    pub version: u32,
    /// The project it applies to; absent in the global file. This is for readers only: the hook uses the file's path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The preferences by question key.
    #[serde(default)]
    pub preferences: BTreeMap<String, Preference>,
    /// Fields that a newer version wrote.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

impl PreferenceFile {
    /// An empty file for `project` (`None`: global).
    pub fn empty(project: Option<&str>) -> Self {
        Self {
            version: VERSION,
            project: project.map(str::to_owned),
            preferences: BTreeMap::new(),
            other: BTreeMap::new(),
        }
    }

    /// Replaces the preference for `key` by `preference`. Fields that a newer version wrote are kept.
    pub fn set(&mut self, key: &str, mut preference: Preference) {
        let known = self.preferences.remove(key);
        let name = preference.name().map(str::to_owned);
        preference.other = known.map(|known| known.other).unwrap_or_default();
        if let Some(name) = name {
            preference.set_name(&name);
        }
        self.preferences.insert(key.to_owned(), preference);
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// The errors of the serialiser. None are expected for this type.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Loads the file at `path`; `None` if there is none.
    ///
    /// # Errors
    /// A message that names the file, if it cannot be read or parsed, contains a key twice, or others may write to it.
    pub fn load(path: &Path) -> Result<Option<Self>, String> {
        let Some(bytes) = read(path)? else {
            return Ok(None);
        };
        let problem = |error: String| format!("{}: {error}", path.display());
        let mut file: Self =
            serde_json::from_slice(&bytes).map_err(|error| problem(error.to_string()))?;
        file.version = VERSION;
        // A map would hide duplicate keys, which the lookup sees.
        let mut seen = BTreeSet::new();
        let entries = entries(&bytes).map_err(problem)?;
        match entries.iter().find(|(key, _)| !seen.insert(&**key)) {
            Some((key, _)) => Err(problem(format!("{} stands in it more than once", &**key))),
            None => {
                rename_keys(&mut file);
                Ok(Some(file))
            }
        }
    }
}

/// The bytes of the file at `path`; `None` if there is none.
///
/// # Errors
/// A message that names the file, if it cannot be read or must be ignored ([`private_file::open_own`]).
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let problem = |error: String| format!("{}: {error}", path.display());
    let Some(file) = private_file::open_own(path, LONGEST).map_err(problem)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(LONGEST)
        .read_to_end(&mut bytes)
        .map_err(|error| problem(error.to_string()))?;
    Ok(Some(bytes))
}

// Only one change of the person's files at a time: two concurrent writers must not undo each other's changes.

/// Blocks other changes until the returned file is dropped; `None` while another writer has the lock. The lock is on
/// `folder`, the configuration folder, so that no lock file is left behind. Readers need no lock.
///
/// # Errors
/// When the folder cannot be created, opened or locked.
pub fn try_hold(folder: &Path) -> io::Result<Option<File>> {
    create_private_dir(folder)?;
    let lock = File::open(folder)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::preferences::{Policy, PreferenceFile};

    fn write(text: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        crate::atomic_file::replace(&path, text, 0o600).unwrap();
        (folder, path)
    }

    fn in_full(bytes: &[u8], keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
        find(bytes, keys, |entry| parsed(entry.get().as_bytes()))
    }

    /// The outline of `bytes`, processed in pieces of `length`.
    fn outline(bytes: &[u8], length: usize) -> String {
        let mut outline = Outline::default();
        for (number, piece) in bytes.chunks(length).enumerate() {
            outline.take(piece, (number * length) as u64);
        }
        String::from_utf8(outline.text).unwrap()
    }

    fn many(entries: usize, question: &str) -> Vec<u8> {
        let mut file = PreferenceFile::empty(None);
        for number in 0..entries {
            let text = format!(
                r#"{{"preference":"never-ask","answer":"A{number}","question":{question:?},"evidence":{{"key-1":1}}}}"#
            );
            file.preferences.insert(
                format!("key-{number}"),
                serde_json::from_str(&text).unwrap(),
            );
        }
        file.to_bytes().unwrap()
    }

    #[test]
    fn an_outline_has_no_entries() {
        let text = r#"{"version":1,"preferences":{"a":{"binding":[{"text":"}\\\"{"}]}, "b{\"":{}},"x":[{"y":{}}]}"#;
        let expected = r#"{"version":1,"preferences":{"a":0, "b{\"":0},"x":[{"y":0}]}"#;
        for length in 1..=text.len() {
            assert_eq!(outline(text.as_bytes(), length), expected, "{length}");
        }
    }

    #[test]
    fn lookup_agrees_with_a_full_parse_in_every_layout() {
        let own = many(3000, "the \"key-7\" of key-8 {");
        assert!(own.len() > 4 * BUFFER);
        let value: Value = serde_json::from_slice(&own).unwrap();
        let dense = serde_json::to_vec(&value).unwrap();
        let spaced = String::from_utf8(own.clone()).unwrap();
        let spaced = spaced.replace('\n', "\r\n\t  ").into_bytes();
        for bytes in [own, dense, spaced] {
            let (_folder, path) = write(&bytes);
            for number in [0, 1, 7, 8, 999, 2998, 2999] {
                let key = format!("key-{number}");
                let keys = [key.as_str(), "absent"];
                let found = lookup(&path, &keys).unwrap();
                assert_eq!(found, in_full(&bytes, &keys).unwrap());
                let answer = format!("A{number}");
                assert_eq!(found[0][0].answer.as_deref(), Some(answer.as_str()));
            }
        }
    }

    /// A JSON value with white space around its parts.
    fn json() -> impl Strategy<Value = String> {
        let text = prop_oneof![
            Just("a".to_owned()),
            Just("preferences".to_owned()),
            "[a{}\\[\\]:,\"\\\\ ]{0,6}",
        ];
        let string = text.clone().prop_map(|text| Value::from(text).to_string());
        let leaf = prop_oneof![
            string,
            Just("7".to_owned()),
            Just(r#"{"preference":"never-ask"}"#.to_owned()),
            Just("\"\\u0061\"".to_owned()),
        ];
        leaf.prop_recursive(5, 24, 4, move |inner| {
            let key = prop_oneof![
                text.clone().prop_map(|text| Value::from(text).to_string()),
                Just("\"\\u0061\"".to_owned()),
            ];
            let member = (key, "[ \n]{0,2}", inner.clone());
            let member =
                member.prop_map(|(key, space, value)| format!("{key}{space}:{value}{space}"));
            let joined = |parts: Vec<String>| parts.join(",");
            prop_oneof![
                prop::collection::vec(member, 0..4)
                    .prop_map(move |all| format!("{{{}}}", joined(all))),
                prop::collection::vec(inner, 0..4)
                    .prop_map(move |all| format!("[{}]", joined(all))),
            ]
        })
    }

    proptest! {
        #[test]
        fn lookup_agrees_with_a_full_parse_of_any_json(
            preferences in json(), before in json(), after in json(), cut in 0..400_usize,
        ) {
            let mut text = String::new();
            let name = "\"pre\\u0066erences\"";
            write!(text, "{{\"version\":1, \"x\":{before},\n{name} :{preferences},\"y\":{after}}}\n").unwrap();
            let text = text.get(..text.len().saturating_sub(cut / 40 * cut)).unwrap_or(&text);
            let (_folder, path) = write(text.as_bytes());
            let keys = ["a", "preferences"];
            let (found, full) = (lookup(&path, &keys), in_full(text.as_bytes(), &keys));
            prop_assert_eq!(found.is_ok(), full.is_ok());
            if let Ok(full) = full {
                prop_assert_eq!(found.unwrap(), full);
            }
        }
    }

    #[test]
    fn lookup_reads_the_preferences_object_only() {
        let entry = "{\n    \"a\": {\n      \"preference\": \"never-ask\"\n    }\n  }";
        let ask = entry.replace("never", "always");
        for (members, found) in [
            (format!("\"preferences\": {entry}"), 1),
            (
                format!("\"project\": \"p\",\n  \"preferences\": {entry}"),
                1,
            ),
            (format!("\"preferencus\": {entry}"), 0),
            (
                format!("\"preferences\": {{}},\n  \"withdrawn\": {entry}"),
                0,
            ),
            (
                "\"preferences\": {\n     },\n  \"b\": [\"a\"],\n    \"a\": {}".to_owned(),
                0,
            ),
            (
                format!("\"withdrawn\": {entry},\n  \"preferences\": {{}}"),
                0,
            ),
            (
                format!("\"preferences\": {ask},\n  \"withdrawn\": {entry}"),
                1,
            ),
            (
                format!("\"withdrawn\": {entry},\n  \"preferences\": {ask}"),
                1,
            ),
        ] {
            let (_folder, path) =
                write(format!("{{\n  \"version\": 1,\n  {members}\n}}\n").as_bytes());
            let entries = lookup(&path, &["a"]).unwrap().remove(0);
            assert_eq!(entries.len(), found, "{members}");
            let is_other = |entry: &Preference| entry.preference == Policy::NeverAsk;
            assert!(
                !members.contains("always") || !entries.iter().any(is_other),
                "{members}"
            );
        }
    }

    #[test]
    fn what_is_no_json_is_an_error_that_says_where() {
        let whole = many(50, "q");
        let (_folder, path) = write(&whole[..whole.len() / 2]);
        let error = lookup(&path, &["key-1"]).unwrap_err();
        let line = whole[..whole.len() / 2]
            .split(|byte| *byte == b'\n')
            .count();
        assert!(error.contains("preferences.json"), "{error}");
        assert!(error.contains(&format!("line {line} ")), "{error}");
    }
}
