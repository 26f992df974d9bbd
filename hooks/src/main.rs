//! `plantune-hook`: reads one hook call on standard input, logs it, and answers for the person if a preference covers
//! the questions. Always exits 0, and prints a decision or nothing. Called with `--statusline` it prints the line for
//! Claude Code's status line; with `--plugin`, as the plugin calls it, it leaves the call to the hook entry in Claude
//! Code's settings, if there is one. An installed hook takes its home from where it lies, whatever the environment says,
//! unless it is called with a second word `--home-from-environment`, with which `plantune doctor` tries it out.
//!
//! It starts without the runtime of Rust's `main`. That runtime reads `/proc/self/maps` through the C library's scanner
//! to guard a stack that never grows here, at a cost of nineteen system calls and 130 KB.

#![no_main]

use std::ffi::{CStr, c_char, c_int};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd as _, RawFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use plantune_agents as agents;
use plantune_agents::{Agent, claude_code};
use plantune_domain::clock;
use plantune_domain::config::is_disabled;
use plantune_domain::paths::{HOME_FROM_ENVIRONMENT, Paths};
use plantune_domain::session_kind::session_kind;
use plantune_hooks::{CallEnvironment, handle, log_failure, status_line, withdraw};

/// musl's own allocator requests memory from the system and returns it about twenty times per call.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// The input limit in bytes, larger than any question call. The rest is discarded.
const MOST_INPUT: usize = 32 * 1024 * 1024;

/// The entry point that the C library calls with the command-line arguments. The exit code is always 0.
#[allow(unsafe_code, reason = "the symbol by which a program's start is found")]
#[unsafe(no_mangle)]
extern "C" fn main(count: c_int, words: *const *const c_char) -> c_int {
    prepare();
    // Without Rust's own `main`, `std::env::args` works only with glibc; with musl it is empty.
    // SAFETY: there are `count` words, each ended by a zero.
    let word = |number: u8| {
        let is_there = count > c_int::from(number);
        is_there.then(|| unsafe { CStr::from_ptr(*words.add(number.into())) })
    };
    let first = word(1).map_or(&b""[..], CStr::to_bytes);
    // Only who starts the hook can give it a word: a repository sets variables.
    let by_environment =
        word(2).is_some_and(|word| word.to_bytes() == HOME_FROM_ENVIRONMENT.as_bytes());
    // An unknown word names an agent of a later version, whose input cannot be read.
    let agent: Option<&'static dyn Agent> = match str::from_utf8(first) {
        Ok("" | "--plugin" | "--statusline") => Some(&claude_code::ClaudeCode),
        Ok(name) => agents::named(name),
        Err(_) => None,
    };
    let environment = agent.and_then(|agent| {
        let paths = match by_environment {
            true => Paths::from_environment()?,
            false => own_paths()?,
        };
        Some(environment(agent, paths, first == b"--plugin"))
    });
    if let Some(environment) = environment {
        run(&environment, first == b"--statusline");
    } else {
        let _ = read_input(0);
    }
    0
}

fn run(environment: &CallEnvironment, is_status_line: bool) {
    let on_panic = environment.clone();
    std::panic::set_hook(Box::new(move |panic| {
        log_failure(&on_panic, &panic.to_string());
        #[allow(
            clippy::disallowed_methods,
            reason = "a hook that panics must still exit 0"
        )]
        std::process::exit(0);
    }));
    match read_input(MOST_INPUT) {
        // Nobody waits for the status line, and nothing is lost without it.
        input if is_status_line => {
            let line = input
                .ok()
                .and_then(|input| status_line(&input, environment));
            let _ = line.map(|line| print(&line));
        }
        Ok(input) => decide(&input, environment),
        Err(error) => log_failure(environment, &format!("standard input: {error}")),
    }
}

fn decide(input: &[u8], environment: &CallEnvironment) {
    if let Some(printed) = handle(input, environment)
        && print(&printed).is_err()
    {
        withdraw(input, environment);
    }
}

/// The roots of this hook: by where it lies if it is an installed copy, else by the environment.
fn own_paths() -> Option<Paths> {
    let program = std::env::current_exe().ok();
    let installed = program.and_then(|program| Paths::of_installed(&program));
    installed.or_else(Paths::from_environment)
}

fn environment(agent: &'static dyn Agent, paths: Paths, by_plugin: bool) -> CallEnvironment {
    let variables = agent.variables();
    // A variable that another agent's session set says nothing about this session.
    let entrypoint = claude_code::ENTRYPOINT;
    let is_of_agent = |name: &str| name != entrypoint || variables.entrypoint == Some(entrypoint);
    CallEnvironment {
        agent,
        paths,
        now: clock::now(),
        session_kind: session_kind(|name| std::env::var_os(name).filter(|_| is_of_agent(name))),
        entrypoint: variables
            .entrypoint
            .and_then(|name| std::env::var(name).ok())
            .filter(|value| !value.is_empty()),
        project_root: variables
            .project_root
            .and_then(std::env::var_os)
            .map(PathBuf::from),
        disabled: is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref()),
        by_plugin,
    }
}

// The standard streams. The Rust runtime, which usually sets them up, does not start here.

/// How long the caller may take to send a call: Claude Code gives the hook five seconds in all.
const LIMIT: Duration = Duration::from_secs(2);

/// Bytes per read.
const PART: usize = 16 * 1024;

/// Makes the process survive its caller: a reader that is gone, a file size limit (`ulimit -f`), a closed stream. Call
/// it first, before any file is opened.
#[allow(unsafe_code, reason = "calls of the C library")]
fn prepare() {
    // Otherwise these signals would kill the process, which must exit with 0.
    // SAFETY: nothing else runs yet, and no handler is set.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    let mut streams = [0, 1, 2].map(|fd| libc::pollfd {
        fd,
        events: 0,
        revents: 0,
    });
    // The next opened file would take the number of a closed stream. This one is read-only, so writing to it fails, as
    // it would to a closed stream. SAFETY: the array is as long as said, and the path ends with a zero.
    unsafe {
        libc::poll(streams.as_mut_ptr(), 3, 0);
        for stream in streams {
            if stream.revents & libc::POLLNVAL != 0 {
                libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
            }
        }
    }
}

/// The first `most` bytes of standard input. All of it is read, so that the caller does not get a broken pipe.
///
/// # Errors
/// `TimedOut` when the input does not end within two seconds; system errors.
fn read_input(most: usize) -> io::Result<Vec<u8>> {
    let mut stdin = Input::open();
    let deadline = Instant::now() + LIMIT;
    let mut input = Vec::new();
    let mut part = [0; PART];
    loop {
        match stdin.read(&mut part, deadline) {
            Ok(0) => {
                // Some callers write the mark of a byte order first.
                let mark = input.starts_with(b"\xef\xbb\xbf");
                input.drain(..if mark { 3 } else { 0 });
                return Ok(input);
            }
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
/// When the text cannot be delivered: nobody reads it, there is no space, or the stream is closed.
fn print(text: &str) -> io::Result<()> {
    (&*stream(libc::STDOUT_FILENO)).write_all(text.as_bytes())
}

/// Standard input.
struct Input(ManuallyDrop<File>);

impl Input {
    /// Opens it.
    fn open() -> Self {
        Self(stream(libc::STDIN_FILENO))
    }

    /// Reads the available bytes into `part`, waiting until `deadline` for some. Returns their number; 0 at the end.
    ///
    /// # Errors
    /// `TimedOut` when nothing arrives; system errors.
    fn read(&mut self, part: &mut [u8], deadline: Instant) -> io::Result<usize> {
        wait(libc::STDIN_FILENO, deadline)?;
        (&*self.0).read(part)
    }
}

/// A stream as a file, without the standard library's buffers, which report success for a closed stream.
#[allow(unsafe_code, reason = "the stream is known by its number alone")]
fn stream(fd: RawFd) -> ManuallyDrop<File> {
    // SAFETY: `prepare` left no stream closed, and the file is not dropped, so nothing closes it.
    ManuallyDrop::new(unsafe { File::from_raw_fd(fd) })
}

/// Waits until `fd` can be read, or has ended.
#[allow(unsafe_code, reason = "a call of the C library")]
fn wait(fd: RawFd, deadline: Instant) -> io::Result<()> {
    let mut stream = libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: there is one, and it lives until the call returns.
        match unsafe { libc::poll(&raw mut stream, 1, left) } {
            0 => return Err(ErrorKind::TimedOut.into()),
            -1 => {
                let error = io::Error::last_os_error();
                if !is_temporary(&error) {
                    return Err(error);
                }
            }
            _ => return Ok(()),
        }
    }
}

/// Whether the same call may succeed if repeated.
fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock)
}
