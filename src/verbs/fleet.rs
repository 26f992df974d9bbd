//! `plantune fleet`: another program, `plantune-fleet`, which only organisations install.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use plantune_settings::programs::{in_path, is_executable};

use crate::failure::Failure;
use crate::platform::become_program;
use crate::session::Session;

/// The program.
const PROGRAM: &str = "plantune-fleet";

/// Becomes the program, with the words of this call but the verb.
///
/// # Errors
/// Failed where it is not installed, or cannot be started.
pub(crate) fn run(words: &[OsString], session: &Session) -> Result<(), Failure> {
    let Some(program) = installed() else {
        let verb = words.first().map(|word| word.to_string_lossy());
        let call = format!("fleet {}", verb.unwrap_or_default());
        let fact = format!(
            "`{}` needs {PROGRAM}, which is not installed",
            call.trim_end()
        );
        let hint = "run `make fleet-install` in plantune's source; docs/fleet.md says what it does";
        return Err(Failure::failed(fact).hint(hint));
    };
    // As they were typed, without the verb: global options may stand before it.
    let mut words: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(verb) = words.iter().position(|word| word == "fleet") {
        words.remove(verb);
    }
    session.close_store();
    let why = become_program(Command::new(&program).args(words));
    Err(Failure::failed(format!("{}: {why}", program.display())))
}

/// The program beside this one, or else the first in `PATH`.
fn installed() -> Option<PathBuf> {
    let beside = env::current_exe().map(|this| this.with_file_name(PROGRAM));
    let beside = beside.ok().filter(|program| is_executable(program));
    beside.or_else(|| in_path(PROGRAM))
}
