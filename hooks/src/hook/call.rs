//! One call with its environment: its questions, its events, and where they are logged.

use plantune_agents as agents;
use plantune_agents::{Call as HookCall, Reply};
use plantune_domain::config::Config;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text, WhyAsked, question_event_id};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::roots::RootRefusal;
use plantune_domain::secrets::masked;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::wire::QuestionTool;
use plantune_domain::{clock, hash, paths, session_kind, spool};
use serde_json::Value;

use super::Environment;
use crate::{marks, turn_summary};

/// A call that preferences do not decide.
pub(super) struct Undecided<'a> {
    pub(super) tool: QuestionTool,
    pub(super) questions: &'a [Question],
    /// The preferences found for each question.
    pub(super) standing: &'a [Vec<(Scope, Preference)>],
    pub(super) registry: &'a Registry,
    pub(super) config: &'a Config,
    pub(super) project: &'a str,
    /// Why each question is asked.
    pub(super) reasons: &'a [WhyAsked],
    /// The scope in which the person is away, if they are.
    pub(super) away: Option<Scope>,
}

/// The text to print, if any; an error is logged.
pub(super) type Printed = Result<Option<String>, String>;

/// A call as sent, and where it happens.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) environment: &'a Environment,
    pub(super) sent: &'a HookCall<'a>,
    /// Why the configuration files must not be obeyed, if so.
    pub(super) refusal: Option<&'a RootRefusal>,
}

impl Call<'_> {
    /// The questions of `input`, with their keys.
    pub(super) fn questions(&self, input: &Value, registry: &Registry) -> Vec<Question> {
        let agent = self.environment.agent;
        agent
            .questions(input)
            .into_iter()
            .map(|sent| Question {
                tool: Some(self.host().to_owned()),
                ..Question::identify(sent, registry)
            })
            .collect()
    }

    /// The host that asks the call's questions.
    pub(super) fn host(&self) -> &str {
        session_kind::host(
            self.sent.tool_name(),
            self.environment.entrypoint.as_deref(),
        )
    }

    /// True if the person answers the call themselves, in the agent's own dialog. It is false for a sub-agent's
    /// question, a server's, or a program's.
    pub(super) fn is_in_dialog(&self) -> bool {
        self.environment.session_kind == SessionKind::Interactive
            && self.sent.agent_id().is_none()
            && self.host() == self.sent.tool_name()
            && !session_kind::is_server(self.host())
            && session_kind::is_known(self.environment.entrypoint.as_deref())
    }

    /// `reply` as it is printed for the agent; `None` if there is nothing to say.
    pub(super) fn encode(&self, mut reply: Reply<'_>) -> Option<String> {
        for text in &mut reply.for_user {
            *text = paths::typed(std::mem::take(text), &self.environment.paths);
        }
        self.environment.agent.encode(self.sent, &reply)
    }

    /// Whether the agent accepts messages for this event.
    pub(super) fn is_heard(&self) -> bool {
        self.environment.agent.listens(self.sent.moment)
    }

    /// The tool's input; null if it is not understood.
    pub(super) fn input(&self) -> Value {
        self.sent.json("tool_input")
    }

    /// The configuration.
    ///
    /// # Errors
    /// Why it must not be obeyed, in words.
    pub(super) fn config(&self) -> Result<Config, String> {
        match self.refusal {
            Some(refusal) => Err(refusal.to_string()),
            None => Config::load(&self.environment.paths.config_file()),
        }
    }

    /// The scope in which the person is away, if it covers `project`. A fault in its file
    /// is logged. In a session without a person it is always `None`.
    pub(super) fn away(&self, project: &str) -> Option<Scope> {
        let environment = self.environment;
        if self.refusal.is_some() || environment.session_kind != SessionKind::Interactive {
            return None;
        }
        let path = environment.paths.away_file();
        turn_summary::away_scope(&path, project, environment.now).unwrap_or_else(|error| {
            self.log_error(&error);
            None
        })
    }

    /// The registry; `None` if it must not be obeyed or cannot be read, which is logged.
    pub(super) fn registry(&self) -> Option<Registry> {
        if self.refusal.is_some() {
            return None;
        }
        Registry::load(&self.environment.paths.registry_file())
            .inspect_err(|error| self.log_error(error))
            .ok()
    }

    /// Remembers the slash command in the prompt. Any other prompt ends the running command, unless it replies to a
    /// question of that command.
    pub(super) fn note_command(&self) {
        let (paths, session) = (&self.environment.paths, self.sent.session_id());
        let command = self.sent.command();
        let is_reply = || marks::command(paths, session).is_some_and(|(_, awaits)| awaits);
        if command.is_some() || !is_reply() {
            let noted = marks::set_command(paths, session, command, false);
            noted.unwrap_or_else(|error| self.log_error(&format!("session mark: {error}")));
        }
    }

    /// Remembers whether a question of the running command is open.
    pub(super) fn note_open_question(&self, is_open: bool) {
        let (paths, session) = (&self.environment.paths, self.sent.session_id());
        if self.sent.agent_id().is_some() {
            return;
        }
        if let Some((name, was_open)) = marks::command(paths, session)
            && was_open != is_open
        {
            let noted = marks::set_command(paths, session, Some(&name), is_open);
            noted.unwrap_or_else(|error| self.log_error(&format!("session mark: {error}")));
        }
    }

    /// The asker: the kind of the sub-agent, or the running slash command.
    pub(super) fn asker(&self) -> Option<Text<'_>> {
        if self.sent.agent_id().is_some() {
            return self.sent.text("agent_type").map(Text::from);
        }
        let (name, _) = marks::command(&self.environment.paths, self.sent.session_id())?;
        Some(name.into())
    }

    /// An event of this call, without an id.
    pub(super) fn event(&self, kind: Kind, project: &str) -> Event<'_> {
        Event {
            v: SCHEMA_VERSION,
            ts: clock::timestamp(self.environment.now).into(),
            kind: kind.as_str().into(),
            session_id: self.sent.session_id().into(),
            session_kind: self.environment.session_kind.as_str().into(),
            project: project.to_owned().into(),
            cwd: self.sent.cwd().into(),
            permission_mode: self.sent.text("permission_mode").map(Text::from),
            entrypoint: self.environment.entrypoint.as_deref().map(Text::from),
            agent_id: self.sent.agent_id().map(Text::from),
            agent: agents::in_event(self.environment.agent).map(Text::from),
            source: "hook".into(),
            ..Event::default()
        }
    }

    /// An event about `question`, the call's question numbered `index` of `count`.
    pub(super) fn question_event<'e>(
        &'e self,
        kind: Kind,
        project: &str,
        question: &'e Question,
        (index, count): (usize, usize),
    ) -> Event<'e> {
        let mut event = self.event(kind, project);
        let id = self.sent.tool_use_id();
        event.id = if id.is_empty() {
            // Only the time distinguishes two calls without an id.
            let time = self.environment.now.timestamp_micros().to_string();
            let index = index.to_string();
            hash::hex(&[kind.as_str(), self.sent.session_id(), &time, &index]).into()
        } else {
            question_event_id(kind, id, u32::try_from(index).unwrap_or(u32::MAX)).into()
        };
        event.tool_name = Some(self.sent.tool_name().into());
        event.tool_use_id = Some(id.into());
        event.skill = self.asker();
        question.describe(index, count, &mut event);
        // What comes back is about the same question: its answer need not say it again.
        if matches!(kind, Kind::Asked | Kind::AutoDecided) {
            question.describe_options(&mut event);
        }
        event
    }

    /// Logs an error of the hook's own.
    pub(super) fn log_error(&self, error: &str) {
        let mut event = self.event(Kind::HookError, "");
        let error = &*masked(error);
        // One error of a session, however often a day it comes up, is one event.
        let day: String = event.ts.chars().take_while(|c| *c != 'T').collect();
        let parts = [
            Kind::HookError.as_str(),
            self.sent.session_id(),
            &day,
            error,
        ];
        event.id = hash::hex(&parts).into();
        event.error = Some(error.into());
        event.error_kind = Some("hook".into());
        // Nowhere is left to report to.
        let _ = self.append(&event_lines([event]).unwrap_or_default());
    }

    /// Appends `lines` to the spool.
    ///
    /// # Errors
    /// The errors of the file system, in words.
    pub(super) fn append(&self, lines: &[u8]) -> Result<(), String> {
        spool::append(&self.environment.paths, self.environment.now, lines)
            .map_err(|error| format!("spool: {error}"))
    }
}

/// `events` as lines of the spool.
///
/// # Errors
/// The errors of the serialiser, in words.
pub(super) fn event_lines<'e>(
    events: impl IntoIterator<Item = Event<'e>>,
) -> Result<Vec<u8>, String> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line().map_err(|error| error.to_string())?);
    }
    Ok(lines)
}
