//! Spool and imports → Arrow → store, exactly once. The only crate that writes the store.

mod chunk;
pub mod claude_code;
mod columns;
mod decode;
mod dimension;
mod dimensions;
mod error;
mod fact;
mod feed;
mod feeds;
mod import;
mod ingest;
mod log;
mod part;
mod piece;
mod progress;
mod project;
mod rebuild;
mod rows;
mod seen;
mod segment;
mod stream;
mod told;
mod trace;
mod work;
mod writer;

pub use error::Error;
pub use import::{Import, ImportError};
pub use ingest::Summary;
pub use progress::Progress;
pub use writer::Writer;
