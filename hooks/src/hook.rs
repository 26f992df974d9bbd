//! One hook call from end to end: the hot path.
//!
//! What it costs: parse the call, walk up to `.git`, read at most two preference files and two
//! small TOML files, one append. No process is started, no store opened, nothing synced.

mod answering;
mod beyond;
mod coming_back;
mod session;
mod spot_checks;

use std::path::Path;

use chrono::{DateTime, Utc};

use crate::wire::HookCall;
use plantune_domain::config::Config;
use plantune_domain::decision::{Ask, AskReason, Choice};
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text, question_event_id};
use plantune_domain::gate::decide;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, Scope, lookup};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::{QuestionTool, SentQuestion, lenient_json, sent_questions};
use plantune_domain::{clock, hash, spool};

use beyond::{Case, goes_beyond};

/// What the environment says about a call.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Where data and configuration lie.
    pub paths: Paths,
    /// The time of the call.
    pub now: DateTime<Utc>,
    /// `interactive`, `headless` or `spawned`.
    pub session_kind: &'static str,
    /// How the agent was started.
    pub entrypoint: Option<String>,
    /// True when `PLANTUNE_DISABLE` switches deciding off.
    pub disabled: bool,
}

/// Handles one call and returns what to print: a decision, or nothing.
///
/// Whatever goes wrong is logged as a `hook_error` event and ends in nothing printed.
pub fn handle(input: &[u8], surroundings: &Surroundings) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let call: HookCall<'_> = match serde_json::from_str(&text) {
        Ok(call) => call,
        Err(error) => {
            let call = HookCall::default();
            Hook {
                surroundings,
                call: &call,
            }
            .log_error(&format!("input: {error}"));
            return None;
        }
    };
    let hook = Hook {
        surroundings,
        call: &call,
    };
    hook.dispatch().unwrap_or_else(|error| {
        hook.log_error(&error);
        None
    })
}

/// Logs that the hook itself broke down.
pub fn log_breakdown(surroundings: &Surroundings, error: &str) {
    Hook {
        surroundings,
        call: &HookCall::default(),
    }
    .log_error(error);
}

struct Hook<'a> {
    surroundings: &'a Surroundings,
    call: &'a HookCall<'a>,
}

type Printed = Result<Option<String>, String>;

impl Hook<'_> {
    fn dispatch(&self) -> Printed {
        let tool = QuestionTool::from_name(self.call.tool_name());
        match (self.call.event_name(), tool) {
            ("PreToolUse", Some(tool)) => self.pre_tool_use(tool),
            ("PostToolUse", Some(_)) => self.post_tool_use(),
            ("PostToolUseFailure", Some(_)) => self.post_tool_use_failure(),
            ("SessionStart", _) => self.session_started(),
            ("SessionEnd", _) => self.session_ended(),
            ("Stop", _) => Ok(self.turn_ended()),
            _ => Ok(None),
        }
    }

    fn pre_tool_use(&self, tool: QuestionTool) -> Printed {
        let registry = self.registry();
        let config = Config::load(&self.surroundings.paths.config_file());
        let none = Registry::default();
        let mut questions = self.questions(registry.as_ref().unwrap_or(&none));
        let project = project_key(Path::new(self.call.cwd()));
        let count = questions.len();
        let all = |reason, because| Err(vec![Ask::because(reason, because); count]);
        let mut standing = None;
        let decided = match (&config, &registry) {
            _ if self.surroundings.disabled => all(AskReason::Disabled, "environment"),
            (Ok(config), _) if !config.enabled => all(AskReason::Disabled, "configuration"),
            // Without knowing whether deciding is on, or which doors there are, the person is asked.
            (Err(_), _) => all(AskReason::Disabled, "configuration_unreadable"),
            (_, None) => all(AskReason::Ambiguous, "registry_unreadable"),
            (Ok(_), Some(registry)) => match self.standing(&mut questions, &project) {
                Ok(found) => decide(&questions, standing.insert(found), registry),
                Err(error) => {
                    self.log_error(&error);
                    all(AskReason::Ambiguous, "preferences_unreadable")
                }
            },
        };
        if let Err(error) = &config {
            self.log_error(error);
        }
        let share = config.as_ref().map_or(0.0, |config| config.spot_check);
        match decided {
            Ok(choices) if self.is_spot_check(&questions, &choices, share, &project) => {
                let asks = vec![Ask::from(AskReason::SpotCheck); questions.len()];
                self.ask(&questions, &asks, &choices, &project)
            }
            Ok(choices) => match self.answer(tool, &questions, &choices, &project)? {
                Some(printed) => Ok(Some(printed)),
                None => {
                    let ask = Ask::because(AskReason::Ambiguous, "input_not_understood");
                    self.ask(&questions, &vec![ask; questions.len()], &[], &project)
                }
            },
            Err(asks) => match (&config, &registry, &standing) {
                (Ok(config), Some(registry), Some(standing)) if goes_beyond(config, registry) => {
                    let case = Case {
                        tool,
                        questions: &questions,
                        standing,
                        registry,
                        config,
                        project: &project,
                    };
                    self.beyond(&case, &asks)
                }
                _ => self.ask(&questions, &asks, &[], &project),
            },
        }
    }

    /// Logs that the questions are asked, and what was going to be answered, if anything.
    fn ask(
        &self,
        questions: &[Question],
        asks: &[Ask],
        choices: &[Choice],
        project: &str,
    ) -> Printed {
        self.append(&self.asked(questions, asks, choices, project)?)?;
        Ok(None)
    }

    /// The lines that say so.
    fn asked(
        &self,
        questions: &[Question],
        asks: &[Ask],
        choices: &[Choice],
        project: &str,
    ) -> Result<Vec<u8>, String> {
        let mut lines = Vec::new();
        for (index, (question, ask)) in questions.iter().zip(asks).enumerate() {
            let mut event = self.question_event(Kind::Asked, index, project);
            question.describe(index, questions.len(), &mut event);
            event.ask_reason = Some(ask.reason.name().into());
            event.reason = ask.because.as_deref().map(Text::from);
            if let Some(choice) = choices.get(index) {
                choice.describe(&mut event);
            }
            push_line(&mut lines, &event)?;
        }
        Ok(lines)
    }

    /// The registry; `None`, and an event about it, when it cannot be read.
    fn registry(&self) -> Option<Registry> {
        Registry::load(&self.surroundings.paths.registry_file())
            .inspect_err(|error| self.log_error(error))
            .ok()
    }

    fn log_error(&self, error: &str) {
        let mut event = self.event(Kind::HookError, "");
        // One error of a session, however often a day it comes up, is one event.
        let day: String = event.ts.chars().take_while(|c| *c != 'T').collect();
        event.id = hash::hex(&[Kind::HookError.name(), self.call.session_id(), &day, error]).into();
        event.error = Some(error.into());
        event.error_kind = Some("hook".into());
        // Nowhere is left to report to.
        let _ = self.append_event(&event);
    }

    fn event(&self, kind: Kind, project: &str) -> Event<'_> {
        Event {
            v: SCHEMA_VERSION,
            ts: clock::timestamp(self.surroundings.now).into(),
            kind: kind.name().into(),
            session_id: self.call.session_id().into(),
            session_kind: self.surroundings.session_kind.into(),
            project: project.to_owned().into(),
            cwd: self.call.cwd().into(),
            permission_mode: self.call.permission_mode().map(Text::from),
            entrypoint: self.surroundings.entrypoint.as_deref().map(Text::from),
            agent_id: self.call.agent_id().map(Text::from),
            source: "hook".into(),
            ..Event::default()
        }
    }

    fn question_event(&self, kind: Kind, index: usize, project: &str) -> Event<'_> {
        let mut event = self.event(kind, project);
        let id = self.call.tool_use_id();
        event.id = if id.is_empty() {
            // Nothing else tells two calls without an id apart.
            let moment = self.surroundings.now.timestamp_micros().to_string();
            hash::hex(&[
                kind.name(),
                self.call.session_id(),
                &moment,
                &index.to_string(),
            ])
            .into()
        } else {
            question_event_id(kind, id, u32::try_from(index).unwrap_or(u32::MAX)).into()
        };
        event.tool_name = Some(self.call.tool_name().into());
        event.tool_use_id = Some(id.into());
        event
    }

    fn questions(&self, registry: &Registry) -> Vec<Question> {
        self.sent_questions()
            .into_iter()
            .map(|sent| Question::identify(sent, registry))
            .collect()
    }

    fn sent_questions(&self) -> Vec<SentQuestion> {
        let input = self
            .call
            .tool_input
            .and_then(|raw| lenient_json(raw.get()).ok());
        sent_questions(&input.unwrap_or_default())
    }

    /// The preferences that stand for each question: the project's first. A question that a
    /// preference for its family fits is called by the family's name from here on.
    fn standing(
        &self,
        questions: &mut [Question],
        project: &str,
    ) -> Result<Vec<Vec<(Scope, Preference)>>, String> {
        let sets: Vec<String> = questions.iter().map(Question::set_key).collect();
        let keys: Vec<&str> = questions
            .iter()
            .map(|question| question.key.as_str())
            .chain(sets.iter().map(String::as_str))
            .filter(|key| !key.is_empty())
            .collect();
        let paths = &self.surroundings.paths;
        let mut found = vec![Vec::new(); keys.len()];
        for (scope, path) in [
            (Scope::Project, paths.project_preferences(project)),
            (Scope::Global, paths.global_preferences()),
        ] {
            for (standing, entries) in found.iter_mut().zip(lookup(&path, &keys)?) {
                standing.extend(entries.into_iter().map(|entry| (scope, entry)));
            }
        }
        let mut of_sets = found.split_off(questions.len()).into_iter();
        for ((question, set), standing) in questions.iter_mut().zip(&sets).zip(&mut found) {
            if !set.is_empty() {
                standing.extend(question.take_family(of_sets.next().unwrap_or_default()));
            }
        }
        Ok(found)
    }

    fn append_event(&self, event: &Event<'_>) -> Result<(), String> {
        let line = event.to_line().map_err(|error| error.to_string())?;
        self.append(&line)
    }

    fn append(&self, lines: &[u8]) -> Result<(), String> {
        spool::append(&self.surroundings.paths, self.surroundings.now, lines)
            .map_err(|error| format!("spool: {error}"))
    }
}

fn push_line(lines: &mut Vec<u8>, event: &Event<'_>) -> Result<(), String> {
    lines.extend(event.to_line().map_err(|error| error.to_string())?);
    Ok(())
}
