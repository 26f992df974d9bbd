//! The log's hot segments: JSONL files, read in chunks of whole lines and decoded.

pub(crate) mod chunks;
pub(crate) mod lines;
mod segment;
mod segment_name;

pub(crate) use chunks::{Chunk, ChunkReader};
pub(crate) use lines::{BadLine, Decoded, decode_id, decode_lines};
pub(crate) use segment::{Segment, hash_before, list, named};
pub use segment_name::{Format, SegmentName};
