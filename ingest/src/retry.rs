//! The quarantine once more: what the present decoder can read becomes events.
//!
//! Readable lines are appended to a segment of the spool, read from there like any others, and only
//! then taken out of quarantine, once the log holds their events. A run that is killed in between
//! leaves lines that are in both, and the next one finds them known.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use duckdb::params;
use memchr::memchr;
use plantune_domain::{clock, spool};

use crate::Writer;
use crate::decode::{MAX_LINE_BYTES, too_long};
use crate::error::Error;
use crate::ingest::known_ids;
use crate::piece::take_line;
use crate::progress::Progress;
use crate::segment::{Pieces, Segment, list};

/// How many lines are looked at at a time; of each at most 64 KiB are kept.
const AT_ONCE: u32 = 256;

/// What became of the lines in quarantine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retried {
    /// Lines taken out of quarantine, because their events are in the log now.
    pub lines: u64,
    /// Events that these lines added to the log.
    pub events: u64,
    /// Events in them that the log held already.
    pub known: u64,
    /// The lines that stay: how many for which reason, the most first. Reasons may quote the lines,
    /// so they are untrusted text.
    pub staying: Vec<(String, u64)>,
}

/// A line in quarantine.
struct Row {
    id: String,
    segment: String,
    offset: u64,
    reason: String,
    bytes: Vec<u8>,
    length: u64,
}

/// What is in a line: its events, and why not all of it is one.
struct Judged {
    row: Row,
    events: Vec<([u8; 16], Vec<u8>)>,
    reason: Option<String>,
}

impl Writer {
    /// Reads every line in quarantine with the present decoder, after what is new in the spool.
    /// `progress` tells how far the spool is read.
    ///
    /// # Errors
    /// Of the spool and DuckDB's. What was done till then stays done, and nothing is lost.
    pub fn retry_quarantine(
        &mut self,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Retried, Error> {
        self.ingest(now, progress)?;
        let segments = list(&self.paths().events()).map_err(Error::Spool)?;
        let mut retried = Retried::default();
        let mut staying = BTreeMap::new();
        let mut last = String::new();
        loop {
            let rows = self.quarantined(&last)?;
            match rows.last() {
                Some(row) => last.clone_from(&row.id),
                None => break,
            }
            let judged: Vec<Judged> = rows.into_iter().map(|row| judge(row, &segments)).collect();
            self.bring_in(&judged, now, &mut retried)?;
            self.take_out(&judged, &mut retried, &mut staying)?;
        }
        retried.staying = staying.into_iter().collect();
        retried
            .staying
            .sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        Ok(retried)
    }

    /// The lines in quarantine whose ids come after `last`, in the order of ids.
    fn quarantined(&self, last: &str) -> Result<Vec<Row>, Error> {
        let sql = include_str!("../sql/quarantine/page.sql");
        let mut statement = self.connection().prepare(sql)?;
        let rows = statement.query_map(params![last, AT_ONCE], |row| {
            Ok(Row {
                id: row.get(0)?,
                segment: row.get(1)?,
                offset: row.get(2)?,
                reason: row.get(3)?,
                bytes: row.get(4)?,
                length: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<duckdb::Result<_>>()?)
    }

    /// Adds the events that the log does not hold, through the spool.
    fn bring_in(
        &mut self,
        judged: &[Judged],
        now: DateTime<Utc>,
        retried: &mut Retried,
    ) -> Result<(), Error> {
        let mut known = self.known(judged)?;
        let (mut lines, mut added) = (Vec::new(), 0);
        for (id, line) in judged.iter().flat_map(|judged| &judged.events) {
            if known.insert(*id) {
                lines.extend_from_slice(line);
                lines.push(b'\n');
                added += 1;
            } else {
                retried.known += 1;
            }
        }
        if added > 0 {
            let segment = self.segment_of_retries(now);
            spool::append_alone(&segment, &lines)
                .map_err(|error| Error::SpoolWrite(segment, error))?;
            self.ingest(now, &Progress::default())?;
            retried.events += added;
        }
        Ok(())
    }

    /// Takes the lines out of quarantine whose events are all in the log, and notes of the others
    /// why they stay.
    fn take_out(
        &self,
        judged: &[Judged],
        retried: &mut Retried,
        staying: &mut BTreeMap<String, u64>,
    ) -> Result<(), Error> {
        let known = self.known(judged)?;
        let connection = self.connection();
        let transaction = connection.unchecked_transaction()?;
        for Judged {
            row,
            events,
            reason,
        } in judged
        {
            let is_in = events.iter().all(|(id, _)| known.contains(id));
            match reason {
                None if is_in => {
                    let sql = include_str!("../sql/quarantine/take_out.sql");
                    transaction.execute(sql, [&row.id])?;
                    retried.lines += 1;
                }
                reason => {
                    let reason = reason.as_ref().unwrap_or(&row.reason);
                    if *reason != row.reason {
                        let sql = include_str!("../sql/quarantine/keep_because.sql");
                        transaction.execute(sql, [reason, &row.id])?;
                    }
                    *staying.entry(without_place(reason).to_owned()).or_default() += 1;
                }
            }
        }
        Ok(transaction.commit()?)
    }

    fn known(&self, judged: &[Judged]) -> Result<HashSet<[u8; 16]>, Error> {
        let events = judged.iter().flat_map(|judged| &judged.events);
        known_ids(
            self.connection(),
            self.feeds(),
            events.map(|(id, _)| *id).collect(),
        )
    }

    /// The segment is this writer's alone, because the store is.
    fn segment_of_retries(&self, now: DateTime<Utc>) -> PathBuf {
        let day = clock::timestamp(now);
        let day = day.split('T').next().unwrap_or_default();
        let name = format!("quarantine-retry-{day}.jsonl");
        self.paths().events().join(name)
    }
}

/// What the present decoder finds in a line.
fn judge(row: Row, segments: &[Segment]) -> Judged {
    let found = if row.length <= row.bytes.len() as u64 {
        Ok(read(&row.bytes))
    } else if row.length > MAX_LINE_BYTES as u64 {
        Err(too_long(row.length))
    } else {
        whole_line(&row, segments).map(|line| read(&line))
    };
    let (events, reason) = match found {
        Ok((events, reason)) => (events, reason),
        Err(reason) => (Vec::new(), Some(reason)),
    };
    Judged {
        row,
        events,
        reason,
    }
}

type Events = Vec<([u8; 16], Vec<u8>)>;

fn read(line: &[u8]) -> (Events, Option<String>) {
    let mut found = (Vec::new(), Vec::new());
    take_line(line, 0, &mut found);
    let (events, bad_lines) = found;
    let event = |(event, line): crate::piece::Line<'_>| (event.id, line.to_vec());
    (
        events.into_iter().map(event).collect(),
        bad_lines.into_iter().next().map(|line| line.reason),
    )
}

/// The whole of a line of which only the beginning is kept, from its segment.
fn whole_line(row: &Row, segments: &[Segment]) -> Result<Vec<u8>, String> {
    let gone = || {
        let (kept, segment) = (row.bytes.len(), &row.segment);
        format!("only its first {kept} bytes are kept, and {segment} does not hold it any more")
    };
    let segment = segments
        .iter()
        .find(|segment| segment.name == row.segment)
        .ok_or_else(gone)?;
    let piece = Pieces::open(segment, row.offset).and_then(|mut pieces| pieces.next(Vec::new()));
    let piece = piece
        .map_err(|error| format!("its segment cannot be read: {error}"))?
        .ok_or_else(gone)?;
    let end = memchr(b'\n', &piece.bytes).ok_or_else(gone)?;
    let line = crate::piece::clean(piece.bytes.get(..end).unwrap_or_default());
    usize::try_from(row.length)
        .ok()
        .and_then(|length| line.get(..length))
        .filter(|line| line.starts_with(&row.bytes))
        .map(<[u8]>::to_vec)
        .ok_or_else(gone)
}

/// A reason without where in its line the trouble is, which differs from line to line.
fn without_place(reason: &str) -> &str {
    // Early versions wrote `at line 1 column 7`.
    [" (column ", " at line "]
        .into_iter()
        .find_map(|before| Some(reason.rsplit_once(before)?.0))
        .unwrap_or(reason)
}
