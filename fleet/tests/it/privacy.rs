//! That nothing of what a person wrote or read leaves the machine at the default level, nor labels and paths in
//! clear, nor who they are: every byte of every file, and every value in it.

use std::collections::BTreeSet;
use std::fs;

use plantune_domain::event::{Event, Kind};
use plantune_domain::json::Text;
use plantune_domain::keys::key_of;

use crate::home::{Fleet, Machine, answered, event, query};

/// Texts that may leave at no level below `full`.
const SECRETS: &[&str] = &[
    "Shall I drop the payments table of customer Hooli?",
    "Payments table",
    "removes all rows for good",
    "no, ask Richard Hendricks first",
    "remember the audit of Gavin Belson",
    "/home/alice/hooli/payments.sql",
    "/home/alice",
    "alice",
    "hooli",
    "psql -c 'DROP TABLE payments'",
    "Bash(psql -c *)",
    "Bash psql",
    "question 2 is asked: the budget of Nucleus",
    "connection to nucleus.hooli.example refused",
    "You chose this 14 of 15 times",
    "of-tomorrow-nucleus",
    "mcp__nucleus__ask",
    "nucleus",
    "drop-the-payments-table",
    "a skill of Big Head's",
];

/// The labels, which leave from `keys-and-labels` on.
const LABELS: &[&str] = &["Drop it now", "Keep it around"];

fn texts(texts: &[&str]) -> Option<Vec<Text<'static>>> {
    Some(
        texts
            .iter()
            .map(|text| Text::from((*text).to_owned()))
            .collect(),
    )
}

/// A log in which every text field of every kind of event is full.
fn write(machine: &Machine) {
    let mut events: Vec<Event<'static>> = Vec::new();
    let kinds = [
        Kind::Asked,
        Kind::AutoDecided,
        Kind::Answered,
        Kind::Dismissed,
        Kind::Failed,
        Kind::SessionStarted,
        Kind::SessionEnded,
        Kind::PreferenceChanged,
        Kind::HookError,
        Kind::PermissionAsked,
        Kind::PermissionGranted,
        Kind::PermissionRefused,
        Kind::PermissionDenied,
        Kind::PermissionAuto,
        Kind::SkillCommand,
    ];
    for (number, kind) in kinds.into_iter().enumerate() {
        let some = |text: &str| Some(Text::from(text.to_owned()));
        let mut full = event(kind, &format!("call {number}"), 0, "2026-11-20T10:00:00Z");
        full.session_id = "session of alice".into();
        full.project = "/home/alice/hooli".into();
        full.cwd = "/home/alice/hooli".into();
        full.permission_mode = some("mode of hooli");
        full.entrypoint = some("/home/alice/bin/claude");
        full.agent_id = some("agent of alice");
        full.tool_name = some("mcp__nucleus__ask");
        full.question_key = some(if number % 2 == 0 {
            "drop-the-payments-table"
        } else {
            "Not an id: Payments table"
        });
        full.key_source = some(if number % 2 == 0 {
            "registry"
        } else {
            "marker"
        });
        full.question = some(SECRETS[0]);
        full.header = some(SECRETS[1]);
        full.options = texts(&["Drop it now (Recommended)", "Keep it around"]);
        full.descriptions = texts(&[SECRETS[2], ""]);
        full.previews = texts(&["0123456789abcdef", ""]);
        full.recommended = some("Drop it now");
        full.door = some("two-way of hooli");
        full.door_reason = some("drop-the-payments-table");
        full.skill = some("a skill of Big Head's");
        full.ask_reason = some("because of hooli");
        full.answer = texts(match kind {
            Kind::PreferenceChanged => &["Bash(psql -c *)"],
            _ => &["Keep it around"],
        });
        full.free_text = some(SECRETS[3]);
        full.notes = some(SECRETS[4]);
        full.preference = some("alice's");
        full.preference_scope = some("/home/alice/hooli");
        full.mechanism = some("alice's");
        full.level = some("alice's");
        full.subject = some("Bash psql");
        full.input = some(SECRETS[9]);
        full.input_digest = some("00112233445566778899aabbccddeeff");
        full.suggestions = texts(&["Bash(psql -c *)"]);
        full.mcp_server = some("nucleus");
        full.transcript = some("/home/alice/.claude/projects/hooli/a.jsonl");
        full.asked_id = some("000102030405060708090a0b0c0d0e0f");
        full.grant = some("alice's");
        full.error = some(SECRETS[13]);
        full.error_kind = some("nucleus");
        full.reason = some(SECRETS[12]);
        full.detail = some("{\"by\":{\"user\":\"alice\"}}");
        full.source = if number % 2 == 0 {
            "alice".into()
        } else {
            "hook".into()
        };
        events.push(full);
    }
    machine.log(&events);
    // A field that this version does not know.
    let segment = machine.data().join("events/2026-11-20.jsonl");
    let lines = fs::read_to_string(&segment).unwrap();
    fs::write(
        &segment,
        lines.replace("{\"v\":1,", "{\"v\":1,\"more\":\"of-tomorrow-nucleus\","),
    )
    .unwrap();
    // A key made of the question, and a call that is as most are.
    let labels: Vec<String> = LABELS.iter().map(|label| (*label).to_owned()).collect();
    let mut plain = answered("call of its own", "2026-11-20T11:00:00Z", 20, "Drop it now");
    for event in &mut plain {
        let (key, source) = key_of(SECRETS[0], &labels);
        event.question_key = Some(key.into());
        event.key_source = Some(source.as_str().into());
        event.question = Some(SECRETS[0].into());
        // What it is called where labels leave.
        event.options = texts(LABELS);
    }
    machine.log(&plain);
    // What is offered elsewhere than to a question is no label.
    let mut rule = event(
        Kind::PermissionAsked,
        "call of a rule",
        0,
        "2026-11-20T12:00:00Z",
    );
    rule.question_key = Some("opt-0123456789abcdef".into());
    rule.key_source = Some("options".into());
    rule.options = texts(&["Bash(psql -c *)"]);
    machine.log(&[rule]);
}

/// Everything that a lake holds: the bytes of its files, and each of their values.
fn everything(fleet: &Fleet) -> String {
    let mut found = Vec::new();
    for file in fleet.files() {
        let path = file.to_str().unwrap();
        found.extend(path.rsplit_once("/v=1/").unwrap().1.bytes());
        found.extend(fs::read(&file).unwrap());
        for row in query(&file, "SELECT to_json(r)::VARCHAR FROM FILE AS r") {
            found.extend(row.bytes());
        }
        let metadata = "SELECT concat(decode(key), decode(value)) FROM parquet_kv_metadata(FILE)";
        query(&file, metadata)
            .into_iter()
            .for_each(|text| found.extend(text.bytes()));
    }
    String::from_utf8_lossy(&found).to_ascii_lowercase()
}

fn finds(lake: &str, text: &str) -> bool {
    lake.contains(&text.to_ascii_lowercase())
}

/// The lake of a machine with that log, set up with `words`.
fn published(words: &[&str]) -> (Fleet, String) {
    let fleet = Fleet::new();
    let machine = fleet.member("one", words);
    write(&machine);
    let said = machine.text(&["push"]);
    assert!(said.contains("pushed 18 events in 1 file"), "{said}");
    let found = everything(&fleet);
    (fleet, found)
}

#[test]
fn at_the_default_level_nothing_that_was_written_leaves() {
    let (_fleet, found) = published(&[]);
    for text in SECRETS.iter().chain(LABELS) {
        assert!(!finds(&found, text), "{text}");
    }
    // That the search finds what is there.
    for text in ["permission_asked", "ts_us", "opt-", "machine="] {
        assert!(finds(&found, text), "{text}");
    }
}

#[test]
fn labels_leave_from_their_level_on_and_nothing_else() {
    let (_fleet, found) = published(&["--level", "keys-and-labels"]);
    // The name that the person's registry gives leaves as well.
    let may = [
        "drop-the-payments-table",
        "Not an id: Payments table",
        "Payments table",
    ];
    for text in SECRETS.iter().filter(|text| !may.contains(text)) {
        assert!(!finds(&found, text), "{text}");
    }
    for text in LABELS {
        assert!(finds(&found, text), "{text}");
    }
}

#[test]
fn at_the_full_level_everything_leaves_but_who_is_who() {
    let (_fleet, found) = published(&["--level", "full"]);
    for text in [
        "ask Richard Hendricks first",
        "drop table payments",
        "of-tomorrow-nucleus",
    ] {
        assert!(finds(&found, text), "{text}");
    }
    for id in ["session of alice", "call of its own", "agent of alice"] {
        assert!(!finds(&found, id), "{id}");
    }
}

#[test]
fn the_project_leaves_by_name_where_that_is_chosen() {
    let (_fleet, found) = published(&["--projects", "name"]);
    assert!(finds(&found, "/home/alice/hooli") && !finds(&found, "psql"));
}

/// The texts of real transcripts, where they are.
#[test]
fn no_text_of_real_transcripts_leaves() {
    let Some(folder) = crate::home::shared("corpus/transcripts") else {
        return;
    };
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    let paths = machine.import(&folder);
    machine.text(&["push"]);
    let found = everything(&fleet);
    let mut texts: BTreeSet<String> = BTreeSet::new();
    plantune_ingest::read_events(
        &paths.events(),
        |batch| -> Result<(), plantune_ingest::Error> {
            for name in [
                "question",
                "header",
                "free_text",
                "notes",
                "cwd",
                "project",
                "error",
                "detail",
            ] {
                let column = batch.column_by_name(name).unwrap();
                let column = duckdb::arrow::array::AsArray::as_string::<i32>(column);
                texts.extend(column.iter().flatten().map(str::to_owned));
            }
            Ok(())
        },
    )
    .unwrap();
    // The words that stand in every lake: names of columns, kinds of events.
    let plain = Fleet::new();
    let other = plain.member("one", &[]);
    other.log(&answered("call", "2026-11-20T10:00:00Z", 20, "Drop it now"));
    other.text(&["push"]);
    let common = everything(&plain);
    let mut looked_for = 0;
    let is_theirs = |text: &&String| text.chars().count() >= 6 && !finds(&common, text);
    for text in texts.iter().filter(is_theirs) {
        assert!(!finds(&found, text), "{text}");
        // And no five words of it in a row.
        let words: Vec<&str> = text.split_whitespace().collect();
        for some in words.windows(5) {
            assert!(!finds(&found, &some.join(" ")), "{some:?}");
        }
        looked_for += 1;
    }
    assert!(looked_for > 100, "{looked_for}");
}
