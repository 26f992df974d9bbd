//! What a person teaches in the dialog: what is written, what is said, and who cannot teach.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[path = "../common/mod.rs"]
mod common;
mod dialog;
mod kept;
mod lessons;
mod refused;
