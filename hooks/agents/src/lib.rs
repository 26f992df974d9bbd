//! The coding agents, one module each, behind one interface: how to read an agent's hook calls, how to give it an
//! answer, where it keeps its settings and its history. The hook links this crate, so it stays light.

mod call;
pub mod claude_code;
mod codex;
mod copilot;
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

pub use call::{HookReply, QuestionDecision, SentCall};
use codex::Codex;
use copilot::Copilot;
use gemini::Gemini;
pub use installed::Installed;
use opencode::OpenCode;
use qwen::Qwen;

/// The agents whose calls the hook reads. The first is the default when the hook is called without an agent's name.
pub const AGENTS: &[&dyn Agent] = &[
    &claude_code::ClaudeCode,
    &Codex,
    &Copilot,
    &Gemini,
    &OpenCode,
    &Qwen,
];

/// The agents other than Claude Code, with their settings and histories.
pub const OTHERS: &[&dyn Installed] = &[&Codex, &Copilot, &Gemini, &OpenCode, &Qwen];

/// The names of all agents.
pub fn names() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().map(|agent| agent.name())
}

/// The agent with this [name](Agent::name).
pub fn named(name: &str) -> Option<&'static dyn Agent> {
    AGENTS.iter().copied().find(|agent| agent.name() == name)
}

/// The agent whose question tool has this name.
pub fn of_tool(name: &str) -> Option<&'static dyn Agent> {
    let mut agents = AGENTS.iter().copied();
    agents.find(|agent| agent.profile().tools.contains(&name))
}

/// The tool with which the agent with this [name](Agent::name) asks in its own dialog and waits.
pub fn dialog_of(name: &str) -> Option<&'static str> {
    match name {
        claude_code::NAME => Some(claude_code::TOOL),
        _ => OTHERS
            .iter()
            .find(|one| one.name() == name)
            .map(|one| one.facts().dialog),
    }
}

/// The moment that a hook call reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// A question is about to be asked, by a tool of this kind.
    Asking(QuestionTool),
    /// A question's tool returned a result.
    Answered,
    /// A question's tool failed.
    Failed,
    /// The printed answer did not reach the agent, so the question is asked after all.
    NotTaken,
    /// The dialog of a question opens. If the question was answered, the answer did not reach the agent.
    DialogOpens,
    /// The person is asked whether a tool may run.
    PromptAsked,
    /// The person has decided about such a prompt. The field `grant` says for how long they allowed it, and is missing
    /// when they refused.
    PromptDecided,
    /// A tool was denied without asking anybody.
    PromptDenied,
    /// A skill's text is about to run a command that it contains. The field `command_name` names the skill.
    SkillCommand,
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

/// An agent's names and abilities, as captures of its real client show them.
#[derive(Clone, Copy, Debug)]
pub struct AgentProfile {
    /// Its name in events, on the command line and in reports.
    pub name: &'static str,
    /// Its name as its maker writes it.
    pub title: &'static str,
    /// Its built-in tools that ask questions.
    pub tools: &'static [&'static str],
    /// The person reads what the hook says when a question was answered.
    pub tells_person_afterwards: bool,
    /// Calls carry the model's id when a question is about to be asked.
    pub has_call_ids: bool,
    /// Variables that it sets for the commands it runs, and that nobody else sets, as observed in the shell tool of its
    /// real client.
    pub session_variables: &'static [&'static str],
    /// The file name of its program or script.
    pub program: &'static str,
    /// Its npm package, whose folder holds the script.
    pub package: &'static str,
}

/// A coding agent.
pub trait Agent: Sync + Debug {
    /// Its names and abilities.
    fn profile(&self) -> &'static AgentProfile;

    /// Its name in events, on the command line and in reports.
    fn name(&self) -> &'static str {
        self.profile().name
    }

    /// Its name as its maker writes it.
    fn title(&self) -> &'static str {
        self.profile().title
    }

    /// Decodes its hook call `input`, a JSON text.
    ///
    /// # Errors
    /// Why the text cannot be read, in words.
    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String>;

    /// Whether the agent accepts any output of [`Agent::encode`] at this moment.
    fn listens(&self, moment: Moment) -> bool {
        matches!(moment, Moment::Asking(_) | Moment::Answered)
    }

    /// `reply` to `call` as it is printed; `None` when there is nothing to say or the agent does not accept it.
    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String>;

    /// The questions of a question tool's `input`.
    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        sent_questions(input)
    }

    /// How each of `questions`, those of `input`, ended according to the tool's `result`. Empty for questions whose
    /// answers do not come as a result; `None` for a result without answers.
    fn outcomes(
        &self,
        input: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>>;

    /// The choices in the dialog of a permission prompt: rules (`Bash(npm test *)`), `mode:acceptEdits`,
    /// `directory:/tmp`. A choice of another type is given by its type, and a rule that does not allow has its effect
    /// as a prefix (`deny:Read`).
    fn suggestions(&self, _call: &SentCall<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The variables that say how it was started, and in which folder.
    fn variables(&self) -> Variables {
        Variables::default()
    }
}

/// Names of environment variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables {
    /// How the agent was started.
    pub entrypoint: Option<&'static str>,
    /// The folder that the session was started in.
    pub project_root: Option<&'static str>,
}

/// The name of `agent` in an event. Claude Code's events have none.
pub fn in_event(agent: &dyn Agent) -> Option<&'static str> {
    let name = agent.name();
    (name != claude_code::NAME).then_some(name)
}

/// An id for a call of an `agent` whose own ids differ between the hook and the history: it identifies the `number`-th
/// call with these `questions` in the session, counted from 1.
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
