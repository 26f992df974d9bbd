//! `plantune quarantine retry`.

use std::fmt::Write as _;

use clap::Args;
use plantune_ingest::{Progress, Retried};
use plantune_reports::text::cut;

use crate::failure::Failure;
use crate::terminal;
use crate::terminal::progress::Bar;
use crate::workspace::Workspace;
use crate::workspace::refresh;

/// How many reasons are shown.
const SHOWN_REASONS: usize = 10;

/// How wide a count stands.
const COUNT: usize = 8;

/// Read the lines in quarantine again, and load what can be read now
///
/// Worth it after an update: a newer plantune may know what an older one did not. Nothing comes in
/// twice, also when this is interrupted and started again.
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

/// Reads them again, and says how many came in, and how many stay and why.
///
/// # Errors
/// When the store or the log cannot be written, or the log not be read.
pub(crate) fn run(_: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if !workspace.paths.events().exists() && !workspace.paths.store().exists() {
        return terminal::print("nothing was ever logged, so nothing is in quarantine\n");
    }
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    let progress = Progress::default();
    let bar = Bar::watch("reading the log", &progress);
    let retried = writer
        .retry_quarantine(workspace.now, &progress)
        .map_err(|error| refresh::failure(workspace, &error))?;
    drop(bar);
    terminal::print(&summary(&retried, usize::from(workspace.width)))
}

/// What became of the lines, in a few lines.
fn summary(retried: &Retried, width: usize) -> String {
    let staying: u64 = retried.staying.iter().map(|(_, lines)| lines).sum();
    if retried.lines + staying == 0 {
        return "the quarantine is empty: every line that was read is an event\n".to_owned();
    }
    let mut text = format!(
        "lines taken out of quarantine: {}; events that came in: {}, known already: {}\n",
        retried.lines, retried.events, retried.known,
    );
    if staying == 0 {
        return text + "none is left\n";
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{staying} {}:",
        if staying == 1 { "stays" } else { "stay" }
    );
    for (reason, lines) in retried.staying.iter().take(SHOWN_REASONS) {
        let reason = cut(reason, width.saturating_sub(COUNT + 2));
        let _ = writeln!(text, "{lines:>COUNT$}  {reason}");
    }
    if retried.staying.len() > SHOWN_REASONS {
        let more = retried.staying.iter().skip(SHOWN_REASONS);
        let more: u64 = more.map(|(_, lines)| lines).sum();
        let _ = writeln!(text, "{more:>COUNT$}  for other reasons");
    }
    text + "`plantune quarantine list` shows them; `plantune doctor` says what they mean\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_and_what_stays() {
        let retried = Retried {
            lines: 1,
            events: 1,
            known: 0,
            staying: vec![
                ("schema version 3 (this plantune knows 1)".to_owned(), 12),
                (format!("not an event: \u{1b}[31m{}", "x".repeat(200)), 1),
            ],
        };
        insta::assert_snapshot!(summary(&retried, 60), @r"
        lines taken out of quarantine: 1; events that came in: 1, known already: 0
        13 stay:
              12  schema version 3 (this plantune knows 1)
               1  not an event: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        `plantune quarantine list` shows them; `plantune doctor` says what they mean
        ");
        let mut many = Retried::default();
        assert!(summary(&many, 80).starts_with("the quarantine is empty"));
        many.staying = (0..13).map(|n| (format!("reason {n}"), 2)).collect();
        assert!(summary(&many, 80).contains("\n       6  for other reasons\n"));
        many = Retried {
            lines: 2,
            known: 2,
            ..Retried::default()
        };
        assert_eq!(
            summary(&many, 80),
            "lines taken out of quarantine: 2; events that came in: 0, known already: 2\nnone is left\n"
        );
    }
}
