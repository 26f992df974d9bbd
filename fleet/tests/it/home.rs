//! Machines of a fleet: each with a home of its own and a log that tests write, all with one lake and key.
#![allow(dead_code, reason = "some of it is for the tests on Spark alone")]

use std::fs;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::json::Text;
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_ingest::{Progress, Writer, claude_code};
use serde_json::Value;

use crate::chance::Chance;

/// The moment of every run, unless a test says another.
pub(crate) const NOW: &str = "2026-11-22T12:00:00Z";

/// The key of the organisation of these tests.
pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// A lake, and the folder in which the machines' homes are.
pub(crate) struct Fleet {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) name: &'static str,
}

impl Fleet {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Characters that SQL and patterns would take for more than they are.
        let name = "the 'lake' [x]*";
        fs::create_dir_all(folder.path().join(name)).unwrap();
        Self { folder, name }
    }

    pub(crate) fn lake(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// A machine that has not been set up.
    pub(crate) fn machine(&self, name: &str) -> Machine {
        let home = self.folder.path().join(name);
        // What a kill leaves in the temporary folder goes with this one.
        fs::create_dir_all(home.join("tmp")).unwrap();
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

    /// The files in the lake, by path, in order.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files = below(&self.lake());
        files.sort();
        files
    }
}

/// All files below a folder.
pub(crate) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(below(&path)),
            false => found.push(path),
        }
    }
    found
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
            .env("TMPDIR", self.home.join("tmp"))
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
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ENDPOINT_URL",
            "AWS_ALLOW_HTTP",
            "AWS_REGION",
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

    /// The output of a call that must succeed.
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
        self.report_with(&[])
    }

    /// The same with more words.
    pub(crate) fn report_with(&self, more: &[&str]) -> Value {
        let words = ["report", "--since", "2000-01-01", "--json"];
        serde_json::from_str(&self.text(&[&words, more].concat())).unwrap()
    }

    /// The folder in the lake that this machine writes.
    pub(crate) fn prefix(&self) -> String {
        let said = self.text(&["init", "--yes"]);
        let place = said.split_once("writes below ").unwrap().1;
        place.split(' ').next().unwrap().to_owned()
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
                claude_code::read(folder, &registry, prompts, &Progress::default(), sink)
            })
            .unwrap();
        writer.ingest(&Progress::default()).unwrap();
        paths
    }
}

/// The groups of a part of a report.
pub(crate) fn part<'r>(report: &'r Value, part: &str) -> Vec<&'r Value> {
    let groups = report["groups"].as_array().unwrap().iter();
    groups.filter(|group| group["part"] == part).collect()
}

/// The figures of all questions.
pub(crate) fn total(report: &Value) -> &Value {
    part(report, "total")
        .first()
        .copied()
        .unwrap_or(&Value::Null)
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

// Logs in which anything may have happened, the same in every run.

/// A log of `calls` calls of which anything may have become, in any order.
pub(crate) fn random_log(random: &mut Chance, calls: u64) -> Vec<Event<'static>> {
    let mut events = Vec::new();
    for call in 0..calls {
        let name = format!("toolu_{call}");
        let count = 1 + random.below(2) as u32;
        let start: chrono::DateTime<chrono::Utc> = "2026-10-26T00:00:00Z".parse().unwrap();
        let start = start + chrono::Duration::milliseconds(random.below(26 * 86_400_000_i64));
        let session = format!("s{}", random.below(calls / 2));
        let (kind_of_session, key) = (
            random.one_of(&["interactive", "headless", "spawned"]),
            random.below(9),
        );
        for index in 0..count {
            let mut add = |kind: Kind, random: &mut Chance| {
                let at = start + chrono::Duration::milliseconds(random.below(90_000) as i64);
                let mut event = event(kind, &name, index, &plantune_domain::clock::timestamp(at));
                event.session_id = session.clone().into();
                event.session_kind = kind_of_session.into();
                event.question_count = Some(count);
                event.project = random.one_of(&["a", "b"]).into();
                event.question_key = Some(format!("key-{key}").into());
                event.source = random.one_of(&["hook", "import:claude-code"]).into();
                match kind {
                    Kind::Asked => {
                        event.reason = (random.below(9) == 0).then(|| "not_printed".into());
                    }
                    Kind::Answered | Kind::AutoDecided => {
                        event.answer = Some(vec![
                            random.one_of(&["Yes", "No", "Yes (Recommended)"]).into(),
                        ]);
                        event.followed_recommendation = Some(Some(random.below(2) == 0));
                        event.was_auto_decided = Some(random.below(3) == 0);
                    }
                    Kind::Failed => {
                        event.error_kind =
                            Some(random.one_of(&["validation", "tool_error"]).into());
                    }
                    _ => {}
                }
                events.push(event);
            };
            let all = [
                Kind::Asked,
                Kind::AutoDecided,
                Kind::Answered,
                Kind::Dismissed,
                Kind::Failed,
            ];
            for kind in all {
                let times = [6, 1, 4, 1, 1][all.iter().position(|one| *one == kind).unwrap()];
                if random.below(7) < times {
                    add(kind, random);
                }
            }
        }
    }
    // A session that ended: what has no end in it was left.
    let mut ended = event(Kind::SessionEnded, "none", 0, "2026-11-21T23:00:00Z");
    ended.tool_use_id = None;
    ended.session_id = "s1".into();
    events.push(ended);
    for place in (1..events.len()).rev() {
        events.swap(place, random.below(place as u64 + 1) as usize);
    }
    events
}

/// Permission prompts of which anything may have become; some at the same moment, some seen by two hooks.
pub(crate) fn random_prompts(random: &mut Chance, prompts: u64) -> Vec<Event<'static>> {
    let start: chrono::DateTime<chrono::Utc> = "2026-11-02T00:00:00Z".parse().unwrap();
    let mut events = Vec::new();
    for number in 0..prompts {
        let at = start + chrono::Duration::seconds(random.below(15 * 86_400) as i64);
        let tool = random.one_of(&["Bash", "Write", "WebFetch"]);
        let digest = format!("{:032x}", random.below(4));
        let session = format!("s{}", random.below(5));
        let prompt = |kind: Kind, id: u64, seconds: i64| {
            let at = at + chrono::Duration::seconds(seconds);
            let mut event = event(kind, "", 0, &plantune_domain::clock::timestamp(at));
            event.id = format!("{id:032x}").into();
            event.tool_use_id = None;
            event.question_index = None;
            event.question_key = None;
            event.session_id = session.clone().into();
            event.tool_name = Some(tool.into());
            event.input_digest = Some(digest.clone().into());
            event
        };
        let asked = prompt(Kind::PermissionAsked, 4 * number, 0);
        if random.below(9) == 0 {
            events.push(prompt(Kind::PermissionAsked, 4 * number + 1, 1));
        }
        let kind = match random.below(3) {
            0 => Kind::PermissionRefused,
            _ => Kind::PermissionGranted,
        };
        let mut decided = prompt(kind, 4 * number + 2, 5);
        decided.asked_id = (random.below(8) > 0).then(|| asked.id.clone());
        decided.waited_seconds =
            (random.below(4) > 0).then(|| Some(random.below(700) as f64 / 7.0));
        decided.ambiguous = (random.below(4) == 0).then_some(true);
        if random.below(6) > 0 {
            events.push(asked);
        }
        if random.below(5) > 0 {
            events.push(decided);
        }
    }
    events
}
