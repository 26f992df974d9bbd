//! Setting up, pushing, deleting: the built program on machines of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::config::Retention;
use plantune_domain::event::Kind;
use plantune_domain::json::Text;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

use crate::chance::Chance;
use crate::home;
use crate::home::{Fleet, Machine, answered, below, part, query, text, total};

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
    for (name, value) in [("PLANTUNE_ALLOW_UNATTENDED", "0"), ("CLAUDECODE", "1")] {
        let mut command = machine.command(&["init", lake, "--yes"]);
        let output = command.env(name, value).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    }
    // Nobody makes a key of their own by forgetting to copy the organisation's.
    let mut command = machine.command(&["init", lake, "--yes"]);
    let output = command.env_remove("PLANTUNE_FLEET_KEY").output().unwrap();
    assert!(text(&output.stderr).contains("--new-key"));
    assert!(!machine.config().exists() && below(Path::new(lake)).is_empty());

    let shown = machine.init(&[]);
    assert!(
        shown.contains("2 events of 1 day") && shown.contains("\"kind\":\"asked\""),
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
    let rows = machine.text(&["push", "--dry-run"]);
    assert_eq!(rows.lines().count(), 2);
    assert!(
        machine
            .text(&["push"])
            .contains("pushed 2 events in 1 file")
    );
    let (code, said) = machine.failure(&["init", lake, "--level", "full", "--yes"]);
    assert!(
        code == 3 && said.contains("exists with other settings"),
        "{said}"
    );
}

#[test]
fn a_day_is_pushed_when_it_is_over_and_again_when_it_changed() {
    let fleet = Fleet::new();
    let mut machine = fleet.member("one", &["--exclude", "github.com/me/*"]);
    let log = |call: &str, ts: &str| machine.log(&answered(call, ts, 20, "Create it"));
    log("toolu_1", "2026-11-20T10:00:00Z");
    log("toolu_2", "2026-11-22T00:00:00Z");
    log("toolu_3", "2031-01-01T10:00:00Z");
    log("toolu_4", "1970-01-01T10:00:00Z");
    for (call, project, kind) in [
        ("toolu_5", "github.com/me/notes", None),
        ("toolu_6", "p", Some("of tomorrow")),
    ] {
        let mut events = answered(call, "2026-11-20T10:00:00Z", 20, "Create it");
        for event in &mut events {
            event.project = project.into();
            event.kind = kind.map_or_else(|| event.kind.clone(), Text::from);
        }
        machine.log(&events);
    }
    let said = machine.text(&["push"]);
    for line in [
        "pushed 2 events in 1 file",
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
    assert!(machine.text(&["push"]).starts_with("nothing new"));
    let before = fleet.files();
    machine.log(&answered(
        "toolu_7",
        "2026-11-20T11:00:00Z",
        20,
        "Create it",
    ));
    machine.now = "2026-11-23T06:00:00Z".to_owned();
    let said = machine.text(&["push"]);
    assert!(
        said.contains("pushed 6 events in 2 files") && said.contains("deleted 1 file"),
        "{said}"
    );
    let after = fleet.files();
    assert_eq!(after.len(), 2);
    assert!(!after.contains(&before[0]));
    let prefix = fleet.lake().join(machine.prefix());
    for (file, day) in after.iter().zip(["2026-11-20", "2026-11-22"]) {
        assert_eq!(file.parent().unwrap(), prefix.join(format!("day={day}")));
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(
            name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit()),
            "{name}"
        );
    }
    // Pushing twice changes nothing, nor does what is in the files depend on when they were written.
    let content: Vec<_> = after.iter().map(|file| fs::read(file).unwrap()).collect();
    assert!(machine.text(&["push"]).starts_with("nothing new"));
    fs::remove_file(&after[0]).unwrap();
    machine.text(&["push"]);
    let again: Vec<_> = fleet
        .files()
        .iter()
        .map(|file| fs::read(file).unwrap())
        .collect();
    assert_eq!((fleet.files(), again), (after, content));
    // What is excluded later goes with the next push, where the day has nothing else, too.
    let config = fs::read_to_string(machine.config()).unwrap();
    fs::write(
        machine.config(),
        config.replace("github.com/me/*", "github.com/*"),
    )
    .unwrap();
    assert!(machine.text(&["push"]).contains("deleted 2 files"));
    assert!(fleet.files().is_empty());
}

#[test]
fn what_the_log_cannot_say_any_more_stays_in_the_lake() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.log(&answered(
        "toolu_1",
        "2026-09-01T10:00:00Z",
        20,
        "Create it",
    ));
    let mut open = home::event(Kind::Asked, "toolu_2", 0, "2026-09-02T10:00:00Z");
    open.question = Some("Shall it be sealed?".into());
    machine.log(&[open]);
    assert!(
        machine
            .text(&["push"])
            .contains("pushed 3 events in 2 files")
    );
    let before = fleet.files();
    // Sealing a month changes nothing, and who joins later pushes what is sealed.
    seal(&machine);
    assert!(machine.text(&["push"]).starts_with("nothing new"));
    fs::remove_file(&before[0]).unwrap();
    machine.text(&["push"]);
    assert_eq!(fleet.files(), before);
    // While a part of the log cannot be read, nothing is deleted.
    let sealed = machine.data().join("events/2026-09.parquet");
    let whole = fs::read(&sealed).unwrap();
    fs::write(&sealed, &whole[..whole.len() / 2]).unwrap();
    machine.log(&answered(
        "toolu_3",
        "2026-09-01T11:00:00Z",
        20,
        "Create it",
    ));
    let said = machine.text(&["push"]);
    assert!(
        said.contains("2026-09.parquet was not read") && !said.contains("deleted"),
        "{said}"
    );
    assert_eq!(fleet.files().len(), 3);
    machine.configure("k = 1");
    assert_eq!(total(&machine.report())["answered"], 2);
    // And of a month that is gone the lake keeps what it has.
    fs::remove_file(&sealed).unwrap();
    fs::remove_file(machine.data().join("events/2026-09-01.jsonl")).unwrap();
    assert!(machine.text(&["push"]).starts_with("nothing new"));
    assert_eq!(fleet.files().len(), 3);
}

/// Makes a sealed segment of the log, as `plantune gc` does.
fn seal(machine: &Machine) {
    let paths = Paths::of(machine.data(), machine.home.join(".config/plantune"));
    let now: DateTime<Utc> = home::NOW.parse().unwrap();
    for segment in fs::read_dir(machine.data().join("events")).unwrap() {
        let file = fs::File::options()
            .append(true)
            .open(segment.unwrap().path())
            .unwrap();
        file.set_modified((now - TimeDelta::days(60)).into())
            .unwrap();
    }
    let mut writer = Writer::open(&paths, "UTC").unwrap();
    writer.ingest(&Progress::default()).unwrap();
    writer
        .gc(&Retention::default(), now, &Progress::default())
        .unwrap();
    assert!(!machine.data().join("events/2026-09-01.jsonl").exists());
}

#[test]
fn what_is_forgotten_is_gone_and_what_others_pushed_of_it_stays() {
    let fleet = Fleet::new();
    let (one, two) = (fleet.member("one", &[]), fleet.member("two", &[]));
    for machine in [&one, &two] {
        machine.log(&answered(
            "toolu_1",
            "2026-11-20T10:00:00Z",
            20,
            "Create it",
        ));
        machine.text(&["push"]);
    }
    two.configure("k = 1");
    let mine = fleet.lake().join(one.prefix());
    let (code, _) = one.failure(&["forget"]);
    assert!(code == 4 && mine.exists());
    one.text(&["forget", "--yes"]);
    assert!(!mine.exists());
    assert_eq!(fleet.files().len(), 1);
    assert_eq!(total(&two.report())["answered"], 1);
    // Who wants everything forgotten has not agreed any more, and is another machine when they do.
    let (code, said) = one.failure(&["push"]);
    assert!(code == 4 && said.contains("haven't agreed"), "{said}");
    assert_ne!(fleet.lake().join(one.prefix()), mine);
}

/// In the lake before this one a tombstone, `{publisher, project}` and no signature, hid another machine's rows from all
/// reports, and the next compaction removed them for good: whoever could put a file could do that.
#[test]
fn nobody_has_another_machines_rows_forgotten() {
    let fleet = Fleet::new();
    let (victim, attacker) = (fleet.member("victim", &[]), fleet.member("attacker", &[]));
    for machine in [&victim, &attacker] {
        let name = machine.home.file_name().unwrap().to_str().unwrap();
        machine.log(&answered(name, "2026-11-20T10:00:00Z", 20, "Create it"));
        machine.text(&["push"]);
    }
    let files: BTreeSet<_> = fleet.files().into_iter().collect();
    let theirs = victim
        .prefix()
        .rsplit_once("machine=")
        .unwrap()
        .1
        .to_owned();
    let tombstone = format!("{{\"publisher\":\"{theirs}\",\"project\":null}}");
    let own = attacker.prefix();
    for place in ["tombstones/v1", "v=1/tombstones", own.as_str()] {
        let place = fleet.lake().join(place);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("{:032}.json", 0)), &tombstone).unwrap();
    }
    attacker.text(&["push"]);
    attacker.configure("k = 1");
    let report = attacker.report();
    assert_eq!(total(&report)["answered"], 2, "{report}");
    // Nor does a file that says of itself that it is theirs: whose it is, its folder says.
    let mine = fleet.lake().join(&own).join("day=2026-11-20");
    let file = below(&mine).remove(0);
    let connection = duckdb::Connection::open_in_memory().unwrap();
    let pattern = |path: &Path| {
        plantune_ingest::parquet_pattern(path)
            .unwrap()
            .replace('\'', "''")
    };
    let forged = fleet.folder.path().join("forged.parquet");
    connection
        .execute_batch(&format!(
            "COPY (SELECT * EXCLUDE (machine), '{theirs}' AS machine FROM read_parquet('{}', hive_partitioning = true)) \
             TO '{}' (FORMAT parquet)",
            pattern(&file),
            forged.to_str().unwrap()
        ))
        .unwrap();
    fs::rename(&forged, mine.join("forged.parquet")).unwrap();
    let report = attacker.report();
    assert_eq!(
        (&total(&report)["answered"], &total(&report)["machines"]),
        (&2.into(), &2.into())
    );
    // The machine's own next push takes it away.
    assert!(attacker.text(&["push"]).contains("deleted 1 file"));
    attacker.text(&["forget", "--yes"]);
    assert!(files.iter().filter(|file| file.exists()).count() == 1);
    assert!(fleet.lake().join(victim.prefix()).exists());
}

#[test]
fn what_two_machines_know_counts_once_and_the_hooks_copy_counts() {
    let fleet = Fleet::new();
    let (one, two) = (
        fleet.member("one", &[]),
        fleet.member("two", &["--level", "keys-and-labels"]),
    );
    let mut imported = answered("toolu_1", "2026-11-20T09:59:59Z", 3, "Skip it");
    for event in &mut imported {
        event.source = "import:claude-code".into();
    }
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
    let report = one.report();
    let all = total(&report);
    assert_eq!((&all["answered"], &all["machines"]), (&2.into(), &2.into()));
    assert_eq!(all["seconds"], 60.0);
    // Known in clear by the machine that pushes labels, and the same answer on both.
    let top = part(&report, "question")[0];
    assert_eq!(
        (&top["top_answer"], &top["top_answer_times"]),
        (&"Create it".into(), &2.into())
    );
}

#[test]
fn a_question_without_a_name_is_called_by_its_labels_where_labels_leave() {
    for (level, expected) in [
        ("none", "-"),
        ("keys-and-labels", "Drop it | Keep it"),
        ("full", "Drop it | Keep it"),
    ] {
        let fleet = Fleet::new();
        let machine = fleet.member("one", &["--level", level]);
        for (call, key, source) in [
            ("a", "opt-0123456789abcdef", "options"),
            ("b", "ship-drop-it", "marker"),
        ] {
            let mut events = answered(call, "2026-11-20T10:00:00Z", 20, "Keep it");
            events[0].question_key = Some(key.into());
            events[0].key_source = Some(source.into());
            events[0].options = Some(
                ["Keep it (Recommended)", "Drop it"]
                    .map(Text::from)
                    .to_vec(),
            );
            machine.log(&events);
        }
        machine.text(&["push"]);
        let sql =
            "SELECT coalesce(key_name, '-') FROM FILE WHERE kind = 'asked' ORDER BY question_key";
        assert_eq!(query(&fleet.files()[0], sql), [expected, "-"], "{level}");
    }
}

#[test]
fn a_configuration_that_is_not_understood_is_refused() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    let before = fs::read_to_string(machine.config()).unwrap();
    machine.configure("levle = 'full'");
    let (code, said) = machine.failure(&["push"]);
    assert!(
        code == 3 && said.contains("levle") && said.contains("fleet.toml"),
        "{said}"
    );
    fs::write(machine.config(), before).unwrap();
    let (code, said) = machine.failure(&["report", "--week", "2026-W54"]);
    assert!(code == 2 && said.contains("2026-W46"), "{said}");
}

// Pushes that are killed at any moment, beside each other and beside readers: nothing is missing, nothing is counted
// twice, and every file is whole. `PLANTUNE_FLEET_ROUNDS` says for how long.

/// As many machines push.
const MACHINES: usize = 6;

/// A push that is killed after a while, half of the time.
struct Push {
    child: Child,
    after: Option<Duration>,
}

impl Push {
    fn start(machine: &Machine, random: &mut Chance) -> Self {
        let mut command = machine.command(&["push"]);
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let after = (random.below(2) == 0).then(|| Duration::from_micros(random.below(400_000)));
        Self { child, after }
    }

    /// True when it was killed.
    fn end(mut self) -> bool {
        if let Some(after) = self.after {
            sleep(after);
            // SIGKILL.
            let _ = self.child.kill();
        }
        let output = self.child.wait_with_output().unwrap();
        let was_killed = output.status.code().is_none();
        assert!(
            was_killed || output.status.success(),
            "{}",
            text(&output.stderr)
        );
        was_killed
    }
}

#[test]
fn nothing_is_missing_and_nothing_counts_twice() {
    let rounds = std::env::var("PLANTUNE_FLEET_ROUNDS");
    let rounds: u64 = rounds.map_or(12, |text| text.parse().unwrap());
    let fleet = Fleet::new();
    let mut random = Chance::new(rounds);
    let machines: Vec<Machine> = (0..MACHINES)
        .map(|number| fleet.member(&format!("m{number}"), &[]))
        .collect();
    let reader = fleet.member("reader", &[]);
    reader.configure("k = 1");
    let mut calls: BTreeSet<String> = BTreeSet::new();
    let (mut pushes, mut kills, mut least) = (0, 0, 0);
    for round in 0..rounds {
        let mut running = Vec::new();
        let first = random.below(MACHINES as u64) as usize;
        let second = (first + 1 + random.below(MACHINES as u64 - 1) as usize) % MACHINES;
        for number in [first, second] {
            for _ in 0..random.below(12) {
                let day = 10 + random.below(4);
                // One call in ten is known to several machines.
                let call = match random.below(10) {
                    0 => format!("shared-{}", random.below(20)),
                    _ => format!("{number}-{round}-{}", random.below(1 << 20)),
                };
                let ts = format!("2026-11-{day}T10:00:00Z");
                machines[number].log(&answered(&call, &ts, 20, "Yes"));
                calls.insert(call);
            }
            // Twice at once, now and then.
            for _ in 0..1 + random.below(3) / 2 {
                running.push(Push::start(&machines[number], &mut random));
            }
        }
        if round % 3 == 0 {
            // What is in the lake never becomes less.
            let seen = total(&reader.report())["answered"].as_u64().unwrap_or(0);
            assert!(
                seen >= least && seen <= calls.len() as u64,
                "{least} {seen} {}",
                calls.len()
            );
            least = seen;
        }
        for push in running {
            pushes += 1;
            kills += u64::from(push.end());
        }
        // A file under a name that engines read is whole, at any moment.
        let is_data =
            |file: &&std::path::PathBuf| file.extension().is_some_and(|end| end == "parquet");
        for file in fleet.files().iter().filter(is_data) {
            assert_ne!(query(file, "SELECT count(*)::VARCHAR FROM FILE"), ["0"]);
        }
    }
    for machine in &machines {
        machine.text(&["push"]);
        assert!(machine.text(&["push"]).starts_with("nothing new"));
    }
    let report = reader.report();
    assert_eq!(total(&report)["answered"], calls.len());
    // Each machine has one file a day, and nothing else lies in the lake but what a kill may have left unfinished.
    let (whole, rest): (Vec<_>, Vec<_>) = fleet
        .files()
        .into_iter()
        .partition(|file| file.extension().is_some_and(|end| end == "parquet"));
    let days: BTreeSet<_> = whole.iter().map(|file| file.parent().unwrap()).collect();
    assert_eq!(days.len(), whole.len());
    assert!(
        rest.iter().all(|file| file.ends_with(".unfinished")),
        "{rest:?}"
    );
    // The lake by itself, read by another program.
    let ids: BTreeSet<String> = whole
        .iter()
        .flat_map(|file| query(file, "SELECT id FROM FILE"))
        .collect();
    assert_eq!(ids.len(), 2 * calls.len());
    println!(
        "{MACHINES} machines, {pushes} pushes, {kills} killed: {} calls, none missing, none twice",
        calls.len()
    );
}
