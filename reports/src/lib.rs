//! Documents and their formats: terminal, JSON, Markdown, CSV, a page. All of them are texts; nothing here reads the
//! store.
//!
//! Texts inside documents come from a model or an unknown repository. Each format makes them safe in its own way:
//! [`text::clean`] for terminals, [`table::escape`] for Markdown, [`text::json`] for JSON.

pub mod backtest;
pub mod csv;
pub mod doctor;
pub mod explain;
pub mod html;
pub mod humanize;
pub mod log;
pub mod output;
pub mod prompts;
pub mod report;
pub mod sql;
pub mod standing;
pub mod suggestions;
pub mod table;
pub mod terminal;
pub mod text;
pub mod tidy;
