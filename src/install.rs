//! `plantune install`: registers the hook in Claude Code's settings.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::hook_binary::{self, HOOK, absolute, binary, in_path, is_executable};
use crate::registry;
use crate::settings::{self, names_our_hook};
use crate::settings_file::{ChangeArguments, Scope, SettingsFile, lock};
use crate::terminal;

/// Register the hook in Claude Code's settings
///
/// Shows the change to settings.json and asks. Entries of plantune's that are there already are
/// repaired in place; everything else in the file stays as it is, byte for byte. A backup is kept.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    change: ChangeArguments,
    /// The hook binary to register [default: the one beside this plantune]
    #[arg(long, value_name = "PATH")]
    hook_path: Option<PathBuf>,
}

/// Registers the hook.
///
/// # Errors
/// Failed without a hook binary; conflict when the settings cannot be edited safely; refused where
/// the person cannot be asked.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let scope = arguments.change.scope;
    let command = hook_command(scope, arguments.hook_path.as_deref())?;
    let command_line = match &arguments.hook_path {
        Some(path) => format!(
            "plantune install {} --hook-path {}",
            scope.words(),
            path.display()
        ),
        None => format!("plantune install {}", scope.words()),
    };
    let _lock = if arguments.change.dry_run {
        None
    } else {
        Some(lock(context)?)
    };
    let file = SettingsFile::open(context, scope)?;
    let conflict = |problem| file.conflict(&problem);
    let edited = settings::install(file.text(), &command).map_err(conflict)?;
    if edited.changes.is_empty() {
        return terminal::print(&format!("already installed: {}\n", file.name()));
    }
    if scope == Scope::Project && arguments.hook_path.is_none() {
        terminal::print(
            "note: this file is shared, so it names the hook without a folder: everybody who \
             works on the project needs plantune-hook in their PATH\n",
        )?;
    }
    if file.change(
        context,
        &arguments.change,
        &command_line,
        Some(&edited.text),
    )? {
        let changes = terminal::harmless(&edited.summary());
        terminal::print(&format!("installed in {}: {changes}\n", file.name()))?;
        terminal::print("sessions started from now on are logged\n")?;
        // Nothing needs the file, and what was asked for is done.
        if matches!(registry::write_default(context), Ok(true)) {
            let path = context.paths.registry_file().display().to_string();
            let path = terminal::harmless(&path);
            terminal::print(&format!(
                "wrote {path}, all of it comments: name questions there\n"
            ))?;
        }
        terminal::print(&rivals(&settings::inspect(&edited.text).map_err(conflict)?))?;
    }
    Ok(())
}

/// Names the foreign hooks that may answer a question too, since of two answers the last wins.
fn rivals(found: &settings::Inspection) -> String {
    let commands = found
        .rivals
        .iter()
        .map(|rival| rival.command.as_deref().unwrap_or("a prompt"));
    let line = |command: &str| {
        let command = terminal::harmless(command).replace('\n', " ");
        format!("note: another hook is called for questions as well: {command}\n")
    };
    commands.map(line).collect()
}

/// What is to be registered as the command.
fn hook_command(scope: Scope, given: Option<&Path>) -> Result<String, Failure> {
    let hook = match (given, scope) {
        (Some(path), _) => given_hook(path)?,
        (None, Scope::Project) => {
            return match in_path(binary(HOOK)) {
                Some(_) => Ok(HOOK.to_owned()),
                None => Err(Failure::failed("plantune-hook is not in your PATH")
                    .hint("add the folder `make install` installs to, or give --hook-path")),
            };
        }
        (None, Scope::User | Scope::Local) => hook_beside_us()?,
    };
    hook.into_os_string().into_string().map_err(|path| {
        let path = terminal::harmless(&path.to_string_lossy());
        Failure::new(
            Kind::Usage,
            format!("{path}: this path is not UTF-8, and JSON must be"),
        )
        .hint("install to another folder")
    })
}

/// The hook at the path the person gave, made absolute.
fn given_hook(path: &Path) -> Result<PathBuf, Failure> {
    let name = terminal::harmless(&path.display().to_string());
    if !names_our_hook(&path.to_string_lossy()) {
        return Err(
            Failure::new(Kind::Usage, format!("{name}: this is not called {HOOK}"))
                .hint("its name is how plantune finds its own entries again"),
        );
    }
    if !is_executable(path) {
        return Err(
            Failure::failed(format!("{name}: there is no program to run"))
                .hint("build and install it with `make install`"),
        );
    }
    Ok(absolute(path)?)
}

/// The hook beside the running program.
pub(crate) fn hook_beside_us() -> Result<PathBuf, Failure> {
    let places = hook_binary::beside_us()?;
    let folder = places.last().and_then(|path| path.parent());
    let folder = folder.map(|folder| terminal::harmless(&folder.display().to_string()));
    let missing = || {
        let folder = folder.unwrap_or_default();
        Failure::failed(format!("there is no {HOOK} beside plantune, in {folder}"))
            .hint("install both with `make install`, or give --hook-path")
    };
    let mut places = places.into_iter();
    places.find(|hook| is_executable(hook)).ok_or_else(missing)
}
