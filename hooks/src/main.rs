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
use plantune_hooks::hook::{Environment, handle, log_panic};

/// More than any question call holds; the rest is not read.
const MOST_INPUT: u64 = 32 * 1024 * 1024;

/// What the C library calls; the exit code is always 0.
#[allow(
    unsafe_code,
    reason = "the symbol by which a program's start is found, and a call of the C library"
)]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    // Otherwise a caller that no longer listens would end us by a signal, which is no exit 0.
    // SAFETY: nothing else runs yet, and no handler is set.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
    }
    if let Some(environment) = environment() {
        run(&environment);
    }
    0
}

fn run(environment: &Environment) {
    let on_panic = environment.clone();
    std::panic::set_hook(Box::new(move |panic| {
        log_panic(&on_panic, &panic.to_string());
        #[allow(
            clippy::disallowed_methods,
            reason = "a hook that panics must still exit 0"
        )]
        std::process::exit(0);
    }));
    let mut input = Vec::new();
    if std::io::stdin()
        .lock()
        .take(MOST_INPUT)
        .read_to_end(&mut input)
        .is_ok()
        && let Some(printed) = handle(&input, environment)
    {
        let mut stdout = std::io::stdout();
        // A caller that no longer listens has gone on without the decision. Flushed here, because
        // nobody else does so at the end.
        let _ = stdout
            .write_all(printed.as_bytes())
            .and_then(|()| stdout.flush());
    }
}

fn environment() -> Option<Environment> {
    Some(Environment {
        paths: Paths::from_environment()?,
        now: clock::now(),
        session_kind: session_kind(|name| std::env::var_os(name)),
        entrypoint: std::env::var("CLAUDE_CODE_ENTRYPOINT")
            .ok()
            .filter(|value| !value.is_empty()),
        disabled: std::env::var("PLANTUNE_DISABLE").is_ok_and(|value| value == "1"),
    })
}
