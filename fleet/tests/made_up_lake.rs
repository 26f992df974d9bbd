//! The lake of made-up machines that scale is measured with is one that machines could have published.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod home;
#[path = "../examples/made_up_lake/lake.rs"]
mod lake;

use home::{Fleet, Machine, answered, query};
use lake::{Made, Plan};
use serde_json::Value;

fn plan(pushed: bool) -> Plan {
    Plan {
        events: 4_006,
        machines: 20,
        days: 5,
        last_day: "2026-11-21".parse().unwrap(),
        pushed,
        threads: 1,
        megabytes: 500,
    }
}

/// A lake of made-up machines, and one that reads it.
fn made_up(pushed: bool) -> (Fleet, Machine, Made) {
    let fleet = Fleet::new();
    let reader = fleet.member("reader", &[]);
    reader.configure("k = 1");
    let made = lake::make(&fleet.lake(), &plan(pushed)).unwrap();
    (fleet, reader, made)
}

/// What a report says, but for how many files it read.
fn figures(machine: &Machine) -> Value {
    let mut report = machine.report();
    report["lake"]["files"] = Value::Null;
    report["lake"]["address"] = Value::Null;
    report
}

#[test]
fn its_report_has_what_was_made_up_and_nothing_is_skipped_or_missing() {
    for pushed in [true, false] {
        let (_fleet, reader, made) = made_up(pushed);
        let report = reader.report();
        assert_eq!(made.rows, 4_006);
        assert!(made.events < made.rows, "no copies");
        for (name, expected) in [
            ("files", if pushed { 100 } else { 5 }),
            ("rows", made.rows),
            ("events", made.events),
            ("publishers", 20),
            ("missing_files", 0),
        ] {
            assert_eq!(report["lake"][name], expected, "{name}");
        }
        assert_eq!(report["lake"]["skipped"], serde_json::json!([]));
        for (name, expected) in [
            ("questions", made.questions),
            ("answered", made.answered),
            ("auto_decided", made.auto_decided),
            ("dismissed", made.dismissed),
            ("failed", made.failed),
            ("machines", 20),
        ] {
            assert!(expected > 0, "{name}");
            assert_eq!(report["totals"][name], expected, "{name}");
        }
        assert_eq!(report["permissions"]["asked"], made.prompts);
        assert_eq!(made.files, if pushed { 100 } else { 5 });
        assert!(made.sessions >= 100 && made.bytes > 0);
    }
}

#[test]
fn merged_it_says_the_same_as_pushed() {
    let (fleet, pushed, _) = made_up(true);
    let (_other, merged, _) = made_up(false);
    let before = figures(&pushed);
    assert_eq!(before, figures(&merged));
    pushed.text(&["compact"]);
    assert_eq!(fleet.files().len(), 5);
    assert_eq!(before, figures(&pushed));
}

#[test]
fn its_files_are_as_pushes_and_compactions_write_them() {
    let (fleet, machine, _) = made_up(true);
    machine.log(&answered("a call", "2026-11-20T10:00:00Z", 20, "Yes"));
    machine.log(&answered("another", "2026-11-20T11:00:00Z", 20, "Yes"));
    let before = fleet.files();
    machine.text(&["push"]);
    let real = fleet
        .files()
        .into_iter()
        .find(|file| !before.contains(file));
    let (other, _, _) = made_up(false);
    for made in [&before[0], &other.files()[0]] {
        for sql in [
            "SELECT concat_ws(' ', name, type, converted_type, logical_type) FROM parquet_schema(FILE)",
            "SELECT DISTINCT compression FROM parquet_metadata(FILE) ORDER BY ALL",
            "SELECT concat(decode(key), decode(value)) FROM parquet_kv_metadata(FILE)
             WHERE decode(key) IN ('plantune_lake', 'plantune_key_check') ORDER BY ALL",
        ] {
            let expected = query(real.as_ref().unwrap(), sql);
            assert!(!expected.is_empty());
            assert_eq!(query(made, sql), expected, "{sql}");
        }
        let sorted = "SELECT (list(ts ORDER BY file_row_number) = list(ts ORDER BY ts))::VARCHAR
                      FROM read_parquet(FILE, file_row_number = true)";
        assert_eq!(query(made, sorted), ["true"]);
    }
}

#[test]
fn a_lake_that_cannot_be_is_refused() {
    let fleet = Fleet::new();
    let refused = |plan: Plan| lake::make(&fleet.lake(), &plan).unwrap_err().to_string();
    assert!(refused(plan(true)).contains("fleet init"), "no marker");
    let few = Plan {
        machines: 1_000,
        ..plan(true)
    };
    assert!(refused(few).contains("--machines"));
    fleet.member("reader", &[]);
    lake::make(&fleet.lake(), &plan(false)).unwrap();
    assert!(refused(plan(false)).contains("already"));
}

#[test]
fn too_little_memory_is_no_fault_of_files() {
    let (_fleet, reader, made) = made_up(false);
    let report = |memory: &'static str| {
        [
            "report",
            "--since",
            "2000-01-01",
            "--json",
            "--memory",
            memory,
        ]
    };
    let enough: Value = serde_json::from_str(&reader.text(&report("500MB"))).unwrap();
    assert_eq!(enough["totals"]["questions"], made.questions);
    let (code, words) = reader.failure(&report("1MB"));
    assert_eq!(code, 1, "{words}");
    assert!(
        words.contains("memory") && words.contains("hint"),
        "{words}"
    );
    for size in ["0GB", "4", "4TB", "GB", "-1GB"] {
        let (code, words) = reader.failure(&report(size));
        assert_eq!(code, 2, "{words}");
    }
}
