//! What the importer and the command line know of an agent beyond its hook calls: where its settings and its history
//! lie. The hook links nothing of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;

use crate::Agent;
use crate::call::without_answers;

/// How a variable of the environment is looked up.
pub type Lookup<'l> = &'l dyn Fn(&str) -> Option<OsString>;

/// An agent as it is installed on a machine.
pub trait Installed: Agent {
    /// What does not depend on the machine.
    fn facts(&self) -> &'static Facts;

    /// Whether the person has done [`Facts::to_be_done`] for the hooks in the file at `settings`, as far as its `folder`
    /// says.
    fn is_trusted(&self, _folder: &Path, _settings: &Path) -> Option<bool> {
        None
    }

    /// Adds to `file` what a line of its history says, or a row: an object of its columns, of which `data` holds JSON.
    fn read(&self, line: &Value, file: &mut HistoryFile);
}

/// What is known of an agent without looking at a machine.
#[derive(Debug)]
pub struct Facts {
    /// The version whose client was tried.
    pub tested_version: &'static str,
    /// The tool by which it asks, and waits.
    pub dialog: &'static str,
    /// The folder of its configuration.
    pub folder: Place,
    /// How the hook is registered with it.
    pub registration: Registration,
    /// What the person has to do in the agent itself before it calls the hook.
    pub to_be_done: Option<&'static str>,
    /// What it loads as a plugin in place of entries in a file of hooks: the text of [`Registration::file`], in which
    /// `"plantune-hook"` stands for the hook.
    pub plugin: Option<&'static str>,
    /// Where it keeps what it refuses.
    pub guard: Guard,
    /// Its history.
    pub history: History,
}

/// The file in an agent's folder, with its rules for commands that it refuses.
#[derive(Debug)]
pub enum Guard {
    /// The list below `permissions.deny`, as Claude Code has one.
    List(&'static str),
    /// The object of commands below `permission.bash`.
    Commands(&'static str),
    /// A file of plantune's own, whose text follows from the commands, in which a `*` stands for anything.
    Own(&'static str, fn(&[String]) -> String),
}

/// A folder.
#[derive(Debug)]
pub struct Place {
    /// The variable that names it, or one that it lies in, and its name there.
    pub variable: Option<(&'static str, &'static str)>,
    /// Where it lies in the home folder otherwise.
    pub in_home: &'static str,
}

impl Place {
    /// Where it is; `None` where no variable says so.
    pub fn find(&self, lookup: Lookup<'_>) -> Option<PathBuf> {
        let set = |name| lookup(name).filter(|value: &OsString| !value.is_empty());
        let named = self.variable.and_then(|(name, inside)| {
            let folder = PathBuf::from(set(name)?);
            // Joined with nothing it would end in a separator.
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
    /// After which time the agent goes on without the hook, in its own unit.
    pub timeout: u32,
    /// The word that the hook is called with; none where the entry names the program alone.
    pub word: Option<&'static str>,
    /// Whether an entry has a name, which the agent shows.
    pub has_name: bool,
}

/// How the files of an agent's history are read: JSON lines, documents, or a database.
#[derive(Debug)]
pub struct History {
    /// What imported events name as their source.
    pub source: &'static str,
    /// Where it lies, if not in [`Facts::folder`].
    pub place: Option<Place>,
    /// Where the files lie there.
    pub folder: &'static str,
    /// The database of SQLite's that it is; JSON lines without one.
    pub database: Option<Database>,
    /// Files beside those of lines that are one JSON document each.
    pub documents: Option<Documents>,
    /// Words of which a line that matters holds one.
    pub words: &'static [&'static str],
    /// Those of lines that matter while the result of a question is awaited.
    pub words_of_results: &'static [&'static str],
    /// Those of lines that say how a prompt for permission was decided.
    pub words_of_decisions: &'static [&'static str],
    /// What a result holds that is no answer: when the person broke the question off, when it was never asked because
    /// it was malformed, and when it was not allowed.
    pub refusals: [&'static str; 3],
}

/// Files `START….json`, an object each: a list in it has what others have as lines, and the rest of it comes first.
#[derive(Clone, Copy, Debug)]
pub struct Documents {
    /// What their names begin with.
    pub start: &'static str,
    /// The field that is the list.
    pub list: &'static str,
}

impl Documents {
    /// True for the name of one. What was written as lines since then is read there.
    pub fn is_one(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let is_named =
            name.is_some_and(|name| name.starts_with(self.start) && name.ends_with(".json"));
        is_named && !path.with_extension("jsonl").is_file()
    }
}

/// A database of SQLite's.
#[derive(Clone, Copy, Debug)]
pub struct Database {
    /// Its file.
    pub file: &'static str,
    /// What is read.
    pub query: &'static str,
}

/// What a file of a history holds, as far as it was read.
#[derive(Debug, Default)]
pub struct HistoryFile {
    /// The file.
    pub path: PathBuf,
    /// The session that its lines are of.
    pub session: String,
    /// True when a line said which that is, and not the file's name alone.
    pub is_session_known: bool,
    /// Its folder.
    pub cwd: String,
    /// The permission mode.
    pub mode: Option<String>,
    /// True where a program decides about prompts in place of the person.
    pub is_reviewed: bool,
    /// The calls of question tools, in their order.
    pub calls: Vec<HistoryCall>,
    /// Those of other tools that came while prompts for permission were open, in their order.
    pub tools: Vec<ToolCall>,
}

/// A call of a tool that may run when the person allows it.
#[derive(Debug)]
pub struct ToolCall {
    /// The tool, as the hook logs it.
    pub tool: String,
    /// The id that the history gives it.
    pub id: String,
    /// The tool's input, as hooks are sent it.
    pub input: Value,
    /// When it was made (RFC 3339).
    pub at: String,
    /// The session, its folder and its permission mode.
    pub place: (String, String, Option<String>),
    /// What became of it.
    pub ending: Option<ToolEnding>,
}

/// More calls of a session than ever run at once: an ending is looked for among so many, and what ran beside a call.
pub const AT_ONCE: usize = 256;

/// What became of a tool's call.
#[derive(Debug)]
pub struct ToolEnding {
    /// When (RFC 3339).
    pub at: String,
    /// For how long they allowed it (`once`, `session`, `always`), or why it did not run (`rejected`, `unclear`); `None`
    /// where it was not they who decided.
    pub decision: Option<Result<&'static str, &'static str>>,
    /// How long it ran, in seconds, where that is known.
    pub ran_seconds: Option<f64>,
}

/// A call of a question tool.
#[derive(Debug)]
pub struct HistoryCall {
    /// The kind of its tool.
    pub tool: QuestionTool,
    /// Its tool.
    pub tool_name: String,
    /// The id that the history gives it.
    pub id: String,
    /// The tool's input.
    pub input: Value,
    /// Its questions.
    pub questions: Vec<SentQuestion>,
    /// When it was made (RFC 3339).
    pub at: String,
    /// The session, its folder and its permission mode.
    pub place: (String, String, Option<String>),
    /// How it ended.
    pub ending: Option<HistoryEnding>,
}

/// How a call ended.
#[derive(Debug)]
pub struct HistoryEnding {
    /// When (RFC 3339).
    pub at: String,
    /// One a question; none where nothing follows from the result.
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
            place: (self.session.clone(), self.cwd.clone(), self.mode.clone()),
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

    /// The same of a result with the text `text`, which `outcomes` are known of.
    pub fn end_with(
        &mut self,
        id: &str,
        at: &str,
        text: &str,
        outcomes: impl FnOnce(&HistoryCall) -> Vec<Outcome>,
    ) {
        let mut calls = self.calls.iter_mut();
        if let Some(call) = calls.find(|call| call.id == id && call.ending.is_none()) {
            call.ending = Some(HistoryEnding {
                at: at.to_owned(),
                outcomes: outcomes(call),
                text: text.to_owned(),
            });
        }
    }

    /// Adds the call `id` of `tool`, made at `at` with `input`, and what became of it; the last of an id counts, as it
    /// is written while the call runs.
    pub fn add_tool(
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
            place: (self.session.clone(), self.cwd.clone(), self.mode.clone()),
            ending,
        });
    }

    /// True when the result of a call is still to come.
    pub fn awaits_result(&self) -> bool {
        self.calls.iter().any(|call| call.ending.is_none())
    }
}

/// The text of the field `name`; empty where there is none.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}
