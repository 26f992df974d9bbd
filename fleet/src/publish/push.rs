//! Putting what is due into the lake: intent, put if absent, done. Killed anywhere, the next push goes on, with the
//! same bytes under the same name.

use crate::failure::Failure;
use crate::journal::Journal;
use crate::lake::Lake;
use crate::workspace::Workspace;

use super::due::{self, Left};

/// What a push did.
#[derive(Debug, Default)]
pub(crate) struct Pushed {
    pub(crate) files: u64,
    pub(crate) events: u64,
    pub(crate) bytes: u64,
    /// Files that an earlier push had intended.
    pub(crate) resumed: u64,
    /// True when the journal turned out to be a copy of another one, or older than what it had published.
    pub(crate) is_new_publisher: bool,
    pub(crate) left: Left,
}

/// Publishes what is due.
///
/// # Errors
/// Refused without the person's consent; those of the lake, the log, the file system.
pub(crate) fn run(workspace: &Workspace) -> Result<Pushed, Failure> {
    // Reads the lake's marker, and sends nothing.
    let lake = workspace.lake()?;
    workspace.require_consent()?;
    let mut pushed = Pushed::default();
    if push(workspace, &lake, &mut pushed)? {
        return Ok(pushed);
    }
    // The names belong to somebody else: begin as somebody new.
    if let Some(journal) = Journal::find(&workspace.folder())? {
        journal.remove(&workspace.folder())?;
    }
    let mut pushed = Pushed {
        is_new_publisher: true,
        ..Pushed::default()
    };
    match push(workspace, &lake, &mut pushed)? {
        true => Ok(pushed),
        false => Err(
            Failure::failed("the lake holds other files under a new publisher's names")
                .hint("is another program writing to it?"),
        ),
    }
}

/// False when a file of a name of ours holds something else.
fn push(workspace: &Workspace, lake: &Lake, pushed: &mut Pushed) -> Result<bool, Failure> {
    let mut journal = Journal::open(&workspace.folder())?;
    let mut published = journal.published()?;
    let Some(resumed) = put_pending(workspace, lake, &journal)? else {
        return Ok(false);
    };
    pushed.resumed = resumed.files;
    let due = due::find(workspace, &journal.publisher, &mut published)?;
    let key_check = workspace.key.check_value();
    for day in due.days()? {
        let (content, keys) = due.file(day.date, &key_check)?;
        journal.intend(day.date, &content, &keys)?;
        let Some(put) = put_pending(workspace, lake, &journal)? else {
            return Ok(false);
        };
        pushed.files += put.files;
        pushed.events += day.events;
        pushed.bytes += put.bytes;
    }
    pushed.left = due.left;
    Ok(true)
}

/// Puts what the journal knows to be intended; `None` when a file of a name of ours holds something else.
fn put_pending(
    workspace: &Workspace,
    lake: &Lake,
    journal: &Journal,
) -> Result<Option<Pushed>, Failure> {
    let mut put = Pushed::default();
    for pending in journal.pending()? {
        if !lake.put_if_absent(&pending.file.path(), &pending.content)? {
            return Ok(None);
        }
        journal.done(pending.sequence, workspace.environment.now)?;
        put.files += 1;
        put.bytes += pending.content.len() as u64;
    }
    Ok(Some(put))
}
