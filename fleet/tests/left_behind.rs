//! What killed puts leave in a folder, and what questions without a name are called.

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

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use home::{Fleet, NOW, answered, query};
use plantune_domain::event::Text;

#[test]
fn unfinished_files_are_counted_and_removed_after_a_day() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.log(&answered("a", "2026-11-20T10:00:00Z", 20, "Create it"));
    machine.text(&["push"]);
    let whole = fleet.files().remove(0);
    let now: DateTime<Utc> = NOW.parse().unwrap();
    let leave = |name: &str, hours: u64| {
        let path = whole.with_file_name(name);
        fs::write(&path, "half of a file").unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        let at: SystemTime = now.into();
        file.set_modified(at - Duration::from_secs(hours * 3600))
            .unwrap();
        path
    };
    let own = whole.file_name().unwrap().to_str().unwrap();
    let old = leave("0123456789abcdef-000000000009.parquet#1", 25);
    let merged = leave("compact-0123456789abcdef.parquet#12", 25);
    let new = leave(&format!("{own}#1"), 23);
    // Of others: not a name that the store's client gives to one of ours.
    let theirs = [
        leave("notes#1", 99),
        leave(&format!("{own}#"), 99),
        leave(&format!("{own}#1a"), 99),
    ];
    let said = machine.text(&["status"]);
    assert!(
        said.contains("3 unfinished files: being written, or of killed pushes"),
        "{said}"
    );
    let said = machine.text(&["compact"]);
    assert!(
        said.contains("removed 2 unfinished files of killed pushes"),
        "{said}"
    );
    assert!(!old.exists() && !merged.exists() && new.exists() && whole.exists());
    assert!(theirs.iter().all(|path| path.exists()));
    let said = machine.text(&["compact"]);
    assert!(!said.contains("unfinished"), "{said}");
}

#[test]
fn a_question_without_a_name_is_called_by_its_labels_where_labels_leave() {
    for (level, expected) in [
        ("none", vec!["-", "-"]),
        (
            "keys-and-labels",
            vec!["Drop it | Keep it", "Drop it | Keep it"],
        ),
        ("full", vec!["Drop it | Keep it", "Drop it | Keep it"]),
    ] {
        let fleet = Fleet::new();
        let machine = fleet.member("one", &["--level", level]);
        for (call, key, source, labels) in [
            (
                "a",
                "fam-0123456789abcdef",
                "family",
                ["Keep it (Recommended)", "Drop it"],
            ),
            (
                "b",
                "fp-0123456789abcdef",
                "fingerprint",
                ["Drop it", "Keep it"],
            ),
            ("c", "ship-drop-it", "marker", ["Drop it", "Keep it"]),
        ] {
            let [mut asked, answered] = answered(call, "2026-11-20T10:00:00Z", 20, "Keep it");
            asked.question_key = Some(key.into());
            asked.key_source = Some(source.into());
            asked.question = Some("Shall the table of Hooli go?".into());
            asked.options = Some(labels.map(Text::from).to_vec());
            machine.log(&[asked, answered]);
        }
        machine.text(&["push"]);
        let sql = "SELECT coalesce(key_name, '-') FROM FILE WHERE kind = 'asked' AND key_source <> 'marker'";
        let file = fleet.files().remove(0);
        assert_eq!(query(&file, sql), expected, "{level}");
        let marked = "SELECT coalesce(key_name, '-') FROM FILE WHERE kind = 'asked' AND key_source = 'marker'";
        assert_eq!(query(&file, marked), ["-"], "{level}");
        machine.configure("k = 1");
        let questions = machine.report()["questions"].clone();
        let family = questions
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["name"] == "fam-0123456789abcdef");
        let name = family.unwrap()["label"].as_str().unwrap_or("-").to_owned();
        assert_eq!(name, expected[0], "{level}");
    }
}
