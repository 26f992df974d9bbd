//! The world of a test: an empty home, a project in it, and the built programs with nothing else of the environment.

pub(crate) mod files;
pub(crate) mod person;
pub(crate) mod programs;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, PreferenceFile};
use plantune_domain::sanitize::is_dangerous;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) use self::programs::{Ran, UNREGISTERED, folded, run, unwrapped};
pub(crate) use files::Files;

pub(crate) const PLANTUNE: &str = env!("CARGO_BIN_EXE_plantune");

/// The project of [`World::new`].
pub(crate) const PROJECT: &str = "github.com/o/r";

/// The variables of every test: `--yes` is the person's, and an agent that runs the tests does not count as the session's.
pub(crate) fn of_tests() -> [(&'static str, String); 2] {
    [
        ("PLANTUNE_ALLOW_UNATTENDED", "1".to_owned()),
        ("PLANTUNE_ANCESTORS_UNTIL", std::process::id().to_string()),
    ]
}

/// A folder with the `home`, a project's folder, and plantune's `data`; its clock stands.
pub(crate) struct World {
    root: TempDir,
    /// Where programs are run, below the folder.
    folder: &'static str,
    pub(crate) now: DateTime<Utc>,
    environment: BTreeMap<&'static str, OsString>,
    /// How many calls of [`layout`] there were.
    pub(crate) calls: u32,
}

impl Drop for World {
    /// Keeps what a failed test left, to be looked at.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.root.disable_cleanup(true);
            eprintln!("kept: {}", self.root.path().display());
        }
    }
}

impl World {
    /// Programs are run in `work`, a checkout of [`PROJECT`].
    pub(crate) fn new() -> Self {
        Self::with_checkout("work", "git@github.com:o/r.git")
    }

    /// Programs are run in `folder`, a checkout of `origin`.
    pub(crate) fn with_checkout(folder: &'static str, origin: &str) -> Self {
        Self::at(folder).checked_out(origin)
    }

    /// [`World::new`], in a folder whose name begins with `name`.
    pub(crate) fn called(name: &str) -> Self {
        let root = tempfile::Builder::new().prefix(name).tempdir().unwrap();
        Self::below(root, "work").checked_out("git@github.com:o/r.git")
    }

    fn checked_out(self, origin: &str) -> Self {
        let git = self.project().join(".git");
        self.put(git.join("HEAD"), "ref: refs/heads/main\n");
        let config = format!("[remote \"origin\"]\n\turl = {origin}\n");
        self.put(git.join("config"), config);
        self
    }

    /// Programs are run in `folder`, which belongs to no repository.
    pub(crate) fn at(folder: &'static str) -> Self {
        Self::below(tempfile::tempdir().unwrap(), folder)
    }

    fn below(root: TempDir, folder: &'static str) -> Self {
        let path = |name: &str| root.path().join(name).into_os_string();
        fs::create_dir_all(path("home")).unwrap();
        fs::create_dir_all(path(folder)).unwrap();
        let environment = BTreeMap::from([
            ("HOME", path("home")),
            ("PLANTUNE_HOME", path("data")),
            ("TZ", "Europe/Berlin".into()),
            ("COLUMNS", "80".into()),
        ]);
        Self {
            root,
            folder,
            now: "2026-11-20T10:00:00Z".parse().unwrap(),
            environment,
            calls: 0,
        }
    }

    /// With the store of `query/tests/sql/habits.sql`.
    pub(crate) fn with_habits() -> Self {
        let world = Self::new();
        world.fill(include_str!("../../../query/tests/sql/habits.sql"));
        world
    }

    /// With another variable in the environment of programs, or one of another value.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.insert(name, value.into());
        self
    }

    /// Programs find plantune's folders below the home, as most people's do.
    pub(crate) fn without_plantune_home(mut self) -> Self {
        self.environment.remove("PLANTUNE_HOME");
        self
    }

    /// With the clock at `now`.
    pub(crate) fn on(mut self, now: &str) -> Self {
        self.now = now.parse().unwrap();
        self
    }

    pub(crate) fn later(&mut self, minutes: i64) {
        self.now += TimeDelta::minutes(minutes);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Where programs are run.
    pub(crate) fn project(&self) -> PathBuf {
        self.path(self.folder)
    }

    /// plantune's folder of data.
    pub(crate) fn data(&self) -> PathBuf {
        match self.environment.get("PLANTUNE_HOME") {
            Some(folder) => folder.into(),
            None => self.path("home/.local/share/plantune"),
        }
    }

    /// plantune's files, where `PLANTUNE_HOME` is set.
    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.data())
    }

    /// Claude Code's settings of the user.
    pub(crate) fn user(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    /// Where Claude Code keeps its transcripts.
    pub(crate) fn transcripts(&self) -> PathBuf {
        self.path("home/.claude/projects")
    }

    /// Makes a store of no log that holds what `sql` writes.
    pub(crate) fn fill(&self, sql: &str) {
        fs::create_dir_all(self.data()).unwrap();
        fill(&self.paths().store(), sql);
    }

    /// `program` in this world.
    pub(crate) fn start(&self, program: impl AsRef<Path>, words: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .args(words)
            .env_clear()
            .env("PLANTUNE_NOW", self.now.to_rfc3339())
            .envs(of_tests())
            .envs(&self.environment)
            .current_dir(self.project())
            .stdin(Stdio::null());
        command
    }

    /// The built plantune, outside any agent's session.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.start(PLANTUNE, words)
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        run(&mut self.command(words))
    }

    /// The same inside an agent's session.
    pub(crate) fn run_in_session(&self, words: &[&str]) -> Ran {
        run(self.command(words).env("CLAUDECODE", "1"))
    }

    /// The output of a run that ends well.
    pub(crate) fn done(&self, words: &[&str]) -> String {
        self.run(words).done()
    }

    /// The output of a run that ends well and reports nothing else.
    pub(crate) fn stdout_of(&self, words: &[&str]) -> String {
        self.run(words).stdout()
    }

    /// The document that such a run prints.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.stdout_of(words)).unwrap()
    }

    /// The hook's output on `event`, in the session `s` unless `call` names another; null if there is none.
    pub(crate) fn hook(&self, event: &str, call: Value) -> Value {
        self.hook_with(event, call, &[])
    }

    /// The same with more of an environment.
    pub(crate) fn hook_with(&self, event: &str, call: Value, variables: &[(&str, &str)]) -> Value {
        let mut hook = self.start(programs::hook(), &[]);
        self.call(hook.envs(variables.iter().copied()), event, call)
    }

    /// The same of `hook`, as settings or a plugin start it.
    pub(crate) fn call(&self, hook: &mut Command, event: &str, mut call: Value) -> Value {
        call["hook_event_name"] = json!(event);
        for (field, value) in [("session_id", json!("s")), ("cwd", json!(self.project()))] {
            if call[field].is_null() {
                call[field] = value;
            }
        }
        let ran = Ran::from(programs::call_hook(hook, &call));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{call}");
        match ran.stdout.as_str() {
            "" => Value::Null,
            printed => serde_json::from_str(printed).unwrap(),
        }
    }

    /// The preference for `key` in [`PROJECT`], or everywhere.
    pub(crate) fn preference(&self, key: &str, global: bool) -> Option<Preference> {
        let path = if global {
            self.paths().global_preferences()
        } else {
            self.paths().project_preferences(PROJECT)
        };
        let file = PreferenceFile::load(&path).unwrap()?;
        file.preferences.get(key).cloned()
    }

    /// The events logged so far, but for imported ones.
    pub(crate) fn events(&self) -> Vec<Value> {
        let segments = self.names(self.data().join("events"));
        let of_a_day = |name: &&String| name.starts_with('2') && name.ends_with(".jsonl");
        let texts = segments.iter().filter(of_a_day).map(|name| {
            let path = self.data().join("events").join(name);
            fs::read_to_string(path).unwrap()
        });
        let log: String = texts.collect();
        let lines = log.lines().filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Makes a store of no log, in the zone that programs run in, and fills it by `sql`. Questions have the
/// defaults of `query/tests/sql/defaults.sql`. Many tests begin with the same one, which is made once.
fn fill(path: &Path, sql: &str) {
    static MADE: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let made = MADE.lock().unwrap().get(sql).cloned();
    if let (Some(made), false) = (made, path.exists()) {
        fs::write(path, made).unwrap();
        return;
    }
    make(path, sql);
    let made = fs::read(path).unwrap();
    MADE.lock().unwrap().insert(sql.to_owned(), made);
}

fn make(path: &Path, sql: &str) {
    let store = plantune_migrations::open(path, AccessMode::ReadWrite).unwrap();
    plantune_migrations::create(&store).unwrap();
    for sql in [
        "INSERT INTO settings VALUES ('time_zone', 'Europe/Berlin')",
        include_str!("../../../query/tests/sql/defaults.sql"),
        sql,
    ] {
        store.execute_batch(sql).unwrap();
    }
    store.close().unwrap();
}

/// A question of these labels.
pub(crate) fn question(text: &str, header: &str, labels: &[&str]) -> Value {
    let options: Vec<Value> = labels
        .iter()
        .map(|label| json!({"label": label, "description": ""}))
        .collect();
    json!({"question": text, "header": header, "options": options, "multiSelect": false})
}

/// The call `id` of the question tool, without its session.
pub(crate) fn call_of(id: &str, questions: &[Value]) -> Value {
    json!({"tool_name": "AskUserQuestion", "tool_use_id": id, "tool_input": {"questions": questions}})
}

/// True when a terminal would obey nothing in `text`.
pub(crate) fn is_inert(text: &str) -> bool {
    !text.contains(|c: char| is_dangerous(c) && c != '\n' && c != '\t')
}
