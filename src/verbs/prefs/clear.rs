//! `plantune prefs clear`.

use clap::Args;
use plantune_reports::inert::one_line;

use super::key::SHOWN;
use super::selected::{Edit, Selected};
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Be asked a question again
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selected: Selected,
}

/// Takes the preference away after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let selected = &arguments.selected;
    let (scope, _) = selected.find(workspace)?;
    let edit = Edit {
        verb: "clear",
        reason: "prefs clear",
        question: "Clear this preference?",
        preference: None,
    };
    if selected.change(scope, edit, workspace)? {
        let key = one_line(&selected.key, SHOWN);
        terminal::print(&format!("cleared: {key} is asked again\n"))?;
    }
    Ok(())
}
