//! How far a run is, for the thread that shows it, and how long its steps take.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

/// The progress of a run: what is being done, and the bytes that are read for it. It is shared between the run and the
/// thread that shows it. The numbers are for showing only, so no order between them is kept.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressCounts>);

#[derive(Debug, Default)]
struct ProgressCounts {
    step: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// The progress of a run that begins with `step`.
    pub fn of(step: &'static str) -> Self {
        let progress = Self::default();
        progress.begin(step, 0);
        progress
    }

    /// What is being done, in words.
    pub fn step(&self) -> &'static str {
        *self.0.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes read so far.
    pub fn done(&self) -> u64 {
        self.0.done.load(Ordering::Relaxed)
    }

    /// Bytes to be read in all; 0 for a step that reads none.
    pub fn total(&self) -> u64 {
        self.0.total.load(Ordering::Relaxed)
    }

    /// A step that reads `total` bytes begins.
    pub(crate) fn begin(&self, step: &'static str, total: u64) {
        *self.0.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.0.done.store(0, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
    }

    /// `bytes` more were read.
    pub(crate) fn add(&self, bytes: u64) {
        self.0.done.fetch_add(bytes, Ordering::Relaxed);
    }
}

static IS_TRACED: LazyLock<bool> = LazyLock::new(|| std::env::var_os("PLANTUNE_TRACE").is_some());

/// Does `work`, a step called `name`. With `PLANTUNE_TRACE` set, prints how long it took to standard error.
#[allow(clippy::print_stderr, reason = "asked for, by a developer")]
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if !*IS_TRACED {
        return work();
    }
    let start = Instant::now();
    let result = work();
    eprintln!("{:8.3} s  {name}", start.elapsed().as_secs_f64());
    result
}
