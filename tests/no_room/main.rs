//! Full, read-only and forbidden folders: the hook stays silent and ends well, plantune says what
//! is wrong and changes nothing by half, and afterwards everything goes on.
//!
//! A full file system is a small one in memory, mounted in a namespace of its own that is gone with
//! the test, whatever happens to it. Where none can be had, such tests say so and are skipped.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic, its helpers too, and says when it is skipped"
)]

#[allow(unreachable_pub, reason = "shared by several tests")]
#[path = "../common/mod.rs"]
mod common;
mod forbidden;
mod full;
mod home;
mod modes;
mod preferences;
mod small;
