//! The files that the hook reads: preferences, a repository's configuration, `registry.toml` and `config.toml`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use plantune_domain::config::Config;
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{PreferenceFile, lookup};
use plantune_domain::project::{project_key, worktree_root};
use plantune_domain::registry::Registry;

/// The quick search of a preference file against the full parse of the same file.
///
/// Input: a line of keys divided by spaces, and the file.
///
/// Checks the keys and the file in `data`; `scratch` is a folder to write it to.
pub(crate) fn check_preferences(data: &[u8], scratch: &Path) {
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

/// The project key of a repository with any configuration.
///
/// Input: the repository's `config`, and behind the byte 1E, where there is one, what the file `.git` of
/// a linked worktree holds.
///
/// Checks the repository in `data`; `scratch` is a folder to make it in.
pub(crate) fn check_project(data: &[u8], scratch: &Path) {
    let scratch = fs::canonicalize(scratch).unwrap();
    let (main, linked) = (scratch.join("main"), scratch.join("linked"));
    let mut sections = data.split(|byte| *byte == 0x1e);
    put(&main.join(".git/HEAD"), b"ref: refs/heads/main\n");
    put(
        &main.join(".git/config"),
        sections.next().unwrap_or_default(),
    );
    fs::create_dir_all(main.join("src/deep")).unwrap();
    let key = project_key(&main);
    assert_eq!(
        project_key(&main.join("src/deep")),
        key,
        "a folder of the repository"
    );
    assert_eq!(worktree_root(&main.join("src/deep")), Some(main.clone()));
    assert!(!key.is_empty() && !key.contains('\n'));
    if key != main.to_string_lossy() {
        let (host, path) = key.split_once('/').unwrap();
        assert!(
            !host.contains(['@', ':']) && host == host.to_lowercase(),
            "{key:?}"
        );
        assert!(!path.is_empty() && !path.ends_with('/'), "{key:?}");
    }
    // A worktree of the same repository is the same project.
    put(&main.join(".git/worktrees/linked/commondir"), b"../..\n");
    let link = format!("gitdir: {}\n", main.join(".git/worktrees/linked").display());
    put(&linked.join(".git"), link.as_bytes());
    assert_eq!(project_key(&linked), key, "a linked worktree");
    if let Some(link) = sections.next() {
        put(&linked.join(".git"), link);
        assert_eq!(project_key(&linked), project_key(&linked.join(".")));
    }
}

/// `registry.toml` and `config.toml`, and what a pattern matches.
///
/// Input: fields divided by the byte 1F: the file, a pattern, a text, a header, labels.
///
/// Checks the file and the question in `data`; `scratch` is a folder to write the file to.
pub(crate) fn check_registry(data: &[u8], scratch: &Path) {
    let input = String::from_utf8_lossy(data);
    let mut fields = input.split('\u{1f}');
    let mut next = || fields.next().unwrap_or_default();
    let (file, pattern, text, header) = (next(), next(), next(), next());
    let labels: Vec<String> = fields.map(str::to_owned).collect();
    match Registry::parse(file) {
        Ok(registry) => {
            if let Some(key) = registry.key_of(text, Some(header), &labels) {
                assert!(is_id(key));
                registry.door_of(key);
            }
        }
        Err(error) => assert!(!error.is_empty()),
    }
    check_pattern(pattern, text);
    let path = scratch.join("config.toml");
    put(&path, file.as_bytes());
    if let Err(error) = Config::load(&path) {
        assert!(error.contains("config.toml"));
    }
}

/// A rule with `pattern` alone matches `text` just when the plain definition says so, which knows no markup and
/// one blank at a time.
fn check_pattern(pattern: &str, text: &str) {
    let has_marks = text.contains(['*', '`', '~', '_']) || pattern.contains(['`', '~', '_']);
    let has_blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ") != text;
    if has_marks || has_blanks(text) || has_blanks(pattern) {
        return;
    }
    let quoted = serde_json::to_string(pattern)
        .unwrap()
        .replace('\u{7f}', "\\u007f");
    let file = format!("[[question]]\nkey = \"k\"\ntext = {quoted}\n");
    let registry = Registry::parse(&file).unwrap();
    let found = registry.key_of(text, None, &[]).is_some();
    let folded = |text: &str| text.trim().to_lowercase().chars().collect::<Vec<char>>();
    assert_eq!(
        found,
        matches(&folded(pattern), &folded(text)),
        "{pattern:?} {text:?}"
    );
}

/// `*` stands for any run of characters: which prefixes of `text` the pattern read so far matches.
fn matches(pattern: &[char], text: &[char]) -> bool {
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for wanted in pattern {
        if *wanted == '*' {
            let mut any = false;
            for here in &mut reached {
                any |= *here;
                *here = any;
            }
        } else {
            for at in (0..text.len()).rev() {
                reached[at + 1] = reached[at] && text[at] == *wanted;
            }
            reached[0] = false;
        }
    }
    reached[text.len()]
}

/// Writes a file that only its owner may read, which the hook insists on for preferences.
fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).unwrap().write_all(content).unwrap();
}
