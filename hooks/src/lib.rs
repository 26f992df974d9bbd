//! What the hook knows: the event schema, the spool, Claude Code's wire types, preferences,
//! doors, and how a question is decided.
//!
//! This crate runs while a person waits. It links no DuckDB, Arrow, clap or async runtime, and
//! CI holds its dependency list against an allow-list.

pub mod atomic_file;
pub mod clock;
pub mod hash;
pub mod paths;
