//! `plantune registry`: the file in which the person names questions.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use clap::{Args, Subcommand};
use plantune_domain::paths::create_private_dir;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::context::Context;

/// What a new file says: comments only.
const DEFAULT: &str = include_str!("default.toml");

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
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    match arguments.verb {
        Verb::Init => {
            let written = write_default(context)?;
            let path = terminal::harmless(&context.paths.registry_file().display().to_string());
            terminal::print(&if written {
                format!("wrote {path}: all of it comments\n")
            } else {
                format!("{path} is there already; it was left as it is\n")
            })
        }
    }
}

/// Writes the commented file; false, and nothing touched, when there is one of whatever kind.
///
/// # Errors
/// Those of the file system.
pub(crate) fn write_default(context: &Context) -> Result<bool, Failure> {
    let path = context.paths.registry_file();
    create_private_dir(context.paths.config())?;
    let mut options = fs::OpenOptions::new();
    let mut file = match options.write(true).create_new(true).mode(0o600).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    file.write_all(DEFAULT.as_bytes()).inspect_err(|_| {
        // Half a default is worse than none.
        let _ = fs::remove_file(&path);
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use plantune_domain::doors::Door;
    use plantune_domain::reask::Reask;
    use plantune_domain::registry::Registry;

    use super::DEFAULT;

    #[test]
    fn the_default_says_nothing_and_its_examples_are_understood() {
        let registry = Registry::parse(DEFAULT).unwrap();
        assert_eq!(registry.rules_of("money").count(), 0);
        let examples: String = DEFAULT
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| line.starts_with("[[") || line.contains(" = "))
            .filter(|line| !line.contains('`') || line.contains("      #"))
            .map(|line| format!("{line}\n"))
            .collect();
        let registry = Registry::parse(&examples).unwrap();
        assert_eq!(registry.door_of("run-migration"), Some(Door::OneWay));
        assert_eq!(registry.reask_of("next-area"), Some(Reask::OncePerSession));
        let labels = ["Run it (Recommended)".to_owned(), "Skip for now".to_owned()];
        assert_eq!(
            registry.key_of("Shall I run the migration?", Some("migration"), &labels),
            Some("run-migration")
        );
        assert_eq!(
            registry.key_of("The budget is used up.", None, &[]),
            Some("money")
        );
    }
}
