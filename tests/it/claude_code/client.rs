//! One session of the client: what goes in, what comes out, and a limit on every wait.

use std::fs;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};

use super::home::{Home, Script, Server};
use crate::world::person;

/// How long a session may take, start and end included.
pub(crate) const LIMIT: Duration = Duration::from_secs(90);

/// The text that the client sends instead of a key.
pub(crate) const KEY: &str = "no-key";

/// The record of a session.
pub(crate) struct Session {
    /// The client's output, an object a line.
    pub(crate) stream: Vec<Value>,
    /// The requests to the model.
    pub(crate) requests: Vec<Value>,
    /// The client's other requests: a title, or whether an action is harmless.
    pub(crate) asides: Vec<Value>,
    /// The requests for permission that the person got, with `tool_name` and `input`.
    pub(crate) asked: Vec<Value>,
}

/// The running client; killed when it goes out of scope.
struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
    until: Instant,
}

/// Runs `client` until the model has said its last word. `person` gives the response to each
/// request for a permission: `{"behavior": "allow", "updatedInput": …}`, or a denial.
pub(crate) fn run(
    client: Command,
    script: impl Into<Script>,
    person: impl FnMut(&Value) -> Value,
) -> Session {
    run_prompts(client, script, person, || None)
}

/// The same with more than one prompt: after each turn the person types what `prompt` gives.
pub(crate) fn run_prompts(
    mut client: Command,
    script: impl Into<Script>,
    mut person: impl FnMut(&Value) -> Value,
    mut prompt: impl FnMut() -> Option<&'static str>,
) -> Session {
    let server = Server::start(script.into());
    client
        .args(["-p", "--verbose", "--include-hook-events"])
        .args(["--permission-prompt-tool", "stdio"])
        .args(["--input-format", "stream-json"])
        .args(["--output-format", "stream-json"]);
    speak_to(&mut client, &server);
    let mut running = Running::start(client);
    running.send(&prompted("please begin"));
    let (mut stream, mut asked) = (Vec::new(), Vec::new());
    while let Some(line) = running.next() {
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        if message["type"] == "control_request" {
            let request = message["request"].clone();
            let response = person(&request);
            asked.push(request);
            running.send(&json!({"type": "control_response", "response": {
                "subtype": "success", "request_id": message["request_id"], "response": response,
            }}));
        }
        if message["type"] == "result" {
            match prompt() {
                Some(text) => running.send(&prompted(text)),
                // No more from the person: the session ends.
                None => running.stdin = None,
            }
        }
        stream.push(message);
    }
    running.ended();
    assert_eq!(server.turns_left(), 0, "the model was not asked to the end");
    Session {
        stream,
        requests: server.requests(),
        asides: server.asides(),
        asked,
    }
}

/// Runs `client` with a prompt and nobody there to ask, as `claude -p` in a script.
pub(crate) fn print(mut client: Command, script: impl Into<Script>) -> Session {
    let server = Server::start(script.into());
    client
        .args(["-p", "--verbose", "--output-format", "stream-json"])
        .arg("please begin");
    speak_to(&mut client, &server);
    let mut running = Running::start(client);
    running.stdin = None;
    let mut stream = Vec::new();
    while let Some(line) = running.next() {
        stream.push(serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}")));
    }
    running.ended();
    assert_eq!(server.turns_left(), 0, "the model was not asked to the end");
    Session {
        stream,
        requests: server.requests(),
        asides: server.asides(),
        asked: Vec::new(),
    }
}

/// Has `client` take `server` for the model.
pub(crate) fn speak_to(client: &mut Command, server: &Server) {
    let address = format!("http://127.0.0.1:{}", server.port);
    client
        .env("ANTHROPIC_BASE_URL", address)
        .env("ANTHROPIC_API_KEY", KEY);
}

/// The person's prompt, as the client reads it.
fn prompted(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

impl Running {
    fn start(mut client: Command) -> Self {
        let mut child = client
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (send_line, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if send_line.send(line).is_err() {
                    return;
                }
            }
        });
        let (send_error, errors) = channel();
        let mut stderr = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = send_error.send(text);
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            errors,
            until: Instant::now() + LIMIT,
        }
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    /// The next line; `None` when there will be none.
    fn next(&self) -> Option<String> {
        let left = self.until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no end after {LIMIT:?}"),
        }
    }

    /// Waits for the end of the process, which must be a good one.
    fn ended(&mut self) {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let left = Duration::from_secs(1);
                let errors = self.errors.recv_timeout(left).unwrap_or_default();
                assert!(status.success(), "{status}: {errors}");
                return;
            }
            assert!(Instant::now() < self.until, "no end after {LIMIT:?}");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Session {
    /// The result of the call `id` as the model got it, as text.
    pub(crate) fn result_of(&self, id: &str) -> String {
        let last = self.requests.last().unwrap();
        let messages = last["messages"].as_array().unwrap().iter();
        let mut blocks = messages
            .filter_map(|message| message["content"].as_array())
            .flatten();
        let result = blocks
            .find(|block| block["type"] == "tool_result" && block["tool_use_id"] == id)
            .unwrap_or_else(|| panic!("no result of {id} in {last}"));
        match &result["content"] {
            Value::String(text) => text.clone(),
            Value::Array(blocks) => blocks
                .iter()
                .filter_map(|block| block["text"].as_str())
                .collect(),
            other => panic!("{other}"),
        }
    }

    /// True when `words` stand anywhere in what the model was sent.
    pub(crate) fn model_reads(&self, words: &str) -> bool {
        let last = self.requests.last().unwrap();
        texts(&last["messages"])
            .iter()
            .any(|text| text.contains(words))
    }

    /// The texts about the session that auto mode's classifier got before each action, each as one
    /// text; its instructions apart.
    pub(crate) fn classifier_reads(&self) -> Vec<String> {
        let is_classifier = |aside: &&Value| aside.to_string().contains("<severity>");
        let asides = self.asides.iter().filter(is_classifier);
        asides
            .map(|aside| texts(&aside["messages"]).join("\n"))
            .collect()
    }

    /// The hook's output for `event`, call by call; it must have ended well each time.
    pub(crate) fn hook_printed(&self, event: &str) -> Vec<String> {
        let ours =
            |line: &&Value| line["subtype"] == "hook_response" && line["hook_event"] == event;
        let printed = |line: &Value| {
            assert_eq!(line["exit_code"], 0, "{line}");
            line["stdout"].as_str().unwrap().to_owned()
        };
        self.stream.iter().filter(ours).map(printed).collect()
    }

    /// The events that the client called the hook for, each once.
    pub(crate) fn hook_events(&self) -> std::collections::BTreeSet<String> {
        let calls = self.stream.iter();
        let calls = calls.filter(|line| line["subtype"] == "hook_started");
        calls
            .map(|line| line["hook_event"].as_str().unwrap().to_owned())
            .collect()
    }

    /// How the client says the session ended.
    pub(crate) fn result(&self) -> &str {
        let result = self.stream.iter().find(|line| line["type"] == "result");
        result.unwrap()["result"].as_str().unwrap()
    }
}

/// Every string in `value`.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

// The client on a terminal, where a person presses keys.

/// How long the person looks before they press a key: the client takes none while it draws.
const LOOK: Duration = Duration::from_millis(500);

/// A session on a terminal; the client is killed when it goes out of scope.
pub(crate) struct Terminal<'h> {
    home: &'h Home,
    child: Child,
    keys: File,
    drawn: Receiver<Vec<u8>>,
    /// The text drawn since the last key, without white space and colours.
    shown: String,
    escapes: Regex,
    until: Instant,
}

impl Home {
    /// A session in the shop on a terminal, in manual mode. `person` presses the keys, and comes back when
    /// there is nothing more to do.
    pub(crate) fn on_terminal(
        &self,
        script: impl Into<Script>,
        person: impl FnOnce(&mut Terminal<'_>),
    ) {
        let server = Server::start(script.into());
        let mut terminal = Terminal::open(self, &server);
        person(&mut terminal);
        terminal.leave();
        assert_eq!(server.turns_left(), 0, "the model was not asked to the end");
    }

    /// Writes the answers a person gives before they first see a prompt: colours, trust in the folder, the key.
    fn has_been_introduced(&self) {
        let file = self.path(".claude.json");
        let mut known = fs::read_to_string(&file)
            .map_or_else(|_| json!({}), |text| serde_json::from_str(&text).unwrap());
        let shop = self.path("shop").canonicalize().unwrap();
        let shop = shop.to_str().unwrap();
        known["hasCompletedOnboarding"] = json!(true);
        known["theme"] = json!("dark");
        known["customApiKeyResponses"] = json!({"approved": [KEY], "rejected": []});
        known["projects"][shop]["hasTrustDialogAccepted"] = json!(true);
        known["projects"][shop]["hasCompletedProjectOnboarding"] = json!(true);
        fs::write(file, known.to_string()).unwrap();
    }

    /// True when a transcript of a session holds `words`.
    fn is_written(&self, words: &str) -> bool {
        let folders = fs::read_dir(self.path(".claude/projects"))
            .into_iter()
            .flatten();
        let mut files = folders.flat_map(|folder| {
            let files = fs::read_dir(folder.unwrap().path()).unwrap();
            files.map(|file| file.unwrap().path())
        });
        files.any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(words)))
    }

    /// How many permission prompts the hook logged, also while it writes.
    pub(crate) fn prompts_logged(&self) -> usize {
        let segments = self.segments();
        let texts = segments
            .iter()
            .map(|path| fs::read_to_string(path).unwrap());
        texts
            .map(|text| text.matches("\"permission_asked\"").count())
            .sum()
    }
}

impl<'h> Terminal<'h> {
    fn open(home: &'h Home, server: &Server) -> Self {
        home.has_been_introduced();
        let (keys, other_side) = person::terminal();
        person::resize(&other_side, 110, 50);
        let mut client = home.claude();
        speak_to(&mut client, server);
        let child = client
            .args(["--permission-mode", "default", "please begin"])
            .env("TERM", "xterm-256color")
            .env_remove("COLUMNS")
            .stdin(Stdio::from(other_side.try_clone().unwrap()))
            .stdout(Stdio::from(other_side.try_clone().unwrap()))
            .stderr(Stdio::from(other_side))
            .spawn()
            .unwrap();
        let mut screen = keys.try_clone().unwrap();
        let (send, drawn) = channel();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            // Linux ends a terminal that nobody has open any more with EIO.
            while let Ok(count) = screen.read(&mut bytes) {
                if count == 0 || send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let escapes =
            r"\x1b\[[0-9;?<>=]*[A-Za-z~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b.";
        Self {
            home,
            child,
            keys,
            drawn,
            shown: String::new(),
            escapes: Regex::new(escapes).unwrap(),
            until: Instant::now() + LIMIT,
        }
    }

    /// Waits for a permission prompt, and until the hook has logged that one, too: a person takes longer.
    pub(crate) fn prompt(&mut self, number: usize) {
        let home = self.home;
        self.wait("a prompt in the log", |_| home.prompts_logged() >= number);
        self.shows("Do you want to proceed?");
        sleep(LOOK);
    }

    /// Waits until `words` are drawn.
    pub(crate) fn shows(&mut self, words: &str) {
        let folded = words.replace(' ', "");
        self.wait(words, |terminal| terminal.shown.contains(&folded));
    }

    /// Waits until a transcript holds `words`.
    pub(crate) fn written(&mut self, words: &str) {
        let home = self.home;
        self.wait(words, |_| home.is_written(words));
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.draw();
        self.shown.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        sleep(LOOK);
    }

    fn draw(&mut self) {
        let bytes: Vec<u8> = self.drawn.try_iter().flatten().collect();
        let text = String::from_utf8_lossy(&bytes);
        let text = self.escapes.replace_all(&text, "");
        self.shown.extend(text.split_whitespace());
    }

    fn wait(&mut self, what: &str, is_there: impl Fn(&Self) -> bool) {
        loop {
            self.draw();
            if is_there(self) {
                return;
            }
            assert!(Instant::now() < self.until, "no {what}: {}", self.shown);
            sleep(Duration::from_millis(50));
        }
    }

    /// Ends the session: what is typed is cleared first, then twice in a row leaves.
    fn leave(&mut self) {
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < self.until, "no end: {}", self.shown);
            // It may have ended meanwhile.
            let _ = self.keys.write_all(b"\x03");
            self.draw();
            sleep(LOOK);
        }
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
