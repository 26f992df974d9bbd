//! Other people's files: the settings of coding agents, what plantune adds to them, and the record of that.
//!
//! The editors take a text and give back a text. A file is replaced in [`file`] alone, and what was there before is kept.
//! Nothing here asks the person or writes to a terminal.

pub mod accepted_rules;
pub mod agents;
pub mod claude_code;
pub mod editor;
mod error;
pub mod file;
pub mod guard;
pub mod installed_hook;
pub mod journal;
pub mod probe;
pub mod programs;

pub use error::{Problem, SettingsError};

/// The hook binary's name, without the ending that some systems add.
pub const HOOK: &str = "plantune-hook";
