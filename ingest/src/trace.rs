//! Where the time goes: with `PLANTUNE_TRACE` set, each step of an ingest says on standard error
//! how long it took.

use std::sync::LazyLock;
use std::time::Instant;

static IS_ON: LazyLock<bool> = LazyLock::new(|| std::env::var_os("PLANTUNE_TRACE").is_some());

/// Does `work`, a step of that name.
#[allow(clippy::print_stderr, reason = "asked for, by a developer")]
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if !*IS_ON {
        return work();
    }
    let start = Instant::now();
    let result = work();
    eprintln!("{:8.3} s  {name}", start.elapsed().as_secs_f64());
    result
}
