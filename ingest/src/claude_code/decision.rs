//! What a result's line says of who decided about its call.

use plantune_domain::permissions::Reach;

use super::result_text::text_of;
use super::wire::{Line, PERMISSION_RULE, REFUSED, ToolResult, USER_REJECTED};

/// Since when transcripts say who allowed a call; earlier ones know refusals only.
const FIRST_WITH_DECISIONS: [u32; 3] = [2, 1, 294];

/// Since when a refusal is distinguished from a run that was broken off; before, the same words stand for both.
const FIRST_WITH_BEFORE_RUN: [u32; 3] = [2, 1, 326];

/// The reason of what the person refused, or allowed and then broke off.
pub(super) const UNCLEAR: &str = "unclear";

/// What stands before the person's own words there.
const SAID: &str = "the user said:\n";

/// How the host denies by a rule or a mode, in its words.
const DENIED: &str = "Permission to use ";

/// The tools that no mode asks about. An Esc while one of them runs breaks it off, and the transcripts of earlier
/// versions use the words of a refusal for that.
const NEVER_ASK: [&str; 24] = [
    "Agent",
    "AgentOutputTool",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "KillBash",
    "KillShell",
    "LSP",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    "SendMessage",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
];

/// The tools that ask about what lies outside the project, and about nothing else.
const ASK_OUTSIDE: [&str; 5] = ["Glob", "Grep", "LS", "NotebookRead", "Read"];

/// The modes in which nobody is asked.
const MODES_THAT_ASK_NOTHING: [&str; 2] = ["bypassPermissions", "dontAsk"];

/// Who decided about a call, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The person allowed it: `once`, `session`, `always`.
    Granted(&'static str),
    /// Nobody allowed it who was asked: the reason, and the person's words.
    Refused(&'static str, Option<String>),
    /// A permission mode, the classifier or a rule denied it; nobody was asked.
    Denied(&'static str),
    /// It ran, and nobody was asked.
    Unasked,
    /// A hook allowed it.
    AllowedByHook,
    /// A hook denied it, or a run was broken off, which says nothing about what had been asked.
    Nothing,
    /// The line says nothing about it.
    Silent,
    /// In a form that is not known.
    Unknown,
}

/// What `line` says of the call of its `result`.
pub(super) fn verdict(line: Line<'_>, result: &ToolResult<'_>) -> Verdict {
    let decision = match line.decision() {
        Some(Ok(decision)) => decision,
        Some(Err(_)) => return Verdict::Unknown,
        None => return denied(line, result),
    };
    let source = decision.source.as_str();
    // What a rule allowed is said to be the person's there, too.
    let is_person = decision.reason_type.is_none();
    let scope = decision.grant_scope.as_deref();
    match (decision.decision.as_str(), source) {
        ("accept", "config") => Verdict::Unasked,
        ("accept", "user_temporary" | "user_permanent") if !is_person => Verdict::Unasked,
        ("accept", "hook") => Verdict::AllowedByHook,
        ("accept", "user_permanent") => Verdict::Granted("always"),
        ("accept", "user_temporary") => match scope {
            // Until about 2.1.315 the scope is not said.
            None | Some("once") => Verdict::Granted("once"),
            Some("session") => Verdict::Granted("session"),
            Some(_) => Verdict::Unknown,
        },
        ("reject", "user_reject") if is_person => refused(line.feedback()),
        // The second where prompts are switched off (`--permission-prompts none`, `denyInsteadOfPrompting`): the
        // hook is called as for any prompt, and nobody sees one.
        ("reject", "config")
            if line.denial() == Some(USER_REJECTED)
                || decision.reason_type.as_deref() == Some("asyncAgent") =>
        {
            Verdict::Refused("nobody", None)
        }
        ("reject", "config" | "user_reject") => {
            Verdict::Denied(denier(decision.reason_type.as_deref()))
        }
        ("reject", "hook") => Verdict::Nothing,
        _ => Verdict::Unknown,
    }
}

/// True where nothing asks about a call of `tool` in `mode`, so that what looks like its refusal broke it off. Where
/// it is known to have come before the call ran, `word` is "rejected".
pub(super) fn asks_nothing(tool: &str, reach: Reach, mode: Option<&str>, word: &str) -> bool {
    never_asks(tool)
        || ASK_OUTSIDE.contains(&tool) && matches!(reach, Reach::Reads)
        || word != "rejected" && mode.is_some_and(|mode| MODES_THAT_ASK_NOTHING.contains(&mode))
}

/// True for the tools that no mode asks about.
pub(super) fn never_asks(tool: &str) -> bool {
    NEVER_ASK.contains(&tool)
}

fn refused(feedback: Option<&str>) -> Verdict {
    match feedback.map(str::trim).filter(|words| !words.is_empty()) {
        Some(words) => Verdict::Refused("feedback", Some(words.to_owned())),
        None => Verdict::Refused("rejected", None),
    }
}

/// Of a line without a decision.
fn denied(line: Line<'_>, result: &ToolResult<'_>) -> Verdict {
    let text = text_of(result);
    let version = line.version().and_then(numbers);
    let is_before = |first| version.is_none_or(|version| version < first);
    let is_earlier = is_before(FIRST_WITH_DECISIONS);
    let is_refusal = result.is_error && text.contains(REFUSED);
    match line.denial() {
        Some(USER_REJECTED) if line.was_denied_before_run() => refused(line.feedback()),
        Some(USER_REJECTED) | None if is_earlier && is_refusal => {
            match refused(text.split_once(SAID).map(|(_, words)| words)) {
                // Or they broke the run off: the same words stand there.
                Verdict::Refused(_, None) => Verdict::Refused("unknown", None),
                refused => refused,
            }
        }
        Some(USER_REJECTED) if is_before(FIRST_WITH_BEFORE_RUN) && is_refusal => {
            Verdict::Refused(UNCLEAR, None)
        }
        Some(USER_REJECTED) => Verdict::Nothing,
        // What a host's own person declined looks like what a rule denied, and a hook.
        Some(PERMISSION_RULE) if is_earlier && line.is_embedded() && !text.starts_with(DENIED) => {
            match text.contains(" hook error: ") {
                true => Verdict::Nothing,
                false => Verdict::Refused("unknown", None),
            }
        }
        Some(PERMISSION_RULE) => Verdict::Denied("rule"),
        Some("automode-blocked") => Verdict::Denied("classifier"),
        Some(_) => Verdict::Unknown,
        None => Verdict::Silent,
    }
}

/// What denied a call, in the words of events.
fn denier(reason_type: Option<&str>) -> &'static str {
    match reason_type {
        Some("classifier") => "classifier",
        Some("mode") => "mode",
        Some("rule" | "subcommandResults") => "rule",
        _ => "other",
    }
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.splitn(3, '.').map(|part| {
        let end = part.find(|c: char| !c.is_ascii_digit());
        part.get(..end.unwrap_or(part.len()))?.parse().ok()
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(line: &serde_json::Value, version: &str) -> Verdict {
        let mut line = line.clone();
        line["version"] = version.into();
        let content = line["text"].clone();
        let result = ToolResult {
            id: "",
            is_error: content.as_str().is_some_and(|text| !text.is_empty()),
            content: &content,
            returned: &serde_json::Value::Null,
        };
        verdict(Line(&line), &result)
    }

    #[test]
    fn who_decided() {
        let decision = |decision: &str, source: &str, scope: &str, reason: &str| {
            let mut said = json!({"decision": decision, "source": source});
            if !scope.is_empty() {
                said["grantScope"] = scope.into();
            }
            if !reason.is_empty() {
                said["reasonType"] = reason.into();
            }
            of(&json!({"permissionDecision": said}), "2.1.330")
        };
        for (is, expected) in [
            (
                decision("accept", "user_temporary", "once", ""),
                Verdict::Granted("once"),
            ),
            (
                decision("accept", "user_temporary", "", ""),
                Verdict::Granted("once"),
            ),
            (
                decision("accept", "user_temporary", "session", ""),
                Verdict::Granted("session"),
            ),
            (
                decision("accept", "user_temporary", "for ever", ""),
                Verdict::Unknown,
            ),
            (
                decision("accept", "user_permanent", "", ""),
                Verdict::Granted("always"),
            ),
            (
                decision("accept", "user_permanent", "", "rule"),
                Verdict::Unasked,
            ),
            (decision("accept", "config", "", "mode"), Verdict::Unasked),
            (
                decision("accept", "hook", "", "hook"),
                Verdict::AllowedByHook,
            ),
            (decision("reject", "hook", "", "hook"), Verdict::Nothing),
            (
                decision("reject", "config", "", "classifier"),
                Verdict::Denied("classifier"),
            ),
            (
                decision("reject", "config", "", "new"),
                Verdict::Denied("other"),
            ),
            (
                decision("reject", "user_reject", "", ""),
                Verdict::Refused("rejected", None),
            ),
            (decision("accept", "somebody", "", ""), Verdict::Unknown),
            (decision("defer", "config", "", ""), Verdict::Unknown),
        ] {
            assert_eq!(is, expected);
        }
        let odd = json!({"permissionDecision": {"decision": true, "source": "config"}});
        assert_eq!(of(&odd, "2.1.330"), Verdict::Unknown);
        let words = json!({"permissionDecision": {"decision": "reject", "source": "user_reject"},
            "userFeedback": " use pnpm "});
        let expected = Verdict::Refused("feedback", Some("use pnpm".to_owned()));
        assert_eq!(of(&words, "2.1.330"), expected);
    }

    #[test]
    fn lines_without_a_decision() {
        let unknown = Verdict::Refused("unknown", None);
        let refusal =
            "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        let plain = json!({"text": refusal});
        assert_eq!(of(&plain, "2.1.197"), unknown);
        assert_eq!(of(&plain, "2.1.330"), Verdict::Silent);
        let words = format!("{refusal} To tell you how to proceed, the user said:\nuse pnpm\n");
        let expected = Verdict::Refused("feedback", Some("use pnpm".to_owned()));
        assert_eq!(of(&json!({"text": words}), "2.1.33"), expected);
        let rejected = json!({"toolDenialKind": "user-rejected", "text": refusal});
        assert_eq!(of(&rejected, "2.1.330"), Verdict::Nothing);
        assert_eq!(of(&rejected, "2.1.276"), unknown);
        for version in ["2.1.294", "2.1.315", "2.1.325"] {
            assert_eq!(of(&rejected, version), Verdict::Refused("unclear", None));
        }
        assert_eq!(of(&rejected, "2.1.326"), Verdict::Nothing);
        let before = json!({"toolDenialKind": "user-rejected", "toolDenialBeforeRun": true});
        assert_eq!(of(&before, "2.1.330"), Verdict::Refused("rejected", None));
        let rule = |text: &str, entrypoint: &str| {
            let line = json!({"toolDenialKind": "permission-rule", "text": text,
                "entrypoint": entrypoint});
            of(&line, "2.1.288")
        };
        assert_eq!(rule("no", "sdk-cli"), unknown);
        assert_eq!(rule("no", "cli"), Verdict::Denied("rule"));
        assert_eq!(
            rule("PreToolUse:Bash hook error: no", "sdk-cli"),
            Verdict::Nothing
        );
        let denied = "Permission to use Bash with command x has been denied.";
        assert_eq!(rule(denied, "sdk-cli"), Verdict::Denied("rule"));
        assert_eq!(
            of(&json!({"toolDenialKind": "new"}), "2.1.330"),
            Verdict::Unknown
        );
        assert_eq!(
            of(&json!({"text": "Exit code 1"}), "2.1.197"),
            Verdict::Silent
        );
    }
}
