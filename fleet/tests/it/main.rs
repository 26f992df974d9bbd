//! `plantune fleet`, end to end (`make fleet-test`): each module a part of what it promises.

#![allow(
    missing_docs,
    clippy::cast_possible_truncation,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod adopt;
#[path = "../../../tests/shared/chance.rs"]
mod chance;
mod documents;
mod home;
mod privacy;
mod pushing;
mod report;
mod s3;
mod scale;
#[cfg(feature = "spark")]
mod spark;
