//! `plantune prefs clear`.

use clap::Args;
use plantune_reports::inert::one_line;

use super::SHOWN;
use super::one::{Made, One};
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Be asked a question again
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    one: One,
}

/// Takes the preference away after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let one = &arguments.one;
    let (place, _) = one.find(workspace)?;
    let made = Made {
        verb: "clear",
        reason: "prefs clear",
        question: "Clear this preference?",
        preference: None,
    };
    if one.change(place, made, workspace)? {
        let key = one_line(&one.key, SHOWN);
        terminal::print(&format!("cleared: {key} is put to you again\n"))?;
    }
    Ok(())
}
