//! `plantune-hook`: reads one hook call on standard input, logs it, and answers for the person
//! where a preference says so. Always exits 0, and prints a decision or nothing.
//!
//! It starts without the runtime that Rust's `main` brings: that one reads `/proc/self/maps` through
//! the C library's scanner to guard a stack we do not grow, nineteen system calls and 130 KB in all.

#![no_main]

use std::io::{Read as _, Write as _};

use plantune_domain::clock;
use plantune_domain::paths::Paths;
use plantune_domain::session_kind::session_kind;
use plantune_hooks::hook::{Surroundings, handle, log_breakdown};

/// More than any question call holds; what is beyond is not read.
const MOST_INPUT: u64 = 32 * 1024 * 1024;

#[allow(
    unsafe_code,
    reason = "declares a function of the C library that is safe to call with these arguments"
)]
unsafe extern "C" {
    safe fn signal(number: i32, handler: usize) -> usize;
}

const SIGPIPE: i32 = 13;
const SIG_IGN: usize = 1;

/// What the C library calls; the exit code is always 0.
#[allow(unsafe_code, reason = "the symbol by which a program's start is found")]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    // Otherwise a caller that no longer listens would end us by a signal, which is no exit 0.
    signal(SIGPIPE, SIG_IGN);
    if let Some(surroundings) = surroundings() {
        run(&surroundings);
    }
    0
}

fn run(surroundings: &Surroundings) {
    let on_panic = surroundings.clone();
    std::panic::set_hook(Box::new(move |panic| {
        log_breakdown(&on_panic, &panic.to_string());
        #[allow(
            clippy::disallowed_methods,
            reason = "a hook that breaks down must still exit 0"
        )]
        std::process::exit(0);
    }));
    let mut input = Vec::new();
    if std::io::stdin()
        .lock()
        .take(MOST_INPUT)
        .read_to_end(&mut input)
        .is_ok()
        && let Some(printed) = handle(&input, surroundings)
    {
        let mut stdout = std::io::stdout();
        // A caller that no longer listens has gone on without the decision. Flushed here, because
        // nobody else does so at the end.
        let _ = stdout
            .write_all(printed.as_bytes())
            .and_then(|()| stdout.flush());
    }
}

fn surroundings() -> Option<Surroundings> {
    Some(Surroundings {
        paths: Paths::from_environment()?,
        now: clock::now(),
        session_kind: session_kind(|name| std::env::var_os(name)),
        entrypoint: std::env::var("CLAUDE_CODE_ENTRYPOINT")
            .ok()
            .filter(|value| !value.is_empty()),
        disabled: std::env::var("PLANTUNE_DISABLE").is_ok_and(|value| value == "1"),
    })
}
