//! `registry.toml` and `config.toml`, and what a pattern matches.
//!
//! Input: fields divided by the byte 1F: the file, a pattern, a text, a header, labels.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::fs;
use std::io::Write as _;
use std::path::Path;

use plantune_domain::config::Config;
use plantune_domain::keys::is_id;
use plantune_domain::registry::Registry;

/// Checks the file and the question in `data`; `scratch` is a folder to write the file to.
pub(crate) fn check(data: &[u8], scratch: &Path) {
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
    fs::File::create(&path)
        .unwrap()
        .write_all(file.as_bytes())
        .unwrap();
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
