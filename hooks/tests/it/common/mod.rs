//! The world of these tests: a home of its own for the built hook, an environment that holds nothing else,
//! a fixed clock; and the calls that a host makes.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::agreement::agreement::{Agreement, Given};
use plantune_domain::keys::key_of;
use plantune_domain::keys::take_marker;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::Preference;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::sent_questions;
use serde_json::{Value, json};

/// The built hook.
pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_plantune-hook");

/// `program` with pipes for its streams, and nothing in its environment but the fixed clock.
pub(crate) fn alone(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Writes the whole input, and waits for the end.
pub(crate) fn feed(mut hook: Child, input: &[u8]) -> Output {
    hook.stdin.take().unwrap().write_all(input).unwrap();
    hook.wait_with_output().unwrap()
}

/// The output of the hook that `command` starts; it must exit with 0 and print nothing on standard error.
pub(crate) fn printed(command: &mut Command, input: &[u8]) -> String {
    let output = feed(command.spawn().unwrap(), input);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The output as JSON; null if there is none.
pub(crate) fn json_of(printed: &str) -> Value {
    if printed.is_empty() {
        return Value::Null;
    }
    serde_json::from_str(printed).unwrap()
}

/// The hook calls of a captured scenario, in order.
pub(crate) fn scenario(name: &str) -> Vec<Value> {
    scenario_of("2.1.197", name)
}

/// The hook calls of a scenario captured from this version of Claude Code, in order.
pub(crate) fn scenario_of(version: &str, name: &str) -> Vec<Value> {
    let lines = lines_of(version, name);
    lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The same as they were captured, a line each.
pub(crate) fn lines_of(version: &str, name: &str) -> Vec<String> {
    let folder = format!("tests/fixtures/claude-code-{version}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A marked question of the native tool.
pub(crate) fn question(key: &str, text: &str, options: &[&str]) -> Value {
    with_text(&format!("<plantune:{key}> {text}"), options)
}

/// A question of the native tool, with this text.
pub(crate) fn with_text(text: &str, options: &[&str]) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|label| json!({"label": label, "description": ""}))
        .collect();
    json!({"question": text, "header": "Header", "options": options, "multiSelect": false})
}

/// `preference` as it was given for `question` alone.
pub(crate) fn given_for(question: &Value, preference: Value) -> Value {
    let answer = preference["answer"].as_str().map(str::to_owned);
    let mut preference = of_version_1(question, preference);
    let agreed = agreed(std::slice::from_ref(question), answer.as_deref());
    if let Some(agreed) = agreed {
        preference["agreement"] = json!(agreed);
    }
    preference
}

/// `preference` as it was given for each of `seen`.
pub(crate) fn given_for_each(seen: &[Value], preference: Value) -> Value {
    let answer = preference["answer"].as_str().map(str::to_owned);
    let mut preference = of_version_1(&seen[0], preference);
    preference["agreement"] = json!(agreed(seen, answer.as_deref()));
    preference
}

/// The same in version 1 of the format: with the text, the labels, and whether several may be chosen.
pub(crate) fn of_version_1(question: &Value, mut preference: Value) -> Value {
    let labels = question["options"].as_array().unwrap().iter();
    let labels = labels.map(|option| option.get("label").unwrap_or(option).clone());
    preference["options"] = labels.collect();
    preference["question"] = json!(take_marker(question["question"].as_str().unwrap()).1);
    if question["multiSelect"] == true {
        preference["multi_select"] = json!(true);
    }
    preference
}

/// `question` as the hook sees it.
fn identified(question: &Value) -> Question {
    let sent = sent_questions(&json!({"questions": [question]})).remove(0);
    Question::identify(sent, &Registry::default())
}

/// What was agreed to by answering each of `seen`, in two sessions if there are several, with `answer` or as it
/// recommends.
fn agreed(seen: &[Value], answer: Option<&str>) -> Option<Agreement> {
    let questions: Vec<Question> = seen.iter().map(identified).collect();
    let given: Vec<Given<'_>> = ["a", "b"]
        .iter()
        .flat_map(|session| questions.iter().map(move |one| (one, *session)))
        .filter_map(|(one, session)| {
            let recommended = one.sent.options.get(one.recommended.unwrap_or_default());
            Some(Given {
                asking: one.asking(),
                label: answer.or(recommended.map(String::as_str))?,
                session,
            })
        })
        .collect();
    match seen {
        [_] => Agreement::exactly(&given),
        _ => Agreement::of(&given),
    }
}

/// A preference to answer `question` as it recommends.
pub(crate) fn never_ask(question: &Value) -> Value {
    given_for(question, json!({"preference": "never-ask"}))
}

/// A preference to answer `question` with `label`.
pub(crate) fn pinned(question: &Value, label: &str) -> Value {
    given_for(
        question,
        json!({"preference": "never-ask", "answer": label}),
    )
}

/// PreToolUse of the native tool, in session `s`.
pub(crate) fn ask(id: &str, cwd: &Path, questions: &[Value]) -> Value {
    json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion", "tool_input": {"questions": questions}, "tool_use_id": id
    })
}

/// PostToolUse of `call`, which came back with `response`.
pub(crate) fn after(mut call: Value, response: Value) -> Value {
    call["hook_event_name"] = json!("PostToolUse");
    call["tool_response"] = response;
    call
}

/// The end of a turn of session `s`.
pub(crate) fn stop() -> Value {
    json!({"session_id": "s", "hook_event_name": "Stop"})
}

/// Two options, the first of them recommended.
pub(crate) const OPTIONS: &[&str] = &["Create it (Recommended)", "Skip"];

/// The decision (null for none) and why each question was asked.
pub(crate) fn decide(home: &Home, questions: &[Value]) -> (Value, Vec<String>) {
    let before = home.events().len();
    let printed = home.call(&ask(&format!("toolu_{before}"), home.path(), questions));
    let reasons = home.events().split_off(before);
    (
        json_of(&printed),
        reasons
            .iter()
            .filter_map(|event| Some(event["ask_reason"].as_str()?.to_owned()))
            .collect(),
    )
}

/// The question of most tests.
pub(crate) fn create_one() -> Value {
    question("k", "Create one?", OPTIONS)
}

pub(crate) struct Home {
    folder: tempfile::TempDir,
    second: std::cell::Cell<u32>,
    environment: Vec<(&'static str, String)>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            second: std::cell::Cell::new(0),
            environment: Vec::new(),
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn plantune(&self) -> PathBuf {
        self.path().join("plantune")
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.plantune())
    }

    /// Runs the hook on `input` a second after the call before; it must exit 0 and say nothing on
    /// standard error. Returns what it printed.
    pub(crate) fn run(&self, input: &[u8]) -> String {
        let second = self.second.get();
        self.second.set(second + 1);
        let start: DateTime<Utc> = "2026-11-20T10:00:00Z".parse().unwrap();
        let now = (start + TimeDelta::seconds(second.into())).to_rfc3339();
        let variables = self.environment.iter();
        let variables = variables.map(|(name, value)| (*name, value.as_str()));
        let mut hook = alone(HOOK);
        hook.env("PLANTUNE_HOME", self.plantune())
            .env("PLANTUNE_NOW", now)
            .envs(variables);
        printed(&mut hook, input)
    }

    /// Lets an hour pass.
    pub(crate) fn an_hour_later(&self) {
        self.second.set(self.second.get() + 3600);
    }

    pub(crate) fn call(&self, call: &Value) -> String {
        self.run(call.to_string().as_bytes())
    }

    /// The events that the hook logged, in order.
    pub(crate) fn events(&self) -> Vec<Value> {
        let mut segments: Vec<PathBuf> = match fs::read_dir(self.paths().events()) {
            Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => return Vec::new(),
        };
        segments.sort();
        let lines = segments.iter().flat_map(|segment| {
            let text = fs::read_to_string(segment).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        });
        lines
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect()
    }

    /// The events of this kind.
    pub(crate) fn events_of(&self, kind: &str) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["kind"] == kind);
        events
    }

    /// The events about questions.
    pub(crate) fn question_events(&self) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["tool_use_id"].is_string());
        events
    }

    pub(crate) fn configure(&self, text: &str) {
        fs::create_dir_all(self.plantune()).unwrap();
        let path = self.paths().config_file();
        plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
    }

    /// Makes the global preferences those to answer each of `questions`, which have markers, as it
    /// recommends.
    pub(crate) fn never_ask(&self, questions: &[Value]) {
        let key = |question: &Value| take_marker(question["question"].as_str().unwrap()).0;
        let entries = questions
            .iter()
            .map(|question| (key(question).unwrap(), never_ask(question)));
        self.prefer(None, &entries.collect());
    }

    /// Makes these the preferences of `project`, or the global ones. Unless there are settings, no
    /// call is asked as a spot check.
    pub(crate) fn prefer(&self, project: Option<&str>, preferences: &Value) {
        if !self.paths().config_file().exists() {
            self.configure("spot_check = 0\n");
        }
        let path = match project {
            Some(project) => self.paths().project_preferences(project),
            None => self.paths().global_preferences(),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = json!({"version": 2, "preferences": preferences});
        plantune_domain::atomic_file::replace(&path, file.to_string().as_bytes(), 0o600).unwrap();
    }
}

// A home with one preference, the questions that it answers, and those that it asks and why.

/// `question` with these descriptions, one an option.
pub(crate) fn described(question: &Value, descriptions: &[&str]) -> Value {
    with_each(question, "description", descriptions)
}

/// `question` with these previews, one an option; none if they are empty.
pub(crate) fn previewed(question: &Value, previews: &[&str]) -> Value {
    with_each(question, "preview", previews)
}

fn with_each(question: &Value, name: &str, texts: &[&str]) -> Value {
    let mut question = question.clone();
    let options = question["options"].as_array_mut().unwrap();
    for (option, text) in options.iter_mut().zip(texts) {
        option[name] = json!(text);
    }
    question
}

/// A home with one preference, which answers what is recommended.
pub(crate) struct Bound {
    home: Home,
    entry: Value,
}

impl Bound {
    /// With the preference `entry` for `key`.
    pub(crate) fn of(key: &str, entry: &Value) -> Self {
        let home = Home::new();
        home.prefer(None, &json!({key: entry}));
        Self {
            home,
            entry: entry.clone(),
        }
    }

    /// For each of `seen`, which have the key `k`.
    pub(crate) fn to_each(seen: &[Value]) -> Self {
        let mut entry = never_ask(&seen[0]);
        entry["agreement"] = json!(agreed(seen, None));
        Self::of("k", &entry)
    }

    /// For exactly `seen`: as version 1 of the format says it, and as it is written today.
    pub(crate) fn both_forms(seen: &Value) -> [Self; 2] {
        let of_version_1 = of_version_1(seen, json!({"preference": "never-ask"}));
        [
            Self::of("k", &of_version_1),
            Self::of("k", &never_ask(seen)),
        ]
    }

    /// For each of `seen`, which have no markers and the same options.
    pub(crate) fn to_all(seen: &[Value]) -> Self {
        let mut entry = never_ask(&seen[0]);
        entry["agreement"] = json!(agreed(seen, None));
        let labels = entry["options"].as_array().unwrap().iter();
        let labels: Vec<String> = labels
            .map(|label| label.as_str().unwrap().to_owned())
            .collect();
        let text = entry["question"].as_str().unwrap();
        let key = key_of(text, &labels).0;
        Self::of(&key, &entry)
    }

    /// The output for `question`, and why it is asked: the reason, or else the ask reason.
    pub(crate) fn put(&self, question: &Value) -> (String, String) {
        let before = self.home.question_events().len();
        let id = format!("toolu_{before}");
        let call = ask(&id, self.home.path(), std::slice::from_ref(question));
        let printed = self.home.call(&call);
        let events = self.home.question_events();
        assert_eq!(events.len(), before + 1, "{question}");
        let event = &events[before];
        let why = match event["ask_reason"].as_str() {
            Some("ambiguous") => event["reason"].as_str(),
            other => other,
        };
        // Behind the reason stands the word that is new.
        let why = why.and_then(|why| why.split(": ").next());
        (printed, why.unwrap_or_default().to_owned())
    }

    /// What is new in `question`.
    pub(crate) fn novelty(&self, question: &Value) -> Option<&'static str> {
        let preference: Preference = serde_json::from_value(self.entry.clone()).unwrap();
        let covers = preference.covers(&identified(question).asking());
        covers.err().map(|new| new.what.as_str())
    }

    /// Panics unless each of `questions` is answered.
    pub(crate) fn answers(&self, questions: &[Value]) {
        for question in questions {
            let (printed, why) = self.put(question);
            assert!(
                printed.contains("\"permissionDecision\":\"allow\""),
                "{why}: {question}"
            );
        }
    }

    /// Panics unless `question` is asked, because this is new in it.
    pub(crate) fn asks(&self, question: &Value, new: &str) {
        assert_eq!(self.novelty(question), Some(new), "{question}");
        self.asks_for(question, &[new]);
    }

    /// Panics unless `question` is asked for one of `reasons`.
    pub(crate) fn asks_for(&self, question: &Value, reasons: &[&str]) {
        let (printed, why) = self.put(question);
        assert_eq!(printed, "", "{question}");
        assert!(reasons.contains(&why.as_str()), "{why}: {question}");
    }

    /// Panics unless the question `k` is asked with each of `texts`, because this is new in it.
    pub(crate) fn asks_texts(&self, texts: &[&str], new: &str) {
        let labels: Vec<&str> = self.entry["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|label| label.as_str().unwrap())
            .collect();
        for text in texts {
            self.asks(&question("k", text, &labels), new);
        }
    }
}
