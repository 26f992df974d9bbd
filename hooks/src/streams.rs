//! The standard streams of a hook, which starts without the runtime that otherwise looks after them.

use std::io;
use std::time::{Duration, Instant};

use crate::platform::{self, Input, is_temporary};

/// How long the caller may take to send a call: Claude Code gives the hook five seconds in all.
const LIMIT: Duration = Duration::from_secs(2);

/// How much is read at once, in bytes.
const PART: usize = 16 * 1024;

/// Makes the process survive what its caller does to it. To be called first, before any file is opened.
pub fn prepare() {
    platform::prepare();
}

/// The first `most` bytes of standard input, which is read to its end, so that the caller does not get a broken pipe.
///
/// # Errors
/// `TimedOut` when it does not end within two seconds; those of the system.
pub fn read_input(most: usize) -> io::Result<Vec<u8>> {
    let mut stdin = Input::open();
    let deadline = Instant::now() + LIMIT;
    let mut input = Vec::new();
    let mut part = [0; PART];
    loop {
        match stdin.read(&mut part, deadline) {
            Ok(0) => return Ok(input),
            Ok(read) => {
                let wanted = read.min(most.saturating_sub(input.len()));
                input.extend_from_slice(part.get(..wanted).unwrap_or_default());
            }
            Err(error) if is_temporary(&error) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Writes `text` to standard output, all of it.
///
/// # Errors
/// When the caller does not get it: nobody listens, there is no space, the stream is closed.
pub fn print(text: &str) -> io::Result<()> {
    platform::print(text)
}
