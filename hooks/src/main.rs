//! `plantune-hook`: reads one hook call on standard input, logs it, and answers for the person
//! where a preference says so. Always exits 0, and prints a decision or nothing. Called with
//! `--statusline` it prints the line for Claude Code's status line; with `--plugin`, as the plugin calls it,
//! it leaves the call to the hook entry in Claude Code's settings, if there is one.
//!
//! It starts without the runtime of Rust's `main`. That runtime reads `/proc/self/maps` through the C library's scanner
//! to guard a stack that never grows here, at a cost of nineteen system calls and 130 KB.

#![no_main]

use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;

use plantune_agents as agents;
use plantune_agents::{Agent, claude_code};
use plantune_domain::clock;
use plantune_domain::config::is_disabled;
use plantune_domain::paths::Paths;
use plantune_domain::session_kind::session_kind;
use plantune_hooks::hook::{Environment, handle, log_failure, status_line, withdraw};
use plantune_hooks::streams;

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
    streams::prepare();
    // Without Rust's own `main`, `std::env::args` works only with glibc; with musl it is empty.
    // SAFETY: there are `count` words, each ended by a zero.
    let first = (count > 1).then(|| unsafe { CStr::from_ptr(*words.add(1)) });
    let first = first.map_or(&b""[..], CStr::to_bytes);
    // An unknown word names an agent of a later version, whose input cannot be read.
    let agent: Option<&'static dyn Agent> = match str::from_utf8(first) {
        Ok("" | "--plugin" | "--statusline") => Some(&claude_code::ClaudeCode),
        Ok(name) => agents::named(name),
        Err(_) => None,
    };
    let environment = agent.and_then(|agent| environment(agent, first == b"--plugin"));
    if let Some(environment) = environment {
        run(&environment, first == b"--statusline");
    } else {
        let _ = streams::read_input(0);
    }
    0
}

fn run(environment: &Environment, is_status_line: bool) {
    let on_panic = environment.clone();
    std::panic::set_hook(Box::new(move |panic| {
        log_failure(&on_panic, &panic.to_string());
        #[allow(
            clippy::disallowed_methods,
            reason = "a hook that panics must still exit 0"
        )]
        std::process::exit(0);
    }));
    match streams::read_input(MOST_INPUT) {
        // Nobody waits for the status line, and nothing is lost without it.
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

fn environment(agent: &'static dyn Agent, by_plugin: bool) -> Option<Environment> {
    let variables = agent.variables();
    // A variable that another agent's session set says nothing about this session.
    let entrypoint = claude_code::ENTRYPOINT;
    let is_of_agent = |name: &str| name != entrypoint || variables.entrypoint == Some(entrypoint);
    Some(Environment {
        agent,
        paths: Paths::from_environment()?,
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
    })
}
