//! `plantune fleet push`, `preview` and `forget`: what this machine puts into the lake, below its own folder.

use std::collections::BTreeSet;
use std::fs::File;

use clap::Args;
use plantune_reports::amount::{bytes, counted};

use super::due;
use super::member::Member;
use crate::failure::Failure;
use crate::terminal::consent::{self, Confirmation};
use crate::terminal::{print, print_exactly, sanitized};
use crate::workspace::Workspace;

/// Push the events of UTC days that are over
///
/// A day that changed is pushed again, and replaces its files. Killed anywhere, the next push goes on.
#[derive(Args, Debug)]
pub(super) struct Arguments {}

/// Show what would be pushed: the rows themselves
#[derive(Args, Debug)]
pub(super) struct PreviewArguments {
    /// How many rows to show; 0 for all
    #[arg(long, value_name = "N", default_value_t = 5)]
    rows: u64,
    /// Write the rows alone, a JSON object a line, for scripts
    #[arg(long)]
    json: bool,
}

/// Delete what this machine pushed, and end your agreement
#[derive(Args, Debug)]
pub(super) struct ForgetArguments {
    /// Do it without being asked
    #[arg(long)]
    yes: bool,
}

/// Pushes, and says what.
///
/// # Errors
/// Refused without the person's consent; those of the lake and the log.
pub(super) fn run(_: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let member = Member::load(workspace)?;
    let prefix = member.prefix(&member.require_consent()?);
    // Of two pushes at once, the one that read the log first would delete what the other put.
    let lock = File::create(member.folder().join("push.lock"))?;
    lock.lock()?;
    let lake = member.lake()?;
    let due = due::find(&member)?;
    let before = lake.list(&prefix)?;
    let known: BTreeSet<&str> = before.iter().map(|file| file.path.as_str()).collect();
    let (mut events, mut size, mut put) = (0, 0, 0_u64);
    for day in &due.days {
        let path = day.path(&prefix);
        if !known.contains(path.as_str()) {
            let content = due.file(day)?;
            (events, size, put) = (events + day.events, size + content.len() as u64, put + 1);
            lake.put(&path, content)?;
        }
    }
    // New files first: an event that is in two counts once, and one that is in none is lost.
    let current: BTreeSet<String> = due.days.iter().map(|day| day.path(&prefix)).collect();
    let days: BTreeSet<_> = due.days.iter().map(|day| day.day).collect();
    let mut deleted = 0_u64;
    for file in &before {
        // What the log does not hold any more stays, and so does all that may be in a part of it that cannot be read.
        let is_replaced = days.contains(&file.day) || due.left.excluded_days.contains(&file.day);
        if is_replaced && due.left.unread.is_empty() && !current.contains(&file.path) {
            lake.delete(&file.path)?;
            deleted += 1;
        }
    }
    let mut text = match put {
        0 => "nothing new\n".to_owned(),
        files => format!(
            "pushed {} in {}, {}\n",
            counted(events, "event", "events"),
            counted(files, "file", "files"),
            bytes(size)
        ),
    };
    if deleted > 0 {
        text += &format!(
            "  deleted {} that they replace\n",
            counted(deleted, "file", "files")
        );
    }
    text += &format!("  in the lake: {}", due.summary());
    print(&text)
}

/// Shows the rows; nothing leaves the machine.
///
/// # Errors
/// Those of the log and the file system.
pub(super) fn preview(arguments: &PreviewArguments, workspace: &Workspace) -> Result<(), Failure> {
    let member = Member::load(workspace)?;
    let due = due::find(&member)?;
    let most = match arguments.rows {
        0 => i64::MAX as u64,
        rows => rows,
    };
    let samples: String = due
        .samples(most)?
        .iter()
        .map(|row| format!("{row}\n"))
        .collect();
    print_exactly(&sanitized(&samples))?;
    match arguments.json {
        true => Ok(()),
        false => print(&due.summary()),
    }
}

/// Deletes this machine's folder in the lake.
///
/// # Errors
/// Refused inside an agent's session, and where nobody can be asked; those of the lake.
pub(super) fn forget(arguments: &ForgetArguments, workspace: &Workspace) -> Result<(), Failure> {
    let command = "plantune fleet forget";
    consent::may_change(workspace, arguments.yes, command)?;
    let member = Member::load(workspace)?;
    let Some(consent) = member.consent() else {
        return print("nothing was pushed from this data folder\n");
    };
    let prefix = member.prefix(&consent);
    let what = format!(
        "All that this machine pushed is deleted from {}: {prefix}",
        member.config.lake
    );
    let asked = Confirmation {
        sentence: &what,
        question: "Delete it?",
        yes: arguments.yes,
        command,
    };
    if !asked.is_given(workspace, "")? {
        return Ok(());
    }
    // First, so that a kill leaves nothing that goes on pushing.
    member.agree(false)?;
    member.lake()?.delete_all(&prefix)?;
    member.forget()?;
    print(&format!(
        "deleted {prefix}; what others merged or copied of it is theirs to delete\n"
    ))
}
