//! Running the reviewer: without a shell, for a bounded time, with bounded input and output. The
//! only place in the hook that starts a program and waits.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::platform::{self, Conversation};

/// Set for the reviewer: a hook below it asks no reviewer, so that none can wait for another.
pub const REVIEWING: &str = "PLANTUNE_REVIEWING";

/// The most a reviewer is given to read, in bytes.
const MOST_INPUT: usize = 256 * 1024;

/// The most a reviewer may write, in bytes.
const MOST_OUTPUT: usize = 64 * 1024;

/// Between two looks whether the program has ended, once its output has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// What `command` writes when given `input`, within `limit`. The program and all it started in its
/// process group are killed when it is done, or out of time.
///
/// # Errors
/// Why there is no answer, in words: it could not be started, took too long, wrote too much, or
/// failed.
pub fn run(command: &[String], input: &[u8], limit: Duration) -> Result<Vec<u8>, String> {
    if input.len() > MOST_INPUT {
        return Err(format!(
            "the call has {} bytes, too many to review",
            input.len()
        ));
    }
    let deadline = Instant::now() + limit;
    let (mut child, stream) =
        platform::start(command, REVIEWING).map_err(|error| error.to_string())?;
    let output = exchange(stream, input, deadline).and_then(|output| {
        wait(&mut child, deadline)?;
        Ok(output)
    });
    // What it left behind goes with it, answer or none.
    platform::kill_group(&mut child);
    let _ = child.try_wait();
    output
}

/// Writes `input` and reads the whole output.
fn exchange(mut stream: Conversation, input: &[u8], deadline: Instant) -> Result<Vec<u8>, String> {
    let mut rest = input;
    while !rest.is_empty() {
        stream
            .set_write_timeout(Some(left(deadline)?))
            .map_err(|error| error.to_string())?;
        match stream.write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            // It may answer without reading all of it.
            Err(error) if is_closed(&error) => break,
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    // Already closed on the other side, perhaps.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut output = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        stream
            .set_read_timeout(Some(left(deadline)?))
            .map_err(|error| error.to_string())?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(output),
            Ok(read) => output.extend_from_slice(buffer.get(..read).unwrap_or_default()),
            Err(error) if is_closed(&error) => return Ok(output),
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
        if output.len() > MOST_OUTPUT {
            return Err(format!("wrote more than {MOST_OUTPUT} bytes"));
        }
    }
}

/// Waits until the program has ended well.
fn wait(child: &mut Child, deadline: Instant) -> Result<(), String> {
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(_) => return Err("ended with an error".to_owned()),
            None => thread::sleep(left(deadline)?.min(PAUSE)),
        }
    }
}

fn left(deadline: Instant) -> Result<Duration, String> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err("took too long".to_owned());
    }
    Ok(left)
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset
    )
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
