//! Spool and imports → Arrow → store, exactly once. The only crate that writes the store.

mod batch;
mod checkpoint;
mod chunk;
pub mod claude_code;
mod columns;
mod compressed;
mod decode;
mod error;
mod feed;
mod import;
mod ingest;
mod open;
mod part;
mod piece;
mod progress;
mod project;
mod retention;
mod seen;
mod segment;
mod segment_name;
mod session;
mod stream;
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
pub use segment_name::SegmentName;
pub use writer::Writer;
