//! `plantune-hook`: reads one hook call on standard input, logs it, and answers for the person
//! where a preference says so. Always exits 0, and prints a decision or nothing.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use plantune_hooks::clock;
use plantune_hooks::hook::{Surroundings, handle, log_breakdown};
use plantune_hooks::paths::Paths;
use plantune_hooks::session_kind::session_kind;

/// More than any question call holds; what is beyond is not read.
const MOST_INPUT: u64 = 32 * 1024 * 1024;

fn main() -> ExitCode {
    let Some(surroundings) = surroundings() else {
        return ExitCode::SUCCESS;
    };
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
        && let Some(printed) = handle(&input, &surroundings)
    {
        // A caller that no longer listens has gone on without the decision.
        let _ = std::io::stdout().write_all(printed.as_bytes());
    }
    ExitCode::SUCCESS
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
