//! A progress bar for what takes longer than a second, where a terminal is there to show it.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long nothing is shown.
const QUIET: Duration = Duration::from_secs(1);

/// A bar on standard error that appears late, and not at all when there is no terminal.
pub(crate) struct Bar {
    label: &'static str,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar that says `label` once it shows.
    pub(crate) fn new(label: &'static str) -> Self {
        Self {
            label,
            started: Instant::now(),
            bar: None,
        }
    }

    /// Shows that `done` of `total` bytes are done.
    pub(crate) fn show(&mut self, done: u64, total: u64) {
        if self.started.elapsed() < QUIET {
            return;
        }
        let label = self.label;
        let bar = self.bar.get_or_insert_with(|| {
            // Drawn to standard error, and hidden by the library where that is no terminal.
            let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}");
            let bar = ProgressBar::new(total).with_message(label);
            style.map_or(bar.clone(), |style| bar.with_style(style))
        });
        bar.set_length(total);
        bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
