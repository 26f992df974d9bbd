//! Facts about an agent that the importer and the command line need beyond its hook calls: where its settings and its
//! history are. None of it is linked into the hook.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use crate::Agent;
use crate::call::without_answers;

/// How a variable of the environment is looked up.
pub type Lookup<'l> = &'l dyn Fn(&str) -> Option<OsString>;

/// An agent as it is installed on a machine.
pub trait Installed: Agent {
    /// The facts that do not depend on the machine.
    fn facts(&self) -> &'static Facts;

    /// Whether the person has done [`Facts::to_be_done`] for the hooks in the file at `settings`, according to the
    /// agent's `folder`. `None` when that is not known.
    fn is_trusted(&self, _folder: &Path, _settings: &Path) -> Option<bool> {
        None
    }

    /// Adds a line of the history to `file`, or a database row: an object of its columns, where `data` holds JSON.
    fn read(&self, line: &Value, file: &mut HistoryFile);
}

/// The version of the client of the agent with this [name](Agent::name) that was tested.
pub fn tested_version(agent: &str) -> Option<&'static str> {
    let line = |line: &'static str| line.strip_prefix(agent)?.strip_prefix(' ');
    let found = include_str!("../tested-versions.txt")
        .lines()
        .find_map(line)?;
    found.split_once(' ').map(|(_package, version)| version)
}

/// The facts about an agent that are the same on every machine.
#[derive(Debug)]
pub struct Facts {
    /// The tool with which it asks and waits.
    pub dialog: &'static str,
    /// The folder of its configuration.
    pub folder: ConfigFolder,
    /// How the hook is registered with it.
    pub registration: Registration,
    /// The step that the person must take in the agent itself before it calls the hook.
    pub to_be_done: Option<&'static str>,
    /// The plugin that it loads instead of entries in a hooks file: the text of [`Registration::file`], in which
    /// `"plantune-hook"` stands for the hook.
    pub plugin: Option<&'static str>,
    /// Where it keeps its rules for refused commands.
    pub guard: Guard,
    /// Its history.
    pub history: HistoryFormat,
}

impl Facts {
    /// The folder of its history; `None` when no variable gives it.
    pub fn history_root(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        let place = self.history.place.as_ref().unwrap_or(&self.folder);
        place.find(lookup)
    }
}

/// The file in an agent's folder, with its rules for commands that it refuses.
#[derive(Debug)]
pub enum Guard {
    /// The list at `permissions.deny`, as in Claude Code.
    List(&'static str),
    /// The object of commands at `permission.bash`.
    Commands(&'static str),
    /// A separate file that plantune writes, with text made from the commands. A `*` in a command stands for anything.
    Own(&'static str, fn(&[String]) -> String),
    /// The agent has no such rules.
    Nowhere,
}

/// A folder.
#[derive(Debug)]
pub struct ConfigFolder {
    /// The variable that names this folder or its parent folder, and the path below that.
    pub variable: Option<(&'static str, &'static str)>,
    /// Its path in the home folder when the variable is not set.
    pub in_home: &'static str,
}

impl ConfigFolder {
    /// The folder's path; `None` when no variable gives it.
    pub fn find(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        let set = |name| lookup(name).filter(|value: &OsString| !value.is_empty());
        let named = self.variable.and_then(|(name, inside)| {
            let folder = PathBuf::from(set(name)?);
            // Joining an empty name would add a trailing separator.
            Some(match inside {
                "" => folder,
                inside => folder.join(inside),
            })
        });
        named.or_else(|| Some(Path::new(&set("HOME")?).join(self.in_home)))
    }
}

/// How the hook is registered: in a JSON file of hooks by event, groups with a matcher, and entries.
#[derive(Debug)]
pub struct Registration {
    /// The file, in the agent's folder.
    pub file: &'static str,
    /// The events, and the matcher of the hook's group.
    pub events: &'static [(&'static str, Option<&'static str>)],
    /// The time after which the agent continues without the hook, in the agent's own unit.
    pub timeout: u32,
    /// The argument that the hook is called with; `None` when the entry names only the program.
    pub word: Option<&'static str>,
    /// Whether an entry has a name, which the agent shows.
    pub has_name: bool,
    /// Whether the agent takes a hook that fails, or is not there, for a refusal. The entry then hides the failure.
    pub refuses_on_failure: bool,
}

/// How the files of an agent's history are read: JSON lines, documents, or a database.
#[derive(Debug)]
pub struct HistoryFormat {
    /// The `source` of imported events.
    pub source: &'static str,
    /// Its location, if not in [`Facts::folder`].
    pub place: Option<ConfigFolder>,
    /// The subfolders of its files, which may be missing.
    pub folders: &'static [&'static str],
    /// The SQLite database that holds it, or the newer part of it.
    pub database: Option<Database>,
    /// Files in the subfolders that are one JSON document each. The others there are JSON lines.
    pub documents: Option<Documents>,
    /// Words that mark a relevant line: it contains at least one.
    pub words: &'static [&'static str],
    /// Words of lines that matter while the result of a question is awaited.
    pub words_of_results: &'static [&'static str],
    /// Words of lines that say how a permission prompt was decided.
    pub words_of_decisions: &'static [&'static str],
    /// The texts of results without an answer: the person interrupted the question, it was malformed and never asked,
    /// and it was not allowed.
    pub refusals: [&'static str; 3],
}

/// Files `….json`, each one object.
#[derive(Clone, Copy, Debug)]
pub struct Documents {
    /// True for the path of one, which ends in `.json`.
    pub is_named: fn(&Path) -> bool,
    /// The field with a list of the items that other files have as lines; the other fields are read first. `None` where
    /// the object is one item.
    pub list: Option<&'static str>,
}

impl Documents {
    /// True when `path` is the name of such a document and no newer file of lines replaces it.
    pub fn is_one(&self, path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending == "json")
            && (self.is_named)(path)
            && !path.with_extension("jsonl").is_file()
    }
}

/// A SQLite database.
#[derive(Clone, Copy, Debug)]
pub struct Database {
    /// Its file.
    pub file: &'static str,
    /// The query that reads it.
    pub query: &'static str,
}

/// The contents of a history file, as far as it was read.
#[derive(Debug, Default)]
pub struct HistoryFile {
    /// The file.
    pub path: PathBuf,
    /// Where its next lines belong.
    pub place: HistoryPlace,
    /// True when a line named the session, not just the file's name.
    pub is_session_known: bool,
    /// True when a program decides about prompts instead of the person.
    pub is_reviewed: bool,
    /// The calls of question tools, in order.
    pub calls: Vec<HistoryCall>,
    /// The calls of other tools made while permission prompts were open, in order.
    pub tools: Vec<ToolCall>,
}

/// Where something was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryPlace {
    /// The session.
    pub session: String,
    /// Its folder.
    pub cwd: String,
    /// The permission mode.
    pub mode: Option<String>,
    /// The sub-agent that said it, if one did.
    pub sub_agent: Option<String>,
}

/// A call of a tool that may run when the person allows it.
#[derive(Debug)]
pub struct ToolCall {
    /// The tool, as the hook logs it.
    pub tool: String,
    /// Its id in the history.
    pub id: String,
    /// The tool's input, as hooks are sent it.
    pub input: Value,
    /// When it was made (RFC 3339).
    pub at: String,
    /// Where.
    pub place: HistoryPlace,
    /// Its outcome.
    pub ending: Option<ToolEnding>,
}

/// More calls than a session ever runs at once. Only this many recent calls are searched for an ending, or for calls
/// that ran at the same time.
pub const AT_ONCE: usize = 256;

/// The outcome of a tool's call.
#[derive(Debug)]
pub struct ToolEnding {
    /// When (RFC 3339).
    pub at: String,
    /// For how long the person allowed it, or why it did not run; `None` when the person did not decide.
    pub decision: Option<Result<Grant, RefusalReason>>,
    /// How long it ran, in seconds, if known.
    pub ran_seconds: Option<f64>,
}

/// A call of a question tool.
#[derive(Debug)]
pub struct HistoryCall {
    /// The kind of its tool.
    pub tool: QuestionTool,
    /// Its tool.
    pub tool_name: String,
    /// Its id in the history.
    pub id: String,
    /// The tool's input.
    pub input: Value,
    /// Its questions.
    pub questions: Vec<SentQuestion>,
    /// When it was made (RFC 3339).
    pub at: String,
    /// Where.
    pub place: HistoryPlace,
    /// How it ended.
    pub ending: Option<HistoryEnding>,
}

/// How a call ended.
#[derive(Debug)]
pub struct HistoryEnding {
    /// When (RFC 3339); `None` when no line nearby says it.
    pub at: Option<String>,
    /// One per question; empty when the result shows nothing.
    pub outcomes: Vec<Outcome>,
    /// The text that the model got.
    pub text: String,
}

impl HistoryFile {
    /// Adds the call `id` of `tool`, made at `at` with `input`; the first of an id counts.
    pub fn add(
        &mut self,
        agent: &dyn Agent,
        (tool, name): (QuestionTool, &str),
        id: &str,
        at: &str,
        input: Value,
    ) {
        let is_known = self.calls.iter().any(|call| call.id == id);
        if is_known {
            return;
        }
        self.calls.push(HistoryCall {
            tool,
            tool_name: name.to_owned(),
            id: id.to_owned(),
            questions: agent.questions(&input),
            input,
            at: at.to_owned(),
            place: self.place.clone(),
            ending: None,
        });
    }

    /// Records the `result` of the call `id`, which came at `at`; the first counts.
    pub fn end(&mut self, agent: &dyn Installed, id: &str, at: &str, result: &str) {
        self.end_with(id, at, result, |call| {
            let answers = agent.outcomes(&call.input, &call.questions, &result.into());
            answers.unwrap_or_else(|| {
                without_answers(&call.questions, result, agent.facts().history.refusals)
            })
        });
    }

    /// Like [`end`](Self::end), for a result with the text `text` and known `outcomes`.
    pub(crate) fn end_with(
        &mut self,
        id: &str,
        at: &str,
        text: &str,
        outcomes: impl FnOnce(&HistoryCall) -> Vec<Outcome>,
    ) {
        let mut calls = self.calls.iter_mut();
        if let Some(call) = calls.find(|call| call.id == id && call.ending.is_none()) {
            call.ending = Some(HistoryEnding {
                at: Some(at.to_owned()),
                outcomes: outcomes(call),
                text: text.to_owned(),
            });
        }
    }

    /// Adds the call `id` of `tool`, made at `at` with `input`, and its outcome. The last entry of an id counts,
    /// because the history rewrites it while the call runs.
    pub(crate) fn add_tool(
        &mut self,
        tool: &str,
        id: &str,
        at: &str,
        input: Value,
        ending: Option<ToolEnding>,
    ) {
        let from = self.tools.len().saturating_sub(AT_ONCE);
        let known = self.tools.iter().skip(from).position(|call| call.id == id);
        if let Some(at) = known {
            self.tools.remove(from + at);
        }
        self.tools.push(ToolCall {
            tool: tool.to_owned(),
            id: id.to_owned(),
            input,
            at: at.to_owned(),
            place: self.place.clone(),
            ending,
        });
    }

    /// Records the `ending` of the recent call `id` of a tool; the first counts.
    pub(crate) fn end_tool(&mut self, id: &str, ending: ToolEnding) {
        let mut calls = self.tools.iter_mut().rev().take(AT_ONCE);
        if let Some(call) = calls.find(|call| call.id == id && call.ending.is_none()) {
            call.ending = Some(ending);
        }
    }

    /// True when the result of a call is still to come.
    pub fn awaits_result(&self) -> bool {
        self.calls.iter().any(|call| call.ending.is_none())
    }
}

/// The text of the field `name`; empty when there is none.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
