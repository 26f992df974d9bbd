//! What is known of each coding agent, one folder an agent, behind one interface: how its hook calls are read, how
//! it takes an answer, where it keeps its settings and its history. Linked by the hook, so nothing here is heavy.

pub mod call;
pub mod claude_code;
mod codex;
mod gemini;
pub mod installed;
mod opencode;
mod qwen;
pub mod session;

use std::fmt::Debug;

use plantune_domain::hash;
use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use serde_json::Value;

pub use self::call::{Decision, Reply};
pub use call::Call;
pub use codex::Codex;
pub use gemini::Gemini;
pub use installed::Installed;
pub use opencode::OpenCode;
pub use qwen::Qwen;

/// The agents whose calls the hook reads, the one that it is called by without a word first.
pub const AGENTS: &[&dyn Agent] = &[&claude_code::ClaudeCode, &Codex, &Gemini, &OpenCode, &Qwen];

/// The agents beside Claude Code, with their settings and histories.
pub const OTHERS: &[&dyn Installed] = &[&Codex, &Gemini, &OpenCode, &Qwen];

/// The agent of that [name](Agent::name).
pub fn named(name: &str) -> Option<&'static dyn Agent> {
    AGENTS.iter().copied().find(|agent| agent.name() == name)
}

/// The agent whose own tool for questions has that name.
pub fn of_tool(name: &str) -> Option<&'static dyn Agent> {
    let mut agents = AGENTS.iter().copied();
    agents.find(|agent| agent.known().tools.contains(&name))
}

/// The tool by which the agent of that [name](Agent::name) asks in its own dialog, and waits.
pub fn dialog_of(name: &str) -> Option<&'static str> {
    match name {
        claude_code::NAME => Some(claude_code::TOOL),
        _ => OTHERS
            .iter()
            .find(|one| one.name() == name)
            .map(|one| one.facts().dialog),
    }
}

/// What a hook call is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// A question is about to be asked, by a tool of this kind.
    Asking(QuestionTool),
    /// The result of a question's tool is there.
    Answered,
    /// A question's tool failed.
    Failed,
    /// The answer that was printed did not reach the agent: the question is asked after all.
    NotTaken,
    /// The person is asked whether a tool may run.
    PromptAsked,
    /// The person has decided about such a prompt: the field `grant` says for how long they allowed it, and is not there
    /// where they refused.
    PromptDecided,
    /// A tool was denied, and nobody was asked.
    PromptDenied,
    /// A session began.
    SessionStarted,
    /// A session ended.
    SessionEnded,
    /// The person sent a prompt.
    Prompted,
    /// The agent's turn is over.
    TurnEnded,
    /// Nothing that concerns questions or permissions.
    #[default]
    Other,
}

/// What an agent is called, and what it can do as far as the captures of its real client show it.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its word in events, on the command line and in reports.
    pub name: &'static str,
    /// Its name as its makers write it.
    pub title: &'static str,
    /// The tools of its own that ask questions.
    pub tools: &'static [&'static str],
    /// A question can be shown with other options, and the model does not notice.
    pub changes_questions: bool,
    /// The person reads what the hook says when a question was answered.
    pub tells_person_afterwards: bool,
    /// Calls have an id of the model's when a question is about to be asked.
    pub has_call_ids: bool,
    /// What shows its sessions to a program that is started in one.
    pub session: session::Signs,
}

/// A coding agent.
pub trait Agent: Sync + Debug {
    /// What it is called, and what it can do.
    fn known(&self) -> &'static Known;

    /// Its word in events, on the command line and in reports.
    fn name(&self) -> &'static str {
        self.known().name
    }

    /// Its name as its makers write it.
    fn title(&self) -> &'static str {
        self.known().title
    }

    /// Its hook call `input`, a JSON text.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    fn decode<'a>(&self, input: &'a str) -> Result<Call<'a>, String>;

    /// Whether it takes anything that [`Agent::encode`] makes at that moment.
    fn listens(&self, moment: Moment) -> bool {
        matches!(moment, Moment::Asking(_) | Moment::Answered)
    }

    /// `reply` to `call` as it is printed; `None` where there is nothing to say, or the agent does not take it.
    fn encode(&self, call: &Call<'_>, reply: &Reply<'_>) -> Option<String>;

    /// The questions of a question tool's `input`.
    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        sent_questions(input)
    }

    /// How each of `questions`, those of `input`, ended by the tool's `result`; nothing of questions whose answers do
    /// not come as a result, and `None` for a result that holds no answers.
    fn outcomes(
        &self,
        input: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>>;

    /// What the dialog of a prompt for permission offers: rules (`Bash(npm test *)`), `mode:acceptEdits`,
    /// `directory:/tmp`; what is of another type by its type, a rule that does not allow with what it does
    /// (`deny:Read`).
    fn suggestions(&self, _call: &Call<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The variables in which it says how it was started, and in which folder.
    fn variables(&self) -> Variables {
        Variables::default()
    }
}

/// Names of variables of the environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables {
    /// How the agent was started.
    pub entrypoint: Option<&'static str>,
    /// The folder that the session was started in.
    pub project_root: Option<&'static str>,
}

/// The word for `agent` in an event; Claude Code's events have none.
pub fn in_event(agent: &dyn Agent) -> Option<&'static str> {
    let name = agent.name();
    (name != claude_code::NAME).then_some(name)
}

/// The id of a call to which `agent` gives none that the hook and the history know alike: the `number`-th call with
/// these `questions` in the session, counted from 1.
pub fn call_id(
    agent: &dyn Agent,
    session: &str,
    questions: &[SentQuestion],
    number: u32,
) -> String {
    let number = number.to_string();
    let questions = questions_digest(questions);
    hash::hex(&["call", agent.name(), session, &questions, &number])
}

/// A hash of the texts and labels of `questions`.
pub fn questions_digest(questions: &[SentQuestion]) -> String {
    let texts = |question: &SentQuestion| {
        let labels = question.options.iter().cloned();
        let text = [question.text.clone()].into_iter();
        text.chain(labels).collect::<Vec<_>>()
    };
    let texts: Vec<String> = questions.iter().flat_map(texts).collect();
    hash::hex(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}
