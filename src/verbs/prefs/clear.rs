//! `plantune prefs clear`.

use clap::Args;

use super::selected::Selected;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// Be asked a question again
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selected: Selected,
}

/// Takes the preference away after asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let selected = &arguments.selected.resolved(workspace)?;
    let (scope, before) = selected.find("clear", workspace)?;
    let (reason, words) = (("clear", "prefs clear"), (None, "Clear it?"));
    selected.change(scope, (&before, None), reason, words, workspace)
}
