//! The vocabulary that every crate of plantune shares: events, question keys, doors, preferences,
//! the registry, the configuration, and the paths of their files.
//!
//! The hook links this crate while a person waits: no DuckDB, Arrow, clap or async runtime.

pub mod named;
mod reach;
mod shell;
mod tsv;
mod words;

pub mod away;
pub mod doors;
pub mod json;
pub mod permissions;
pub mod preferences;
pub mod sanitize;
pub mod secrets;
pub mod state;
pub mod status_line;
pub mod text;

/// Whether a question may be answered for the person: what they agreed to, and what is new about the question this
/// time. An *asking* is one time that a question is asked.
///
/// Read the files in this order: [`text`](agreement::text) splits a text into tokens, [`act`](agreement::act) finds out
/// what a label does, [`signs`](agreement::signs) finds the words that make a difference matter,
/// [`read`](agreement::read) collects all that is known about an asking and one of its options,
/// [`look`](agreement::look) says which askings look alike,
/// [`agreement`](agreement::agreement) records what was agreed to, and [`gate`] decides for a call or a proposal.
pub mod agreement {
    pub mod act;
    #[expect(clippy::module_inception, reason = "the folder is about it")]
    pub mod agreement;
    pub mod gate;
    pub mod look;
    pub mod read;
    pub mod signs;
    pub mod text;
}
pub use agreement::gate;

/// Questions and their keys.
mod questions {
    pub mod keys;
    pub mod question;
    pub mod recommended;
}
pub use questions::{keys, question, recommended};

/// The results of questions.
mod answers {
    pub mod answer;
    pub mod result_text;
    pub mod results;
    pub mod teach;
}
pub use answers::{answer, result_text, results, teach};

/// The recorded events.
mod events {
    pub mod clock;
    pub mod event;
    pub mod hash;
    pub mod lost_events;
    pub mod session_kind;
    pub mod spool;
    pub mod wire;
}
pub use events::{clock, event, hash, lost_events, session_kind, spool, wire};

/// The person's configuration: `config.toml` and `registry.toml`.
mod configuration {
    pub mod config;
    pub mod registry;
}
pub use configuration::{config, registry};

/// The paths of files, and reading and writing them.
mod files {
    pub mod atomic_file;
    pub mod paths;
    pub mod private_file;
    pub mod project;
    pub mod roots;
}
pub use files::{atomic_file, paths, private_file, project, roots};
