//! Documents and their formats: terminal, JSON, Markdown. Everything is written to a
//! `dyn Write`; nothing here knows the store.
//!
//! Texts inside documents come from a model or an unknown repository. Each format makes them
//! safe in its own way: [`text`] for terminals, [`markdown`] for Markdown, [`json`] for JSON.

pub mod amount;
pub mod backtest;
pub mod binding;
pub mod csv;
pub mod decisions;
pub mod explain;
pub mod fleet;
pub mod html;
pub mod inert;
pub mod json;
pub mod level;
pub mod log;
pub mod markdown;
pub mod output;
pub mod prompts;
pub mod quarantine;
pub mod questions;
pub mod report;
pub mod sql;
pub mod standing;
pub mod style;
pub mod suggestions;
pub mod table;
pub mod terminal;
pub mod text;
pub mod when;

use std::io;

/// A way to write a document `D`.
pub trait Format<D> {
    /// Writes `document` to `out`, the last line ended.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&self, document: &D, out: &mut dyn io::Write) -> io::Result<()>;
}
