//! `plantune debug session-kind`: whether a human can answer here, for scripts.

use clap::Args;
use plantune_domain::session_kind::with_variable;
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;

/// Print whether somebody can answer questions here: interactive, headless or spawned
///
/// The hook finds out the same way. The first variable that is set and not empty decides: OPENCLAW_SESSION means spawned;
/// PLANTUNE_HEADLESS and GSTACK_HEADLESS mean headless; CONDUCTOR_WORKSPACE_PATH, CONDUCTOR_PORT and
/// CLAUDE_CODE_ENTRYPOINT=cli mean interactive; CI and GITHUB_ACTIONS mean headless. Without any of them it is interactive.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug session-kind
      interactive, headless or spawned
  plantune debug session-kind --json              also the variable that decided")]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

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
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (session_kind, variable) = with_variable(|name| std::env::var_os(name));
    if !arguments.json {
        return terminal::print_exactly(&format!("{session_kind}\n"));
    }
    let document = SessionKindDocument {
        schema_version: 1,
        session_kind: session_kind.as_str(),
        variable,
    };
    let json = serde_json::to_string_pretty(&document)?;
    terminal::print_exactly(&format!("{json}\n"))
}
