//! Running the reviewer: without a shell, for a bounded time, with bounded input and output. The
//! only place in the hook that starts a program and waits.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::REVIEWING;

/// The most a reviewer is given to read, in bytes.
const MOST_INPUT: usize = 256 * 1024;

/// The most a reviewer may say, in bytes.
const MOST_OUTPUT: usize = 64 * 1024;

/// Between two looks whether the program has ended, once it said all it had to say.
const PAUSE: Duration = Duration::from_millis(1);

/// What `command` says to `input` within `limit`. The program and all it started in its process
/// group are killed when it is done, or out of time.
///
/// # Errors
/// Why there is no answer, in words: it could not be started, took too long, said too much, or failed.
pub fn run(command: &[String], input: &[u8], limit: Duration) -> Result<Vec<u8>, String> {
    if input.len() > MOST_INPUT {
        return Err(format!(
            "the call has {} bytes, too many to review",
            input.len()
        ));
    }
    let deadline = Instant::now() + limit;
    let (program, arguments) = command.split_first().ok_or("no program")?;
    let (mut child, stream) =
        start(program, arguments).map_err(|error| format!("{program}: {error}"))?;
    let said = converse(stream, input, deadline).and_then(|output| {
        ended(&mut child, deadline)?;
        Ok(output)
    });
    // Its id is its group's. What it left behind goes with it, answer or none.
    if let Ok(group) = i32::try_from(child.id()) {
        kill(-group, KILL);
    }
    let _ = child.try_wait();
    said
}

const KILL: i32 = 9;

#[allow(
    unsafe_code,
    reason = "the standard library kills one process, not a group; these are two numbers"
)]
unsafe extern "C" {
    safe fn kill(process: i32, signal: i32) -> i32;
}

/// The program with one socket as its standard input and output, and our end of it.
fn start(program: &str, arguments: &[String]) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let output = theirs.try_clone()?;
    // The command is dropped with its end of the socket, or the end of what is said never came.
    let child = Command::new(program)
        .args(arguments)
        .env(REVIEWING, "1")
        .stdin(OwnedFd::from(theirs))
        .stdout(OwnedFd::from(output))
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    Ok((child, ours))
}

/// Says `input` and hears all that is answered.
fn converse(mut stream: UnixStream, input: &[u8], deadline: Instant) -> Result<Vec<u8>, String> {
    let mut rest = input;
    while !rest.is_empty() {
        stream
            .set_write_timeout(Some(left(deadline)?))
            .map_err(|error| error.to_string())?;
        match stream.write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            // It may answer without hearing all of it.
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
            return Err(format!("said more than {MOST_OUTPUT} bytes"));
        }
    }
}

/// Waits until the program has ended well.
fn ended(child: &mut Child, deadline: Instant) -> Result<(), String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("ended with {status}")),
            Ok(None) => thread::sleep(left(deadline)?.min(PAUSE)),
            Err(error) => return Err(error.to_string()),
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
