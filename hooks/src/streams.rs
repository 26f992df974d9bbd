//! The standard streams of a hook, which starts without the runtime that otherwise looks after them.

use std::io;
use std::time::{Duration, Instant};

use crate::platform::{Input, is_temporary};
pub use crate::platform::{prepare, print};

/// How long the caller may take to send a call: Claude Code gives the hook five seconds in all.
const LIMIT: Duration = Duration::from_secs(2);

/// How much is read at once, in bytes.
const PART: usize = 16 * 1024;

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
