//! Machines of a fleet: each with a home of its own and a log that tests write, all with one lake and key.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod random;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text, question_event_id};
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_ingest::{Progress, Writer, claude_code};
use serde_json::Value;

/// The moment of every run, unless a test says another.
pub(crate) const NOW: &str = "2026-11-22T12:00:00Z";

/// The key of the organisation of these tests.
pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A lake, and the folder in which the machines' homes are.
pub(crate) struct Fleet {
    pub(crate) folder: tempfile::TempDir,
}

impl Fleet {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Characters that SQL and patterns would take for more than they are.
        fs::create_dir_all(folder.path().join("the 'lake' [x]*")).unwrap();
        Self { folder }
    }

    pub(crate) fn lake(&self) -> PathBuf {
        self.folder.path().join("the 'lake' [x]*")
    }

    /// A machine that has not been set up.
    pub(crate) fn machine(&self, name: &str) -> Machine {
        let home = self.folder.path().join(name);
        fs::create_dir_all(&home).unwrap();
        Machine {
            home,
            lake: self.lake(),
            now: NOW.to_owned(),
        }
    }

    /// One that was, with `more` words for `init`.
    pub(crate) fn member(&self, name: &str, more: &[&str]) -> Machine {
        let machine = self.machine(name);
        machine.init(more);
        machine
    }

    /// The files of events in the lake, by name, in order.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let days = fs::read_dir(self.lake().join("events/v1"))
            .into_iter()
            .flatten();
        for day in days {
            let files_of_day = fs::read_dir(day.unwrap().path()).unwrap();
            files.extend(files_of_day.map(|file| file.unwrap().path()));
        }
        files.retain(|file| !file.to_string_lossy().contains('#'));
        files.sort();
        files
    }
}

/// A machine.
pub(crate) struct Machine {
    pub(crate) home: PathBuf,
    pub(crate) lake: PathBuf,
    pub(crate) now: String,
}

impl Machine {
    pub(crate) fn data(&self) -> PathBuf {
        self.home.join(".local/share/plantune")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.home.join(".config/plantune/fleet.toml")
    }

    /// A call of the built program, in this machine's home alone.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune-fleet"));
        command
            .args(words)
            .env_clear()
            .env("HOME", &self.home)
            .env("PLANTUNE_NOW", &self.now)
            .env("PLANTUNE_FLEET_KEY", KEY)
            .env("PLANTUNE_ALLOW_UNATTENDED", "1")
            .env("PLANTUNE_ANCESTORS_UNTIL", std::process::id().to_string())
            .env("COLUMNS", "100")
            .current_dir(&self.home);
        for kept in [
            "LD_LIBRARY_PATH",
            "DYLD_LIBRARY_PATH",
            "TMPDIR",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
        ] {
            if let Some(value) = std::env::var_os(kept) {
                command.env(kept, value);
            }
        }
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// What a call prints that must succeed.
    pub(crate) fn text(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}: {out}{err}");
        out
    }

    /// The exit code of a call that must fail, and what it complains about.
    pub(crate) fn failure(&self, words: &[&str]) -> (i32, String) {
        let output = self.run(words);
        assert!(
            !output.status.success(),
            "{words:?}: {}",
            text(&output.stdout)
        );
        (output.status.code().unwrap(), text(&output.stderr))
    }

    pub(crate) fn init(&self, more: &[&str]) -> String {
        let lake = self.lake.to_str().unwrap();
        self.text(&[&["init", lake, "--yes"], more].concat())
    }

    /// Adds lines to fleet.toml.
    pub(crate) fn configure(&self, lines: &str) {
        let before = fs::read_to_string(self.config()).unwrap();
        fs::write(self.config(), format!("{lines}\n{before}")).unwrap();
    }

    /// The whole report, of all time, as JSON.
    pub(crate) fn report(&self) -> Value {
        let text = self.text(&["report", "--since", "2000-01-01", "--json"]);
        serde_json::from_str(&text).unwrap()
    }

    /// Appends events to the log: to the segment of their day.
    pub(crate) fn log(&self, events: &[Event<'_>]) {
        let folder = self.data().join("events");
        fs::create_dir_all(&folder).unwrap();
        for event in events {
            let segment = folder.join(format!("{}.jsonl", &event.ts[..10]));
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(segment)
                .unwrap();
            file.write_all(&event.to_line().unwrap()).unwrap();
        }
    }

    /// Imports transcripts, and returns where the log and the store are.
    pub(crate) fn import(&self, folder: &Path) -> Paths {
        let paths = Paths::of(self.data(), self.home.join(".config/plantune"));
        let mut writer = Writer::open(&paths, "UTC").unwrap();
        let (registry, now) = (Registry::default(), NOW.parse().unwrap());
        writer
            .import("claude-code", now, &Progress::default(), |prompts, sink| {
                claude_code::read(folder, &registry, prompts, sink)
            })
            .unwrap();
        writer.ingest(&Progress::default()).unwrap();
        paths
    }

    /// The folder of what the machine knows about the lake.
    pub(crate) fn known(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.data().join("fleet")).unwrap();
        folders.next().unwrap().unwrap().path()
    }

    pub(crate) fn lose_journal(&self) {
        for name in ["journal.duckdb", "journal.duckdb.wal"] {
            let _ = fs::remove_file(self.known().join(name));
        }
    }
}

/// A folder that is beside the project on some machines, or in `PLANTUNE_SHARED`.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("PLANTUNE_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join(name);
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An event about the question `index` of `call`, at `ts`.
pub(crate) fn event(kind: Kind, call: &str, index: u32, ts: &str) -> Event<'static> {
    Event {
        v: SCHEMA_VERSION,
        id: question_event_id(kind, call, index).into(),
        ts: ts.to_owned().into(),
        kind: kind.as_str().into(),
        session_id: format!("session of {call}").into(),
        session_kind: "interactive".into(),
        project: "github.com/our/shop".into(),
        cwd: "/home/alice/shop".into(),
        source: "hook".into(),
        tool_use_id: Some(call.to_owned().into()),
        question_index: Some(index),
        question_count: Some(1),
        question_key: Some("ship-create-it".into()),
        key_source: Some("marker".into()),
        ..Event::default()
    }
}

/// A question that is asked at `ts` and answered `seconds` later with `label`.
pub(crate) fn answered(call: &str, ts: &str, seconds: i64, label: &str) -> [Event<'static>; 2] {
    let at = chrono::DateTime::parse_from_rfc3339(ts).unwrap() + chrono::Duration::seconds(seconds);
    let asked = event(Kind::Asked, call, 0, ts);
    let mut answered = event(
        Kind::Answered,
        call,
        0,
        &plantune_domain::clock::timestamp(at.to_utc()),
    );
    answered.answer = Some(vec![Text::from(label.to_owned())]);
    answered.was_auto_decided = Some(false);
    answered.followed_recommendation = Some(Some(label == "Create it"));
    [asked, answered]
}

/// The rows that the query `sql` finds in a file, `FILE` in it, as text.
pub(crate) fn query(file: &Path, sql: &str) -> Vec<String> {
    let pattern = plantune_ingest::parquet_pattern(file)
        .unwrap()
        .replace('\'', "''");
    let connection = duckdb::Connection::open_in_memory().unwrap();
    let mut statement = connection
        .prepare(&sql.replace("FILE", &format!("'{pattern}'")))
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
