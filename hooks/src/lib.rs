//! A hook call from end to end: what an agent sends, what is decided and logged, and what is printed.
//!
//! This crate runs while a person waits. It links no DuckDB, Arrow, clap or async runtime, and
//! `scripts/check-hook-dependencies.sh` compares its dependencies with an allow-list. A call costs this much: it is
//! parsed, folders are searched up to `.git`, at most two preference files and two small TOML files are read, and one
//! write is appended to the log. No process is started, no store opened, and only a preference that the person sets in
//! the dialog is synced to disk.

use std::path::{Path, PathBuf};

use plantune_agents as agents;
use plantune_agents::{Moment, SentCall};
use plantune_domain::event::Kind;
use plantune_domain::status_line;

pub use call::CallEnvironment;
use call::{HookCall, Printed};

mod call;
mod fallback;
mod marks;
mod messages;
mod permission;
mod post_tool_use;
mod pre_tool_use;
mod reviewer;
mod session;
mod settings_entry;
mod spot_check;
mod taught;

/// Handles one call and returns what to print: a decision, or nothing.
///
/// Any error is logged as a `hook_error` event, and nothing is printed. Events that cannot be logged are counted.
pub fn handle(input: &[u8], environment: &CallEnvironment) -> Option<String> {
    let done = with_call(input, environment, true, |call| {
        if is_left_to_settings(call) {
            return None;
        }
        dispatch(call).unwrap_or_else(|error| {
            call.log_call_error(&error);
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
pub fn status_line(input: &[u8], environment: &CallEnvironment) -> Option<String> {
    with_call(input, environment, true, |call| {
        status_line::line(&call.environment.paths, call.environment.now)
    })
    .ok()?
}

/// Records that the output of [`handle`] for the call could not be printed, so that the question is
/// asked after all, and its answer is the person's.
pub fn withdraw(input: &[u8], environment: &CallEnvironment) {
    // If the input cannot be read, nothing was decided.
    let _ = with_call(input, environment, false, |call| {
        if call.sent.question_tool().is_some() {
            call::log_withdrawn(call).unwrap_or_else(|error| call.log_call_error(&error));
        }
        None
    });
}

/// Logs a failure of the hook itself, outside of any call.
pub fn log_failure(environment: &CallEnvironment, error: &str) {
    let here = own_folder();
    let Some(paths) = environment.paths.for_logging(&environment.session(&here)) else {
        return;
    };
    let call = HookCall {
        environment: &CallEnvironment {
            paths,
            ..environment.clone()
        },
        sent: &SentCall::default(),
        refusal: None,
    };
    call.log_error(error);
}

/// The result of `act` for the call in `input`; nothing if no folder may be used. `is_first` is true unless the call
/// was seen before.
///
/// # Errors
/// The fault in the input.
fn with_call(
    input: &[u8],
    environment: &CallEnvironment,
    is_first: bool,
    act: impl Fn(&HookCall<'_>) -> Option<String>,
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
        safe = Some(CallEnvironment {
            paths,
            ..environment.clone()
        });
    }
    let environment = safe.as_ref().unwrap_or(environment);
    number_call(environment, &mut sent, is_first);
    Ok(act(&HookCall {
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
fn is_left_to_settings(call: &HookCall<'_>) -> bool {
    let environment = call.environment;
    let project = environment.project_root.as_deref();
    let now = environment.now.timestamp();
    environment.by_plugin && settings_entry::takes(call.sent.event_name(), project, now)
}

fn dispatch(call: &HookCall<'_>) -> Printed {
    match call.sent.moment {
        Moment::Asking(tool) => pre_tool_use::handle(call, tool),
        Moment::Answered => post_tool_use::handle(call),
        Moment::Failed => post_tool_use::handle_failure(call),
        Moment::NotTaken => call::log_withdrawn(call).map(|()| None),
        // Most dialogs open because nothing was answered.
        Moment::DialogOpens if call.sent.tool_use_id().is_empty() => Ok(None),
        Moment::DialogOpens => call::log_withdrawn(call).map(|()| None),
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

/// Gives a call about a question an id if its agent gives none. `is_first` is true unless the call was seen before. A
/// dialog that opens gets the id of the call that was answered, if one was.
fn number_call(environment: &CallEnvironment, sent: &mut SentCall<'_>, is_first: bool) {
    let agent = environment.agent;
    if sent.moment == Moment::DialogOpens {
        let questions = agent.questions(&sent.json("tool_input"));
        let digest = agents::questions_digest(&questions);
        let answered = marks::answered_call(&environment.paths, sent.session_id(), &digest);
        sent.set_text("tool_use_id", answered.unwrap_or_default());
        return;
    }
    let is_asking = sent.question_tool().is_some();
    if agent.profile().has_call_ids || !(is_asking || sent.moment == Moment::Answered) {
        return;
    }
    let questions = agent.questions(&sent.json("tool_input"));
    let (paths, session) = (&environment.paths, sent.session_id());
    let digest = agents::questions_digest(&questions);
    let number = marks::number(paths, session, &digest, is_asking && is_first);
    let id = agents::call_id(agent, session, &questions, number);
    sent.set_text("tool_use_id", id);
}
