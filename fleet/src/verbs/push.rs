//! `plantune fleet push`.

use clap::Args;
use plantune_reports::amount;

use super::left;
use crate::failure::Failure;
use crate::publish::push;
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Publish what is due: the events of UTC days that are over
///
/// Killed anywhere, the next push goes on where it was. Nothing is published twice, and what comes late to a
/// day is published as a further file of it.
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

/// Publishes, and says what.
///
/// # Errors
/// Refused without the person's consent, and for another organisation's lake; those of the lake.
pub(crate) fn run(_: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let pushed = push::run(workspace)?;
    let mut text = String::new();
    if pushed.is_new_publisher {
        text += "the journal was a copy, or older than what it had published: this machine is a new publisher \
                 now; nothing is counted twice\n";
    }
    if pushed.resumed > 0 {
        text += &format!(
            "finished {} of an earlier push\n",
            counted(pushed.resumed, "file", "files")
        );
    }
    text += &match pushed.files {
        0 if pushed.resumed == 0 => "nothing is due\n".to_owned(),
        files => format!(
            "published {} in {}, {}\n",
            counted(pushed.events, "event", "events"),
            counted(files, "file", "files"),
            amount::bytes(pushed.bytes)
        ),
    };
    for line in left::lines(&pushed.left, workspace.config.grace_hours) {
        text += &format!("  {line}\n");
    }
    print(&text)
}
