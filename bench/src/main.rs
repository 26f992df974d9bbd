//! How good plantune's proposals are, measured on made-up people and on real questions. What it costs is measured by
//! `cargo bench` (`benches/`).
//!
//! ```text
//! cargo run --release -p plantune-bench -- consent|held_out|near|people|permissions_held_out|permissions_history|real_questions [WORD …]
//! ```
//! Each module says which words it takes.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a measurement that prints and may panic"
)]

#[path = "../../tests/shared/chance.rs"]
mod chance;
mod held_out;
mod near;
mod people;
mod permissions_held_out;
mod permissions_history;
mod real_questions;
mod templates;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some("held_out") => held_out::measure(words),
        Some("permissions_held_out") => permissions_held_out::measure(words),
        Some("permissions_history") => permissions_history::measure(words),
        Some("consent") => near::consent(words),
        Some("near") => near::measure(words),
        Some("people") => people::measure(words),
        Some("real_questions") => real_questions::measure(words),
        _ => {
            eprintln!(
                "usage: plantune-bench consent|held_out|near|people|permissions_held_out|permissions_history|real_questions [WORD …]"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
