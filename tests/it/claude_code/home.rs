//! An empty home, with plantune installed in it the way a person does it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use plantune_domain::keys::take_marker;
use serde_json::{Value, json};

use super::client::{self, Session};
use super::server::Turn;
use crate::world::{of_tests, programs};

/// The project's key, from its `origin`.
pub(crate) const PROJECT: &str = "example.org/dev/shop";

pub(crate) struct Home {
    folder: PathBuf,
    client: PathBuf,
    /// Removes the folder; not there where the home is somebody else's.
    _temporary: Option<tempfile::TempDir>,
}

impl Home {
    /// A home with a repository, and the hook beside where `make install` puts it; not registered.
    pub(crate) fn new(client: PathBuf) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let home = Self {
            folder: temporary.path().to_owned(),
            client,
            _temporary: Some(temporary),
        };
        home.with_repository();
        fs::create_dir_all(home.path(".local/bin")).unwrap();
        fs::copy(programs::hook(), home.hook()).unwrap();
        home
    }

    /// The home in `folder`, in which somebody has installed plantune; it stays when the test ends.
    pub(crate) fn of_somebody(folder: PathBuf, client: PathBuf) -> Self {
        let home = Self {
            folder,
            client,
            _temporary: None,
        };
        home.with_repository();
        home
    }

    fn with_repository(&self) {
        self.put("shop/.git/HEAD", "ref: refs/heads/main\n");
        self.put(
            "shop/.git/config",
            "[remote \"origin\"]\n\turl = git@example.org:dev/shop.git\n",
        );
        fs::create_dir_all(self.path("tmp")).unwrap();
    }

    /// The same, with the hook registered by `plantune install`.
    pub(crate) fn installed(client: PathBuf) -> Self {
        let home = Self::new(client);
        home.install(&[]);
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn hook(&self) -> PathBuf {
        self.path(".local/bin/plantune-hook")
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A program that the sessions find in their PATH.
    pub(crate) fn program(&self, name: &str, script: &str) {
        let name = format!(".local/bin/{name}");
        self.put(&name, script);
        fs::set_permissions(self.path(&name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// `program` as the person starts it in the shop.
    pub(crate) fn command(&self, program: &Path) -> Command {
        // The client finds node, git and a shell where the machine has them.
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.path(".local/bin");
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(of_tests())
            .env("HOME", &self.folder)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("TMPDIR", self.path("tmp"))
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir(self.path("shop"))
            .stdin(Stdio::null());
        command
    }

    /// Claude Code, quiet towards the network.
    pub(crate) fn claude(&self) -> Command {
        let mut command = self.command(&self.client);
        command
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("DISABLE_ERROR_REPORTING", "1")
            .env("DISABLE_TELEMETRY", "1")
            // The tools of MCP servers stand in the first request, not behind a search.
            .env("ENABLE_TOOL_SEARCH", "false");
        command
    }

    pub(crate) fn plantune(&self, words: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_plantune"));
        self.command(program).args(words).output().unwrap()
    }

    /// What `plantune` prints; it must end well.
    pub(crate) fn done(&self, words: &[&str]) -> String {
        let output = self.plantune(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn install(&self, words: &[&str]) -> String {
        let hook = self.hook();
        let install = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
        self.done(&[&install, words].concat())
    }

    /// `question`, which has a marker, is answered with `label` everywhere.
    pub(crate) fn prefer(&self, question: &Value, label: &str) {
        // Whoever sets a preference here waits for its answer, and not for a spot check.
        let config = self.path(".config/plantune/config.toml");
        let before = fs::read_to_string(config).unwrap_or_default();
        let after = format!("spot_check = 0\n{}", before.replace("spot_check = 0\n", ""));
        self.put(".config/plantune/config.toml", &after);
        let (key, text) = take_marker(question["question"].as_str().unwrap());
        let options = question["options"].as_array().unwrap().iter();
        let labels: Value = options
            .map(|option| option.get("label").unwrap_or(option).clone())
            .collect();
        let preference = json!({"preference": "never-ask", "answer": label, "question": text,
            "options": labels});
        let file = json!({"version": 1, "preferences": {key.unwrap(): preference}});
        let path = ".config/plantune/preferences.json";
        self.put(path, &file.to_string());
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// A session in the shop.
    pub(crate) fn session(
        &self,
        script: Vec<Turn>,
        person: impl FnMut(&Value) -> Value,
    ) -> Session {
        client::run(self.claude(), script, person)
    }

    /// The segments of the log, in order.
    pub(crate) fn segments(&self) -> Vec<PathBuf> {
        let folder = self.path(".local/share/plantune/events");
        let mut segments: Vec<_> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .collect();
        segments.sort();
        segments
    }

    /// The whole log.
    pub(crate) fn log(&self) -> Vec<Value> {
        let segments = self.segments();
        let texts = segments
            .iter()
            .map(|path| fs::read_to_string(path).unwrap());
        let texts: String = texts.collect();
        let events = texts.lines();
        events
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// What the hook logged, in order.
    pub(crate) fn events(&self) -> Vec<Value> {
        let mut events = self.log();
        events.retain(|event| event["source"] == "hook");
        events
    }

    /// The events of the call `id`.
    pub(crate) fn events_of(&self, id: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["tool_use_id"] == id);
        events
    }
}

/// The kinds of `events`, and what tells the reason where there is one.
pub(crate) fn kinds(events: &[Value]) -> Vec<String> {
    let kind = |event: &Value| {
        let kind = event["kind"].as_str().unwrap();
        let why = ["ask_reason", "mechanism", "error_kind"]
            .iter()
            .find_map(|name| event[*name].as_str());
        why.map_or(kind.to_owned(), |why| format!("{kind}: {why}"))
    };
    events.iter().map(kind).collect()
}

/// Every field of `wanted` is in `event` as it is there; what else is in it is not looked at.
pub(crate) fn assert_fields(event: &Value, wanted: Value) {
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(&event[name], value, "{name} of {event}");
    }
}

/// A question with `labels` to choose from.
pub(crate) fn question(text: &str, labels: &[&str]) -> Value {
    let options: Vec<_> = labels
        .iter()
        .map(|label| json!({"label": label, "description": "as it is"}))
        .collect();
    json!({"question": text, "header": "Choice", "options": options, "multiSelect": false})
}

/// A call of the question tool.
pub(crate) fn ask(id: &str, questions: &[Value]) -> Turn {
    Turn::call(id, "AskUserQuestion", json!({"questions": questions}))
}

/// The person's answer to a call: `answers` by the questions' texts.
pub(crate) fn answers(request: &Value, answers: Value) -> Value {
    let mut input = request["input"].clone();
    input["answers"] = answers;
    json!({"behavior": "allow", "updatedInput": input})
}

/// A person who must not be asked.
pub(crate) fn nobody(request: &Value) -> Value {
    panic!("the person was asked: {request}")
}
