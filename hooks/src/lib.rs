//! A hook call from end to end: what Claude Code sends, what is decided and logged, and what is
//! printed. The vocabulary is `plantune-domain`'s.
//!
//! This crate runs while a person waits. It links no DuckDB, Arrow, clap or async runtime, and
//! `scripts/check-hook-dependencies.sh` holds its dependencies against an allow-list.

pub mod hook;
pub mod marks;
pub mod messages;
pub mod reviewer;
pub mod settings_entry;
pub mod spot_check;
pub mod streams;
pub mod turn_summary;
