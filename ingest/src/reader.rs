//! A segment of the log as record batches of events, part by part: lines, or the row groups of a sealed segment.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use crate::Error;
use crate::arrow::{EventsBuilder, complete, digests, with_former};
use crate::lines::{BadLine, decode_lines};
use crate::segment::{Chunk, ChunkReader, Format, Segment, named};

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

/// The error of a file that DuckDB cannot read: it is damaged, or plantune did not write it.
fn damage(error: duckdb::Error) -> Error {
    let words = error.to_string();
    if words.starts_with("Out of Memory") {
        return error.into();
    }
    Error::Damage(words.lines().next().unwrap_or_default().to_owned())
}

/// A connection for reading sealed segments, separate from the store's.
pub(crate) fn connect() -> Result<Connection, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../sql/sealed/session.sql"))?;
    Ok(connection)
}

/// A sealed segment, open for reading row group by row group. The writer limits their size.
pub(crate) struct SealedFile {
    connection: Connection,
    /// As a pattern.
    path: String,
    /// The rows of each row group.
    groups: Vec<u64>,
    /// The number of groups and rows read so far.
    read: (usize, u64),
    bytes: u64,
}

/// A row group of a sealed segment.
pub(crate) struct RowGroup {
    connection: Connection,
    path: String,
    rows: Range<u64>,
    /// The approximate number of bytes of the file that it covers.
    pub(crate) bytes: u64,
}

impl SealedFile {
    /// Opens the file at `path` and reads its metadata.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, Error> {
        // DuckDB's message does not distinguish a file that may not be read from one that is damaged.
        let opened = File::open(path).and_then(|file| file.metadata());
        let bytes = opened.map_err(|error| named(&error, path))?.len();
        let path = pattern(path)?;
        let groups = || {
            let sql = include_str!("../sql/sealed/row_groups.sql");
            let mut statement = connection.prepare(sql)?;
            let groups = statement.query_map([&path], |row| row.get(0))?;
            groups.collect::<duckdb::Result<_>>()
        };
        let groups = groups().map_err(damage)?;
        Ok(Self {
            connection: connection.try_clone()?,
            path,
            groups,
            read: (0, 0),
            bytes,
        })
    }

    /// The next row group.
    pub(crate) fn next(&mut self) -> Result<Option<RowGroup>, Error> {
        let (group, start) = self.read;
        let Some(rows) = self.groups.get(group) else {
            return Ok(None);
        };
        let end = start + rows;
        self.read = (group + 1, end);
        Ok(Some(RowGroup {
            connection: self.connection.try_clone()?,
            path: self.path.clone(),
            rows: start..end,
            bytes: self.bytes * rows / self.groups.iter().sum::<u64>().max(1),
        }))
    }

    /// Reads the whole segment, checks it against its digest, and returns its number of events. `each` gets them group
    /// by group.
    pub(super) fn check(
        mut self,
        mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let sql = include_str!("../sql/sealed/declared.sql");
        let declared = self
            .connection
            .query_row(sql, [&self.path], |row| row.get(0));
        let declared: Option<String> = declared.map_err(damage)?;
        let mut digest = 0;
        while let Some(rows) = self.next()? {
            let sealed = rows.read(true)?;
            if let Some(events) = complete(&sealed, true)? {
                let counted = digests(&with_former(&events, &sealed)?);
                digest += counted.into_iter().map(u128::from).sum::<u128>();
                each(&events)?;
            }
        }
        match declared {
            None => Err(Error::Damage("plantune did not write this file".to_owned())),
            Some(declared) if declared == digest.to_string() => Ok(self.read.1),
            Some(_) => Err(Error::Damage("events were changed".to_owned())),
        }
    }
}

impl RowGroup {
    /// The events. `is_whole` includes all columns. Otherwise only the fields that projections read are included, with
    /// ids in the rare case that any are needed.
    pub(crate) fn events(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        match complete(&self.read(is_whole)?, is_whole)? {
            Some(events) => Ok(events),
            None => self.events(true),
        }
    }

    /// The columns that the file has.
    fn read(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        let sql = if is_whole {
            include_str!("../sql/sealed/read.sql")
        } else {
            include_str!("../sql/sealed/read_projected.sql")
        };
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let Range { start, end } = self.rows;
            let batches = statement.stream_arrow(params![self.path, start, end])?;
            Ok((batches.get_schema(), batches.collect::<Vec<_>>()))
        };
        let (schema, batches) = read().map_err(damage)?;
        let events = concat_batches(&schema, &batches)?;
        if events.num_rows() as u64 != self.rows.end - self.rows.start {
            return Err(Error::Damage("rows are missing".to_owned()));
        }
        Ok(events)
    }
}

/// Reads a sealed segment to its end, and returns how many events it has.
///
/// # Errors
/// When the segment is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let check = || SealedFile::open(&connect()?, path)?.check(|_| Ok(()));
    check().map_err(|error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    })
}

/// `path` escaped for DuckDB's file patterns, so that brackets, question marks and stars stand for themselves.
///
/// # Errors
/// When the path is not UTF-8.
pub fn pattern(path: &Path) -> io::Result<String> {
    let mut pattern = String::new();
    for c in text(path)?.chars() {
        match c {
            '*' | '?' | '[' => pattern.extend(['[', c, ']']),
            c => pattern.push(c),
        }
    }
    Ok(pattern)
}

/// `path` as text.
pub(crate) fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!("{}: not UTF-8", path.display());
        io::Error::new(io::ErrorKind::Unsupported, message)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use plantune_domain::event::Event;
    use plantune_domain::json::Text;
    use proptest::prelude::*;
    use serde::Deserialize as _;
    use serde::de::value::Error as ValueError;
    use serde::de::{Deserializer, Visitor};
    use serde_json::{Map, Value as Json, json};

    use super::{check_sealed, connect, pattern};
    use crate::arrow::{fields, is_field};
    use crate::retention::seal::Staging;
    use crate::segment::list;

    /// Records the fields that a struct asks for.
    struct Fields<'f>(&'f mut Vec<&'static str>);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = ValueError;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
            Err(serde::de::Error::custom("no struct"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, ValueError> {
            self.0.extend(fields);
            Err(serde::de::Error::custom("done"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    #[test]
    fn the_columns_are_the_fields_of_an_event_and_documented() {
        let mut expected = Vec::new();
        Event::deserialize(Fields(&mut expected)).unwrap_err();
        let columns: Vec<&str> = fields().iter().map(|(name, _)| &**name).collect();
        assert_eq!(columns[..columns.len() - 1], expected);
        assert_eq!(columns[columns.len() - 1], "extra");
        let docs = include_str!("../../docs/development/events.md");
        let table: String = docs.lines().filter(|line| line.starts_with('|')).collect();
        for column in columns {
            assert!(table.contains(&format!("`{column}`")), "{column}");
        }
    }

    /// Seals `lines` in a folder of their own, with `sealed` there already; returns the events read back.
    fn sealed(lines: &str, before: Option<&str>) -> Vec<Map<String, Json>> {
        let folder = tempfile::tempdir().unwrap();
        // Characters with a special meaning in SQL and patterns.
        let events = folder.path().join("a 'b' [c]*?{files}");
        fs::create_dir(&events).unwrap();
        let path = events.join("2026-10.parquet");
        for lines in before.into_iter().chain([lines]) {
            let name = events.join("2026-10-01.jsonl");
            plantune_domain::atomic_file::replace(&name, lines.as_bytes(), 0o600).unwrap();
            let mut staging = Staging::open(&folder.path().join("it's [spilled]")).unwrap();
            if path.exists() {
                staging.add_sealed(&path).unwrap();
            }
            let segments = list(&events).unwrap();
            staging.add_lines(segments.last().unwrap()).unwrap();
            let (temporary, rows) = staging.write(&path).unwrap();
            fs::rename(temporary, &path).unwrap();
            assert_eq!(check_sealed(&path).unwrap(), rows);
        }
        read_back(&path)
    }

    fn read_back(path: &Path) -> Vec<Map<String, Json>> {
        let connection = connect().unwrap();
        let sql = "SELECT to_json(event) FROM (
            SELECT * REPLACE (strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ') AS ts)
            FROM read_parquet(?, file_row_number = true) ORDER BY file_row_number
        ) AS event";
        let mut statement = connection.prepare(sql).unwrap();
        let events = statement.query_map([pattern(path).unwrap()], |row| row.get(0));
        let event = |event: duckdb::Result<String>| {
            let mut event: Map<String, Json> = serde_json::from_str(&event.unwrap()).unwrap();
            event.remove("file_row_number");
            if let Some(Json::String(extra)) = event.remove("extra") {
                event.extend(serde_json::from_str::<Map<String, Json>>(&extra).unwrap());
            }
            // An event's line leaves these out.
            event.retain(|name, value| !value.is_null() || !is_field(name));
            event
        };
        events.unwrap().map(event).collect()
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![any::<String>(), Just("\0'\"\\".to_owned()), "[a-c]{0,3}"]
    }

    fn option<T: std::fmt::Debug + Clone>(
        value: impl Strategy<Value = T>,
    ) -> impl Strategy<Value = Option<T>> {
        prop::option::of(value)
    }

    /// A line, as a newer version may write it.
    fn line() -> impl Strategy<Value = Map<String, Json>> {
        let texts = || prop::collection::vec(text(), 0..4);
        let unknown = prop::collection::vec((text(), any::<i64>(), text()), 0..3);
        let named = (0u8..6, 0i64..5_000, text(), 0usize..5);
        let optional = (
            option(text()),
            option(texts()),
            option(any::<bool>()),
            option(any::<u32>()),
        );
        (
            named,
            optional,
            option(texts()),
            option(any::<bool>()),
            option(any::<bool>()),
            unknown,
        )
            .prop_map(
                |(
                    (id, ms, session, kind),
                    (text, options, flag, index),
                    answer,
                    followed,
                    truncated,
                    unknown,
                )| {
                    let kind = [
                        "asked",
                        "answered",
                        "session_ended",
                        "hook_error",
                        "not known yet",
                    ][kind];
                    let owned = |text: &Option<String>| text.clone().map(Text::from);
                    let labels = |labels: Option<Vec<String>>| {
                        labels.map(|labels| labels.into_iter().map(Text::from).collect())
                    };
                    let ts =
                        chrono::DateTime::from_timestamp_millis(1_790_000_000_000 + ms).unwrap();
                    let event = Event {
                        v: 1,
                        id: format!("{id:032x}").into(),
                        ts: plantune_domain::clock::timestamp(ts).into(),
                        kind: kind.into(),
                        session_id: session.into(),
                        source: "hook".into(),
                        agent_id: owned(&text),
                        tool_use_id: owned(&text),
                        question: owned(&text),
                        detail: text.map(Text::from),
                        question_index: index,
                        options: labels(options),
                        answer: labels(answer),
                        multi_select: flag,
                        followed_recommendation: followed.map(Some),
                        truncated,
                        ..Event::default()
                    };
                    let Json::Object(mut fields) = serde_json::to_value(&event).unwrap() else {
                        panic!("an event is an object");
                    };
                    for (name, number, text) in unknown {
                        if !is_field(&name) {
                            fields.insert(name, json!({ "n": [number, null], "t": text }));
                        }
                    }
                    fields
                },
            )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

        #[test]
        fn every_field_of_every_event_is_read_back(
            events in prop::collection::vec(line(), 1..40),
            split in 0usize..40,
        ) {
            let lines = |events: &[Map<String, Json>]| -> String {
                events.iter().map(|event| format!("{}\n", Json::Object(event.clone()))).collect()
            };
            let (before, after) = events.split_at(split.min(events.len() - 1));
            let before = (!before.is_empty()).then(|| lines(before));
            let found = sealed(&lines(after), before.as_deref());
            let mut expected: Vec<_> = events.into_iter().map(Json::Object).map(|e| e.to_string()).collect();
            expected.sort();
            expected.dedup();
            let order: Vec<_> = found.iter().map(|e| (e["ts"].to_string(), e["id"].to_string())).collect();
            prop_assert!(order.is_sorted());
            let mut found: Vec<_> = found.into_iter().map(Json::Object).map(|e| e.to_string()).collect();
            found.sort();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn of_two_copies_of_a_question_event_the_one_that_counts_stays() {
        let line = |source: &str, second: u32, more: &str| {
            format!(
                "{{\"v\":1,\"id\":\"{:032x}\",\"ts\":\"2026-10-01T10:00:{second:02}.000Z\",\"kind\":\"asked\",\
                 \"source\":\"{source}\",\"tool_use_id\":\"t\",\"question_index\":0,\"question_key\":\"k\"{more}}}\n",
                7
            )
        };
        let (import, hook, later) = (
            line("import:x", 1, ""),
            line("hook", 2, ""),
            line("hook", 3, ""),
        );
        let found = sealed(&format!("{later}{import}{hook}{hook}"), None);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["ts"], "2026-10-01T10:00:02.000Z");
        // With the same time, neither takes precedence.
        let found = sealed(&line("hook", 2, ",\"notes\":\"n\""), Some(&hook));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn what_earlier_versions_sealed_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let line = "{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026-10-01T10:00:00Z\",\"kind\":\"asked\",\"subject\":\"s\"}\n";
        plantune_domain::atomic_file::replace(&at("2026-10-01.jsonl"), line.as_bytes(), 0o600)
            .unwrap();
        let mut staging = Staging::open(&at("spilled")).unwrap();
        staging.add_lines(&list(folder.path()).unwrap()[0]).unwrap();
        let (whole, _) = staging.write(&at("2026-10.parquet")).unwrap();
        // The digest that the version before the fields were removed wrote.
        let connection = duckdb::Connection::open_in_memory().unwrap();
        let sql = "COPY (SELECT *, true AS assisted, 'first: often' AS shown FROM read_parquet('WHOLE')) TO 'EARLIER'
             (FORMAT parquet, KV_METADATA {plantune_digest: 'DIGEST'})";
        let earlier = at("earlier.parquet");
        let sql = sql
            .replace("WHOLE", whole.to_str().unwrap())
            .replace("EARLIER", earlier.to_str().unwrap())
            .replace("DIGEST", "2317594461692488743");
        connection.execute_batch(&sql).unwrap();
        assert_eq!(check_sealed(&earlier).unwrap(), 1);
    }

    #[test]
    fn a_file_that_does_not_hold_what_it_says_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let line = "{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026-10-01T10:00:00Z\",\"kind\":\"asked\",\"door\":\"two-way\"}\n";
        plantune_domain::atomic_file::replace(&at("2026-10-01.jsonl"), line.as_bytes(), 0o600)
            .unwrap();
        let mut staging = Staging::open(&at("spilled")).unwrap();
        staging.add_lines(&list(folder.path()).unwrap()[0]).unwrap();
        let (whole, _) = staging.write(&at("2026-10.parquet")).unwrap();
        assert_eq!(check_sealed(&whole).unwrap(), 1);
        let digest = "(SELECT max(decode(value)) FROM parquet_kv_metadata('WHOLE'))";
        for (select, metadata, words) in [
            (
                "SELECT * FROM read_parquet('WHOLE')",
                "",
                "plantune did not write",
            ),
            (
                "SELECT * REPLACE ('failed' AS kind) FROM read_parquet('WHOLE')",
                digest,
                "events were changed",
            ),
            (
                "SELECT * FROM read_parquet('WHOLE') UNION ALL FROM read_parquet('WHOLE')",
                digest,
                "events were changed",
            ),
            (
                "SELECT * REPLACE ('no id' AS id) FROM read_parquet('WHOLE')",
                digest,
                "an id that is none",
            ),
            (
                "SELECT * REPLACE (2 AS v) FROM read_parquet('WHOLE')",
                digest,
                "columns are not those",
            ),
            (
                "SELECT * EXCLUDE (door) FROM read_parquet('WHOLE')",
                digest,
                "events were changed",
            ),
            (
                "SELECT * EXCLUDE (project) FROM read_parquet('WHOLE')",
                digest,
                "project",
            ),
        ] {
            let connection = duckdb::Connection::open_in_memory().unwrap();
            let sql = match metadata {
                "" => format!("COPY ({select}) TO 'CHANGED' (FORMAT parquet)"),
                metadata => format!(
                    "SET VARIABLE digest = {metadata}; COPY ({select}) TO 'CHANGED'
                     (FORMAT parquet, KV_METADATA {{plantune_digest: getvariable('digest')}})"
                ),
            };
            let changed = at("changed.parquet");
            let sql = sql
                .replace("WHOLE", whole.to_str().unwrap())
                .replace("CHANGED", changed.to_str().unwrap());
            connection.execute_batch(&sql).unwrap();
            let error = check_sealed(&changed).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        let error = check_sealed(&at("none")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }
}
