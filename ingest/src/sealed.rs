//! Sealed segments: a past month as a Parquet file with a checksum, read row group by row group.

use std::io;
use std::ops::Range;
use std::path::Path;

use duckdb::arrow::array::{RecordBatch, TimestampMicrosecondArray};
use duckdb::arrow::compute::concat_batches;
use duckdb::{Connection, params};

use crate::arrow::{column, complete, digests, texts, with_former};
use crate::checksum::CHANGED;
use crate::lines::decode_id;
use crate::segment::{named, pattern};
use crate::{Error, checksum};

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

/// A sealed segment that is as it was written, open for reading row group by row group.
pub(crate) struct SealedFile {
    connection: Connection,
    /// As a pattern.
    path: String,
    /// The rows of each row group.
    groups: Vec<u64>,
    /// The next group.
    next: usize,
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

/// The most bytes that a row group takes when it is unpacked, in a file that plantune wrote.
const GROUP_BYTES: u64 = 256 * 1024 * 1024;

impl SealedFile {
    /// Opens the file at `path`, and checks that it is as it was written.
    ///
    /// # Errors
    /// [`Error::Damage`] when it is not, and errors of the file system.
    pub(crate) fn open(connection: &Connection, path: &Path) -> Result<Self, Error> {
        let has_checksum = checksum::check(path)?;
        let bytes = path.metadata().map_err(|error| named(&error, path))?.len();
        let path = pattern(path)?;
        let groups = || {
            let sql = include_str!("../sql/sealed/row_groups.sql");
            let mut statement = connection.prepare(sql)?;
            let groups = statement.query_map([&path], |row| Ok((row.get(0)?, row.get(1)?)))?;
            groups.collect::<duckdb::Result<Vec<(u64, u64)>>>()
        };
        let groups = groups().map_err(damage)?;
        if groups.iter().any(|(_, bytes)| *bytes > GROUP_BYTES) {
            return Err(Error::Damage(NOT_OURS.to_owned()));
        }
        let file = Self {
            connection: connection.try_clone()?,
            path,
            groups: groups.into_iter().map(|(rows, _)| rows).collect(),
            next: 0,
            bytes,
        };
        if !has_checksum {
            file.check_digest()?;
        }
        Ok(file)
    }

    /// How many events it has.
    pub(crate) fn events(&self) -> u64 {
        self.groups.iter().sum()
    }

    /// The next row group.
    pub(crate) fn next(&mut self) -> Result<Option<RowGroup>, Error> {
        self.next += 1;
        self.group(self.next - 1)
    }

    /// The row group with this number.
    pub(crate) fn group(&self, number: usize) -> Result<Option<RowGroup>, Error> {
        let Some(rows) = self.groups.get(number) else {
            return Ok(None);
        };
        let start: u64 = self.groups.iter().take(number).sum();
        Ok(Some(RowGroup {
            connection: self.connection.try_clone()?,
            path: self.path.clone(),
            rows: start..start + rows,
            bytes: self.bytes * rows / self.events().max(1),
        }))
    }

    /// Earlier versions wrote the sum of the events' digests instead of a checksum.
    fn check_digest(&self) -> Result<(), Error> {
        let sql = include_str!("../sql/sealed/declared.sql");
        let declared = self
            .connection
            .query_row(sql, [&self.path], |row| row.get(0));
        let declared: Option<String> = declared.map_err(damage)?;
        let declared = declared.ok_or_else(|| Error::Damage(NOT_OURS.to_owned()))?;
        let mut digest = 0;
        for number in 0..self.groups.len() {
            if let Some(group) = self.group(number)? {
                let sealed = group.read(true)?;
                let events =
                    complete(&sealed, true)?.unwrap_or(RecordBatch::new_empty(sealed.schema()));
                digest += sum(&with_former(&events, &sealed)?);
            }
        }
        if declared == digest.to_string() {
            Ok(())
        } else {
            Err(Error::Damage(CHANGED.to_owned()))
        }
    }
}

const NOT_OURS: &str = "plantune did not write this file";

/// The sum of the digests of `events`, which does not depend on their order.
pub(crate) fn sum(events: &RecordBatch) -> u128 {
    digests(events).into_iter().map(u128::from).sum()
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

    /// Calls `each` with the time (microseconds since 1970, UTC) and the id of each event.
    pub(crate) fn keys(&self, mut each: impl FnMut(i64, &[u8; 16])) -> Result<(), Error> {
        let keys = self.query(include_str!("../sql/sealed/read_keys.sql"))?;
        let times: &TimestampMicrosecondArray = column(&keys, "ts")?;
        let ids = texts(&keys, "id")?;
        for (time, id) in times.iter().zip(ids) {
            let id = id.and_then(decode_id);
            match (time, id) {
                (Some(time), Some(id)) => each(time, &id),
                _ => return Err(Error::Damage("an event without a time or an id".to_owned())),
            }
        }
        Ok(())
    }

    /// The columns that the file has.
    fn read(&self, is_whole: bool) -> Result<RecordBatch, Error> {
        self.query(if is_whole {
            include_str!("../sql/sealed/read.sql")
        } else {
            include_str!("../sql/sealed/read_projected.sql")
        })
    }

    fn query(&self, sql: &str) -> Result<RecordBatch, Error> {
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            let Range { start, end } = self.rows;
            let batches = statement.stream_arrow(params![self.path, start, end])?;
            Ok((batches.get_schema(), batches.collect::<Vec<_>>()))
        };
        let (schema, batches) = read().map_err(damage)?;
        let rows = concat_batches(&schema, &batches)?;
        if rows.num_rows() as u64 != self.rows.end - self.rows.start {
            return Err(Error::Damage("rows are missing".to_owned()));
        }
        Ok(rows)
    }
}

/// Checks a sealed segment, and returns how many events it has.
///
/// # Errors
/// When the segment is damaged, or the file system refuses.
pub fn check_sealed(path: &Path) -> io::Result<u64> {
    let events = || Ok(SealedFile::open(&connect()?, path)?.events());
    events().map_err(|error| match error {
        Error::Spool(error) => error,
        error => io::Error::other(error.to_string()),
    })
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "nothing that a test writes has to last"
)]
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

    use super::{check_sealed, connect};
    use crate::arrow::{fields, is_field};
    use crate::parquet::seal;
    use crate::segment::pattern;

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
            let temporary = folder.path().join("it's [new]");
            let rows = seal(&events, &temporary).unwrap();
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
    fn equal_events_are_sealed_once_and_of_a_question_the_one_that_counts() {
        let line = |source: &str, second: u32, more: &str| {
            format!(
                "{{\"v\":1,\"id\":\"{:032x}\",\"ts\":\"2026-10-01T10:00:{second:02}.000Z\",\"kind\":\"asked\",\
                 \"source\":\"{source}\",\"tool_use_id\":\"t\",\"question_index\":0,\"question_key\":\"k\"{more}}}\n",
                7
            )
        };
        let hook = line("hook", 2, "");
        let spaced = hook.replace(',', ", ");
        let found = sealed(
            &(line("hook", 3, "") + &hook + &spaced + &line("import:x", 4, "")),
            Some(&hook),
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["ts"], "2026-10-01T10:00:02.000Z");
        // With the same time none counts more; what another asker did is not compared; an import yields to a hook.
        for other in [
            line("hook", 2, ",\"notes\":\"n\""),
            line("hook", 3, ",\"skill\":\"s\""),
            line("import:x", 1, ""),
        ] {
            assert_eq!(sealed(&other, Some(&hook)).len(), 2, "{other}");
        }
        // Events that are not about a question stay if they differ.
        let ended = |second| line("hook", second, "").replace("asked", "session_ended");
        assert_eq!(sealed(&(ended(1) + &ended(2) + &ended(1)), None).len(), 2);
    }

    const LINE: &str = "{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026-10-01T10:00:00Z\",\"kind\":\"asked\",\"door\":\"two-way\"}\n";

    /// A sealed file with one event, in a folder.
    fn one_event(line: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let events = folder.path().join("events");
        fs::create_dir(&events).unwrap();
        fs::write(events.join("2026-10-01.jsonl"), line).unwrap();
        let whole = folder.path().join("whole.parquet");
        assert_eq!(seal(&events, &whole).unwrap(), 1);
        (folder, whole)
    }

    /// A Parquet file with the rows of `select` from the sealed file `whole`, which says that its digest is `digest`.
    fn copy(whole: &Path, select: &str, digest: Option<&str>) -> std::path::PathBuf {
        let path = whole.with_file_name("copy.parquet");
        let digest = digest.map_or_else(String::new, |digest| {
            format!(", KV_METADATA {{plantune_digest: '{digest}'}}")
        });
        let sql = format!("COPY ({select}) TO 'COPY' (FORMAT parquet{digest})");
        let sql = sql
            .replace("WHOLE", whole.to_str().unwrap())
            .replace("COPY'", &format!("{}'", path.to_str().unwrap()));
        duckdb::Connection::open_in_memory()
            .unwrap()
            .execute_batch(&sql)
            .unwrap();
        path
    }

    #[test]
    fn what_earlier_versions_sealed_is_whole() {
        let line = LINE.replace("\"door\":\"two-way\"", "\"subject\":\"s\"");
        let (_folder, whole) = one_event(&line);
        let select =
            "SELECT *, true AS assisted, 'first: often' AS shown FROM read_parquet('WHOLE')";
        // The digest that the version before the fields were removed wrote.
        let earlier = copy(&whole, select, Some("2317594461692488743"));
        assert_eq!(check_sealed(&earlier).unwrap(), 1);
        // Before it, one that knew fewer fields.
        let select = "SELECT * EXCLUDE (descriptions, previews) FROM read_parquet('WHOLE')";
        let earlier = copy(&whole, select, Some(&sum_of(&whole)));
        let mut file = super::SealedFile::open(&connect().unwrap(), &earlier).unwrap();
        let events = file.next().unwrap().unwrap().events(false).unwrap();
        assert_eq!(events.column_by_name("previews").unwrap().null_count(), 1);
    }

    #[test]
    fn any_flipped_bit_is_found() {
        let (_folder, whole) = one_event(LINE);
        let bytes = fs::read(&whole).unwrap();
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&whole, flipped).unwrap();
            let is_found = match crate::checksum::check(&whole) {
                Ok(true) => false,
                // It looks like a file of earlier versions.
                Ok(false) => check_sealed(&whole).is_err(),
                Err(_) => true,
            };
            assert!(is_found, "byte {at} of {}", bytes.len());
        }
        for length in [0, 3, 11, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&whole, &bytes[..length]).unwrap();
            assert!(check_sealed(&whole).is_err(), "{length} bytes");
        }
        fs::write(&whole, bytes).unwrap();
        assert_eq!(check_sealed(&whole).unwrap(), 1);
    }

    #[test]
    fn a_file_of_earlier_versions_that_does_not_hold_what_it_says_is_damaged() {
        let (_folder, whole) = one_event(LINE);
        let digest = sum_of(&whole);
        let all = "SELECT * FROM read_parquet('WHOLE')";
        assert_eq!(check_sealed(&copy(&whole, all, Some(&digest))).unwrap(), 1);
        for (select, digest, words) in [
            (all, None, "plantune did not write"),
            (
                "SELECT * REPLACE ('failed' AS kind) FROM read_parquet('WHOLE')",
                Some(&digest),
                "it was changed",
            ),
            (
                "SELECT * FROM read_parquet('WHOLE') UNION ALL FROM read_parquet('WHOLE')",
                Some(&digest),
                "it was changed",
            ),
            (
                "SELECT * REPLACE ('no id' AS id) FROM read_parquet('WHOLE')",
                Some(&digest),
                "an id that is none",
            ),
            (
                "SELECT * REPLACE (2 AS v) FROM read_parquet('WHOLE')",
                Some(&digest),
                "columns are not those",
            ),
            (
                "SELECT * EXCLUDE (door) FROM read_parquet('WHOLE')",
                Some(&digest),
                "it was changed",
            ),
            (
                "SELECT * EXCLUDE (project) FROM read_parquet('WHOLE')",
                Some(&digest),
                "project",
            ),
            (
                "SELECT * REPLACE (repeat('x', 300_000_000) AS question) FROM read_parquet('WHOLE')",
                Some(&digest),
                "plantune did not write",
            ),
        ] {
            let changed = copy(&whole, select, digest.map(String::as_str));
            let error = check_sealed(&changed).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        let error = check_sealed(&whole.with_file_name("none")).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    }

    /// The sum of the digests of the events in a sealed file.
    fn sum_of(path: &Path) -> String {
        let mut file = super::SealedFile::open(&connect().unwrap(), path).unwrap();
        let events = file.next().unwrap().unwrap().events(true).unwrap();
        super::sum(&events).to_string()
    }
}
