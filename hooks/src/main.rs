//! `plantune-hook`: reads one hook call on standard input, logs it, and answers for the person
//! where a preference says so. Always exits 0, and prints a decision or nothing. Called with
//! `--statusline` it prints the line for Claude Code's status line; with `--plugin`, as the plugin calls it,
//! it leaves the call to an entry in Claude Code's settings, where there is one.
//!
//! It starts without the runtime that Rust's `main` brings: that one reads `/proc/self/maps` through
//! the C library's scanner to guard a stack we do not grow, nineteen system calls and 130 KB in all.

#![no_main]

use std::path::PathBuf;

use plantune_domain::clock;
use plantune_domain::config::is_disabled;
use plantune_domain::paths::Paths;
use plantune_domain::release;
use plantune_domain::session_kind::session_kind;
use plantune_hooks::hook::{Environment, handle, log_failure, status_line, withdraw};
use plantune_hooks::streams;

/// More than any question call holds, in bytes; the rest is not read.
const MOST_INPUT: usize = 32 * 1024 * 1024;

/// What the C library calls; the exit code is always 0.
#[allow(unsafe_code, reason = "the symbol by which a program's start is found")]
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    // Keeps the statement in the binary.
    std::hint::black_box(release::STATEMENT);
    streams::prepare();
    if let Some(environment) = environment() {
        run(&environment);
    }
    0
}

fn run(environment: &Environment) {
    let on_panic = environment.clone();
    std::panic::set_hook(Box::new(move |panic| {
        log_failure(&on_panic, &panic.to_string());
        #[allow(
            clippy::disallowed_methods,
            reason = "a hook that panics must still exit 0"
        )]
        std::process::exit(0);
    }));
    let is_status_line = is_first_word("--statusline");
    match streams::read_input(MOST_INPUT) {
        // Nobody waits for it, and nothing is lost with it.
        input if is_status_line => {
            let line = input
                .ok()
                .and_then(|input| status_line(&input, environment));
            let _ = line.map(|line| streams::print(&line));
        }
        Ok(input) => decide(&input, environment),
        Err(error) => log_failure(environment, &format!("standard input: {error}")),
    }
}

fn decide(input: &[u8], environment: &Environment) {
    if let Some(printed) = handle(input, environment)
        && streams::print(&printed).is_err()
    {
        withdraw(input, environment);
    }
}

/// Whether the program was called with `word`, and whatever else behind it.
fn is_first_word(word: &str) -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == word)
}

fn environment() -> Option<Environment> {
    Some(Environment {
        paths: Paths::from_environment()?,
        now: clock::now(),
        session_kind: session_kind(|name| std::env::var_os(name)),
        entrypoint: std::env::var("CLAUDE_CODE_ENTRYPOINT")
            .ok()
            .filter(|value| !value.is_empty()),
        project_root: std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from),
        disabled: is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref()),
        by_plugin: is_first_word("--plugin"),
    })
}
