//! What packages of plantune hold beside the programs: `plantune debug man` writes the manual pages, and
//! `plantune debug completions` what a shell needs to complete a command line.

use std::fs;
use std::path::Path;

use clap::Command;
use clap::builder::Resettable;
use clap_complete::env::Shells;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use plantune_domain::atomic_file::replace;

use crate::document::Document;
use crate::failure::{Failure, not_written};

/// Writes the pages of `command`, which is all that can be called.
///
/// # Errors
/// When one cannot be written.
pub fn man(folder: Option<&Path>, list: bool, mut command: Command) -> Result<Document, Failure> {
    command.build();
    if list {
        let mut names = Vec::new();
        each(&command, &mut |name, _| {
            names.push(format!("{name}\n"));
            Ok(())
        })?;
        return Ok(Document::exact(names.concat()));
    }
    let Some(folder) = folder else {
        return Ok(Document::exact(String::from_utf8_lossy(&page(&command)?)));
    };
    let failed = |path: &Path, error| not_written(path, &error, "run the same command again");
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    each(&command, &mut |name, page| {
        let path = folder.join(name);
        replace(&path, page, 0o644).map_err(|error| failed(&path, error))
    })?;
    Ok(Document::default())
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

/// The variable by which the script asks for candidates.
pub(crate) const VARIABLE: &str = "PLANTUNE_COMPLETE";

/// A file in zsh's `fpath` is run when the first completion is wanted, which would be lost.
const ZSH_FIRST_CALL: &str =
    "\nif [[ ${funcstack[1]} == _plantune ]]; then _clap_dynamic_completer_plantune; fi\n";

/// Writes the script to standard output.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn completions(shell: &str) -> Result<Document, Failure> {
    let shells = Shells::builtins();
    let fact = || Failure::usage(format!("there is no script for {shell:?}"));
    let completer = shells.completer(shell).ok_or_else(fact)?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "plantune", "plantune", "plantune", &mut script)?;
    if completer.is("zsh") {
        script.extend(ZSH_FIRST_CALL.as_bytes());
    }
    Ok(Document::exact(String::from_utf8_lossy(&script)))
}
