//! `plantune install`: registers the hook in Claude Code's settings.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::settings::{self, names_our_hook};
use crate::settings_file::{ChangeArguments, Scope, SettingsFile, lock};
use crate::terminal;

/// The hook binary's name, without what some systems put behind it.
const HOOK: &str = "plantune-hook";

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
///
/// The folder the program was called by goes before the one it really lies in: a package manager
/// replaces the folder of a version, and keeps the link to it.
pub(crate) fn hook_beside_us() -> Result<PathBuf, Failure> {
    let real = env::current_exe()?;
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&real).ok();
    let called = called_as().filter(same);
    let folders = [called.as_ref(), Some(&real)];
    let mut hooks = folders
        .into_iter()
        .flatten()
        .map(|path| path.with_file_name(binary(HOOK)));
    hooks.find(|hook| is_executable(hook)).ok_or_else(|| {
        let folder = real.parent().unwrap_or(&real).display().to_string();
        let folder = terminal::harmless(&folder);
        Failure::failed(format!("there is no {HOOK} beside plantune, in {folder}"))
            .hint("install both with `make install`, or give --hook-path")
    })
}

/// The path this program was called by: as typed, or found through `PATH`.
fn called_as() -> Option<PathBuf> {
    let called = PathBuf::from(env::args_os().next()?);
    if called.components().count() > 1 {
        absolute(&called).ok()
    } else {
        in_path(called.as_os_str())
    }
}

/// The first program called `name` in `PATH`; relative folders there are passed over.
fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join(name.as_ref()));
    programs.find(|program| program.is_absolute() && is_executable(program))
}

/// `path` from the root on, without `..`, its symbolic links kept where there is none.
fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name))
            if path.components().any(|part| part == Component::ParentDir) =>
        {
            Ok(fs::canonicalize(folder)?.join(name))
        }
        _ => Ok(path),
    }
}

fn binary(name: &str) -> OsString {
    format!("{name}{}", env::consts::EXE_SUFFIX).into()
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| {
        #[cfg(unix)]
        let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let may_run = true;
        metadata.is_file() && may_run
    })
}
