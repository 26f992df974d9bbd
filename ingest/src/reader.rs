//! A segment of the log as record batches of events, part by part: lines, or the row groups of a sealed segment.

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;

use crate::Error;
use crate::arrow::EventsBuilder;
use crate::lines::{BadLine, decode_lines};
use crate::sealed::{RowGroup, SealedFile, connect};
use crate::segment::{Chunk, ChunkReader, Format, Segment};

/// Reads one segment.
pub(crate) enum SegmentReader {
    Lines(ChunkReader),
    Rows(SealedFile),
}

/// A few megabytes of lines, or a row group. Parts can be decoded in parallel.
pub(crate) enum Part {
    Lines(Chunk),
    Rows(RowGroup),
}

impl SegmentReader {
    /// Opens `segment` at `offset`. A sealed segment is always read from its start. `sealed` keeps the connection for
    /// reading sealed segments.
    pub(crate) fn open(
        segment: &Segment,
        offset: u64,
        sealed: &mut Option<Connection>,
    ) -> Result<Self, Error> {
        if segment.name.format() != Format::Sealed {
            return Ok(Self::Lines(ChunkReader::open(segment, offset)?));
        }
        let connection = match sealed {
            Some(connection) => connection,
            None => sealed.insert(connect()?),
        };
        Ok(Self::Rows(SealedFile::open(connection, &segment.path)?))
    }

    /// The next part; `None` when no row or no whole line is left.
    pub(crate) fn next(&mut self) -> Result<Option<Part>, Error> {
        Ok(match self {
            Self::Lines(reader) => reader.next()?.map(Part::Lines),
            Self::Rows(file) => file.next()?.map(Part::Rows),
        })
    }
}

impl Part {
    /// The events, and the bad lines. `is_whole` includes every field. Otherwise only the fields that projections read
    /// are included, with ids if any are needed.
    pub(crate) fn events(&self, is_whole: bool) -> Result<(RecordBatch, Vec<BadLine>), Error> {
        match self {
            Self::Lines(chunk) => {
                let lines = decode_lines(chunk);
                let mut events = EventsBuilder::default();
                for event in &lines.events {
                    events.push(event, is_whole)?;
                }
                Ok((events.finish()?, lines.bad_lines))
            }
            Self::Rows(rows) => Ok((rows.events(is_whole)?, Vec::new())),
        }
    }

    /// The approximate number of bytes of the segment that it covers.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Lines(chunk) => chunk.bytes.len() as u64,
            Self::Rows(rows) => rows.bytes,
        }
    }
}
