//! An empty home, with plantune installed in it the way a person does it.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use plantune_domain::keys::take_marker;
use serde_json::{Value, json};

use super::client;
use super::client::Session;
use crate::world::programs::{Answer, Http};
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
        // `plantune install` asks it for its version. The tests of other agents have no such client.
        if home.client.is_file() {
            std::os::unix::fs::symlink(&home.client, home.path(".local/bin/claude")).unwrap();
        }
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

    /// Claude Code in auto mode, with the classifier in the client.
    pub(crate) fn in_auto_mode(&self) -> Command {
        let mut command = self.claude();
        command
            .args(["--permission-mode", "auto"])
            .env("CLAUDE_CODE_AUTO_MODE_SERVER", "0");
        command
    }

    pub(crate) fn plantune(&self, words: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_plantune"));
        self.command(program).args(words).output().unwrap()
    }

    /// The output of `plantune`; it must end well.
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
        let options = question["options"].as_array().unwrap().iter();
        let descriptions: Vec<&str> = options
            .filter_map(|option| option["description"].as_str())
            .collect();
        let preference = json!({"preference": "never-ask", "answer": label, "question": text,
            "options": labels, "binding": [{"text": text, "descriptions": descriptions}]});
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

    /// The events that the hook logged, in order.
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

// A Messages API that says what the script says.

/// One turn of the model's: the tools it calls, or what it says when it calls none.
#[derive(Clone, Debug)]
pub(crate) struct Turn(pub(crate) Vec<Value>);

impl Turn {
    /// A call of `tool`.
    pub(crate) fn call(id: &str, tool: &str, input: Value) -> Self {
        Self(vec![
            json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        ])
    }

    /// The last word.
    pub(crate) fn says(text: &str) -> Self {
        Self(vec![json!({"type": "text", "text": text})])
    }
}

/// The conversation of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// By the model, turn by turn.
    pub(crate) turns: Vec<Turn>,
    /// By the model of a sub-agent whose prompt begins with [`AGENT`].
    pub(crate) agent: Vec<Turn>,
    /// By the classifier of auto mode, about each action; that it is harmless where nothing is given.
    pub(crate) verdict: Option<&'static str>,
}

/// How prompts for sub-agents begin, which tells their requests from the others.
pub(crate) const AGENT: &str = "SUBAGENT:";

impl From<Vec<Turn>> for Script {
    fn from(turns: Vec<Turn>) -> Self {
        Self {
            turns,
            ..Self::default()
        }
    }
}

/// The running server. It ends with the value.
pub(crate) struct Server {
    pub(crate) port: u16,
    state: Arc<State>,
    _http: Http,
}

#[derive(Default)]
struct State {
    script: Mutex<VecDeque<Turn>>,
    agent: Mutex<VecDeque<Turn>>,
    verdict: Mutex<Option<&'static str>>,
    requests: Mutex<Vec<Value>>,
    asides: Mutex<Vec<Value>>,
}

impl Server {
    /// Starts one on a free port.
    pub(crate) fn start(script: Script) -> Self {
        let state = Arc::new(State::default());
        *state.script.lock().unwrap() = script.turns.into();
        *state.agent.lock().unwrap() = script.agent.into();
        *state.verdict.lock().unwrap() = script.verdict;
        let theirs = Arc::clone(&state);
        let http = Http::start(move |path, request| theirs.answer(path, &request));
        Self {
            port: http.port,
            state,
            _http: http,
        }
    }

    /// The requests of the conversation so far, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.state.requests.lock().unwrap().clone()
    }

    /// The client's requests beside the conversation: a title, or whether an action is harmless.
    pub(crate) fn asides(&self) -> Vec<Value> {
        self.state.asides.lock().unwrap().clone()
    }

    /// How many turns were not asked for.
    pub(crate) fn turns_left(&self) -> usize {
        self.state.script.lock().unwrap().len() + self.state.agent.lock().unwrap().len()
    }
}

impl State {
    fn answer(&self, path: &str, request: &Value) -> Answer {
        if request.is_null() || path != "/v1/messages" {
            return None;
        }
        let turn = self.next(request);
        Some(match request["stream"] == true {
            true => ("text/event-stream", events(&turn)),
            false => ("application/json", message(&turn).to_string()),
        })
    }

    /// The script's next turn; requests without tools are no part of it: a title for the session, or
    /// what the classifier of auto mode thinks of an action.
    fn next(&self, request: &Value) -> Turn {
        let has_tools = request["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        if !has_tools {
            self.asides.lock().unwrap().push(request.clone());
            let is_classifier = request.to_string().contains("<severity>");
            let verdict = *self.verdict.lock().unwrap();
            return Turn::says(match is_classifier {
                true => verdict.unwrap_or("<severity>0</severity>"),
                false => "a title",
            });
        }
        let is_agent = request["messages"][0].to_string().contains(AGENT);
        if !is_agent {
            self.requests.lock().unwrap().push(request.clone());
        }
        let script = if is_agent { &self.agent } else { &self.script };
        let next = script.lock().unwrap().pop_front();
        next.unwrap_or_else(|| Turn::says("the script has ended"))
    }
}

fn stop_reason(turn: &Turn) -> &'static str {
    let calls = turn.0.iter().any(|block| block["type"] == "tool_use");
    if calls { "tool_use" } else { "end_turn" }
}

fn message(turn: &Turn) -> Value {
    json!({
        "id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted",
        "content": turn.0, "stop_reason": stop_reason(turn), "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

/// The turn as the server-sent events of a streamed message.
fn events(turn: &Turn) -> String {
    let mut start = message(turn);
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in turn.0.iter().enumerate() {
        let (mut opened, delta) = (block.clone(), &block["text"]);
        let delta = if block["type"] == "tool_use" {
            opened["input"] = json!({});
            json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
        } else {
            opened["text"] = json!("");
            json!({"type": "text_delta", "text": delta})
        };
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": opened}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason(turn), "stop_sequence": null}, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ]);
    let line = |event: &Value| {
        let kind = event["type"].as_str().unwrap();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    events.iter().map(line).collect()
}
