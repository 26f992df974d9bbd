//! The built programs, end to end: each module a part of what they promise.

#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::print_stderr,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod afterwards;
mod agents;
mod agreement;
mod away;
mod captured_prompts;
#[path = "../shared/chance.rs"]
mod chance;
mod claude_code;
mod command_line;
#[path = "../documents/mod.rs"]
mod commands_shown;
mod doctor;
mod documents;
mod doors;
mod doubled_sources;
mod every_verb;
mod export;
mod figures;
mod first_run;
mod first_weeks;
mod gc;
mod hosts;
mod import;
mod install;
mod killed;
mod levels;
mod mistakes;
mod no_room;
mod page;
mod permission_rules;
mod plugin;
mod prefs;
mod prefs_shown;
mod printed_commands;
mod prompts;
mod quarantine;
mod questions;
mod report;
mod secrets;
mod security;
#[path = "../../ingest/tests/segments/mod.rs"]
mod segments;
mod settings_changes;
#[path = "../shared/mod.rs"]
mod shared;
mod sql;
mod statusline;
mod store_content;
mod store_file;
mod suggest;
mod time;
mod torture;
mod typed_ahead;
mod walked;
mod whole_loop;
mod world;
