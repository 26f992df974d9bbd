//! Windows, as far as it is prepared: this compiles, and never ran (docs/development/windows.md). What a function is for is said
//! beside its twin for Unix.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

/// Stands in for what a program would read and write: [`start`] starts none.
pub(crate) use std::net::TcpStream as Conversation;

/// How much is read at once, in bytes.
const PART: usize = 16 * 1024;

/// Nothing to do: there are no such signals.
pub fn prepare() {}

/// Standard input, read in a thread that nobody has to wait for.
pub(crate) struct Input {
    coming: Receiver<io::Result<Vec<u8>>>,
    /// What came and did not fit.
    rest: Vec<u8>,
}

impl Input {
    /// Opens it.
    pub(crate) fn open() -> Self {
        let (sender, coming) = sync_channel(1);
        thread::spawn(move || {
            let mut part = vec![0; PART];
            loop {
                let read = io::stdin().lock().read(&mut part);
                let is_last = !matches!(read, Ok(1..));
                let read = read.map(|read| part.get(..read).unwrap_or_default().to_vec());
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Self {
            coming,
            rest: Vec::new(),
        }
    }

    /// Reads what is there into `part`, and waits for it until `deadline`; 0 at the end.
    ///
    /// # Errors
    /// `TimedOut` when nothing comes; those of the system.
    pub(crate) fn read(&mut self, part: &mut [u8], deadline: Instant) -> io::Result<usize> {
        if self.rest.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            self.rest = match self.coming.recv_timeout(left) {
                Ok(read) => read?,
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
        }
        let taken = self.rest.as_slice().read(part)?;
        self.rest.drain(..taken);
        Ok(taken)
    }
}

/// Writes `text` to standard output, all of it.
///
/// # Errors
/// Those of the system.
pub fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Whether the same call may go through in a moment.
pub(crate) fn is_temporary(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Interrupted
}

/// Starts nothing.
///
/// # Errors
/// Always: a program is talked to over a socket with time limits, and its group is killed, which nothing here does.
pub(crate) fn start(_command: &[String], _variable: &str) -> io::Result<(Child, Conversation)> {
    Err(io::Error::new(
        ErrorKind::Unsupported,
        "not supported on Windows",
    ))
}

/// Kills the program alone.
pub(crate) fn kill_group(child: &mut Child) {
    // It may have ended by itself.
    let _ = child.kill();
}
