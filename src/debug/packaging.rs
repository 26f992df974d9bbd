//! What packages of plantune hold beside the programs: `plantune debug man` writes the manual pages, and
//! `plantune debug completions` what a shell needs to complete a command line.

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::{Args, Command, ValueEnum, ValueHint};
use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use plantune_domain::atomic_file::replace;

use crate::failure::{Failure, not_written};
use crate::terminal;

/// Write the manual pages, one for each verb
///
/// `make install` writes them to PREFIX/share/man/man1. Without a folder, plantune's own page goes to
/// standard output.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug man | man -l -                   read plantune's own page
  plantune debug man ~/.local/share/man/man1      write all pages")]
pub(crate) struct ManArguments {
    /// The folder to write to; it is made if it doesn't exist
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,
    /// Only print the names of the files
    #[arg(long)]
    list: bool,
}

/// Writes the pages of `command`, which is all that can be called.
///
/// # Errors
/// When one cannot be written.
pub(crate) fn man(arguments: &ManArguments, mut command: Command) -> Result<(), Failure> {
    command.build();
    if arguments.list {
        let mut names = Vec::new();
        each(&command, &mut |name, _| {
            names.push(format!("{name}\n"));
            Ok(())
        })?;
        return terminal::print_exactly(&names.concat());
    }
    match &arguments.folder {
        None => terminal::print_exactly(&String::from_utf8_lossy(&page(&command)?)),
        Some(folder) => {
            let failed =
                |path: &Path, error| not_written(path, &error, "run the same command again");
            fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
            each(&command, &mut |name, page| {
                let path = folder.join(name);
                replace(&path, page, 0o644).map_err(|error| failed(&path, error))
            })
        }
    }
}

/// Takes the file name and the text of a page.
type Write<'w> = dyn FnMut(&str, &[u8]) -> Result<(), Failure> + 'w;

/// Calls `write` with the file name and the text of the page of `command` and of each verb below it.
fn each(command: &Command, write: &mut Write<'_>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    write(&format!("{name}.1"), &page(command)?)?;
    let mut verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    verbs.try_for_each(|verb| each(verb, write))
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    // The examples get a section, in which lines stay lines.
    let examples = command.get_after_help().map(ToString::to_string);
    Man::new(command.clone().after_help(Resettable::Reset))
        .manual("plantune")
        .source(format!("plantune {}", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in examples.unwrap_or_default().lines().skip(1) {
        section.text([roman(line)]);
    }
    section.control("fi", []).to_writer(&mut page)?;
    Ok(page)
}

/// Print a script for your shell that completes verbs, options, projects and question keys
///
/// The script asks plantune for completions, so it stays the same in later versions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug completions bash >~/.local/share/bash-completion/completions/plantune
  plantune debug completions zsh >~/.zfunc/_plantune  a folder of your fpath
  plantune debug completions fish >~/.config/fish/completions/plantune.fish")]
pub(crate) struct CompletionsArguments {
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
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
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
