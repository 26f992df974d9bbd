//! Other programs: where they are, and running one for a limited time.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

/// The first program called `name` in `PATH`; relative folders there are passed over.
pub fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join(name.as_ref()));
    programs.find(|program| program.is_absolute() && is_executable(program))
}

/// True when `path` is a file that somebody may run.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
}

/// How long the hook may take; Claude Code waits as long.
pub const LIMIT: Duration = Duration::from_secs(5);

/// How much of a program's output is read, in bytes.
const MOST_OUTPUT: u64 = 1024 * 1024;

/// How long to wait before looking again whether a program has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// Starts `command`. A program that was written a moment ago is busy while a process that was forked in between
/// still holds it open.
fn start(command: &mut Command, deadline: Instant) -> io::Result<Child> {
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && Instant::now() < deadline =>
            {
                thread::sleep(PAUSE);
            }
            started => return started,
        }
    }
}

/// Runs `command` with `input` (which must fit into a pipe, some kilobytes) on standard input, for
/// `limit` at most; what it writes to standard error is dropped.
///
/// # Errors
/// When it cannot be started or waited for, and, of the kind `TimedOut`, when it takes longer: then it is ended, though
/// not what it started.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Output> {
    let deadline = Instant::now() + limit;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = start(command, deadline)?;
    if let Some(mut stdin) = child.stdin.take() {
        // It may not want to know.
        let _ = stdin.write_all(input);
    }
    let output = read_aside(&mut child);
    let ended = wait(&mut child, deadline).and_then(|status| {
        // A grandchild can keep the pipe open after the program has ended.
        let left = deadline.saturating_duration_since(Instant::now());
        let stdout = output
            .recv_timeout(left)
            .map_err(|_| io::ErrorKind::TimedOut)?;
        Ok(Output {
            status,
            stdout,
            stderr: Vec::new(),
        })
    });
    if ended.is_err() {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

/// Reads standard output in a thread that nobody has to wait for.
fn read_aside(child: &mut Child) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is judged like a short output.
            let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

fn wait(child: &mut Child, deadline: Instant) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(PAUSE);
    }
}

/// Why a hook gave no result, in words that follow its name.
pub fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut => format!("does not end within {} s", LIMIT.as_secs()),
        _ => format!("cannot be started: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> io::Result<Output> {
        run(Command::new("/bin/sh").args(["-c", script]), b"in", limit)
    }

    #[test]
    fn programs_that_end_and_programs_that_do_not() {
        let minute = Duration::from_secs(60);
        let ended = shell("cat; exit 3", minute).unwrap();
        assert_eq!((ended.status.code(), &*ended.stdout), (Some(3), &b"in"[..]));
        let short = Duration::from_millis(50);
        let too_slow = shell("sleep 60", short).unwrap_err();
        assert_eq!(too_slow.kind(), io::ErrorKind::TimedOut);
        let gone = run(&mut Command::new("/no/such/program"), b"", minute).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
    }
}
