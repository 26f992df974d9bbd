//! The quick search of a preference file against the full parse of the same file.
//!
//! Input: a line of keys divided by spaces, and the file.
#![allow(clippy::unwrap_used, reason = "a check is there to panic")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use plantune_domain::keys::is_id;
use plantune_domain::preferences::{PreferenceFile, lookup};

/// Checks the keys and the file in `data`; `scratch` is a folder to write it to.
pub(crate) fn check(data: &[u8], scratch: &Path) {
    let end = data
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(data.len());
    let (line, file) = data.split_at(end);
    let line = String::from_utf8_lossy(line);
    let keys: Vec<&str> = line.split(' ').filter(|key| is_id(key)).collect();
    let path = scratch.join("preferences.json");
    put(&path, file.get(1..).unwrap_or_default());
    let found = lookup(&path, &keys);
    if let Ok(found) = &found {
        assert_eq!(found.len(), keys.len());
    }
    let Ok(Some(whole)) = PreferenceFile::load(&path) else {
        return;
    };
    // Laid out as plantune lays out, by whomever: no entry is found that is not there.
    let found = found.unwrap();
    if file.get(1..).is_some_and(|file| indented(file) == file) {
        for (key, entries) in keys.iter().zip(&found) {
            for entry in entries {
                assert_eq!(Some(entry), whole.preferences.get(*key), "{key}");
            }
        }
    }
    // As plantune writes it, the file gives exactly what it holds.
    put(&path, &whole.to_bytes().unwrap());
    let found = lookup(&path, &keys).unwrap();
    for (key, entries) in keys.iter().zip(&found) {
        let wanted: Vec<_> = whole.preferences.get(*key).into_iter().collect();
        assert_eq!(entries.iter().collect::<Vec<_>>(), wanted, "{key}");
    }
}

/// Valid JSON with the line ends and the indentation that plantune gives its files.
fn indented(json: &[u8]) -> Vec<u8> {
    let (mut out, mut depth, mut in_string, mut escaped) = (Vec::new(), 0, false, false);
    let newline = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        out.extend(b"  ".repeat(depth));
    };
    for byte in json {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            out.push(*byte);
            continue;
        }
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => continue,
            b'}' | b']' => {
                depth -= 1;
                if !out.ends_with(b"{") && !out.ends_with(b"[") {
                    newline(&mut out, depth);
                }
            }
            _ if out.ends_with(b"{") || out.ends_with(b"[") || out.ends_with(b",") => {
                newline(&mut out, depth);
            }
            _ => {}
        }
        depth += usize::from(matches!(byte, b'{' | b'['));
        in_string = *byte == b'"';
        out.push(*byte);
        if *byte == b':' {
            out.push(b' ');
        }
    }
    out.push(b'\n');
    out
}

fn put(path: &Path, content: &[u8]) {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).unwrap().write_all(content).unwrap();
}
