//! Starting, awaiting and killing one program, by the C library alone: `std::process::Command`
//! would make the hook larger by 45 KB, for what is off by default.
#![allow(
    unsafe_code,
    reason = "calls of the C library, each of whose pointers outlives its call"
)]

use std::ffi::{CString, c_char, c_int, c_short, c_void};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::ptr;

use super::REVIEWING;

/// Larger than `posix_spawnattr_t`, `posix_spawn_file_actions_t` and `sigset_t` of any C library
/// (336 bytes at most), and aligned for them.
#[repr(C, align(16))]
struct Opaque([u8; 512]);

const OPAQUE: Opaque = Opaque([0; 512]);

// The same numbers on Linux and macOS.
const SET_GROUP: c_short = 2;
const SET_SIGNAL_DEFAULTS: c_short = 4;
const SIGPIPE: c_int = 13;
const SIGKILL: c_int = 9;
const WNOHANG: c_int = 1;
const WRITE_ONLY: c_int = 1;

unsafe extern "C" {
    static environ: *const *const c_char;
    fn setenv(name: *const c_char, value: *const c_char, overwrite: c_int) -> c_int;
    fn sigemptyset(set: *mut c_void) -> c_int;
    fn sigaddset(set: *mut c_void, signal: c_int) -> c_int;
    fn posix_spawnattr_init(attributes: *mut c_void) -> c_int;
    fn posix_spawnattr_setflags(attributes: *mut c_void, flags: c_short) -> c_int;
    fn posix_spawnattr_setpgroup(attributes: *mut c_void, group: c_int) -> c_int;
    fn posix_spawnattr_setsigdefault(attributes: *mut c_void, set: *const c_void) -> c_int;
    fn posix_spawn_file_actions_init(actions: *mut c_void) -> c_int;
    fn posix_spawn_file_actions_adddup2(actions: *mut c_void, from: c_int, to: c_int) -> c_int;
    fn posix_spawn_file_actions_addopen(
        actions: *mut c_void,
        to: c_int,
        path: *const c_char,
        flags: c_int,
        mode: u32,
    ) -> c_int;
    fn posix_spawnp(
        process: *mut c_int,
        program: *const c_char,
        actions: *const c_void,
        attributes: *const c_void,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> c_int;
    fn waitpid(process: c_int, status: *mut c_int, flags: c_int) -> c_int;
    safe fn kill(process: c_int, signal: c_int) -> c_int;
}

/// A program that was started, as the leader of a process group of its own.
#[derive(Debug)]
pub(super) struct Running(c_int);

impl Running {
    /// Starts the program of `words` (a name in PATH, or an absolute path) with `end` as its
    /// standard input and output, and nothing for its errors.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn start(words: &[String], end: &UnixStream) -> io::Result<Self> {
        let words: Result<Vec<CString>, _> = words
            .iter()
            .map(|word| CString::new(word.as_str()))
            .collect();
        let words = words?;
        let mut arguments: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
        let program = arguments.first().copied().unwrap_or(c"".as_ptr());
        arguments.push(ptr::null());
        let (mut actions, mut attributes, mut signals) = (OPAQUE, OPAQUE, OPAQUE);
        let actions: *mut c_void = ptr::from_mut(&mut actions).cast();
        let attributes: *mut c_void = ptr::from_mut(&mut attributes).cast();
        let signals: *mut c_void = ptr::from_mut(&mut signals).cast();
        let name = CString::new(REVIEWING)?;
        let (end, mut process) = (end.as_raw_fd(), 0);
        // SAFETY: each pointer is to something above that outlives the call, the three opaque ones
        // are initialised before they are used, both lists end in null, and the hook has no other
        // thread that could read the environment meanwhile.
        let failed = unsafe {
            [
                setenv(name.as_ptr(), c"1".as_ptr(), 1),
                sigemptyset(signals),
                sigaddset(signals, SIGPIPE),
                posix_spawnattr_init(attributes),
                posix_spawnattr_setflags(attributes, SET_GROUP | SET_SIGNAL_DEFAULTS),
                posix_spawnattr_setpgroup(attributes, 0),
                posix_spawnattr_setsigdefault(attributes, signals),
                posix_spawn_file_actions_init(actions),
                posix_spawn_file_actions_adddup2(actions, end, 0),
                posix_spawn_file_actions_adddup2(actions, end, 1),
                posix_spawn_file_actions_addopen(actions, 2, c"/dev/null".as_ptr(), WRITE_ONLY, 0),
                posix_spawnp(
                    &raw mut process,
                    program,
                    actions,
                    attributes,
                    arguments.as_ptr(),
                    environ,
                ),
            ]
        };
        let started = Self(process);
        match failed.into_iter().find(|code| *code != 0) {
            None => Ok(started),
            Some(code) => {
                if process > 0 {
                    started.kill();
                }
                Err(io::Error::from_raw_os_error(code))
            }
        }
    }

    /// `None` while it runs; then whether it ended well.
    pub(super) fn ended(&self) -> Option<bool> {
        let mut status = 0;
        // SAFETY: the pointer is to a number that outlives the call.
        match unsafe { waitpid(self.0, &raw mut status, WNOHANG) } {
            0 => None,
            process => Some(process == self.0 && status == 0),
        }
    }

    /// Kills it and what it started in its process group.
    pub(super) fn kill(&self) {
        kill(-self.0, SIGKILL);
    }
}
