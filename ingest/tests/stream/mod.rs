//! Events for tests, a home whose spool takes them, and what its store holds then.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses what it needs of this; a test may panic, its helpers too"
)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;
use plantune_domain::paths::Paths;
use plantune_ingest::{Inspector, Progress, Writer};
use tempfile::TempDir;

/// What a question of a call, or a session, went through at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
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
    /// True for an id that other programs would give: any.
    pub(crate) foreign: bool,
}

impl Said {
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
            foreign: false,
        }
    }

    pub(crate) fn in_session(mut self, session: &str) -> Self {
        self.session = session.to_owned();
        self
    }

    pub(crate) fn session_kind(&self) -> &'static str {
        if self.session.ends_with('1') {
            "headless"
        } else {
            "interactive"
        }
    }

    pub(crate) fn id(&self) -> String {
        let call = self.tool_use_id();
        match (self.kind.is_of_question(), self.foreign) {
            (true, false) => question_event_id(self.kind, &call, self.index),
            (true, true) => {
                let ts = timestamp(self.at);
                let index = self.index.to_string();
                hash::hex(&[self.kind.as_str(), &call, &index, &ts, &self.session])
            }
            (false, _) => hash::hex(&[self.kind.as_str(), &self.session, &timestamp(self.at)]),
        }
    }

    fn tool_use_id(&self) -> String {
        format!("toolu_{}", self.call)
    }

    pub(crate) fn line(&self) -> Vec<u8> {
        let about = Event {
            v: SCHEMA_VERSION,
            id: self.id().into(),
            ts: timestamp(self.at).into(),
            kind: self.kind.as_str().into(),
            session_id: self.session.clone().into(),
            session_kind: self.session_kind().into(),
            project: self.project.clone().into(),
            cwd: "/w".into(),
            source: "hook".into(),
            ..Event::default()
        };
        if !self.kind.is_of_question() {
            return about.to_line().unwrap();
        }
        let answers = matches!(self.kind, Kind::Answered | Kind::AutoDecided);
        let answered = self.kind == Kind::Answered;
        Event {
            tool_name: Some("AskUserQuestion".into()),
            tool_use_id: Some(self.tool_use_id().into()),
            question_index: Some(self.index),
            question_count: Some(2),
            question_key: Some(self.key.clone().into()),
            key_source: Some("marker".into()),
            question: Some(format!("{} of {}?", self.kind.as_str(), self.call).into()),
            options: Some(vec!["Yes (Recommended)".into(), "No".into()]),
            recommended: Some("Yes".into()),
            door: Some("two-way".into()),
            answer: answers.then(|| vec![self.answer.into()]),
            was_auto_decided: self.was_auto_decided.filter(|_| answered),
            followed_recommendation: answered.then_some(Some(self.answer == "Yes")),
            error_kind: self
                .error_kind
                .filter(|_| self.kind == Kind::Failed)
                .map(Into::into),
            ..about
        }
        .to_line()
        .unwrap()
    }
}

/// A home of plantune's.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Another home, whose store holds the same.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::new();
        for file in ["plantune.duckdb", "plantune.duckdb.wal"] {
            let path = self.0.path().join(file);
            if path.exists() {
                fs::copy(path, copy.0.path().join(file)).unwrap();
            }
        }
        copy
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.0.path().to_owned())
    }

    pub(crate) fn append(&self, segment: &str, said: &[Said]) {
        let folder = self.0.path().join("events");
        fs::create_dir_all(&folder).unwrap();
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(folder.join(segment))
            .unwrap();
        let lines: Vec<_> = said.iter().flat_map(Said::line).collect();
        file.write_all(&lines).unwrap();
    }

    pub(crate) fn writer(&self, zone: &str) -> Writer {
        Writer::open(&self.paths(), zone).unwrap()
    }

    /// Reads what was appended; returns how many events were new.
    pub(crate) fn ingest(&self, zone: &str) -> u64 {
        ingest(&mut self.writer(zone))
    }

    pub(crate) fn store(&self) -> Connection {
        plantune_migrations::open(&self.paths().store(), AccessMode::ReadOnly).unwrap()
    }

    /// Does to the store what nothing but a fault does.
    pub(crate) fn damage(&self, sql: &str) {
        let store =
            plantune_migrations::open(&self.paths().store(), AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
    }

    pub(crate) fn inspector(&self) -> Inspector {
        Inspector::open(&self.paths()).unwrap().unwrap()
    }

    /// Nothing is wrong with the log, nor with what is derived from it.
    pub(crate) fn assert_whole(&self) {
        let inspector = self.inspector();
        assert_eq!(inspector.log_faults().unwrap(), [""; 0]);
        assert_eq!(inspector.compare().unwrap(), []);
    }

    /// Every relation, as text, in order.
    pub(crate) fn dump(&self) -> BTreeMap<&'static str, Vec<String>> {
        let store = self.store();
        let dumps = [
            (
                "questions",
                "SELECT questions::VARCHAR FROM questions ORDER BY ALL",
            ),
            (
                "sessions",
                "SELECT sessions::VARCHAR FROM sessions ORDER BY ALL",
            ),
            ("daily", "SELECT daily::VARCHAR FROM daily ORDER BY ALL"),
            (
                "daily_answers",
                "SELECT daily_answers::VARCHAR FROM daily_answers ORDER BY ALL",
            ),
            (
                "daily_sessions",
                "SELECT daily_sessions::VARCHAR FROM daily_sessions ORDER BY ALL",
            ),
            (
                "daily_errors",
                "SELECT daily_errors::VARCHAR FROM daily_errors ORDER BY ALL",
            ),
            // Numbers are those of the order of arrival.
            (
                "recent_answers",
                "SELECT recent::VARCHAR FROM (
                    SELECT recent.* EXCLUDE (number, context, wording, answered, moment), details.answer_name, tool_use_id
                    FROM recent_answers AS recent
                    JOIN wordings ON wordings.number = wording
                    JOIN details ON details.number = answered
                ) AS recent ORDER BY ALL",
            ),
        ];
        dumps
            .into_iter()
            .map(|(name, sql)| (name, texts(&store, sql)))
            .collect()
    }

    /// Of each day, the outcomes of its questions: answered, decided, failed, dismissed, open.
    pub(crate) fn days(&self) -> BTreeMap<NaiveDate, [u64; 5]> {
        let store = self.store();
        let mut statement = store
            .prepare(
                "SELECT day, sum(answered)::UBIGINT, sum(auto_decided)::UBIGINT, sum(failed)::UBIGINT,
                    sum(dismissed)::UBIGINT, sum(open)::UBIGINT
                 FROM daily GROUP BY day",
            )
            .unwrap();
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

pub(crate) fn ingest(writer: &mut Writer) -> u64 {
    let now = "2026-11-20T10:00:00Z".parse().unwrap();
    writer.ingest(now, &Progress::default()).unwrap().events
}

pub(crate) fn texts(store: &Connection, sql: &str) -> Vec<String> {
    let mut statement = store.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
