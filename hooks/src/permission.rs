//! Permission prompts: logs what is asked, what was decided, what was denied without asking, and the commands that a
//! skill's text runs. It prints nothing: the host decides by its own rules.

use std::path::Path;

use plantune_agents as agents;
use plantune_domain::event::{Kind, RefusalReason};
use plantune_domain::hash;
use plantune_domain::json::Text;
use plantune_domain::permissions::DigestKey;
use plantune_domain::permissions::{describe_with, digest, event_id, input_in_history};
use plantune_domain::project::project_key;
use plantune_domain::secrets::{masked, masked_path};
use plantune_domain::session_kind::SessionKind;

use crate::call::{HookCall, Printed, event_lines};
use crate::marks;

/// Logs how the person decided, if the agent says so at once.
pub(crate) fn decided(call: &HookCall<'_>) -> Printed {
    let kind = match call.sent.text("grant") {
        Some(_) => Kind::PermissionGranted,
        None => Kind::PermissionRefused,
    };
    log(call, kind)
}

/// Logs the outcome of a prompt, by the event's kind: that the person is asked whether a tool may run, how they
/// decided, or that nobody was asked. If the agent does not say how, the transcript will, which is not
/// opened here.
pub(crate) fn log(call: &HookCall<'_>, kind: Kind) -> Printed {
    let (sent, environment) = (call.sent, call.environment);
    if environment.disabled {
        return Ok(None);
    }
    let tool = sent.tool_name();
    if tool.is_empty() {
        return Err(format!("{}: no tool", sent.event_name()).into());
    }
    let input = call.input();
    let registry = call.registry().unwrap_or_default();
    let about = describe_with(tool, &input, sent.cwd(), registry.own_reaches());
    let key = DigestKey::of(&environment.paths);
    let compared = match agents::in_event(environment.agent) {
        Some(_) => input_in_history(tool, &input),
        None => &input,
    };
    let input_digest = key.map(|key| key.digest(&[&digest(tool, compared)]));
    let project = project_key(Path::new(sent.cwd()));
    let mut event = call.event(kind, &project);
    event.id = match sent.tool_use_id() {
        // A prompt does not say which call it is about, so only the time distinguishes two equal prompts.
        "" => {
            let time = environment.now.timestamp_micros().to_string();
            let agent = sent.agent_id().unwrap_or_default();
            let session = sent.session_id();
            let digest = input_digest.as_deref().unwrap_or_default();
            let parts = [kind.as_str(), session, agent, tool, digest, &time];
            hash::hex(&parts).into()
        }
        id => {
            event.tool_use_id = Some(id.into());
            event_id(kind, id).into()
        }
    };
    event.tool_name = Some(tool.into());
    event.skill = call.asker();
    let server = sent.json("mcp_server");
    let name = server.get("name").and_then(|name| name.as_str());
    event.mcp_server = name.map(Text::from);
    event.subject = Some(about.subject.into());
    event.reach = Some(about.reach);
    event.input = Some(about.input.into()).filter(|input: &Text<'_>| !input.is_empty());
    event.input_digest = input_digest.map(Text::from);
    match kind {
        Kind::PermissionDenied => {
            let noted = marks::set_denied(&environment.paths, sent.session_id(), true);
            noted.unwrap_or_else(|error| call.log_error(&format!("session mark: {error}")));
            event.reason = sent.text("reason").map(|reason| masked(reason).into());
        }
        Kind::PermissionGranted | Kind::PermissionRefused => {
            event.asked_id = Some(event_id(Kind::PermissionAsked, sent.tool_use_id()).into());
            event.grant = sent.text("grant").map(Text::from);
            let by = match environment.session_kind {
                SessionKind::Interactive => RefusalReason::Rejected,
                _ => RefusalReason::Nobody,
            };
            event.reason = event.grant.is_none().then(|| by.as_str().into());
            event.waited_seconds = Some(sent.json("waited_seconds").as_f64());
        }
        Kind::SkillCommand => event.skill = sent.text("command_name").map(Text::from),
        _ => {
            // The file in which a later command searches for the decision.
            event.transcript = sent
                .text("transcript_path")
                .map(|path| masked_path(path).into());
            let suggestions = environment.agent.suggestions(sent);
            event.suggestions = Some(
                suggestions
                    .iter()
                    .map(|text| masked(text).into_owned().into())
                    .collect(),
            );
        }
    }
    call.append(&event_lines([event])?)?;
    Ok(None)
}
