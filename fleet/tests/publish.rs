//! Setting up, publishing, forgetting: the built program on machines of its own.

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

use chrono::{DateTime, Duration, Utc};
use home::{Fleet, answered, query, text};
use plantune_domain::config::Retention;
use plantune_domain::event::Kind;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

#[test]
fn nothing_leaves_before_the_person_has_said_yes() {
    let fleet = Fleet::new();
    let machine = fleet.machine("one");
    machine.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    let lake = fleet.lake();
    let lake = lake.to_str().unwrap();
    let (code, said) = machine.failure(&["push"]);
    assert_eq!(code, 1, "{said}");
    // In a pipe nobody can be asked, and an agent may not answer.
    let (code, said) = machine.failure(&["init", lake]);
    assert!(code == 4 && said.contains("--yes"), "{said}");
    let unsaid = machine
        .command(&["init", lake, "--yes"])
        .env_remove("PLANTUNE_ALLOW_UNATTENDED")
        .output()
        .unwrap();
    assert_eq!(unsaid.status.code(), Some(4), "{}", text(&unsaid.stderr));
    let agent = machine
        .command(&["init", lake, "--yes"])
        .env("CLAUDECODE", "1")
        .output()
        .unwrap();
    assert_eq!(agent.status.code(), Some(4), "{}", text(&agent.stderr));
    assert!(!machine.config().exists());
    assert_eq!(fs::read_dir(lake).unwrap().count(), 0);
    let shown = machine.init(&[]);
    assert!(
        shown.contains("due: 2 events of 1 day") && shown.contains("\"kind\":\"asked\""),
        "{shown}"
    );
    assert!(fleet.files().is_empty());
    // More than was agreed to is asked about again, less is not.
    let agreed = fs::read_to_string(machine.config()).unwrap();
    fs::write(machine.config(), agreed.replace("\"none\"", "\"full\"")).unwrap();
    let (code, said) = machine.failure(&["push"]);
    assert!(
        code == 4 && said.contains("more than you agreed to"),
        "{said}"
    );
    assert!(fleet.files().is_empty());
    fs::write(machine.config(), agreed).unwrap();
    let rows = machine.text(&["preview", "--json", "--rows", "0"]);
    assert_eq!(rows.lines().count(), 2);
    assert!(
        machine
            .text(&["push"])
            .contains("published 2 events in 1 file")
    );
    assert_eq!(machine.text(&["push"]), "nothing is due\n");
    assert!(machine.text(&["status"]).contains("2 events in 1 file"));
    let (code, said) = machine.failure(&["init", lake, "--level", "full", "--yes"]);
    assert!(code == 3 && said.contains("says something else"), "{said}");
}

#[test]
fn days_are_published_when_they_are_over_and_what_comes_late_in_further_files() {
    let fleet = Fleet::new();
    let mut machine = fleet.member("one", &["--exclude", "github.com/me/*"]);
    machine.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    machine.log(&answered(
        "toolu_2",
        "2026-11-22T00:00:00Z",
        20,
        "Create it",
    ));
    machine.log(&answered(
        "toolu_3",
        "2031-01-01T10:00:00Z",
        20,
        "Create it",
    ));
    machine.log(&answered(
        "toolu_4",
        "1970-01-01T10:00:00Z",
        20,
        "Create it",
    ));
    let mut mine = answered("toolu_5", "2026-11-20T10:00:00Z", 20, "Create it");
    mine.iter_mut()
        .for_each(|event| event.project = "github.com/me/notes".into());
    machine.log(&mine);
    let mut newer = answered("toolu_6", "2026-11-20T10:00:00Z", 20, "Create it");
    newer
        .iter_mut()
        .for_each(|event| event.kind = "of tomorrow".into());
    machine.log(&newer);
    let said = machine.text(&["push"]);
    for line in [
        "published 2 events in 1 file",
        "2 events wait",
        "2 events dated in the future",
        "2 events dated before 2020",
        "2 events of excluded projects",
        "2 events of a newer plantune",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // The UTC day is over, and then the grace.
    machine.now = "2026-11-23T05:59:59Z".to_owned();
    assert!(machine.text(&["push"]).starts_with("nothing is due"));
    machine.log(&answered(
        "toolu_7",
        "2026-11-20T11:00:00Z",
        20,
        "Create it",
    ));
    machine.now = "2026-11-23T06:00:00Z".to_owned();
    assert!(
        machine
            .text(&["push"])
            .contains("published 4 events in 2 files")
    );
    let names: Vec<String> = fleet
        .files()
        .iter()
        .map(|file| {
            file.to_str()
                .unwrap()
                .rsplit_once("/date=")
                .unwrap()
                .1
                .to_owned()
        })
        .collect();
    let publisher = fs::read_to_string(machine.known().join("publishers")).unwrap();
    let publisher = publisher.trim();
    assert_eq!(
        names,
        [
            format!("2026-11-20/{publisher}-000000000001.parquet"),
            format!("2026-11-20/{publisher}-000000000002.parquet"),
            format!("2026-11-22/{publisher}-000000000003.parquet"),
        ]
    );
    machine.configure("k = 1");
    assert_eq!(machine.report()["totals"]["answered"], 3);
}

#[test]
fn what_two_machines_know_counts_once_and_the_hooks_copy_counts() {
    let fleet = Fleet::new();
    let (one, two) = (
        fleet.member("one", &[]),
        fleet.member("two", &["--level", "keys-and-labels"]),
    );
    let mut imported = answered("toolu_1", "2026-11-20T09:59:59Z", 3, "Skip it");
    imported
        .iter_mut()
        .for_each(|event| event.source = "import:claude-code".into());
    two.log(&imported);
    one.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    two.log(&answered(
        "toolu_2",
        "2026-11-20T11:00:00Z",
        40,
        "Create it",
    ));
    one.text(&["push"]);
    two.text(&["push"]);
    one.configure("k = 1");
    let check = || {
        let report = one.report();
        assert_eq!(report["totals"]["answered"], 2);
        assert_eq!(report["totals"]["machines"], 2);
        assert_eq!(report["totals"]["human_seconds"], 60.0);
        // Known in clear by the machine that publishes labels, and the same answer on both.
        let top = &report["questions"][0]["top_answer"];
        assert_eq!(
            (&top["answer"], &top["times"]),
            (&"Create it".into(), &2.into())
        );
    };
    check();
    assert!(one.text(&["compact"]).contains("merged 2 files of 1 day"));
    assert_eq!(fleet.files().len(), 1);
    check();
    assert_eq!(one.report()["lake"]["missing_files"], 0);
    // A lost journal: all of it again, under another id.
    two.lose_journal();
    assert!(two.text(&["push"]).contains("published 4 events"));
    assert_eq!(one.report()["totals"]["answered"], 2);
    assert_eq!(one.report()["lake"]["publishers"], 3);
}

#[test]
fn a_journal_of_a_backup_makes_a_new_publisher() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    machine.text(&["push"]);
    // As it was before it published anything.
    let journal = duckdb::Connection::open(machine.known().join("journal.duckdb")).unwrap();
    journal
        .execute_batch("DELETE FROM files; DELETE FROM published;")
        .unwrap();
    drop(journal);
    machine.log(&answered(
        "toolu_2",
        "2026-11-20T11:00:00Z",
        20,
        "Create it",
    ));
    let said = machine.text(&["push"]);
    assert!(
        said.contains("new publisher") && said.contains("published 4 events"),
        "{said}"
    );
    machine.configure("k = 1");
    assert_eq!(machine.report()["totals"]["answered"], 2);
    assert_eq!(fleet.files().len(), 2);
}

#[test]
fn what_is_forgotten_is_shown_no_more_and_then_removed() {
    let fleet = Fleet::new();
    let (one, two) = (fleet.member("one", &[]), fleet.member("two", &[]));
    let mut other = answered("toolu_2", "2026-11-20T10:00:00Z", 20, "Create it");
    other
        .iter_mut()
        .for_each(|event| event.project = "github.com/me/notes".into());
    one.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    one.log(&other);
    two.log(&answered(
        "toolu_1",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    one.text(&["push"]);
    two.text(&["push"]);
    two.configure("k = 1");
    // Merged before: each publisher's copy is kept, so that forgetting one leaves the other.
    two.text(&["compact"]);
    let answered_now = || two.report()["totals"]["answered"].clone();
    assert_eq!(answered_now(), 2);
    let (code, said) = one.failure(&["forget", "--project", "github.com/me/notes", "--yes"]);
    assert!(code == 4 && said.contains("does not exclude it"), "{said}");
    let config = fs::read_to_string(one.config()).unwrap();
    fs::write(
        one.config(),
        config.replace("exclude = []", "exclude = ['github.com/me/notes']"),
    )
    .unwrap();
    one.text(&["forget", "--project", "github.com/me/notes", "--yes"]);
    assert_eq!(answered_now(), 1);
    assert!(two.text(&["compact"]).contains("2 events forgotten"), "");
    assert_eq!(
        query(&fleet.files()[0], "SELECT count(*)::VARCHAR FROM FILE"),
        ["4"]
    );
    assert_eq!(answered_now(), 1);
    one.text(&["forget", "--everything", "--yes"]);
    assert_eq!(answered_now(), 1);
    two.text(&["compact"]);
    assert_eq!(
        query(
            &fleet.files()[0],
            "SELECT count(DISTINCT publisher)::VARCHAR FROM FILE"
        ),
        ["1"]
    );
    assert_eq!(answered_now(), 1);
    assert_eq!(two.text(&["compact"]), "nothing to merge\n");
    // Who wants everything forgotten has not agreed any more.
    let (code, said) = one.failure(&["push"]);
    assert!(code == 4 && said.contains("not agreed"), "{said}");
}

#[test]
fn sealed_months_are_published_and_sealing_publishes_nothing_again() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    let mut open = home::event(Kind::Asked, "toolu_2", 0, "2026-09-02T10:00:00Z");
    open.question = Some("Shall it be sealed?".into());
    machine.log(&answered(
        "toolu_1",
        "2026-09-01T10:00:00Z",
        20,
        "Create it",
    ));
    machine.log(&[open]);
    assert!(
        machine
            .text(&["push"])
            .contains("published 3 events in 2 files")
    );
    seal(&machine);
    assert_eq!(machine.text(&["push"]), "nothing is due\n");
    // And who joins later publishes what is sealed.
    machine.lose_journal();
    assert!(
        machine
            .text(&["push"])
            .contains("published 3 events in 2 files")
    );
}

/// Makes a sealed segment of the log, as `plantune gc` does.
fn seal(machine: &home::Machine) {
    let paths = Paths::of(machine.data(), machine.home.join(".config/plantune"));
    let now: DateTime<Utc> = home::NOW.parse().unwrap();
    for segment in fs::read_dir(machine.data().join("events")).unwrap() {
        let file = fs::File::options()
            .append(true)
            .open(segment.unwrap().path())
            .unwrap();
        file.set_modified((now - Duration::days(60)).into())
            .unwrap();
    }
    let mut writer = Writer::open(&paths, "UTC").unwrap();
    writer.ingest(&Progress::default()).unwrap();
    writer
        .gc(&Retention::default(), now, &Progress::default())
        .unwrap();
    assert!(machine.data().join("events/2026-09.parquet").exists());
    assert!(!machine.data().join("events/2026-09-01.jsonl").exists());
}
