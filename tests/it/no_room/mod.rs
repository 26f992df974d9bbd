//! Full, read-only and forbidden folders: the hook stays silent and ends well, plantune says what
//! is wrong and changes nothing by half, and afterwards everything goes on.
//!
//! A full file system is a small one in memory, mounted in a namespace of its own that is gone with
//! the test, whatever happens to it. Where none can be had, such tests say so and are skipped.

#![cfg(target_os = "linux")]

mod forbidden;
mod full;
mod home;
