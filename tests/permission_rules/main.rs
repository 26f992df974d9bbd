//! Proposed permission rules, from the log to Claude Code's settings and back.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

mod asked;
#[allow(unreachable_pub, reason = "shared by several tests")]
#[path = "../common/mod.rs"]
mod common;
mod log;
#[path = "../person/mod.rs"]
mod person;
mod proposed;
mod refused;
#[path = "../shop/mod.rs"]
mod shop;
mod written;
