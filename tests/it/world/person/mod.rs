//! A person at a terminal.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

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

/// Runs `command` with a terminal for input, output and errors, where a person types the next of `words` at each
/// question, a line each; returns what the terminal showed and the exit code.
pub(crate) fn run_on_terminal(command: &mut Command, words: &[&str]) -> (String, Option<i32>) {
    run_on_terminal_of(0, command, words)
}

/// The same on a terminal of `rows` lines; 0: it does not say how many it has.
pub(crate) fn run_on_terminal_of(
    rows: u16,
    command: &mut Command,
    words: &[&str],
) -> (String, Option<i32>) {
    let (person, program) = terminal();
    if rows > 0 {
        resize(&program, 80, rows);
    }
    run_between((person, program), command, words)
}

/// The same where the person typed `ahead` before the program was started.
pub(crate) fn run_with_typed_ahead(
    command: &mut Command,
    ahead: &str,
    words: &[&str],
) -> (String, Option<i32>) {
    let (mut person, program) = terminal();
    person.write_all(ahead.as_bytes()).unwrap();
    run_between((person, program), command, words)
}

fn run_between(
    (mut person, program): (File, File),
    command: &mut Command,
    words: &[&str],
) -> (String, Option<i32>) {
    let mut process = command
        .stdin(Stdio::from(program.try_clone().unwrap()))
        .stdout(Stdio::from(program.try_clone().unwrap()))
        .stderr(Stdio::from(program))
        .spawn()
        .unwrap();
    // The program's side is open here until the command lets go of it.
    *command = Command::new("true");
    let screen = person.try_clone().unwrap();
    let shown = converse(screen, &mut person, words);
    let status = process.wait().unwrap();
    (shown, status.code())
}

/// Runs `command` with a terminal for its input alone, where a person types the next of `words` at each question, a
/// line each.
pub(crate) fn run_with_person(command: &mut Command, words: &[&str]) -> Ran {
    let (mut person, other_side) = terminal();
    let mut process = command
        .stdin(Stdio::from(other_side))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = process.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        text
    });
    let stderr = converse(process.stderr.take().unwrap(), &mut person, words);
    Ran {
        code: process.wait().unwrap().code().unwrap(),
        stdout: reader.join().unwrap(),
        stderr,
    }
}

/// How long an unfinished line must stand before it is a question, not a half of what is being written.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a program may show nothing.
const LONGEST_SILENCE: Duration = Duration::from_secs(120);

/// Reads `screen` to its end, and types the next of `words` at each question there. Behind the last it types Ctrl-D:
/// whoever asks once more learns that nobody answers.
fn converse(mut screen: impl Read + Send + 'static, person: &mut File, words: &[&str]) -> String {
    let (sender, chunks) = channel();
    thread::spawn(move || {
        let mut chunk = [0; 4096];
        // Linux ends a terminal that nobody has open any more with EIO.
        while let Ok(length @ 1..) = screen.read(&mut chunk) {
            let _ = sender.send(chunk[..length].to_vec());
        }
    });
    let (mut shown, mut answered) = (Vec::new(), 0);
    let mut words = words.iter();
    let mut last = Instant::now();
    loop {
        match chunks.recv_timeout(PAUSE) {
            Ok(chunk) => {
                shown.extend(chunk);
                last = Instant::now();
            }
            Err(RecvTimeoutError::Disconnected) => {
                return String::from_utf8_lossy(&shown).into_owned();
            }
            Err(RecvTimeoutError::Timeout) => {
                let text = String::from_utf8_lossy(&shown);
                assert!(last.elapsed() < LONGEST_SILENCE, "stands still: {text}");
                if is_question(&shown[answered..]) {
                    answered = shown.len();
                    let word = words
                        .next()
                        .map_or("\x04".to_owned(), |word| format!("{word}\n"));
                    person.write_all(word.as_bytes()).unwrap();
                }
            }
        }
    }
}

/// True for a text whose last line is unfinished and asks for an answer.
fn is_question(text: &[u8]) -> bool {
    text.ends_with(b"] ") || text.ends_with(b": ")
}

/// Runs `shell` on a terminal, and types all of `lines` at once, as a shell reads them.
pub(crate) fn run_shell(shell: &mut Command, lines: &[&str]) -> String {
    let ahead: String = lines.iter().map(|line| format!("{line}\n")).collect();
    run_with_typed_ahead(shell, &ahead, &[]).0
}
