//! A person at a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::Ran;

/// A terminal: the side of the person, and the side of the program.
pub(crate) fn terminal() -> (File, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    // A program that held the person's side, too, would never see it go.
    fcntl_setfd(&terminal, FdFlags::CLOEXEC).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let other_side = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name.to_str().unwrap())
        .unwrap();
    (File::from(terminal), other_side)
}

/// Gives `terminal` this size.
pub(crate) fn resize(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).unwrap();
}

/// Runs `command` with a terminal for input, output and errors, where a person types `words`, a line each;
/// returns what the terminal showed and the exit code.
pub(crate) fn run_on_terminal(command: &mut Command, words: &[&str]) -> (String, Option<i32>) {
    run_on_terminal_of(0, command, words)
}

/// The same on a terminal of `rows` lines; 0: it does not say how many it has.
pub(crate) fn run_on_terminal_of(
    rows: u16,
    command: &mut Command,
    words: &[&str],
) -> (String, Option<i32>) {
    let (mut person, program) = terminal();
    if rows > 0 {
        resize(&program, 80, rows);
    }
    let mut process = command
        .stdin(Stdio::from(program.try_clone().unwrap()))
        .stdout(Stdio::from(program.try_clone().unwrap()))
        .stderr(Stdio::from(program))
        .spawn()
        .unwrap();
    // The program's side is open here until the command lets go of it.
    *command = Command::new("true");
    type_lines(&mut person, words);
    let mut shown = Vec::new();
    // Linux ends a terminal that nobody has open any more with EIO.
    let _ = person.read_to_end(&mut shown);
    let status = process.wait().unwrap();
    (String::from_utf8_lossy(&shown).into_owned(), status.code())
}

/// Runs `command` on a terminal of its own, where a person types `words`, a line each.
pub(crate) fn run_with_person(command: &mut Command, words: &[&str]) -> Ran {
    let (mut person, other_side) = terminal();
    let process = command
        .stdin(Stdio::from(other_side))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    type_lines(&mut person, words);
    process.wait_with_output().unwrap().into()
}

fn type_lines(person: &mut File, words: &[&str]) {
    for word in words {
        person.write_all(format!("{word}\n").as_bytes()).unwrap();
    }
    // Ctrl-D: whoever asks once more learns that nobody answers.
    person.write_all(b"\x04").unwrap();
}
