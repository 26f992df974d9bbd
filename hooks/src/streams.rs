//! The standard streams of a hook, which starts without the Rust runtime that usually sets them up.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd as _, RawFd};
use std::time::{Duration, Instant};

/// How long the caller may take to send a call: Claude Code gives the hook five seconds in all.
const LIMIT: Duration = Duration::from_secs(2);

/// Bytes per read.
const PART: usize = 16 * 1024;

/// Makes the process survive its caller: a reader that is gone, a file size limit (`ulimit -f`), a closed stream. Call
/// it first, before any file is opened.
#[allow(unsafe_code, reason = "calls of the C library")]
pub fn prepare() {
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
/// When the text cannot be delivered: nobody reads it, there is no space, or the stream is closed.
pub fn print(text: &str) -> io::Result<()> {
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
