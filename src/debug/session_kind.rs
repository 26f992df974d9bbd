//! `plantune debug session-kind`: whether a human can answer here, for scripts.

use plantune_domain::session_kind::with_variable;
use serde::Serialize;

use crate::document::Document;
use crate::failure::Failure;

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
pub(crate) fn run(json: bool) -> Result<Document, Failure> {
    let (session_kind, variable) = with_variable(|name| std::env::var_os(name));
    if !json {
        return Ok(Document::exact(format!("{session_kind}\n")));
    }
    let document = SessionKindDocument {
        schema_version: 1,
        session_kind: session_kind.as_str(),
        variable,
    };
    let json = serde_json::to_string_pretty(&document)?;
    Ok(Document::exact(format!("{json}\n")))
}
