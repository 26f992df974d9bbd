//! Spool and imports → Arrow → store, exactly once. The only crate that writes the store.

mod allocator;
mod checkpoint;
mod chunk;
pub mod claude_code;
mod columns;
mod compressed;
mod decode;
mod dimension;
mod dimensions;
mod error;
mod fact;
mod feed;
mod feeds;
#[cfg(test)]
mod fuzz_corpus;
mod import;
mod ingest;
mod log;
mod open;
mod part;
mod piece;
mod progress;
mod project;
mod rebuild;
mod retention;
mod retry;
mod rows;
mod seen;
mod segment;
mod segment_name;
mod stream;
mod tail;
mod told;
mod trace;
mod work;
mod writer;

pub use compressed::check_compressed;
pub use error::Error;
pub use import::{Import, ImportError};
pub use ingest::Summary;
pub use open::move_aside;
pub use progress::Progress;
pub use retention::{Collected, Dropped, Planned, Step, Why, dropped, plan};
pub use retry::Retried;
pub use segment_name::SegmentName;
pub use writer::Writer;
