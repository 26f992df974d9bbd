//! One call with its environment: its questions, its events, and how it is asked or answered.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use chrono::{DateTime, Utc};
use plantune_agents as agents;
use plantune_agents::{Agent, HookReply, Moment, QuestionDecision, SentCall};
use plantune_domain::away::Away;
use plantune_domain::config::Config;
use plantune_domain::event::{
    AnsweredBy, AskReason, Choice, Event, Kind, Mechanism, NOT_PRINTED, SCHEMA_VERSION, WhyAsked,
    question_event_id,
};
use plantune_domain::json::Text;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, Scope, lookup};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::roots::{RootRefusal, Session};
use plantune_domain::secrets::{masked, masked_path};
use plantune_domain::session_kind::SessionKind;
use plantune_domain::wire::QuestionTool;
use plantune_domain::{clock, hash, lost_events, paths, session_kind, spool};
use serde_json::Value;

use crate::marks::CallMark;
use crate::{marks, messages};

/// The environment of a call.
#[derive(Clone, Debug)]
pub struct CallEnvironment {
    /// The agent that calls.
    pub agent: &'static dyn Agent,
    /// The folders of data and configuration.
    pub paths: Paths,
    /// The time of the call.
    pub now: DateTime<Utc>,
    /// The session's kind: whether a person can answer.
    pub session_kind: SessionKind,
    /// The agent's entrypoint.
    pub entrypoint: Option<String>,
    /// The folder that the session was started in, if the agent names it.
    pub project_root: Option<PathBuf>,
    /// True if `PLANTUNE_DISABLE` switches deciding off.
    pub disabled: bool,
    /// True if a plugin's entry started the hook, and not one of the settings.
    pub by_plugin: bool,
}

impl CallEnvironment {
    /// The session of a call whose working directory is `cwd`.
    pub(crate) fn session<'a>(&'a self, cwd: &'a Path) -> Session<'a> {
        Session {
            cwd,
            project_root: self.project_root.as_deref(),
            home: None,
        }
    }
}

/// The text to print, if any.
pub(crate) type Printed = Result<Option<String>, CallError>;

/// Why nothing is printed for a call.
pub(crate) enum CallError {
    /// Its events could not be logged. They are counted, and the next command says so.
    NotLogged(io::Error),
    /// Anything else, in words, which are logged.
    Failed(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLogged(error) => write!(f, "spool: {error}"),
            Self::Failed(error) => f.write_str(error),
        }
    }
}

impl From<String> for CallError {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// A call as sent, and where it happens.
#[derive(Clone, Copy)]
pub(crate) struct HookCall<'a> {
    pub(crate) environment: &'a CallEnvironment,
    pub(crate) sent: &'a SentCall<'a>,
    /// Why the configuration files must not be followed; `None` if they may be.
    pub(crate) refusal: Option<&'a RootRefusal>,
}

impl HookCall<'_> {
    /// The questions of `input`, with their keys.
    pub(crate) fn questions(&self, input: &Value, registry: &Registry) -> Vec<Question> {
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
    pub(crate) fn host(&self) -> &str {
        session_kind::host(
            self.sent.tool_name(),
            self.environment.entrypoint.as_deref(),
        )
    }

    /// True if the person answers the call themselves, in the agent's own dialog. It is false for a sub-agent's
    /// question, a server's, or a program's.
    pub(crate) fn is_in_dialog(&self) -> bool {
        self.environment.session_kind == SessionKind::Interactive
            && self.sent.agent_id().is_none()
            && self.host() == self.sent.tool_name()
            && !session_kind::is_server(self.host())
            && session_kind::is_known(self.environment.entrypoint.as_deref())
    }

    /// `reply` as it is printed for the agent; `None` if there is nothing to say.
    pub(crate) fn encode(&self, mut reply: HookReply<'_>) -> Option<String> {
        for text in &mut reply.for_user {
            *text = paths::typed(std::mem::take(text), &self.environment.paths);
        }
        self.environment.agent.encode(self.sent, &reply)
    }

    /// Whether the agent accepts messages for this event.
    pub(crate) fn is_heard(&self) -> bool {
        self.environment.agent.listens(self.sent.moment)
    }

    /// The tool's input; null if it is not understood.
    pub(crate) fn input(&self) -> Value {
        self.sent.json("tool_input")
    }

    /// The configuration.
    ///
    /// # Errors
    /// Why it must not be followed, in words.
    pub(crate) fn config(&self) -> Result<Config, String> {
        match self.refusal {
            Some(refusal) => Err(refusal.to_string()),
            None => Config::load(&self.environment.paths.config_file()),
        }
    }

    /// The scope in which the person is away, if it covers `project`. A fault in its file
    /// is logged. In a session without a person it is always `None`.
    pub(crate) fn away(&self, project: &str) -> Option<Scope> {
        let environment = self.environment;
        if self.refusal.is_some() || environment.session_kind != SessionKind::Interactive {
            return None;
        }
        let away = Away::load(&environment.paths.away_file()).unwrap_or_else(|error| {
            self.log_error(&error);
            None
        })?;
        let holds = away.covers(project) && away.is_on(environment.now, clock::uptime_seconds());
        holds.then_some(match away.project {
            Some(_) => Scope::Project,
            None => Scope::Global,
        })
    }

    /// The preferences for each question: the project's first.
    ///
    /// # Errors
    /// Why a file must not be followed, in words.
    pub(crate) fn standing_preferences(
        &self,
        questions: &[Question],
        project: &str,
    ) -> Result<Vec<Vec<(Scope, Preference)>>, String> {
        let keys: Vec<&str> = questions.iter().map(|one| one.key.as_str()).collect();
        let paths = &self.environment.paths;
        let mut found = vec![Vec::new(); keys.len()];
        for (scope, path) in [
            (Scope::Project, paths.project_preferences(project)),
            (Scope::Global, paths.global_preferences()),
        ] {
            for (standing, entries) in found.iter_mut().zip(lookup(&path, &keys)?) {
                standing.extend(entries.into_iter().map(|entry| (scope, entry)));
            }
        }
        Ok(found)
    }

    /// The registry; `None` if it must not be followed or cannot be read, which is logged.
    pub(crate) fn registry(&self) -> Option<Registry> {
        if self.refusal.is_some() {
            return None;
        }
        Registry::load(&self.environment.paths.registry_file())
            .inspect_err(|error| self.log_error(error))
            .ok()
    }

    /// Remembers the slash command in the prompt. Any other prompt ends the running command, unless it replies to a
    /// question of that command.
    pub(crate) fn note_command(&self) {
        let (paths, session) = (&self.environment.paths, self.sent.session_id());
        let command = self.sent.command();
        let is_reply = || marks::command(paths, session).is_some_and(|(_, awaits)| awaits);
        if command.is_some() || !is_reply() {
            let noted = marks::set_command(paths, session, command, false);
            noted.unwrap_or_else(|error| self.log_error(&format!("session mark: {error}")));
        }
    }

    /// Remembers whether a question of the running command is open.
    pub(crate) fn note_open_question(&self, is_open: bool) {
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
    pub(crate) fn asker(&self) -> Option<Text<'_>> {
        if self.sent.agent_id().is_some() {
            return self.sent.text("agent_type").map(Text::from);
        }
        let (name, _) = marks::command(&self.environment.paths, self.sent.session_id())?;
        Some(name.into())
    }

    /// An event of this call, without an id.
    pub(crate) fn event(&self, kind: Kind, project: &str) -> Event<'_> {
        Event {
            v: SCHEMA_VERSION,
            ts: clock::timestamp(self.environment.now).into(),
            kind: kind.as_str().into(),
            session_id: self.sent.session_id().into(),
            session_kind: self.environment.session_kind.as_str().into(),
            project: project.to_owned().into(),
            cwd: masked_path(self.sent.cwd()).into(),
            permission_mode: self.sent.text("permission_mode").map(Text::from),
            entrypoint: self.environment.entrypoint.as_deref().map(Text::from),
            agent_id: self.sent.agent_id().map(Text::from),
            agent: agents::in_event(self.environment.agent).map(Text::from),
            source: "hook".into(),
            ..Event::default()
        }
    }

    /// An event about `question`, the call's question numbered `index` of `count`.
    pub(crate) fn question_event<'e>(
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
        // The event of an answer is merged with that of its question, so it need not repeat the options' texts.
        if matches!(kind, Kind::Asked | Kind::AutoDecided) {
            question.describe_options(&mut event);
        }
        event
    }

    /// Logs why nothing is printed, unless it is that nothing can be logged.
    pub(crate) fn log_call_error(&self, error: &CallError) {
        match error {
            CallError::NotLogged(_) => {}
            CallError::Failed(error) => self.log_error(error),
        }
    }

    /// Logs an error of the hook itself.
    pub(crate) fn log_error(&self, error: &str) {
        let mut event = self.event(Kind::HookError, "");
        let error = &*masked(error);
        // The id contains the day, so that an error that comes again in a session is one event a day.
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
        // One that cannot be logged is counted.
        let _ = self.append(&event_lines([event]).unwrap_or_default());
    }

    /// Appends `lines` to the spool, and counts those that are lost.
    ///
    /// # Errors
    /// The errors of the file system.
    pub(crate) fn append(&self, lines: &[u8]) -> Result<(), CallError> {
        let CallEnvironment { paths, now, .. } = self.environment;
        spool::append(paths, *now, lines).map_err(|failed| {
            // If this fails too, nothing at all can be written.
            let _ = lost_events::add(paths, *now, failed.lost, &failed.error);
            CallError::NotLogged(failed.error)
        })
    }
}

/// `events` as lines of the spool.
///
/// # Errors
/// The errors of the serialiser, in words.
pub(crate) fn event_lines<'e>(
    events: impl IntoIterator<Item = Event<'e>>,
) -> Result<Vec<u8>, String> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line().map_err(|error| error.to_string())?);
    }
    Ok(lines)
}

// The end of a call: asked, or answered for the person.

/// A call that is asked.
pub(crate) struct AskedCall<'a> {
    pub(crate) questions: &'a [Question],
    /// Why each question is asked.
    pub(crate) reasons: &'a [WhyAsked],
    /// The planned answers, if any.
    pub(crate) planned: &'a [Choice],
    pub(crate) project: &'a str,
}

/// Logs that the questions are asked, and keeps `memory` until the answers come.
pub(crate) fn ask_person(call: &HookCall<'_>, asked: &AskedCall<'_>, memory: &CallMark) -> Printed {
    if *memory != CallMark::default() {
        let paths = &call.environment.paths;
        let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
        if let Err(error) = marks::set(paths, session, id, memory) {
            call.log_error(&format!("session mark: {error}"));
        }
    }
    call.append(&asked_lines(call, asked)?)?;
    call.note_open_question(true);
    Ok(None)
}

/// The lines that [`ask_person`] logs.
///
/// # Errors
/// The errors of the serialiser, in words.
pub(crate) fn asked_lines(call: &HookCall<'_>, asked: &AskedCall<'_>) -> Result<Vec<u8>, String> {
    let count = asked.questions.len();
    let questions = asked.questions.iter().zip(asked.reasons).enumerate();
    event_lines(questions.map(|(index, (question, why))| {
        let place = (index, count);
        let mut event = call.question_event(Kind::Asked, asked.project, question, place);
        event.ask_reason = Some(why.reason.as_str().into());
        event.reason = why.because.as_deref().map(Text::from);
        if let Some(choice) = asked.planned.get(index) {
            choice.describe(&mut event);
        }
        event
    }))
}

/// The decision to print, or `None` if the call's input cannot carry the answers.
///
/// The mark and the events are written first, so that no decision is missing from the log.
pub(crate) fn answer(
    call: &HookCall<'_>,
    tool: QuestionTool,
    questions: &[Question],
    choices: &[Choice],
    project: &str,
) -> Printed {
    let Some(printed) = decision(call, tool, questions, choices) else {
        return Ok(None);
    };
    let count = questions.len();
    let answered = questions.iter().zip(choices).enumerate();
    let lines = event_lines(answered.map(|(index, (question, choice))| {
        let mut event = call.question_event(Kind::AutoDecided, project, question, (index, count));
        choice.describe(&mut event);
        event.mechanism = Some(mechanism(tool, choice).as_str().into());
        event
    }))?;
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    if tool == QuestionTool::Native {
        let labels = choices.iter().map(|choice| choice.label().to_owned());
        let mark = CallMark {
            answers: labels.collect(),
            ..CallMark::default()
        };
        let digest = agents::questions_digest(&call.environment.agent.questions(&call.input()));
        marks::set(paths, session, id, &mark).map_err(|error| format!("session mark: {error}"))?;
        // Without it, a dialog that opens all the same is not noticed here; the transcript tells later.
        let _ = marks::set_answered_call(paths, session, &digest, id);
    }
    call.append(&lines).inspect_err(|_| {
        marks::remove(paths, session, id);
    })?;
    let answers = questions.iter().zip(choices);
    let answers: Vec<String> = answers
        .map(|(question, choice)| messages::short_answer(question, choice))
        .collect();
    // The person is shown the answer at once. This file is only for the summary at the turn's end, so the answer is
    // given even if the file cannot be written.
    if call.environment.agent.listens(Moment::TurnEnded) {
        let _ = marks::record_answers(&marks::turn_file(paths, session), id, &answers);
    }
    // An error loses nothing: `plantune away off` reads the log.
    let is_away = |choice: &Choice| matches!(choice.by, AnsweredBy::Away(_));
    if choices.iter().any(is_away) {
        let _ = marks::record_answers(&paths.away_answers(), id, &answers);
    }
    Ok(Some(printed))
}

fn mechanism(tool: QuestionTool, choice: &Choice) -> Mechanism {
    match (&choice.by, tool) {
        (AnsweredBy::Reviewer, _) => Mechanism::Reviewer,
        (_, QuestionTool::Native) => Mechanism::Allow,
        (_, _) => Mechanism::Deny,
    }
}

fn decision(
    call: &HookCall<'_>,
    tool: QuestionTool,
    questions: &[Question],
    choices: &[Choice],
) -> Option<String> {
    // The agent needs the label as it sent it, without the masks of the log.
    let mut of_agent = choices.to_vec();
    for (choice, question) in of_agent.iter_mut().zip(questions) {
        if question.as_sent.is_some() {
            choice.label = question.label_as_sent(choice.label())?.to_owned();
        }
    }
    let mut reply = HookReply::for_user(messages::for_user(
        questions,
        choices,
        call.sent.tool_use_id(),
    ));
    reply.decision = Some(match tool {
        QuestionTool::Native => {
            reply.for_model = vec![messages::for_model(&of_agent)];
            let labels = questions.iter().zip(&of_agent);
            let answers =
                labels.map(|(question, choice)| (question.text_as_sent(), choice.label()));
            QuestionDecision::Answer {
                answers: answers.collect(),
                reason: messages::allow_reason(&of_agent),
            }
        }
        _ => QuestionDecision::Deny(messages::deny_reason(questions, &of_agent)),
    });
    call.encode(reply)
}

/// Logs that the questions are asked after all, and forgets that they were answered: the answer did not reach the agent.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn log_withdrawn(call: &HookCall<'_>) -> Result<(), CallError> {
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    let input = call.input();
    let digest = agents::questions_digest(&call.environment.agent.questions(&input));
    marks::remove_answered_call(paths, session, &digest);
    marks::remove(paths, session, id);
    let questions = call.questions(&input, &call.registry().unwrap_or_default());
    // If this fails, the summary names an answer that was not given, which does no harm.
    for file in [marks::turn_file(paths, session), paths.away_answers()] {
        let _ = marks::remove_answers(&file, id, questions.len());
    }
    let reasons = vec![WhyAsked::because(AskReason::Ambiguous, NOT_PRINTED); questions.len()];
    let project = project_key(Path::new(call.sent.cwd()));
    let asked = AskedCall {
        questions: &questions,
        reasons: &reasons,
        planned: &[],
        project: &project,
    };
    call.append(&asked_lines(call, &asked)?)
}
