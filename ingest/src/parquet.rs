//! Events in order as Parquet: a sealed segment, and an export.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::arrow::array::{BooleanArray, RecordBatch};
use duckdb::arrow::compute::filter_record_batch;
use plantune_domain::event::Kind;
use plantune_domain::private_file;

use crate::arrow::{EventsBuilder, RowSource, digests, register_rows};
use crate::in_order::InOrder;
use crate::lines::{Decoded, decode};
use crate::sealed::{SealedFile, connect, sum};
use crate::segment::text;
use crate::{Error, checksum};

/// Writes `events` as a sealed segment: a new file at `path`, synced, and read back. Returns how many events it has.
///
/// # Errors
/// The errors of the log, of the file system and of DuckDB; a failure of the file system when what is read back differs.
pub(crate) fn write_sealed(events: InOrder, path: &Path) -> Result<u64, Error> {
    let failed = |error: io::Error| Error::SpoolWrite(path.to_owned(), error);
    let file = private_file::create_new(path).map_err(failed)?;
    let written = write_parquet(events, path)?;
    checksum::add(path).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    let read_back = || -> Result<Written, Error> {
        let mut file = SealedFile::open(&connect()?, path)?;
        let mut found = Written::default();
        while let Some(rows) = file.next()? {
            found.add(&rows.events(true)?);
        }
        Ok(found)
    };
    match read_back() {
        Ok(found) if found == written => Ok(found.events),
        _ => Err(failed(io::Error::other(
            "what was written does not hold the events",
        ))),
    }
}

/// What was written: how many events, and the sum of their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) events: u64,
    digest: u128,
}

impl Written {
    fn add(&mut self, events: &RecordBatch) {
        self.events += events.num_rows() as u64;
        self.digest += sum(events);
    }
}

/// Writes `events` as Parquet into the file at `path`, which is there already: equal events once, and of a question none
/// that another with the same id makes void.
///
/// # Errors
/// The errors of the log and of DuckDB; those of the file system are among them.
pub(crate) fn write_parquet(events: InOrder, path: &Path) -> Result<Written, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../sql/sealed/writing.sql"))?;
    connection.execute("SET VARIABLE path = ?", [text(path)?])?;
    let source = Arc::new(Batches(Mutex::new(BatchState {
        events,
        copies: HashMap::new(),
        written: Written::default(),
        failure: None,
    })));
    let rows: Arc<dyn RowSource> = source.clone();
    let schema = EventsBuilder::default().finish()?.schema();
    register_rows(&connection, "events_in_order", schema, move || {
        Some(rows.clone())
    })?;
    let copied = connection.execute_batch(include_str!("../sql/sealed/write.sql"));
    let mut state = source.0.lock().unwrap_or_else(PoisonError::into_inner);
    match (state.failure.take(), copied) {
        (Some(failure), _) => Err(failure),
        (None, copied) => copied.map(|()| state.written).map_err(Error::from),
    }
}

/// The most events of a batch, and about how many bytes of lines.
const BATCH_EVENTS: usize = 2048;
const BATCH_BYTES: usize = 1024 * 1024;

/// Events in order as batches for DuckDB.
struct Batches(Mutex<BatchState>);

struct BatchState {
    events: InOrder,
    /// What was written of ids that come more than once.
    copies: HashMap<[u8; 16], Copies>,
    written: Written,
    failure: Option<Error>,
}

impl RowSource for Batches {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match state.next() {
                Ok(Some(batch)) if batch.num_rows() == 0 => {}
                Ok(batch) => return Ok(batch),
                Err(error) => {
                    let words = error.to_string();
                    state.failure = Some(error);
                    return Err(words);
                }
            }
        }
    }
}

/// What was written of an id.
struct Copies {
    digests: Vec<u64>,
    /// The first, if it is about a question.
    first: Option<QuestionEvent>,
}

/// What decides which of two events about a question with the same id counts.
struct QuestionEvent {
    /// Its kind, call and question, and who asked: others are not compared.
    of: (Kind, String, u32, Option<String>),
    micros: i64,
    /// True for an imported `asked`: the hook's counts.
    yields: bool,
}

impl QuestionEvent {
    /// `None` for an event that fills no row of the table `questions`.
    fn of(decoded: &Decoded<'_>) -> Option<Self> {
        let event = &decoded.event;
        let kind = Kind::parse(&event.kind).filter(|kind| kind.is_of_question())?;
        event.question_key.as_ref()?;
        let call = event.tool_use_id.as_deref()?.to_owned();
        let asker = event.skill.as_deref().map(str::to_owned);
        Some(Self {
            of: (kind, call, event.question_index?, asker),
            micros: decoded.micros,
            yields: kind == Kind::Asked && event.source.starts_with("import"),
        })
    }

    /// True when nothing is ever taken from `other`, because this one counts.
    fn wins(&self, other: &Self) -> bool {
        self.of == other.of && (self.yields, self.micros) < (other.yields, other.micros)
    }
}

impl BatchState {
    /// The next events, without copies of those that were returned; `None` at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let mut builder = EventsBuilder::default();
        let (mut copies, mut bytes) = (Vec::new(), 0);
        while copies.len() < BATCH_EVENTS
            && bytes < BATCH_BYTES
            && let Some(event) = self.events.next()?
        {
            let decoded = decode(event.line.as_bytes()).map_err(Error::Damage)?;
            builder.push(&decoded, true)?;
            bytes += event.line.len();
            let is_repeated = self.events.is_repeated(&event.id);
            copies.push(is_repeated.then(|| (event.id, QuestionEvent::of(&decoded))));
        }
        if copies.is_empty() {
            return Ok(None);
        }
        let batch = builder.finish()?;
        let digests = digests(&batch);
        let is_new = copies
            .into_iter()
            .zip(digests)
            .map(|(copy, digest)| copy.is_none_or(|(id, event)| self.is_new(id, event, digest)));
        let is_new = BooleanArray::from(is_new.collect::<Vec<bool>>());
        let batch = filter_record_batch(&batch, &is_new)?;
        self.written.add(&batch);
        Ok(Some(batch))
    }

    /// Whether an event counts beside what was written of its id.
    fn is_new(&mut self, id: [u8; 16], event: Option<QuestionEvent>, digest: u64) -> bool {
        let written = match self.copies.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let digests = vec![digest];
                entry.insert(Copies {
                    digests,
                    first: event,
                });
                return true;
            }
        };
        let first = written.first.as_ref().zip(event);
        let is_void = first.is_some_and(|(first, event)| first.wins(&event));
        let is_new = !is_void && !written.digests.contains(&digest);
        written.digests.extend(is_new.then_some(digest));
        is_new
    }
}

/// Seals all segments in the folder `events` as the new file `path`.
#[cfg(test)]
pub(crate) fn seal(events: &Path, path: &Path) -> Result<u64, Error> {
    use crate::Progress;
    use crate::in_order::Survey;

    let survey = Survey::of(crate::segment::list(events)?, &Progress::default())?;
    write_sealed(InOrder::all(survey, events, &Progress::default()), path)
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

    use super::seal;
    use crate::arrow::{fields, is_field};
    use crate::sealed::{SealedFile, check_sealed, connect, sum};
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
        let events = folder.path().join(r"a 'b' \[c]*?{files}");
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
        let mut file = SealedFile::open(&connect().unwrap(), &earlier).unwrap();
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
        let mut file = SealedFile::open(&connect().unwrap(), path).unwrap();
        let events = file.next().unwrap().unwrap().events(true).unwrap();
        sum(&events).to_string()
    }
}
