//! What strangers can get at: texts and ids in the spool, files others may write, links, and
//! repositories that bring preferences along.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod files;
mod repositories;
mod texts;
mod world;
