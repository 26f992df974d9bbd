//! Walks: a command is killed, or finds the disk full, at each call of the system by which it changes files, and what it
//! leaves is looked at.

mod export;
mod install;

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::{fmt, fs, thread};

use crate::shared::skipped;
use crate::world::{PLANTUNE, World};

const STRACE: &str = "/usr/bin/strace";

/// The calls that change files, as strace names them.
const CALLS: [&str; 22] = [
    "write",
    "writev",
    "pwrite64",
    "copy_file_range",
    "sendfile",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "link",
    "linkat",
    "chmod",
    "fchmod",
    "fchmodat",
    "ftruncate",
    "fallocate",
];

/// How many runs are made at a time.
const AT_ONCE: usize = 2;

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Kill,
    NoRoom,
}

/// One run of a walk: what happened at which call. Of a command's threads and programs each counts its own calls.
#[derive(Debug)]
pub(crate) struct Run {
    fault: Fault,
    call: String,
    number: u32,
    /// False for a run that ended before it came to that call.
    pub(crate) is_disturbed: bool,
}

impl Run {
    /// True if the command was killed before it gave a file another name.
    pub(crate) fn is_killed_at_a_rename(&self) -> bool {
        self.is_disturbed && self.fault == Fault::Kill && self.call.starts_with("rename")
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, call, .. } = self;
        let was = if self.is_disturbed { "" } else { "not " };
        write!(f, "{was}disturbed ({fault:?} at {call} {})", self.number)
    }
}

/// Runs plantune with the words that `start` gives, each time in a world that it makes, once for each call that changes
/// files and each fault. `check` gets what is left; of the runs for a kind of call, the last is undisturbed. Returns how
/// many runs were disturbed: 0, and says that `test` is skipped, without strace.
pub(crate) fn walk(
    test: &str,
    start: impl Fn() -> (World, Vec<String>) + Sync,
    check: impl Fn(&World, &Run) + Sync,
) -> u32 {
    if !Path::new(STRACE).is_file() {
        skipped(test, "there is no strace");
        return 0;
    }
    let (world, words) = start();
    let made = calls_made(&world, &words);
    let both = [Fault::Kill, Fault::NoRoom].into_iter();
    let kinds = both.flat_map(|fault| made.iter().map(move |call| (fault, call)));
    let left: Mutex<VecDeque<_>> = Mutex::new(kinds.collect());
    let next = || left.lock().unwrap().pop_front();
    let worker = || {
        let mut disturbed = 0;
        while let Some((fault, call)) = next() {
            for number in 1.. {
                let (world, words) = start();
                let run = disturb(&world, &words, fault, call, number);
                check(&world, &run);
                if !run.is_disturbed {
                    break;
                }
                disturbed += 1;
            }
        }
        disturbed
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .map(|one| one.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .sum()
    })
}

/// Which of [`CALLS`] an undisturbed run makes.
fn calls_made(world: &World, words: &[String]) -> Vec<&'static str> {
    let known = CALLS.map(|call| format!("?{call}")).join(",");
    let (trace, _) = traced(world, words, &["-e", &format!("trace={known}")]);
    let is_made = |call: &&str| trace.contains(&format!(" {call}("));
    CALLS.into_iter().filter(is_made).collect()
}

fn disturb(world: &World, words: &[String], fault: Fault, call: &str, number: u32) -> Run {
    let what = match fault {
        Fault::Kill => "signal=KILL",
        Fault::NoRoom => "error=ENOSPC",
    };
    // Stopping only at the calls that are meant takes half the time, but then strace 6.1 sends no signal.
    let filter = (fault == Fault::NoRoom).then_some("--seccomp-bpf");
    let (one, injected) = (
        format!("trace={call}"),
        format!("inject={call}:{what}:when={number}"),
    );
    let options = ["-e", &one, "-e", &injected].into_iter().chain(filter);
    let (trace, code) = traced(world, words, &options.collect::<Vec<_>>());
    let is_disturbed = match fault {
        Fault::Kill => trace.contains("+++ killed by SIGKILL"),
        Fault::NoRoom => trace.contains("(INJECTED)"),
    };
    // A full disk is no reason to panic.
    assert_ne!(code, Some(101), "{words:?}, {fault:?} at {call} {number}");
    Run {
        fault,
        call: call.to_owned(),
        number,
        is_disturbed,
    }
}

/// Runs plantune under strace, and returns what strace wrote, and the exit code.
fn traced(world: &World, words: &[String], options: &[&str]) -> (String, Option<i32>) {
    let file = world.path("trace");
    let mut strace = world.start(STRACE, &["-f", "-qq", "-o"]);
    strace.arg(&file).args(options).arg(PLANTUNE).args(words);
    let ran = strace.output().unwrap();
    let trace = fs::read_to_string(&file).unwrap_or_default();
    (trace, ran.status.code())
}
