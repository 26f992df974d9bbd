//! More events than fit a row group of DuckDB's.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::io::Write as _;

use chrono::{TimeDelta, Utc};
use duckdb::{AccessMode, Config, Connection};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Kind, question_event_id};
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

const ROW_GROUP: u64 = 122_880;

/// A little more than fill one.
const QUESTIONS: u64 = 125_000;

/// Lines as short as they can be, each question asked and answered at once.
fn write(paths: &Paths) {
    fs::create_dir_all(paths.events()).unwrap();
    let segment = fs::File::create(paths.events().join("2026-11-19.jsonl")).unwrap();
    let mut segment = std::io::BufWriter::new(segment);
    let start = "2026-11-19T10:00:00Z"
        .parse::<chrono::DateTime<Utc>>()
        .unwrap();
    for number in 0..QUESTIONS {
        for (kind, answer) in [
            (Kind::Asked, ""),
            (
                Kind::Answered,
                ",\"answer\":[\"Yes\"],\"was_auto_decided\":false",
            ),
        ] {
            let call = format!("t{number}");
            let id = question_event_id(kind, &call, 0);
            let ts = timestamp(start + TimeDelta::milliseconds(number as i64));
            let kind = kind.as_str();
            let (project, key) = (number % 3, number % 101);
            writeln!(
                segment,
                "{{\"v\":1,\"id\":\"{id}\",\"ts\":\"{ts}\",\"kind\":\"{kind}\",\"session_id\":\"s\",\
                 \"session_kind\":\"interactive\",\"project\":\"p{project}\",\"cwd\":\"/x\",\"source\":\"hook\",\
                 \"tool_use_id\":\"{call}\",\"question_index\":0,\"question_key\":\"k{key}\"{answer}}}"
            )
            .unwrap();
        }
    }
    segment.into_inner().unwrap().sync_all().unwrap();
}

/// The rows of a table's row groups, in their order.
fn row_groups(store: &Connection, table: &str) -> Vec<u64> {
    let sql = "SELECT max(start + count) FROM pragma_storage_info(?)
               WHERE column_id = 0 AND segment_type <> 'VALIDITY'
               GROUP BY row_group_id ORDER BY row_group_id";
    let mut statement = store.prepare(sql).unwrap();
    let rows = statement.query_map([table], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_transaction_ends_where_its_row_groups_are_full() {
    let folder = tempfile::tempdir().unwrap();
    let paths = Paths::below(folder.path().to_owned());
    write(&paths);
    let mut writer = Writer::open(&paths, "Europe/Berlin")
        .unwrap()
        .with_transaction_bytes(80 * 1024 * 1024);
    let now = "2026-11-20T10:00:00Z".parse().unwrap();
    let summary = writer.ingest(now, &Progress::default()).unwrap();
    assert_eq!((summary.events, summary.duplicates), (2 * QUESTIONS, 0));
    assert_eq!(writer.compare().unwrap(), []);
    drop(writer);
    let read_only = Config::default().access_mode(AccessMode::ReadOnly).unwrap();
    let store = Connection::open_with_flags(paths.store(), read_only).unwrap();
    for (table, per_question) in [
        ("log", 2),
        ("event_ids", 2),
        ("question_facts", 1),
        ("question_ids", 1),
        ("wordings", 1),
    ] {
        let groups = row_groups(&store, table);
        let full = groups.iter().filter(|rows| **rows == ROW_GROUP).count() as u64;
        assert_eq!(full, per_question, "{table}: {groups:?}");
    }
    let batches: u64 = store
        .query_row("SELECT count(*) FROM batches", [], |row| row.get(0))
        .unwrap();
    assert_eq!(batches, 2);
}
