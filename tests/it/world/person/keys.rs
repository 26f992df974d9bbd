//! A person at a terminal who presses keys one by one, and sees what the screen then shows.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

use super::resize;

/// How long something may take to be shown: far more than it does.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program on a terminal.
pub(crate) struct Seat {
    person: File,
    /// The program's side, which keeps the terminal's modes readable after its end.
    other_side: File,
    process: Child,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

/// How a program ended, and what the terminal got from it.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) shown: String,
    /// True when typed characters are shown again, as before.
    pub(crate) is_restored: bool,
}

impl Seat {
    /// Starts `command` on a terminal of this size.
    pub(crate) fn start(command: &mut Command, columns: u16, rows: u16) -> Self {
        let (person, program) = super::terminal();
        let other_side = program.try_clone().unwrap();
        let process = command
            .stdin(Stdio::from(program.try_clone().unwrap()))
            .stdout(Stdio::from(program.try_clone().unwrap()))
            .stderr(Stdio::from(program));
        resize(&other_side, columns, rows);
        let process = process.spawn().unwrap();
        // The command holds the program's side, too.
        *command = Command::new("true");
        let shown: Arc<Mutex<Vec<u8>>> = Arc::default();
        let mut from = person.try_clone().unwrap();
        let to = Arc::clone(&shown);
        let reader = std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut part) {
                to.lock()
                    .unwrap()
                    .extend_from_slice(part.get(..count).unwrap());
            }
        });
        Self {
            person,
            other_side,
            process,
            shown,
            reader,
        }
    }

    /// What the terminal got so far.
    pub(crate) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    /// Waits until the terminal has got `text` since `from`, an earlier length of [`Seat::shown`].
    pub(crate) fn wait_from(&self, from: usize, text: &str) {
        let begin = Instant::now();
        loop {
            let shown = self.shown();
            if shown.get(from..).is_some_and(|new| new.contains(text)) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "no {text:?} in {shown:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the terminal has got `text`.
    pub(crate) fn wait(&self, text: &str) {
        self.wait_from(0, text);
    }

    /// Presses `keys`, and waits until the terminal then gets `text`.
    pub(crate) fn press(&mut self, keys: &str, text: &str) {
        let from = self.shown().len();
        self.person.write_all(keys.as_bytes()).unwrap();
        self.wait_from(from, text);
    }

    /// Presses `keys`, and waits for nothing.
    pub(crate) fn press_last(&mut self, keys: &str) {
        self.person.write_all(keys.as_bytes()).unwrap();
    }

    /// Gives the terminal another size, and says so to the program.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        resize(&self.other_side, columns, rows);
        self.send(Signal::WINCH);
    }

    /// Sends `signal` to the program.
    pub(crate) fn send(&self, signal: Signal) {
        let id = i32::try_from(self.process.id()).unwrap();
        kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits for the end of the program.
    pub(crate) fn end(mut self) -> Ended {
        let status = self.process.wait().unwrap();
        let modes = tcgetattr(&self.other_side).unwrap().local_modes;
        let is_restored = modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
        // Without the last side that is open the reader comes to its end.
        drop(self.other_side);
        self.reader.join().unwrap();
        let shown = String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned();
        Ended {
            code: status.code(),
            signal: status.signal(),
            shown,
            is_restored,
        }
    }
}
