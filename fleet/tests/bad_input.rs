//! What is damaged, foreign, of another organisation or of a newer version.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod home;

use std::fs;
use std::path::Path;

use home::{Fleet, Machine, answered, query};
use serde_json::Value;

fn published() -> (Fleet, Machine) {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.configure("k = 1");
    for day in ["2026-11-18", "2026-11-19", "2026-11-20"] {
        machine.log(&answered(day, &format!("{day}T10:00:00Z"), 20, "Create it"));
    }
    machine.text(&["push"]);
    (fleet, machine)
}

fn skipped(report: &Value) -> Vec<String> {
    let skipped = report["lake"]["skipped"].as_array().unwrap().iter();
    skipped
        .map(|file| {
            format!(
                "{} {}",
                file["path"].as_str().unwrap(),
                file["why"].as_str().unwrap()
            )
        })
        .collect()
}

/// Writes what `select` finds in `file` (`FILE` in it) to `to`, with that file's metadata if `is_ours`.
fn rewrite(file: &Path, to: &Path, select: &str, is_ours: bool) {
    let value = |key: &str| {
        let sql = format!(
            "SELECT decode(value) FROM parquet_kv_metadata(FILE) WHERE key = '{key}'::BLOB"
        );
        query(file, &sql).remove(0)
    };
    let metadata = match is_ours {
        true => format!(
            ", KV_METADATA {{plantune_lake: '2', plantune_key_check: '{}'}}",
            value("plantune_key_check")
        ),
        false => String::new(),
    };
    let written = to.with_file_name("written");
    let connection = duckdb::Connection::open_in_memory().unwrap();
    let pattern = plantune_ingest::parquet_pattern(file)
        .unwrap()
        .replace('\'', "''");
    let select = select.replace("FILE", &format!("'{pattern}'"));
    let target = written.to_str().unwrap().replace('\'', "''");
    connection
        .execute_batch(&format!(
            "COPY ({select}) TO '{target}' (FORMAT parquet{metadata})"
        ))
        .unwrap();
    fs::rename(written, to).unwrap();
}

#[test]
fn damaged_and_foreign_files_are_named_skipped_and_left_alone() {
    let (fleet, machine) = published();
    let files = fleet.files();
    assert_eq!(machine.report()["totals"]["answered"], 3);
    let beside = |name: &str| files[1].with_file_name(name);
    // A footer that is cut off, a page that is overwritten, other people's files.
    let whole = fs::read(&files[0]).unwrap();
    fs::write(&files[0], &whole[..whole.len() / 2]).unwrap();
    fs::write(beside("_SUCCESS"), "").unwrap();
    rewrite(
        &files[1],
        &beside("0123456789abcdef-000000000001.parquet"),
        "SELECT 1 AS id",
        false,
    );
    rewrite(
        &files[1],
        &beside("0123456789abcdef-000000000002.parquet"),
        "SELECT 'a' AS ts_us, * EXCLUDE (ts_us) FROM FILE",
        true,
    );
    let mut pages = fs::read(&files[2]).unwrap();
    pages[4..400].fill(0xa5);
    fs::write(&files[2], pages).unwrap();
    let report = machine.report();
    assert_eq!(report["totals"]["answered"], 1);
    assert_eq!(report["lake"]["files"], 1);
    let found = skipped(&report);
    assert_eq!(found.len(), 5, "{found:?}");
    for words in [
        "_SUCCESS not a name",
        "0123456789abcdef-000000000001.parquet plantune did not write it",
        "0123456789abcdef-000000000002.parquet damaged",
        "date=2026-11-18/",
        "date=2026-11-20/",
    ] {
        assert!(
            found.iter().any(|one| one.contains(words)),
            "{words}: {found:?}"
        );
    }
    let said = machine.text(&["report", "--since", "2026-01-01"]);
    assert!(
        said.contains("skipped events/v1/date=2026-11-19/_SUCCESS"),
        "{said}"
    );
    let before = fleet.files();
    let said = machine.text(&["compact"]);
    assert!(
        said.starts_with("nothing to merge") && said.contains("damaged"),
        "{said}"
    );
    assert_eq!(fleet.files(), before);
}

#[test]
fn a_newer_schema_is_read_as_far_as_known_and_never_merged() {
    let (fleet, machine) = published();
    let file = &fleet.files()[1];
    let newer = file.with_file_name("0123456789abcdef-000000000001.parquet");
    let select = "SELECT 'x' AS of_tomorrow, concat(id, 'f')[2:] AS id,
        concat(tool_use_id, 'f') AS tool_use_id, * EXCLUDE (id, tool_use_id, skill) FROM FILE";
    rewrite(file, &newer, select, true);
    let report = machine.report();
    assert_eq!(report["totals"]["answered"], 4);
    assert_eq!(skipped(&report).len(), 0);
    let said = machine.text(&["compact"]);
    assert!(
        said.contains("nothing to merge") && said.contains("of_tomorrow"),
        "{said}"
    );
    assert!(newer.exists());
}

#[test]
fn the_lake_of_another_key_is_refused() {
    let (fleet, machine) = published();
    let other = "ff".repeat(32);
    for words in [
        &["report"][..],
        &["push"],
        &["compact"],
        &["status"],
        &["forget", "--everything", "--yes"],
    ] {
        let output = machine
            .command(words)
            .env("PLANTUNE_FLEET_KEY", &other)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{words:?}");
        assert!(
            home::text(&output.stderr).contains("another key"),
            "{words:?}"
        );
    }
    let stranger = fleet.machine("stranger");
    let lake = fleet.lake();
    let init = ["init", lake.to_str().unwrap(), "--yes"];
    let output = stranger
        .command(&init)
        .env("PLANTUNE_FLEET_KEY", &other)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    // Without any key, none is made for a lake that has one.
    let output = stranger
        .command(&init)
        .env_remove("PLANTUNE_FLEET_KEY")
        .output()
        .unwrap();
    assert!(home::text(&output.stderr).contains("no key for the lake"));
    assert!(!stranger.config().exists());
    // A file that somebody copied in from another organisation's lake.
    let elsewhere = Fleet::new();
    let theirs = elsewhere.machine("theirs");
    theirs.log(&answered("t", "2026-11-19T10:00:00Z", 20, "Create it"));
    let lake = elsewhere.lake();
    for words in [&["init", lake.to_str().unwrap(), "--yes"][..], &["push"]] {
        let output = theirs
            .command(words)
            .env("PLANTUNE_FLEET_KEY", &other)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", home::text(&output.stderr));
    }
    let foreign = &elsewhere.files()[0];
    fs::copy(
        foreign,
        fleet.files()[1].with_file_name(foreign.file_name().unwrap()),
    )
    .unwrap();
    let report = machine.report();
    assert_eq!(report["totals"]["answered"], 3);
    assert!(skipped(&report)[0].contains("another key"));
}

#[test]
fn files_that_are_missing_are_counted() {
    let (fleet, machine) = published();
    fs::remove_file(&fleet.files()[1]).unwrap();
    assert_eq!(machine.report()["lake"]["missing_files"], 1);
    let said = machine.text(&["report", "--since", "2026-01-01"]);
    assert!(said.contains("1 file that should be there"), "{said}");
}

#[test]
fn a_tombstone_that_cannot_be_read_stops_what_might_show_it() {
    let (fleet, machine) = published();
    fs::create_dir_all(fleet.lake().join("tombstones/v1")).unwrap();
    fs::write(fleet.lake().join("tombstones/v1/a.json"), "{\"publisher\":").unwrap();
    for words in [&["report"][..], &["compact"]] {
        let (code, said) = machine.failure(words);
        assert!(code == 3 && said.contains("tombstones/v1/a.json"), "{said}");
    }
}

#[test]
fn mistakes_in_the_configuration_are_named() {
    let (_fleet, machine) = published();
    machine.configure("levle = 'none'");
    let (code, said) = machine.failure(&["push"]);
    assert!(
        code == 3 && said.contains("levle") && said.contains("fleet.toml"),
        "{said}"
    );
    // A token belongs into the environment or a file of its own, and is not repeated.
    let (_fleet, machine) = published();
    machine.configure("connect = 'sc://spark.example:443/;use_ssl=true;token=dapi123'");
    let (code, said) = machine.failure(&["report"]);
    assert!(
        code == 3 && said.contains("token_file") && !said.contains("dapi123"),
        "{said}"
    );
}

#[cfg(not(feature = "spark"))]
#[test]
fn without_spark_it_says_how_to_get_it() {
    let (_fleet, machine) = published();
    for more in [&[][..], &["--connect", "sc://127.0.0.1:1"]] {
        let (code, said) = machine.failure(&[&["report", "--engine", "spark"], more].concat());
        assert!(
            code == 2 && said.contains("make fleet-install SPARK=1"),
            "{said}"
        );
    }
}

#[cfg(feature = "spark")]
#[test]
fn a_server_that_cannot_be_used_is_named() {
    let (_fleet, machine) = published();
    let report = |connect: &[&str], token: &str| {
        let words = [&["report", "--engine", "spark"], connect].concat();
        let mut command = machine.command(&words);
        let output = command
            .env("PLANTUNE_FLEET_SPARK_TOKEN", token)
            .output()
            .unwrap();
        (output.status.code().unwrap(), home::text(&output.stderr))
    };
    let (code, said) = report(&[], "");
    assert!(code == 2 && said.contains("sc://HOST:PORT"), "{said}");
    let (code, said) = report(&["--connect", "spark.example"], "");
    assert!(code == 2 && said.contains("spark.example"), "{said}");
    let (code, said) = report(&["--connect", "sc://spark.example"], "dapi123");
    assert!(
        code == 4 && said.contains("use_ssl=true") && !said.contains("dapi123"),
        "{said}"
    );
    // Nothing listens at the first port.
    let (code, said) = report(&["--connect", "sc://127.0.0.1:1"], "");
    assert!(code == 1 && said.contains("Spark Connect server"), "{said}");
}
