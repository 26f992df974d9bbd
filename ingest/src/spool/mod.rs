//! The log's hot segments: JSONL files (some of them compressed by earlier versions), read in chunks of
//! whole lines and decoded.

pub(crate) mod chunks;
mod gzip;
pub(crate) mod lines;
mod segment;
mod segment_name;

pub(crate) use chunks::{Chunk, ChunkReader};
pub use gzip::check_compressed;
pub(crate) use gzip::ends_torn;
pub(crate) use lines::{BadLine, Decoded, decode_id, decode_lines};
pub(crate) use segment::{Segment, hash_before, list, named};
pub use segment_name::{Format, SegmentName};
