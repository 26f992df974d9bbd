//! `plantune fleet preview`.

use clap::Args;

use super::left;
use crate::failure::Failure;
use crate::journal::Journal;
use crate::publish::due::{self, Due};
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Show what the next push would publish: the rows themselves
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// How many rows to show; 0 for all
    #[arg(long, value_name = "N", default_value_t = 5)]
    rows: u64,
    /// Write the rows alone, a JSON object a line, for scripts
    #[arg(long)]
    json: bool,
}

/// Shows the rows; nothing leaves the machine.
///
/// # Errors
/// Those of the log, the journal, the file system.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let due = find(workspace)?;
    let most = match arguments.rows {
        0 => i64::MAX as u64,
        rows => rows,
    };
    let samples: String = due
        .samples(most)?
        .iter()
        .map(|row| format!("{row}\n"))
        .collect();
    if arguments.json {
        return print(&samples);
    }
    let mut text = samples + &summary(&due)?;
    for line in left::lines(&due.left, workspace.config.grace_hours) {
        text += &format!("  {line}\n");
    }
    print(&text)
}

/// What the next push would publish.
///
/// # Errors
/// As [`run`].
pub(super) fn find(workspace: &Workspace) -> Result<Due, Failure> {
    let journal = Journal::find(&workspace.folder())?;
    let (publisher, mut published) = match &journal {
        Some(journal) => (journal.publisher.as_str(), journal.published()?),
        None => ("made-at-first-push", Default::default()),
    };
    due::find(workspace, publisher, &mut published)
}

/// How much is due, in a line.
///
/// # Errors
/// DuckDB's.
pub(super) fn summary(due: &Due) -> Result<String, Failure> {
    let days = due.days()?;
    let events: u64 = days.iter().map(|day| day.events).sum();
    Ok(match (days.first(), days.last()) {
        (Some(first), Some(last)) => format!(
            "due: {} of {}, {} to {}\n",
            counted(events, "event", "events"),
            counted(days.len() as u64, "day", "days"),
            first.date,
            last.date
        ),
        _ => "nothing is due\n".to_owned(),
    })
}
