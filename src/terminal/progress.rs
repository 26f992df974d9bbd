//! A progress bar for what takes longer than a second, where a terminal is there to show it.

use std::io::{IsTerminal as _, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use plantune_ingest::Progress;

use crate::terminal::is_quiet;

/// How long nothing is shown.
const QUIET: Duration = Duration::from_secs(1);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// A bar on standard error that appears late, drawn by a thread of its own; gone when dropped.
pub(crate) struct Bar {
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    /// Shows `progress` under `label`; nothing where standard error is no terminal, or under `--quiet`.
    pub(crate) fn watch(label: &'static str, progress: &Progress) -> Self {
        let drawing = (stderr().is_terminal() && !is_quiet()).then(|| {
            let (end, ended) = channel();
            let progress = progress.clone();
            (end, thread::spawn(move || draw(label, &progress, &ended)))
        });
        Self { drawing }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.drawing.take() {
            drop(end);
            // A bar that broke down is no reason to fail.
            let _ = thread.join();
        }
    }
}

fn draw(label: &'static str, progress: &Progress, ended: &Receiver<()>) {
    let goes_on = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
    if !goes_on(QUIET) {
        return;
    }
    let bar = ProgressBar::new(progress.total()).with_message(label);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}") {
        bar.set_style(style);
    }
    loop {
        bar.set_length(progress.total());
        bar.set_position(progress.done());
        if !goes_on(TICK) {
            break;
        }
    }
    bar.finish_and_clear();
}
