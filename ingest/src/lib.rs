//! Spool and imports → Arrow → store, exactly once. The only crate that writes the store.

mod batch;
mod chunk;
pub mod claude_code;
mod columns;
mod decode;
mod error;
mod feed;
#[cfg(test)]
mod fuzz_corpus;
mod import;
mod ingest;
mod part;
mod piece;
mod progress;
mod project;
mod seen;
mod segment;
mod session;
mod stream;
mod trace;
mod work;
mod writer;

pub use error::Error;
pub use import::{Import, ImportError};
pub use ingest::Summary;
pub use progress::Progress;
pub use writer::Writer;
