//! `plantune completions`: what a shell needs to complete plantune's command line.

use clap::{Args, ValueEnum};
use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};

use crate::failure::Failure;
use crate::terminal;

/// Print a script for your shell that completes verbs, options, projects and question keys
///
/// The script asks plantune for completions, so it stays the same in later versions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune completions bash >~/.local/share/bash-completion/completions/plantune
  plantune completions zsh >~/.zfunc/_plantune    a folder of your fpath
  plantune completions fish >~/.config/fish/completions/plantune.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

/// The variable by which the script asks for candidates.
pub(crate) const VARIABLE: &str = "PLANTUNE_COMPLETE";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// A file in zsh's `fpath` is run when the first completion is wanted, which would be lost.
const ZSH_FIRST_CALL: &str =
    "\nif [[ ${funcstack[1]} == _plantune ]]; then _clap_dynamic_completer_plantune; fi\n";

/// Writes the script to standard output.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let shell: &dyn EnvCompleter = match arguments.shell {
        Shell::Bash => &Bash,
        Shell::Zsh => &Zsh,
        Shell::Fish => &Fish,
    };
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "plantune", "plantune", "plantune", &mut script)?;
    if matches!(arguments.shell, Shell::Zsh) {
        script.extend(ZSH_FIRST_CALL.as_bytes());
    }
    terminal::print_exactly(&String::from_utf8_lossy(&script))
}
