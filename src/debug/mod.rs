//! `plantune debug`: what packaging, scripts and people who work on plantune call.

pub(crate) mod demo;
pub mod packaging;

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Seek as _, Write as _, stdin};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use plantune_domain::event::SCHEMA_VERSION;
use plantune_domain::session_kind::with_variable;
use plantune_ingest::Error;
use plantune_query::health;
use plantune_reports::text::clean;
use plantune_settings::installed_hook::{InstalledHook, has_same_bytes, our_hook};
use serde::Serialize;

use crate::debug::demo::RunWords;
use crate::document::Document;
use crate::environment::create_privately;
use crate::failure::Failure;
use crate::refresh;
use crate::request::maintenance::DebugCall;
use crate::session::Session;

/// Does what the call asks. `command` is all that can be called, and `play` runs a line of words.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(
    call: &DebugCall,
    session: &Session,
    command: clap::Command,
    play: RunWords,
) -> Result<Document, Failure> {
    match call {
        DebugCall::Compare => compare(session),
        DebugCall::Completions(shell) => packaging::completions(shell),
        DebugCall::Demo => demo::run(session, play).map(|()| Document::default()),
        DebugCall::Man { folder, list } => packaging::man(folder.as_deref(), *list, command),
        DebugCall::SessionKind { json } => session_kind(*json),
        DebugCall::StatusLine => status_line(),
        DebugCall::Version { json } => version(*json, session),
    }
}

// `plantune debug compare`: whether the store holds what the log says.

/// Compares, and says what differs.
///
/// # Errors
/// Failed when something differs; when the store is held, of a newer plantune, or nothing can be written beside it.
fn compare(session: &Session) -> Result<Document, Failure> {
    session.check_roots()?;
    // What is computed lies in files beside the store, as private as that.
    create_privately();
    let differences = match plantune_ingest::compare(&session.paths) {
        Ok(Some(differences)) => differences,
        Ok(None) => {
            return Ok(Document::text(
                "nothing to compare yet; `plantune report` computes the store from the log\n",
            ));
        }
        // The next run computes it again.
        Err(Error::Broken(_)) => {
            return Ok(Document::text("not compared: the store is damaged\n"));
        }
        Err(error) => return Err(refresh::failure(session, &error)),
    };
    if differences.is_empty() {
        return Ok(Document::text("the store matches the log\n"));
    }
    let mut text = String::new();
    for difference in &differences {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", clean(&difference.to_string()));
        for row in &difference.rows {
            let _ = writeln!(text, "  {}", clean(row));
        }
    }
    let failure = Failure::failed("the store differs from the log");
    Ok(Document::text(text).but(failure.hint("run `plantune ingest --rebuild`")))
}

// `plantune debug session-kind`: whether a human can answer here.

#[derive(Serialize)]
struct SessionKindDocument {
    schema_version: u32,
    session_kind: &'static str,
    /// The variable that said so; null if none did.
    variable: Option<&'static str>,
}

/// Prints the session kind.
///
/// # Errors
/// When standard output cannot be written.
fn session_kind(json: bool) -> Result<Document, Failure> {
    let (kind, variable) = with_variable(|name| std::env::var_os(name));
    if !json {
        return Ok(Document::exact(format!("{kind}\n")));
    }
    let document = SessionKindDocument {
        schema_version: 1,
        session_kind: kind.as_str(),
        variable,
    };
    let json = serde_json::to_string_pretty(&document)?;
    Ok(Document::exact(format!("{json}\n")))
}

// `plantune debug statusline`: a line for Claude Code's status line.

/// Lets the hook's binary print the line, in this process's place.
///
/// # Errors
/// Failed when there is no hook binary beside this one, or it cannot be started.
fn status_line() -> Result<Document, Failure> {
    let mut command = Command::new(our_hook()?);
    command.arg("--statusline");
    if stdin().is_terminal() {
        // Somebody who wants to see it; nobody sends anything.
        let mut sent = tempfile::tempfile()?;
        sent.write_all(b"{}")?;
        sent.rewind()?;
        command.stdin(Stdio::from(sent));
    }
    Err(Failure::from(command.exec()))
}

// `plantune debug version`: which plantune this is, and of which versions what it works with.

#[derive(Serialize)]
struct VersionDocument {
    schema_version: u32,
    version: &'static str,
    /// The commit it was built from; null if the build did not say.
    commit: Option<&'static str>,
    /// The schema version of the stores it makes.
    store_schema: u32,
    /// The `v` of the events it logs.
    event_format: u32,
    /// The version of the DuckDB library.
    duckdb: String,
    platform: Platform,
    /// Null if there is none.
    hook: Option<HookVersion>,
}

#[derive(Serialize)]
struct Platform {
    os: &'static str,
    architecture: &'static str,
}

#[derive(Serialize)]
struct HookVersion {
    path: String,
    /// True for the hook that is beside this plantune, to the byte.
    current: bool,
    /// True for the copy that `install` registers.
    installed: bool,
}

impl VersionDocument {
    fn of(session: &Session) -> Result<Self, Failure> {
        Ok(Self {
            schema_version: 1,
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("PLANTUNE_COMMIT").filter(|commit| !commit.is_empty()),
            store_schema: health::store_schema(),
            event_format: SCHEMA_VERSION,
            duckdb: health::duckdb()?,
            platform: Platform {
                os: std::env::consts::OS,
                architecture: std::env::consts::ARCH,
            },
            hook: HookVersion::of(session),
        })
    }
}

impl HookVersion {
    fn of(session: &Session) -> Option<Self> {
        let installed = InstalledHook::of(&session.paths).path();
        let is_installed = installed.exists();
        let path = match is_installed {
            true => installed,
            false => our_hook().ok()?,
        };
        Some(Self {
            current: our_hook().is_ok_and(|ours| has_same_bytes(&ours, &path)),
            path: path.to_string_lossy().into_owned(),
            installed: is_installed,
        })
    }
}

/// Prints the versions.
///
/// # Errors
/// When the library cannot be asked, or standard output not be written.
fn version(json: bool, session: &Session) -> Result<Document, Failure> {
    let document = VersionDocument::of(session)?;
    if json {
        let json = serde_json::to_string_pretty(&document)?;
        return Ok(Document::exact(format!("{json}\n")));
    }
    Ok(Document::text(version_in_words(&document)))
}

fn version_in_words(document: &VersionDocument) -> String {
    let commit = document.commit.map(|commit| format!(" (commit {commit})"));
    let hook = document.hook.as_ref().map_or("none".to_owned(), |hook| {
        let version = match hook.current {
            true => "current",
            false => "of another plantune",
        };
        let place = match hook.installed {
            true => "installed",
            false => "not installed",
        };
        format!("{version}, {place}: {}", clean(&hook.path))
    });
    format!(
        "plantune {}{}\n\
         store schema  {}\n\
         event format  {}\n\
         DuckDB        {}\n\
         platform      {} {}\n\
         hook          {hook}\n",
        document.version,
        commit.unwrap_or_default(),
        document.store_schema,
        document.event_format,
        document.duckdb,
        document.platform.os,
        document.platform.architecture,
    )
}
