//! The agents beside Claude Code: what their real clients were seen to send (`tests/fixtures/agents/`: the calls of each
//! scenario and the lines of its history that concern it), through the built hook and the importer.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::world::{World, programs};

mod first_screen;
mod habit;
mod install;
mod real;
mod replays;

/// The scenarios of an agent.
struct Captured {
    /// The word that the hook is called with.
    agent: &'static str,
    scenarios: Vec<Scenario>,
}

struct Scenario {
    name: String,
    calls: Vec<Value>,
    history: Vec<Value>,
}

impl Scenario {
    /// When the person was asked whether the command of `call` may run: a moment after the model wanted it, as the
    /// history says.
    fn asked_at(&self, call: &Value) -> Option<DateTime<Utc>> {
        let input = ["tool_input", "details"].map(|name| call[name]["command"].as_str());
        // Copilot CLI's, which words it.
        let message = call["message"].as_str().unwrap_or_default();
        let worded = ["Run command: ", "Edit file: "].iter();
        let worded = worded.filter_map(|start| message.strip_prefix(start));
        let mut commands = input.into_iter().flatten().chain(worded);
        let command = serde_json::to_string(commands.next()?).unwrap();
        // In some histories the input is a text itself.
        let command = command.trim_matches('"');
        let escaped = command.replace('\\', "\\\\");
        let mut lines = self.history.iter();
        let line = lines.find(|line| {
            let line = line.to_string();
            [command, &escaped].iter().any(|text| line.contains(*text))
        })?;
        let at = DateTime::parse_from_rfc3339(line["timestamp"].as_str()?).ok()?;
        Some(at.to_utc() + chrono::TimeDelta::milliseconds(300))
    }
}

impl Captured {
    fn read(agent: &'static str, text: &str) -> Self {
        let scenario = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let mut list = |name: &str| match line[name].take() {
                Value::Array(values) => values,
                other => panic!("{other}"),
            };
            let (calls, history) = (list("calls"), list("history"));
            Scenario {
                name: line["scenario"].as_str().unwrap().to_owned(),
                calls,
                history,
            }
        };
        Self {
            agent,
            scenarios: text.lines().map(scenario).collect(),
        }
    }

    /// Calls the hook with everything that the clients sent; what it printed, by scenario.
    fn call_hook(&self, world: &World) -> BTreeMap<&str, Vec<Value>> {
        let mut printed = BTreeMap::new();
        for scenario in &self.scenarios {
            let of_scenario = scenario.calls.iter().map(|call| {
                let at = scenario.asked_at(call).unwrap_or(world.now);
                self.call_at(world, call, at)
            });
            printed.insert(scenario.name.as_str(), of_scenario.collect());
        }
        printed
    }

    /// The hook's output for `call`; null if there is none.
    fn call(&self, world: &World, call: &Value) -> Value {
        self.call_at(world, call, world.now)
    }

    fn call_at(&self, world: &World, call: &Value, at: DateTime<Utc>) -> Value {
        let mut hook = world.start(programs::hook(), &[self.agent]);
        hook.env("PLANTUNE_NOW", at.to_rfc3339());
        let event = call["hook_event_name"].as_str().unwrap();
        world.call(&mut hook, event, call.clone())
    }

    /// Puts the histories below a folder, and imports them; what is said of the events.
    fn import(&self, world: &World) -> String {
        let root = world.path("histories");
        match self.agent {
            "opencode" => drop(self.put_database(&root)),
            _ => drop(self.put_lines(world, &root)),
        }
        let shown = world.done(&["import", self.agent, root.to_str().unwrap()]);
        let line = shown.lines().find(|line| line.contains("events are new"));
        line.unwrap_or_else(|| panic!("{shown}")).to_owned()
    }

    /// The files, one a scenario.
    fn put_lines(&self, world: &World, root: &Path) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for scenario in &self.scenarios {
            let lines = scenario.history.iter();
            let lines: String = lines.map(|line| format!("{line}\n")).collect();
            // As the client names it.
            let name = match self.session(scenario).as_str() {
                Some(session) if self.agent == "qwen" => session.to_owned(),
                _ => scenario.name.clone(),
            };
            paths.push(root.join(format!("{name}.jsonl")));
            world.put(paths.last().unwrap(), lines);
        }
        paths
    }

    /// The history as OpenCode keeps it.
    fn put_database(&self, root: &Path) -> rusqlite::Connection {
        fs::create_dir_all(root).unwrap();
        let database = rusqlite::Connection::open(root.join("opencode.db")).unwrap();
        let tables = "PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, directory TEXT);
            CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
                time_created INTEGER, data TEXT);";
        database.execute_batch(tables).unwrap();
        for row in self.scenarios.iter().flat_map(|scenario| &scenario.history) {
            let text = |name: &str| match &row[name] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let (table, values) = match row["table"].as_str().unwrap() {
                "session" => ("session", vec!["id", "directory"]),
                _ => (
                    "part",
                    vec!["id", "message_id", "session_id", "time_created", "data"],
                ),
            };
            let marks = vec!["?"; values.len()].join(", ");
            let insert = format!("INSERT OR IGNORE INTO {table} VALUES ({marks})");
            let values = values.into_iter().map(text);
            let values = rusqlite::params_from_iter(values);
            database.execute(&insert, values).unwrap();
        }
        database
    }

    /// The log of each scenario's session, a line an event, in the order of the events' kinds.
    fn logged(&self, world: &World) -> String {
        let folder = world.data().join("events");
        let names = world.names(&folder);
        let texts = names.iter().filter(|name| name.ends_with(".jsonl"));
        let log: String = texts
            .map(|name| fs::read_to_string(folder.join(name)).unwrap())
            .collect();
        let events: Vec<Value> = log
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let mut shown = String::new();
        for scenario in &self.scenarios {
            let session = self.session(scenario);
            let of_session = events.iter().filter(|event| event["session_id"] == session);
            let mut lines: Vec<String> = of_session.filter_map(line).collect();
            lines.sort_by_key(|line| line.starts_with("asked"));
            lines.sort_by_key(|line| !line.starts_with("asked"));
            shown += &format!("{}\n", scenario.name);
            for line in lines {
                shown += &format!("  {line}\n");
            }
        }
        assert!(
            events.iter().all(|event| event["agent"] == self.agent),
            "{log}"
        );
        shown
    }

    fn session(&self, scenario: &Scenario) -> Value {
        let first = scenario
            .calls
            .first()
            .map(|call| call["session_id"].clone());
        first.unwrap_or(Value::Null)
    }
}

/// An event in one line; `None` for a session's start.
fn line(event: &Value) -> Option<String> {
    let text = |name: &str| event[name].as_str().unwrap_or_default();
    let kind = text("kind");
    let index = event["question_index"].as_u64().unwrap_or_default();
    let said = match kind {
        "session_started" | "session_ended" => return None,
        "asked" => format!(
            "{} {} {}",
            text("question"),
            event["options"],
            text("reason")
        ),
        "answered" => format!(
            "{} {} {}",
            event["answer"], event["free_text"], event["notes"]
        ),
        "dismissed" => text("reason").to_owned(),
        "failed" => text("error_kind").to_owned(),
        "auto_decided" => event["answer"].to_string(),
        "permission_asked" => return Some(format!("prompt {}", text("subject"))),
        "permission_granted" | "permission_refused" => {
            let decided = text("grant").to_owned() + text("reason");
            return Some(format!(
                "prompt decided: {decided} {}",
                event["waited_seconds"]
            ));
        }
        other => text("error").to_owned() + other,
    };
    Some(format!("{kind} {index}: {said}").trim_end().to_owned())
}

// OpenCode's database: read while it is in use, and left as it is.

const CAPTURED: &str = include_str!("../../fixtures/agents/opencode.jsonl");

/// The line that says what was new of what is imported without a path.
fn imported(world: &World) -> String {
    let shown = world.done(&["import", "opencode"]);
    let line = shown.lines().find(|line| line.contains("events are new"));
    line.unwrap_or_else(|| panic!("{shown}")).to_owned()
}

#[test]
fn a_database_in_use_is_read() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let captured = Captured::read("opencode", CAPTURED);
    let writer = captured.put_database(&folder);
    // What is being written is not there yet, and keeps nobody waiting.
    let table = "BEGIN IMMEDIATE; UPDATE part SET data = replace(data, 'Tests', 'Other')";
    writer.execute_batch(table).unwrap();
    // Beside these lies the memory that all who have it open share.
    let files =
        || ["opencode.db", "opencode.db-wal"].map(|name| fs::read(folder.join(name)).unwrap());
    let (before, names) = (files(), world.names(&folder));
    let line = imported(&world);
    assert!(!line.starts_with("0 events"), "{line}");
    assert!(files() == before);
    assert_eq!(world.names(&folder), names);
    writer.execute_batch("ROLLBACK").unwrap();
    assert!(imported(&world).starts_with("0 events are new"));
}

#[test]
fn a_database_that_nobody_uses_is_left_as_it_is() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let captured = Captured::read("opencode", CAPTURED);
    drop(captured.put_database(&folder));
    let before = world.everything(&folder, &[]);
    assert_eq!(world.names(&folder), ["opencode.db"]);
    assert!(!imported(&world).starts_with("0 events"));
    assert!(world.everything(&folder, &[]) == before);
}

#[test]
fn what_is_no_such_database_is_said() {
    let world = World::at("work");
    let folder = world.path("home/.local/share/opencode");
    let ran = world.run(&["import", "opencode"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    world.put(
        folder.join("opencode.db"),
        "no database, but long enough to be taken for one",
    );
    let shown = world.done(&["import", "opencode"]);
    assert!(shown.contains("file is not a database"), "{shown}");
    fs::remove_file(folder.join("opencode.db")).unwrap();
    let other = rusqlite::Connection::open(folder.join("opencode.db")).unwrap();
    other.execute_batch("CREATE TABLE messages (id)").unwrap();
    let shown = world.done(&["import", "opencode"]);
    assert!(shown.contains("no such table: part"), "{shown}");
}
