use duckdb::AccessMode;

use super::*;

fn store(sql: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plantune.duckdb");
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    plantune_migrations::create(&connection).unwrap();
    connection.execute_batch(sql).unwrap();
    (folder, path)
}

#[test]
fn an_empty_store() {
    let (_folder, path) = store("");
    let health = health(&path, 3).unwrap();
    assert_eq!(health.version, health.known);
    assert_eq!(health.contents, Some(Contents::default()));
}

#[test]
fn what_a_store_holds() {
    let (_folder, path) = store(concat!(
        include_str!("../../tests/sql/defaults.sql"),
        include_str!("../../tests/health.sql")
    ));
    let contents = health(&path, 2).unwrap().contents.unwrap();
    assert_eq!((contents.events, contents.questions), (3, 1));
    let day = |time: Option<DateTime<Utc>>| time.unwrap().to_rfc3339();
    assert_eq!(day(contents.last_at), "2026-11-19T10:00:00+00:00");
    assert_eq!(day(contents.last_hook_at), "2026-11-18T10:00:00+00:00");
    assert_eq!(contents.prompts, 2);
    assert_eq!(day(contents.approvals_since), "2026-11-17T10:00:00+00:00");
    assert_eq!(
        contents.segments,
        [
            SegmentRead {
                segment: "2026-11-18.jsonl".to_owned(),
                offset: 900,
                events: 2,
                damage: None
            },
            SegmentRead {
                segment: "2026-11.parquet".to_owned(),
                offset: 70,
                events: 1,
                damage: Some("events were changed".to_owned())
            }
        ]
    );
    let kinds: Vec<_> = contents
        .quarantine
        .iter()
        .map(|found| (found.kind.as_str(), found.lines))
        .collect();
    assert_eq!(
        kinds,
        [
            ("torn", 2),
            ("not_an_event", 1),
            ("not_json", 1),
            ("not_utf8", 1),
            ("other", 1),
            ("schema_version", 1),
            ("too_long", 1),
        ]
    );
    assert_eq!(contents.quarantine[0].last_day.to_string(), "2026-11-18");
    let latest: Vec<_> = contents.latest.iter().map(|line| line.offset).collect();
    assert_eq!(latest, [80, 70]);
}

#[test]
fn another_version_is_described() {
    let (_folder, path) = store("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    let health = health(&path, 3).unwrap();
    assert_eq!((health.version, health.contents), (99, None));
}

#[test]
fn no_store_and_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plantune.duckdb");
    assert!(matches!(health(&path, 3), Err(Error::Missing(_))));
    std::io::Write::write_all(
        &mut std::fs::File::create(&path).unwrap(),
        b"no database, and longer than an empty file",
    )
    .unwrap();
    let error = health(&path, 3).unwrap_err();
    assert!(matches!(error, Error::Broken(_)));
}
