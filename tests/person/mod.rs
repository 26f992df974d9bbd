//! A person at a terminal.

#![allow(dead_code, reason = "each test file uses what it needs of this")]

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs `command` on a terminal of its own, where a person types `words`, a line each.
pub(crate) fn run_with_person(command: &mut Command, words: &[&str]) -> Output {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let other_side = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    let process = command
        .stdin(Stdio::from(other_side))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut person = File::from(terminal);
    for word in words {
        person.write_all(word.as_bytes()).unwrap();
        person.write_all(b"\n").unwrap();
    }
    // Ctrl-D: whoever asks once more learns that nobody answers.
    person.write_all(b"\x04").unwrap();
    process.wait_with_output().unwrap()
}
