//! What the hook knows: the event schema, the spool, Claude Code's wire types, preferences,
//! doors, and how a question is decided.
//!
//! This crate runs while a person waits. It links no DuckDB, Arrow, clap or async runtime, and
//! CI holds its dependency list against an allow-list.

pub mod announce;
pub mod answer;
pub mod atomic_file;
pub mod clock;
pub mod config;
pub mod decision;
pub mod directive;
pub mod doors;
pub mod event;
pub mod family;
pub mod hash;
pub mod hook;
pub mod host_words;
pub mod keys;
pub mod marks;
pub mod paths;
pub mod preference_lookup;
pub mod preferences;
pub mod private_file;
pub mod project;
pub mod question;
pub mod reask;
pub mod recommended;
pub mod registry;
pub mod result_text;
pub mod results;
pub mod reviewer;
pub mod session_kind;
pub mod spool;
pub mod spot_check;
pub mod telling;
pub mod turn;
pub mod wire;
