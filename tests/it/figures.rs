//! A figure has one value, and it is what the transcripts say: a script that knows nothing of plantune's code computes
//! them again.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::documents::sample;
use crate::shared::skipped;
use crate::world::{PLANTUNE, World, run};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/figures/recompute.py");

/// Lines of the sample history and others that a person might have made of them.
const ALTERED: [(&str, &str, &str); 4] = [
    // Another answer, which is evidence for a proposal.
    (
        "answer",
        "Which tests should run?\":\"Full suite\"",
        "Which tests should run?\":\"None for now\"",
    ),
    (
        "decision",
        "\"decision\":\"accept\"",
        "\"decision\":\"reject\"",
    ),
    ("outcome", "\"User rejected tool use\"", "\"Error: lost\""),
    // An answer that took a second more.
    (
        "second",
        "2026-09-11T09:45:32.000Z",
        "2026-09-11T09:45:33.000Z",
    ),
];

/// A copy of the transcripts in which the first line with `text` has `other` instead.
fn altered(world: &World, name: &str, text: &str, other: &str) -> String {
    let mut is_altered = false;
    let copy = world.path(name);
    for file in world.everything("home/.claude/projects", &[]).into_keys() {
        let Ok(mut lines) = fs::read_to_string(&file) else {
            continue;
        };
        if !is_altered && lines.contains(text) {
            lines = lines.replacen(text, other, 1);
            is_altered = true;
        }
        let below = file.strip_prefix(world.transcripts()).unwrap();
        world.put(copy.join(below), lines);
    }
    assert!(is_altered, "{text}");
    copy.to_str().unwrap().to_owned()
}

#[test]
fn every_figure_is_that_of_the_transcripts() {
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped(
            "figures::every_figure_is_that_of_the_transcripts",
            "python3 is missing",
        );
    }
    let world = sample().with("COLUMNS", "200");
    let transcripts = world.transcripts();
    let copies = ALTERED.map(|(name, text, other)| altered(&world, name, text, other));
    let mut words = vec![SCRIPT, PLANTUNE, transcripts.to_str().unwrap()];
    words.extend(copies.iter().map(String::as_str));
    let mut script = world.start(Path::new("/usr/bin/env"), &["python3"]);
    script
        .args(words)
        .env("PATH", std::env::var_os("PATH").unwrap());
    let ran = run(&mut script);
    // What is altered is noticed.
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let ends = |folder: &str| {
        ran.stdout
            .lines()
            .find(|line| line.starts_with(&format!("{folder}: ")))
    };
    for copy in &copies {
        let line = ends(copy).unwrap();
        assert!(!line.ends_with(" 0 differ"), "{line}");
    }
    let line = ends(transcripts.to_str().unwrap()).unwrap();
    assert!(
        line.ends_with(" figures compared, 0 differ"),
        "{}",
        ran.stdout
    );
}
