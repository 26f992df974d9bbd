//! Finding a few preferences in a large file while a person waits.
//!
//! A file as plantune writes it (two-space indentation, one entry's key a line) is searched in
//! one pass through a small buffer, and only the entries found are parsed. Any other valid JSON
//! is understood too, by parsing all of it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use memchr::memmem;

use super::file::LONGEST;
use super::finding::find;
use super::preference::Preference;
use crate::family::{is_named, is_set_key};
use crate::platform::read_at;
use crate::private_file;

/// How a file written by plantune begins and ends.
const HEAD: &[u8] = b"{\n  \"version\": 1,\n";
const TAIL: &[u8] = b"\n}\n";

/// What stands before a key of the file itself, one level above the entries' keys.
const OUTER: &str = "\n  \"";

/// What the entries stand behind in a file written by plantune: its last key.
const ENTRIES: &[u8] = b"\n  \"preferences\": {\n";

/// What stands before an entry's key in a file written by plantune.
const INDENT: &[u8] = b"\n    ";

/// What the escape of an ASCII character begins with in JSON. plantune writes none for letters, digits
/// and `-` (2, 3, 6 and 7 follow), of which keys are made.
const ESCAPE: &str = "\\u00";

const BUFFER: usize = 64 * 1024;

/// As much as this, in bytes, is searched byte by byte: `memchr` first asks what the processor can do, and
/// under a hypervisor each of those questions takes longer than some KB.
const SHORT: usize = 16 * 1024;

/// How much is read of a found entry; a longer one takes the slow way.
const ENTRY: usize = 8 * 1024;

/// The preferences that `path` holds for each of `keys`; more than one for a key that stands in
/// the file twice, and all of an option set for the key of a family.
///
/// # Errors
/// A message that names the file, when it cannot be read or understood, or when others may write
/// it. A file that holds none of the keys is not parsed.
pub fn lookup(path: &Path, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    let found = match private_file::open_own(path, LONGEST) {
        Ok(Some(file)) => search_or_parse(&file, keys),
        Ok(None) => Ok(vec![Vec::new(); keys.len()]),
        Err(error) => Err(error),
    };
    found.map_err(|error| format!("{}: {error}", path.display()))
}

fn search_or_parse(mut file: &File, keys: &[&str]) -> Result<Vec<Vec<Preference>>, String> {
    if let Some(found) = search(file, keys).map_err(|error| error.to_string())? {
        return Ok(found);
    }
    let mut bytes = Vec::new();
    io::Seek::rewind(&mut file)
        .and_then(|()| file.read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    find(&bytes, keys)
}

/// The entries of a file written by plantune; `None` when it takes a full parse.
fn search(file: &File, keys: &[&str]) -> io::Result<Option<Vec<Vec<Preference>>>> {
    let needle = |key: &&str| {
        let end = if is_set_key(key) { "" } else { "\"" };
        ["\"", key, end].concat()
    };
    let needles = keys.iter().map(needle);
    let needles: Vec<String> = needles.chain([OUTER, ESCAPE].map(str::to_owned)).collect();
    let mut offsets = occurrences(file, &needles)?;
    // A key that is written with escapes is not found by its letters.
    if has_escaped_letter(file, &offsets.pop().unwrap_or_default())? {
        return Ok(None);
    }
    let last_outer = offsets.pop().unwrap_or_default().into_iter().next_back();
    let mut found = vec![Vec::new(); keys.len()];
    let Some(first) = offsets.iter().flatten().min() else {
        return Ok(Some(found));
    };
    if last_outer.is_none_or(|outer| outer >= *first) || !is_canonical(file, last_outer)? {
        return Ok(None);
    }
    for ((key, offsets), entries) in keys.iter().zip(&offsets).zip(&mut found) {
        for offset in offsets {
            match entry_at(file, key, *offset)? {
                Occurrence::Entry(entry) => entries.push(*entry),
                Occurrence::NoKey => {}
                Occurrence::Unclear => return Ok(None),
            }
        }
    }
    Ok(Some(found))
}

/// True when one of these [`ESCAPE`]s is a character that a key may hold.
fn has_escaped_letter(file: &File, offsets: &[u64]) -> io::Result<bool> {
    for offset in offsets {
        let mut high = [0];
        let read = read_at(file, &mut high, offset + ESCAPE.len() as u64)?;
        if read == 0 || b"2367".contains(&high[0]) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The byte offsets at which each of `needles` stands in the file.
fn occurrences(mut file: &File, needles: &[String]) -> io::Result<Vec<Vec<u64>>> {
    io::Seek::rewind(&mut file)?;
    let overlap = needles
        .iter()
        .map(String::len)
        .max()
        .unwrap_or(1)
        .saturating_sub(1);
    let mut offsets = vec![Vec::new(); needles.len()];
    let mut buffer = vec![0; BUFFER + overlap];
    let (mut start, mut overlapping) = (0u64, 0);
    while let Some(free) = buffer.get_mut(overlapping..) {
        let read = file.read(free)?;
        if read == 0 {
            break;
        }
        let filled = overlapping + read;
        let Some(window) = buffer.get(..filled) else {
            break;
        };
        for (needle, offsets) in needles.iter().zip(&mut offsets) {
            for at in positions(window, needle.as_bytes()) {
                let offset = start + at as u64;
                // A match inside the overlap was seen in the window before.
                if offsets.last().is_none_or(|last| *last < offset) {
                    offsets.push(offset);
                }
            }
        }
        let keep = overlap.min(filled);
        buffer.copy_within(filled - keep..filled, 0);
        start += (filled - keep) as u64;
        overlapping = keep;
    }
    Ok(offsets)
}

/// Where `needle` stands in `window`.
fn positions(window: &[u8], needle: &[u8]) -> Vec<usize> {
    if window.len() > SHORT {
        return memmem::find_iter(window, needle).collect();
    }
    let begins = |at: &usize| {
        let rest = window.get(*at..).unwrap_or_default();
        rest.first() == needle.first() && rest.starts_with(needle)
    };
    (0..window.len()).filter(begins).collect()
}

/// True when the file begins and ends as plantune writes it, and its last key of its own, at `last_outer`,
/// is that of the entries: a newer version may keep other things under the same keys.
fn is_canonical(file: &File, last_outer: Option<u64>) -> io::Result<bool> {
    let length = file.metadata()?.len();
    let Some(end) = length.checked_sub(TAIL.len() as u64) else {
        return Ok(false);
    };
    if !stands_at(file, HEAD, 0)? || !stands_at(file, TAIL, end)? {
        return Ok(false);
    }
    last_outer.map_or(Ok(false), |last| stands_at(file, ENTRIES, last))
}

fn stands_at(file: &File, wanted: &[u8], offset: u64) -> io::Result<bool> {
    let mut here = vec![0; wanted.len()];
    Ok(read_at(file, &mut here, offset)? == wanted.len() && here == wanted)
}

enum Occurrence {
    Entry(Box<Preference>),
    /// The key's text as a value, or inside a longer string.
    NoKey,
    /// A key in a place that plantune does not write, or an entry that does not parse here.
    Unclear,
}

fn entry_at(file: &File, key: &str, offset: u64) -> io::Result<Occurrence> {
    let Some(from) = offset.checked_sub(INDENT.len() as u64) else {
        return Ok(Occurrence::Unclear);
    };
    let mut window = [0; ENTRY];
    let length = read_at(file, &mut window, from)?;
    let window = window.get(..length).unwrap_or_default();
    let (Some(before), Some(named)) = (window.get(..INDENT.len()), window.get(INDENT.len() + 1..))
    else {
        return Ok(Occurrence::Unclear);
    };
    let end = named.iter().position(|byte| *byte == b'"');
    let Some((name, after)) = end.and_then(|end| named.split_at_checked(end)) else {
        return Ok(Occurrence::Unclear);
    };
    let name = std::str::from_utf8(name).unwrap_or_default();
    if !is_named(name, key) {
        return Ok(Occurrence::NoKey);
    }
    let after = after.get(1..).unwrap_or_default();
    let Some(value) = after.trim_ascii_start().strip_prefix(b":") else {
        return Ok(Occurrence::NoKey);
    };
    if before != INDENT {
        return Ok(Occurrence::Unclear);
    }
    let mut entries = serde_json::Deserializer::from_slice(value).into_iter::<Preference>();
    Ok(match entries.next() {
        Some(Ok(mut entry)) => {
            entry.key = is_set_key(key).then(|| name.to_owned());
            Occurrence::Entry(Box::new(entry))
        }
        _ => Occurrence::Unclear,
    })
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
        assert!(bytes.len() > 4 * BUFFER);
        let (_folder, path) = write(&bytes);
        let file = File::open(&path).unwrap();
        for number in [0, 7, 8, 999, 2998, 2999] {
            let key = format!("key-{number}");
            let keys = [key.as_str(), "absent"];
            let fast = search(&file, &keys).unwrap().unwrap();
            io::Seek::rewind(&mut &file).unwrap();
            assert_eq!(fast, find(&bytes, &keys).unwrap());
            assert_eq!(
                fast[0][0].answer.as_deref(),
                Some(format!("A{number}").as_str())
            );
        }
        // Nested under evidence as well: it takes a full parse.
        assert!(search(&file, &["key-1"]).unwrap().is_none());
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
