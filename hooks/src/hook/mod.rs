//! One hook call from end to end: the hot path.
//!
//! Its cost: parse the call, walk up to `.git`, read at most two preference files and two
//! small TOML files, one append. It starts no process, opens no store, and syncs nothing but a
//! preference that the person teaches in the dialog.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_agents as agents;
use plantune_agents::{Agent, Call as HookCall, Moment};
use plantune_domain::event::Kind;
use plantune_domain::paths::Paths;
use plantune_domain::roots::Session;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::status_line;

use crate::{marks, settings_entry};
use call::{Call, Printed};

mod ask;
mod call;
mod fallback;
mod permission;
mod post_tool_use;
mod pre_tool_use;
mod session;
mod taught;

/// Handles one call and returns what to print: a decision, or nothing.
///
/// Any error is logged as a `hook_error` event, and nothing is printed.
pub fn handle(input: &[u8], environment: &Environment) -> Option<String> {
    let done = with_call(input, environment, true, |call| {
        if is_left_to_settings(call) {
            return None;
        }
        dispatch(call).unwrap_or_else(|error| {
            call.log_error(&error);
            None
        })
    });
    done.unwrap_or_else(|error| {
        log_failure(environment, &error);
        None
    })
}

/// The line for Claude Code's status line, which sends `input`; nothing if there is nothing to say, or the
/// input is not understood.
pub fn status_line(input: &[u8], environment: &Environment) -> Option<String> {
    with_call(input, environment, true, |call| {
        status_line::line(&call.environment.paths, call.environment.now)
    })
    .ok()?
}

/// Records that the output of [`handle`] for the call could not be printed, so that the question is
/// asked after all, and its answer is the person's.
pub fn withdraw(input: &[u8], environment: &Environment) {
    // What could not be read was not decided.
    let _ = with_call(input, environment, false, |call| {
        if call.sent.question_tool().is_some() {
            ask::log_withdrawn(call).unwrap_or_else(|error| call.log_error(&error));
        }
        None
    });
}

/// Logs a failure of the hook itself, outside of any call.
pub fn log_failure(environment: &Environment, error: &str) {
    let here = own_folder();
    let Some(paths) = environment.paths.for_logging(&environment.session(&here)) else {
        return;
    };
    let call = Call {
        environment: &Environment {
            paths,
            ..environment.clone()
        },
        sent: &HookCall::default(),
        refusal: None,
    };
    call.log_error(error);
}

/// The result of `act` for the call in `input`; nothing if no folder may be used. `is_first` unless the call
/// was seen before.
///
/// # Errors
/// The fault in the input.
fn with_call(
    input: &[u8],
    environment: &Environment,
    is_first: bool,
    act: impl Fn(&Call<'_>) -> Option<String>,
) -> Result<Option<String>, String> {
    let text = String::from_utf8_lossy(input);
    let mut sent = environment.agent.decode(&text)?;
    let here = match Path::new(sent.cwd()) {
        cwd if cwd.is_absolute() => cwd.to_owned(),
        _ => own_folder(),
    };
    let session = environment.session(&here);
    let refusal = environment.paths.refusal(&session);
    let mut safe = None;
    if refusal.is_some() {
        let Some(paths) = environment.paths.for_logging(&session) else {
            return Ok(None);
        };
        safe = Some(Environment {
            paths,
            ..environment.clone()
        });
    }
    let environment = safe.as_ref().unwrap_or(environment);
    number_call(environment, &mut sent, is_first);
    Ok(act(&Call {
        environment,
        sent: &sent,
        refusal: refusal.as_ref(),
    }))
}

/// The folder of this process, which is that of the session.
fn own_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

/// True if a plugin started the hook, and Claude Code's settings start it as well.
fn is_left_to_settings(call: &Call<'_>) -> bool {
    let environment = call.environment;
    let project = environment.project_root.as_deref();
    let now = environment.now.timestamp();
    environment.by_plugin && settings_entry::takes(call.sent.event_name(), project, now)
}

fn dispatch(call: &Call<'_>) -> Printed {
    match call.sent.moment {
        Moment::Asking(tool) => pre_tool_use::handle(call, tool),
        Moment::Answered => post_tool_use::handle(call),
        Moment::Failed => post_tool_use::handle_failure(call),
        Moment::NotTaken => ask::log_withdrawn(call).map(|()| None),
        Moment::PromptAsked => permission::log(call, Kind::PermissionAsked),
        Moment::PromptDecided => permission::decided(call),
        Moment::PromptDenied => permission::log(call, Kind::PermissionDenied),
        Moment::SkillCommand => permission::log(call, Kind::SkillCommand),
        Moment::SessionStarted => session::started(call),
        Moment::SessionEnded => session::ended(call),
        Moment::Prompted => Ok(session::prompted(call)),
        Moment::TurnEnded => Ok(session::turn_ended(call)),
        Moment::Other => Ok(None),
    }
}

/// Gives a call about a question an id if its agent gives none. `is_first` unless the call was seen before.
fn number_call(environment: &Environment, sent: &mut HookCall<'_>, is_first: bool) {
    let agent = environment.agent;
    let is_asking = sent.question_tool().is_some();
    if agent.known().has_call_ids || !(is_asking || sent.moment == Moment::Answered) {
        return;
    }
    let questions = agent.questions(&sent.json("tool_input"));
    let (paths, session) = (&environment.paths, sent.session_id());
    let digest = agents::questions_digest(&questions);
    let number = marks::number(paths, session, &digest, is_asking && is_first);
    let id = agents::call_id(agent, session, &questions, number);
    sent.set_text("tool_use_id", id);
}

// Where and when a call happens.

/// The environment of a call.
#[derive(Clone, Debug)]
pub struct Environment {
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

impl Environment {
    /// The session of a call whose working directory is `cwd`.
    fn session<'a>(&'a self, cwd: &'a Path) -> Session<'a> {
        Session {
            cwd,
            project_root: self.project_root.as_deref(),
            home: None,
        }
    }
}
