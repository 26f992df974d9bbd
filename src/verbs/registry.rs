//! `plantune registry`: the file in which the person names questions.

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::default_registry;

/// The questions you have named: registry.toml
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Write a commented registry.toml, unless there is one
    Init,
}

/// Does what the call asks.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match arguments.verb {
        Verb::Init => {
            let written = default_registry::write(workspace)?;
            let path = terminal::sanitized(&workspace.paths.registry_file().display().to_string());
            terminal::print(&if written {
                format!("wrote {path}: all of it comments\n")
            } else {
                format!("{path} is there already; it was left as it is\n")
            })
        }
    }
}
