//! Segments of the log, however they are written, part by part as record batches of events.

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;

use crate::arrow::EventsBuilder;
use crate::error::Error;
use crate::sealed::{RowGroup, SealedFile, connect};
use crate::spool::{BadLine, Chunk, ChunkReader, Format, Segment, decode_lines};

/// Reads one segment.
pub(crate) enum SegmentReader {
    Lines(ChunkReader),
    Rows(SealedFile),
}

/// Some megabytes of lines, or a row group. Parts may be decoded side by side.
pub(crate) enum Part {
    Lines(Chunk),
    Rows(RowGroup),
}

impl SegmentReader {
    /// Opens `segment` at `offset`; a sealed one is always read from its start. `sealed` keeps
    /// what sealed ones are read with.
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
    /// The events, and the lines that are none. `is_whole`: with every field; else as projections need them,
    /// without fields that none reads, and with ids where some are needed.
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

    /// How many bytes of the segment it is, about.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Lines(chunk) => chunk.bytes.len() as u64,
            Self::Rows(rows) => rows.bytes,
        }
    }
}
