//! Spool and imports → Arrow → store, exactly once. The only crate that writes the store.

mod batch;
pub mod claude_code;
mod decode;
mod error;
mod feed;
mod import;
mod ingest;
mod piece;
mod project;
mod seen;
mod segment;
mod writer;

pub use error::Error;
pub use import::{Import, ImportError};
pub use ingest::{Progress, Summary};
pub use writer::Writer;
