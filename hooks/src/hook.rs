//! One hook call from end to end: the hot path.
//!
//! What it costs: parse the call, walk up to `.git`, read at most two preference files and two
//! small TOML files, one append. No process is started, no store opened, nothing synced.

mod answer;
mod ask;
mod call;
mod environment;
mod fallback;
mod post_tool_use;
mod pre_tool_use;
mod session;
mod spot_checked;

use plantune_domain::wire::QuestionTool;

use crate::wire::HookCall;
use call::{Call, Printed};

pub use environment::Environment;

/// Handles one call and returns what to print: a decision, or nothing.
///
/// Whatever goes wrong is logged as a `hook_error` event and ends in nothing printed.
pub fn handle(input: &[u8], environment: &Environment) -> Option<String> {
    let text = String::from_utf8_lossy(input);
    let sent: HookCall<'_> = match serde_json::from_str(&text) {
        Ok(sent) => sent,
        Err(error) => {
            log(environment, &format!("input: {error}"));
            return None;
        }
    };
    let call = Call {
        environment,
        sent: &sent,
    };
    dispatch(&call).unwrap_or_else(|error| {
        call.log_error(&error);
        None
    })
}

/// Logs that the hook itself panicked.
pub fn log_panic(environment: &Environment, error: &str) {
    log(environment, error);
}

/// Logs an error of a call of which nothing is known.
fn log(environment: &Environment, error: &str) {
    let sent = &HookCall::default();
    Call { environment, sent }.log_error(error);
}

fn dispatch(call: &Call<'_>) -> Printed {
    let tool = QuestionTool::from_name(call.sent.tool_name());
    match (call.sent.event_name(), tool) {
        ("PreToolUse", Some(tool)) => pre_tool_use::handle(call, tool),
        ("PostToolUse", Some(_)) => post_tool_use::handle(call),
        ("PostToolUseFailure", Some(_)) => post_tool_use::handle_failure(call),
        ("SessionStart", _) => session::started(call),
        ("SessionEnd", _) => session::ended(call),
        ("Stop", _) => Ok(session::turn_ended(call)),
        _ => Ok(None),
    }
}
