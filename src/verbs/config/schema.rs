//! `plantune config schema`: JSON schemas of the files, for editors.

use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::terminal;

/// What config.toml may hold. Tests hold it against the loader.
pub(super) const CONFIG: &str = include_str!("config.schema.json");

/// What registry.toml may hold.
const REGISTRY: &str = include_str!("registry.schema.json");

/// Print the JSON schema of a file, for editors
///
/// An editor that knows it completes and checks what you write.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The file
    #[arg(default_value = "config")]
    file: File,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum File {
    /// config.toml
    Config,
    /// registry.toml
    Registry,
}

/// Writes the schema to standard output.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    terminal::print_exactly(match arguments.file {
        File::Config => CONFIG,
        File::Registry => REGISTRY,
    })
}

#[cfg(test)]
mod tests;
