//! One hook call from end to end: the hot path.
//!
//! What it costs: parse the call, walk up to `.git`, read at most two preference files and two
//! small TOML files, one append. No process is started, no store opened, and nothing synced but a
//! preference that the person teaches in the dialog.

mod answer;
mod ask;
mod assist;
mod call;
mod checked;
mod environment;
mod fallback;
mod nudge;
mod permission;
mod post_tool_use;
mod pre_tool_use;
mod session;
mod spot_checked;
mod taught;
mod withdraw;

use std::path::{Path, PathBuf};

use plantune_domain::status_line;
use plantune_domain::wire::QuestionTool;

use crate::settings_entry;
use crate::wire::HookCall;
use call::{Call, Printed};

pub use environment::Environment;

/// Handles one call and returns what to print: a decision, or nothing.
///
/// Whatever goes wrong is logged as a `hook_error` event and ends in nothing printed.
pub fn handle(input: &[u8], environment: &Environment) -> Option<String> {
    let done = with_call(input, environment, |call| {
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

/// The line for Claude Code's status line, which sends `input`; nothing where there is nothing to say, or the
/// input is not understood.
pub fn status_line(input: &[u8], environment: &Environment) -> Option<String> {
    with_call(input, environment, |call| {
        status_line::line(&call.environment.paths, call.environment.now)
    })
    .ok()?
}

/// Records that what [`handle`] returned for the call could not be printed, so that the question is
/// asked after all, and its answer is the person's.
pub fn withdraw(input: &[u8], environment: &Environment) {
    // What could not be read was not decided.
    let _ = with_call(input, environment, |call| {
        if question_tool(call).is_some() {
            withdraw::record(call).unwrap_or_else(|error| call.log_error(&error));
        }
        None
    });
}

/// Logs a failure of the hook's own, of which no call is known.
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

/// What `act` returns for the call that `input` is; nothing where no folder may be used.
///
/// # Errors
/// What is wrong with the input.
fn with_call(
    input: &[u8],
    environment: &Environment,
    act: impl Fn(&Call<'_>) -> Option<String>,
) -> Result<Option<String>, String> {
    let text = String::from_utf8_lossy(input);
    let sent: HookCall<'_> =
        serde_json::from_str(&text).map_err(|error| format!("input: {error}"))?;
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
    Ok(act(&Call {
        environment: safe.as_ref().unwrap_or(environment),
        sent: &sent,
        refusal: refusal.as_ref(),
    }))
}

/// Where this process runs, which is where the session does.
fn own_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

/// True when a plugin started the hook, and Claude Code's settings do so as well.
fn is_left_to_settings(call: &Call<'_>) -> bool {
    let environment = call.environment;
    let project = environment.project_root.as_deref();
    let now = environment.now.timestamp();
    environment.by_plugin && settings_entry::takes(call.sent.event_name(), project, now)
}

fn dispatch(call: &Call<'_>) -> Printed {
    if let Some(tool) = question_tool(call) {
        return pre_tool_use::handle(call, tool);
    }
    let tool = QuestionTool::from_name(call.sent.tool_name());
    match (call.sent.event_name(), tool) {
        ("PostToolUse", Some(_)) => post_tool_use::handle(call),
        ("PostToolUseFailure", Some(_)) => post_tool_use::handle_failure(call),
        // A question is no prompt for permission, though the host calls it one.
        ("PermissionRequest", None) => permission::asked(call),
        ("PermissionDenied", None) => permission::denied(call),
        ("SessionStart", _) => session::started(call),
        ("SessionEnd", _) => session::ended(call),
        // The second is not registered: clients that do not know it ignore settings that name it, all of them.
        ("UserPromptSubmit" | "UserPromptExpansion", _) => Ok(session::prompted(call)),
        ("Stop", _) => Ok(session::turn_ended(call)),
        _ => Ok(None),
    }
}

/// The tool whose question is about to be asked, if one is.
fn question_tool(call: &Call<'_>) -> Option<QuestionTool> {
    let is_asking = call.sent.event_name() == "PreToolUse";
    QuestionTool::from_name(call.sent.tool_name()).filter(|_| is_asking)
}
