//! Finding a few preferences in a large file while a person waits.
//!
//! A file as plantune writes it (two-space indentation, one entry's key a line) is searched for the keys, and only the
//! entries found are parsed. Any other valid JSON is understood too, by parsing all of it.

use std::path::Path;

use memchr::memmem;

use super::file::read;
use super::finding::find;
use super::preference::Preference;
use crate::family::{is_named, is_set_key};

/// How a file written by plantune begins and ends.
const HEAD: &[u8] = b"{\n  \"version\": 1,\n";
const TAIL: &[u8] = b"\n}\n";

/// What stands before a key of the file itself, one level above the entries' keys.
const OUTER: &[u8] = b"\n  \"";

/// What the entries stand behind in a file written by plantune: its last key.
const ENTRIES: &[u8] = b"\n  \"preferences\": {\n";

/// What stands before an entry's key in a file written by plantune.
const INDENT: &[u8] = b"\n    ";

/// What the escape of an ASCII character begins with in JSON. plantune writes none for letters, digits
/// and `-` (2, 3, 6 and 7 follow), of which keys are made.
const ESCAPE: &[u8] = b"\\u00";

/// As much as this, in bytes, is searched byte by byte: `memchr` first asks what the processor can do, and
/// under a hypervisor each of those questions takes longer than some KB.
const SHORT: usize = 16 * 1024;

/// The preferences that `path` holds for each of `keys`; more than one for a key that stands in
/// the file twice, and all of an option set for the key of a family.
///
/// # Errors
/// A message that names the file, when it cannot be read or understood, or when others may write
/// it. A file that holds none of the keys is not parsed.
pub fn lookup(path: &Path, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let bytes = read(path)?.unwrap_or_default();
    let found = search(&bytes, keys).map_or_else(|| find(&bytes, keys), Ok);
    found.map_err(|error| format!("{}: {error}", path.display()))
}

/// The entries of a file written by plantune; `None` when it takes a full parse.
fn search(bytes: &[u8], keys: &[&str]) -> Option<Vec<Vec<Preference>>> {
    // A key that is written with escapes is not found by its letters.
    let is_letter = |at: &usize| {
        let high = bytes.get(at + ESCAPE.len());
        high.is_none_or(|high| b"2367".contains(high))
    };
    if positions(bytes, ESCAPE).iter().any(is_letter) {
        return None;
    }
    let needles = keys.iter().map(|key| {
        let end = if is_set_key(key) { "" } else { "\"" };
        ["\"", key, end].concat()
    });
    let places: Vec<Vec<usize>> = needles
        .map(|needle| positions(bytes, needle.as_bytes()))
        .collect();
    if let Some(first) = places.iter().flatten().min() {
        // A newer version may keep other things under the same keys behind the entries.
        let last_outer = positions(bytes, OUTER).pop()?;
        let is_canonical = bytes.starts_with(HEAD)
            && bytes.ends_with(TAIL)
            && bytes.get(last_outer..*first)?.starts_with(ENTRIES);
        is_canonical.then_some(())?;
    }
    let mut found = vec![Vec::new(); keys.len()];
    for ((key, places), found) in keys.iter().zip(&places).zip(&mut found) {
        for at in places {
            found.extend(entry_at(bytes, key, *at)?);
        }
    }
    Some(found)
}

/// Where `needle` stands in `bytes`.
fn positions(bytes: &[u8], needle: &[u8]) -> Vec<usize> {
    if bytes.len() > SHORT {
        return memmem::find_iter(bytes, needle).collect();
    }
    let begins = |at: &usize| {
        let rest = bytes.get(*at..).unwrap_or_default();
        rest.first() == needle.first() && rest.starts_with(needle)
    };
    (0..bytes.len()).filter(begins).collect()
}

/// The entry of `key`, whose text stands in quotes `at` this place; nothing where that is a value, or the beginning of
/// a longer text. `None` for a key in a place that plantune does not write, and for an entry that does not parse.
fn entry_at(bytes: &[u8], key: &str, at: usize) -> Option<Option<Preference>> {
    let (before, quoted) = bytes.split_at_checked(at)?;
    let named = quoted.get(1..)?;
    let end = named.iter().position(|byte| *byte == b'"')?;
    let (name, after) = named.split_at(end);
    let name = std::str::from_utf8(name).unwrap_or_default();
    let value = after.get(1..)?.trim_ascii_start().strip_prefix(b":");
    let Some(value) = value.filter(|_| is_named(name, key)) else {
        return Some(None);
    };
    let mut entries = serde_json::Deserializer::from_slice(value).into_iter::<Preference>();
    let mut entry = entries.next().filter(|_| before.ends_with(INDENT))?.ok()?;
    entry.key = is_set_key(key).then(|| name.to_owned());
    Some(Some(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preferences::{Policy, PreferenceFile};

    fn write(text: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        crate::atomic_file::replace(&path, text, 0o600).unwrap();
        (folder, path)
    }

    fn canonical(entries: usize, question: &str) -> Vec<u8> {
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
    fn lookup_agrees_with_a_full_parse() {
        let bytes = canonical(3000, "the \"key-7\" of key-8");
        assert!(bytes.len() > 4 * SHORT);
        let (_folder, path) = write(&bytes);
        for number in [0, 7, 8, 999, 2998, 2999] {
            let key = format!("key-{number}");
            let keys = [key.as_str(), "absent"];
            let fast = search(&bytes, &keys).unwrap();
            assert_eq!(fast, find(&bytes, &keys).unwrap());
            assert_eq!(
                fast[0][0].answer.as_deref(),
                Some(format!("A{number}").as_str())
            );
        }
        // Nested under evidence as well: it takes a full parse.
        assert!(search(&bytes, &["key-1"]).is_none());
        assert_eq!(lookup(&path, &["key-1"]).unwrap()[0].len(), 1);
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
    fn unusual_layout_is_parsed_in_full() {
        let (_folder, path) =
            write(br#"{"preferences":{"a":{"preference":"always-ask"}},"version":1}"#);
        assert_eq!(
            lookup(&path, &["a"]).unwrap()[0][0].preference,
            Policy::AlwaysAsk
        );
        let whole = canonical(50, "q");
        let (_folder, path) = write(&whole[..whole.len() / 2]);
        assert!(
            lookup(&path, &["key-1"])
                .unwrap_err()
                .contains("preferences.json")
        );
    }
}
