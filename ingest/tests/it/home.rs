//! A home whose log the tests write, and what its store holds then.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::{AccessMode, Connection};
use fs::File;
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::SessionKind;
use plantune_hooks::CallEnvironment;
use plantune_ingest::claude_code::{Prompts, read};
use plantune_ingest::{Difference, Progress, Summary, Writer, claude_code, compare};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The rows of each table as text, in order.
pub(crate) type Dump = BTreeMap<String, Vec<String>>;

/// When a test runs.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// A data folder of its own.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir(home.paths().events()).unwrap();
        home
    }

    /// Another home with the same log and no store.
    pub(crate) fn without_store(&self) -> Self {
        let copy = Self::new();
        for entry in fs::read_dir(self.paths().events()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            // A link has the same modification time.
            fs::hard_link(entry.path(), copy.segment(&name)).unwrap();
        }
        copy
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.0.path().to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A hook that is called at `now` in a terminal, and logs here.
    pub(crate) fn environment(&self, now: DateTime<Utc>) -> CallEnvironment {
        CallEnvironment {
            agent: &plantune_agents::claude_code::ClaudeCode,
            paths: self.paths(),
            now,
            session_kind: SessionKind::Interactive,
            entrypoint: Some("cli".to_owned()),
            project_root: None,
            disabled: false,
            by_plugin: false,
        }
    }

    pub(crate) fn segment(&self, name: &str) -> PathBuf {
        self.paths().events().join(name)
    }

    /// The files beside the log, by name.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "events").collect();
        names.sort();
        names
    }

    /// Overwrites a segment.
    pub(crate) fn put(&self, segment: &str, bytes: &[u8]) {
        put(&self.segment(segment), bytes);
    }

    pub(crate) fn append(&self, segment: &str, bytes: &[u8]) {
        let mut options = File::options();
        let file = options
            .create(true)
            .append(true)
            .open(self.segment(segment));
        file.unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn log(&self, segment: &str, events: &[TestEvent]) {
        let lines: Vec<_> = events.iter().flat_map(TestEvent::line).collect();
        self.append(segment, &lines);
    }

    pub(crate) fn writer(&self, zone: &str) -> Writer {
        Writer::open(&self.paths(), zone).unwrap()
    }

    pub(crate) fn ingest(&self, zone: &str) -> Summary {
        ingest(&mut self.writer(zone))
    }

    pub(crate) fn store(&self) -> Connection {
        plantune_migrations::open(&self.paths().store(), AccessMode::ReadOnly).unwrap()
    }

    /// Changes the store as no writer does.
    pub(crate) fn tamper(&self, sql: &str) {
        let store =
            plantune_migrations::open(&self.paths().store(), AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
        store.close().unwrap();
    }

    pub(crate) fn differences(&self) -> Vec<Difference> {
        compare(&self.paths()).unwrap().unwrap()
    }

    /// The store is the one that is computed from the whole log at once.
    pub(crate) fn assert_computed(&self, zone: &str) {
        let other = self.without_store();
        other.ingest(zone);
        assert_same(&self.dump(), &other.dump());
        let segments =
            "SELECT (segment, \"offset\", length, events, tail, last_hook_at, damage)::VARCHAR
                        FROM segments ORDER BY ALL";
        assert_eq!(self.texts(segments), other.texts(segments));
        // By these rows it is found again what to merge and what to dismiss.
        let unlisted = "SELECT tool_use_id FROM questions
            WHERE ((id >> 32)::UINTEGER, ts::DATE) NOT IN (FROM question_days)
            OR (
                (outcome = 'open' OR (outcome = 'dismissed' AND dismissed_at IS NULL))
                AND (session_id, ts) NOT IN (FROM endless_questions)
            )";
        assert_eq!(self.texts(unlisted), [""; 0]);
    }

    pub(crate) fn dump(&self) -> Dump {
        dump(&self.paths().store(), &COMPUTED)
    }

    /// A column of text.
    pub(crate) fn texts(&self, sql: &str) -> Vec<String> {
        let store = self.store();
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Of each day, how its questions ended: answered, auto-decided, failed, dismissed, open.
    pub(crate) fn days(&self) -> BTreeMap<NaiveDate, [u64; 5]> {
        let store = self.store();
        let sql = "SELECT
                day,
                count(*) FILTER (outcome = 'answered'),
                count(*) FILTER (outcome = 'auto_decided'),
                count(*) FILTER (outcome = 'failed'),
                count(*) FILTER (outcome = 'dismissed'),
                count(*) FILTER (outcome = 'open')
            FROM questions GROUP BY day";
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| {
            let mut counts = [0; 5];
            for (column, count) in counts.iter_mut().enumerate() {
                *count = row.get(column + 1)?;
            }
            Ok((row.get(0)?, counts))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }
}

pub(crate) fn ingest(writer: &mut Writer) -> Summary {
    writer.ingest(&Progress::default()).unwrap()
}

/// Overwrites a file. Nothing has to last, so nothing is synced.
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Names the first rows that differ: all of them would be unreadable.
pub(crate) fn assert_same(found: &Dump, expected: &Dump) {
    for (table, rows) in expected {
        let found = &found[table];
        let differ = found.iter().zip(rows).find(|(one, other)| one != other);
        assert_eq!((differ, found.len()), (None, rows.len()), "{table}");
    }
}

// Events as tests log them.

/// An event about a question of a call, or about a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestEvent {
    pub(crate) kind: Kind,
    pub(crate) at: DateTime<Utc>,
    /// Empty for none.
    pub(crate) session: String,
    pub(crate) project: String,
    pub(crate) call: u32,
    pub(crate) index: u32,
    pub(crate) key: String,
    pub(crate) answer: &'static str,
    pub(crate) was_auto_decided: Option<bool>,
    pub(crate) error_kind: Option<&'static str>,
    pub(crate) is_imported: bool,
    /// True for an id that other programs would give: any.
    pub(crate) has_foreign_id: bool,
}

impl TestEvent {
    /// About the first question of `call`, in the one session of the one project.
    pub(crate) fn new(kind: Kind, call: u32, at: &str) -> Self {
        Self {
            kind,
            at: at.parse().unwrap(),
            session: "session".to_owned(),
            project: "shop".to_owned(),
            call,
            index: 0,
            key: "key".to_owned(),
            answer: "Yes",
            was_auto_decided: None,
            error_kind: None,
            is_imported: false,
            has_foreign_id: false,
        }
    }

    pub(crate) fn in_session(mut self, session: &str) -> Self {
        self.session = session.to_owned();
        self
    }

    pub(crate) fn id(&self) -> String {
        let (call, ts) = (self.tool_use_id(), timestamp(self.at));
        match (self.kind.is_of_question(), self.has_foreign_id) {
            (true, false) => question_event_id(self.kind, &call, self.index),
            (true, true) => {
                let index = self.index.to_string();
                hash::hex(&[self.kind.as_str(), &call, &index, &ts, &self.session])
            }
            (false, _) => hash::hex(&[self.kind.as_str(), &self.session, &ts]),
        }
    }

    fn tool_use_id(&self) -> String {
        format!("toolu_{}", self.call)
    }

    pub(crate) fn line(&self) -> Vec<u8> {
        let kind = self.kind;
        let event = Event {
            v: SCHEMA_VERSION,
            id: self.id().into(),
            ts: timestamp(self.at).into(),
            kind: kind.as_str().into(),
            session_id: self.session.clone().into(),
            session_kind: if self.session.ends_with('1') {
                "headless"
            } else {
                "interactive"
            }
            .into(),
            project: self.project.clone().into(),
            cwd: "/w".into(),
            source: if self.is_imported {
                "import:claude-code"
            } else {
                "hook"
            }
            .into(),
            error_kind: self
                .error_kind
                .filter(|_| matches!(kind, Kind::Failed | Kind::HookError))
                .map(Into::into),
            ..Event::default()
        };
        let event = if kind.is_of_question() {
            self.about_question(event)
        } else {
            event
        };
        event.to_line().unwrap()
    }

    fn about_question<'e>(&'e self, event: Event<'e>) -> Event<'e> {
        let is_answered = self.kind == Kind::Answered;
        let has_answer = is_answered || self.kind == Kind::AutoDecided;
        Event {
            tool_name: Some("AskUserQuestion".into()),
            tool_use_id: Some(self.tool_use_id().into()),
            question_index: Some(self.index),
            question_count: Some(2),
            question_key: Some(self.key.as_str().into()),
            key_source: Some("marker".into()),
            // Each kind words it otherwise, so that a mixed description would show.
            question: Some(format!("{} of {}?", self.kind.as_str(), self.call).into()),
            header: (self.kind == Kind::Asked).then(|| "Header".into()),
            options: Some(vec!["Yes (Recommended)".into(), "No".into()]),
            recommended: Some("Yes".into()),
            door: Some("two-way".into()),
            ask_reason: (self.kind == Kind::Asked).then(|| "no_preference".into()),
            answer: has_answer.then(|| vec![self.answer.into()]),
            was_auto_decided: self.was_auto_decided.filter(|_| is_answered),
            followed_recommendation: is_answered.then_some(Some(self.answer == "Yes")),
            reason: (self.kind == Kind::Dismissed).then(|| "rejected".into()),
            ..event
        }
    }
}

// What the tests of the importer share.

/// The captured hook calls of Claude Code 2.1.197, a file a scenario, in order.
pub(crate) fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("../hooks/tests/fixtures/claude-code-2.1.197");
    let entries = fs::read_dir(folder).unwrap();
    let mut scenarios: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    scenarios.sort();
    scenarios
}

/// The one of this name.
pub(crate) fn scenario(name: &str) -> PathBuf {
    let mut all = scenarios().into_iter();
    all.find(|path| path.file_stem().unwrap() == name).unwrap()
}

/// The events of everything at `root`, as the log would hold them.
pub(crate) fn import(root: &Path) -> (Vec<Value>, claude_code::TranscriptSummary) {
    let mut events = Vec::new();
    let summary = read(
        root,
        &Registry::default(),
        Prompts::default(),
        &Progress::default(),
        &mut |event| {
            events.push(serde_json::from_slice(&event.to_line().unwrap()).unwrap());
            Ok(())
        },
    )
    .unwrap();
    (events, summary)
}

/// The JSON values of a file of lines.
pub(crate) fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Writes a file and the folders above it. Nothing has to last, so nothing is synced.
pub(crate) fn store(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::create(path).unwrap();
    file.write_all(content).unwrap();
}

// What a store holds, as text: to compare two of them.

/// The tables whose rows depend on the log's events and the time zone alone.
pub(crate) const COMPUTED: [&str; 7] = [
    "questions",
    "sessions",
    "preference_changes",
    "permission_events",
    "hook_errors",
    "quarantine",
    "settings",
];

/// The rows of each table as text, in order.
pub(crate) fn dump(store: &Path, tables: &[&str]) -> BTreeMap<String, Vec<String>> {
    let store = plantune_migrations::open(store, AccessMode::ReadOnly).unwrap();
    let rows = |table: &&str| ((*table).to_owned(), rows(&store, table));
    tables.iter().map(rows).collect()
}

fn rows(store: &Connection, table: &str) -> Vec<String> {
    let sql = format!("SELECT t::VARCHAR FROM {table} AS t ORDER BY ALL");
    let mut statement = store.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

// Transcripts by hand: the lines that Claude Code writes, and what is read from them.

pub(crate) const ASKED: &str = "2026-01-02T03:04:05.000Z";
pub(crate) const ENDED: &str = "2026-01-02T03:05:05.000Z";

pub(crate) fn line(kind: &str, at: &str, more: &Value) -> Value {
    let mut line = json!({"type": kind, "uuid": "u", "timestamp": at, "sessionId": "s",
        "cwd": "/nowhere/shop"});
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line
}

pub(crate) fn block(id: &str, questions: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": {"questions": questions}})
}

pub(crate) fn assistant(blocks: &Value) -> Value {
    line(
        "assistant",
        ASKED,
        &json!({"message": {"role": "assistant", "content": blocks}}),
    )
}

/// A call with one question, "Q?", offering Yes (recommended), No, and Maybe, later.
pub(crate) fn asked(id: &str) -> Value {
    assistant(&json!([block(id, &question("Q?"))]))
}

pub(crate) fn question(text: &str) -> Value {
    let label = |label: &str| json!({"label": label, "description": "d"});
    let options = [
        label("Yes (Recommended)"),
        label("No"),
        label("Maybe, later"),
    ];
    json!([{"question": text, "header": "H", "options": options, "multiSelect": false}])
}

pub(crate) fn user(content: &Value, more: &Value) -> Value {
    let mut line = line(
        "user",
        ENDED,
        &json!({"message": {"role": "user", "content": content}}),
    );
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line
}

pub(crate) fn result(id: &str, content: &Value, is_error: &Value, returned: &Value) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    user(&json!([block]), &json!({"toolUseResult": returned}))
}

pub(crate) fn answered(id: &str, answer: &str) -> Value {
    let returned = json!({"questions": [], "answers": {"Q?": answer}});
    result(id, &json!("…"), &Value::Null, &returned)
}

pub(crate) fn write(path: &Path, lines: &[Value]) {
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    store(path, text.concat().as_bytes());
}

pub(crate) fn import_text(text: &[u8]) -> (Vec<Value>, claude_code::TranscriptSummary) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stem.jsonl");
    store(&path, text);
    import(&path)
}

pub(crate) fn import_lines(lines: &[Value]) -> (Vec<Value>, claude_code::TranscriptSummary) {
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    import_text(text.join("\n").as_bytes())
}

/// Each event on one line.
pub(crate) fn summaries(events: &[Value]) -> Vec<String> {
    let shown = |event: &Value| {
        let fields = [
            "answer",
            "free_text",
            "notes",
            "reason",
            "error_kind",
            "mechanism",
        ];
        let mut line = event["kind"].as_str().unwrap().to_owned();
        for field in fields.iter().filter(|field| !event[**field].is_null()) {
            line = format!("{line} {field}={}", event[*field]);
        }
        line
    };
    events.iter().map(shown).collect()
}
