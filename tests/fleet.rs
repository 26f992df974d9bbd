//! `plantune fleet`: the other program is found and given its words, or it is said how to get it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic, its helpers too")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `plantune` in a folder of its own, in which nothing else is installed.
fn alone(folder: &Path) -> PathBuf {
    let program = folder.join("plantune");
    fs::hard_link(env!("CARGO_BIN_EXE_plantune"), &program).unwrap();
    program
}

/// A program that says with which words it was called, and ends with 4.
fn install(folder: &Path, name: &str) {
    let program = folder.join("plantune-fleet");
    let script = format!("#!/bin/sh\necho {name}: \"$@\"\nexit 4\n");
    plantune_domain::atomic_file::replace(&program, script.as_bytes(), 0o755).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(program: &Path, path: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command
        .args(words)
        .env_clear()
        .env("HOME", path)
        .env("PATH", path);
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    command.output().unwrap()
}

#[test]
fn it_becomes_the_program_beside_it_or_in_path() {
    let folder = || tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (beside, path) = (folder(), folder());
    let program = alone(beside.path());
    let output = run(&program, path.path(), &["fleet", "report"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("plantune-fleet is not installed") && said.contains("make fleet-install"),
        "{said}"
    );
    for (place, name) in [(&path, "in path"), (&beside, "beside")] {
        install(place.path(), name);
        for words in [
            &["fleet", "report", "--json", "--week", "2026-W46"][..],
            &["fleet", "--help"],
        ] {
            let output = run(&program, path.path(), words);
            let expected = format!("{name}: {}\n", words.get(1..).unwrap_or_default().join(" "));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
            assert_eq!(output.status.code(), Some(4));
        }
    }
}
