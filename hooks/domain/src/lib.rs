//! The vocabulary that every crate of plantune shares: events, question keys, doors, preferences,
//! the registry, the configuration, and where all of it lies.
//!
//! The hook links this crate while a person waits: no DuckDB, Arrow, clap or async runtime.

mod answers;
pub mod away;
pub mod binding;
pub mod clock;
pub mod commitment;
mod configuration;
pub mod consent;
pub mod corrections;
pub mod counted;
pub mod decision;
pub mod doors;
pub mod event;
pub mod familiar;
mod files;
pub mod gate;
pub mod hash;
pub mod host;
mod named;
pub mod nudge;
pub mod permissions;
pub mod platform;
pub mod preferences;
pub mod project;
mod questions;
pub mod release;
pub mod sanitize;
pub mod secrets;
pub mod session_kind;
mod shell;
pub mod spool;
pub mod spot_check;
pub mod state;
pub mod status_line;
pub mod teach;
pub mod text;
pub mod wire;
mod words;

pub use answers::{answer, host_words, result_text, results};
pub use configuration::{config, cost, reask, registry, report_settings};
pub use files::{atomic_file, launcher, paths, private_file, roots};
pub use questions::{family, keys, question, recommended};
