//! Who decided about a call, according to the line of its result, and which of the hook's prompts the decision answers:
//! the hook gets a prompt without the id of its call.

use std::collections::HashMap;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::event::{DenialReason, Grant, Kind, RefusalReason};
use plantune_domain::permissions::{Described, DigestKey, Reach};
use plantune_domain::result_text::{Unfinished, unfinished};

use super::call::CallOrigin;
use super::wire::{DenialKind, REFUSED, ToolResult, TranscriptLine, text_of};

/// The first version whose transcripts say who allowed a call. Earlier ones record only refusals.
const FIRST_WITH_DECISIONS: [u32; 3] = [2, 1, 294];

/// The first version that distinguishes a refusal from an interrupted run. Earlier ones use the same words for both.
const FIRST_WITH_BEFORE_RUN: [u32; 3] = [2, 1, 326];

/// The text before the person's own words in a refusal.
const SAID: &str = "user said:\n";

/// The start of the host's message when a rule or a mode denies a call, or when a sub-agent in the background cannot
/// ask.
const DENIED: &str = "Permission to use ";

/// What the results of earlier versions say about a call that did not run, other than [`REFUSED`]: how the text starts,
/// what follows somewhere, and the verdict. The first row that fits counts. A call that an interruption found waiting
/// ("doesn't want to take this action right now") was not asked about, and has no row.
static WRITTEN: [(&str, &str, CallVerdict); 13] = [
    // A prompt of a sub-agent that the person refused.
    (
        "Permission for this tool use was denied. The tool use was rejected",
        "",
        REJECTED,
    ),
    // In an editor, where the plan and the changed file are shown.
    ("User chose to stay in plan mode", "", REJECTED),
    ("User cancelled the ", "", REJECTED),
    // With `-p`: the prompt that would have been shown.
    (
        "Claude requested permissions to ",
        "haven't granted it yet",
        NOBODY,
    ),
    ("This command requires approval", "", NOBODY),
    (
        "This Bash command contains multiple operations. ",
        " approval",
        NOBODY,
    ),
    ("Exit plan mode?", "", NOBODY),
    // The program that showed the prompt was closed.
    (
        "Tool permission request failed: ",
        "Tool permission stream closed",
        NOBODY,
    ),
    (
        "Permission for this action was denied by the Claude Code auto mode classifier",
        "",
        DENIED_BY_CLASSIFIER,
    ),
    (DENIED, " has been auto-denied", NOBODY),
    (DENIED, " in don't ask mode", DENIED_BY_MODE),
    // Advice to a sub-agent in the background. A rule gives none.
    (DENIED, " has been denied. IMPORTANT: ", NOBODY),
    (DENIED, " has been denied", DENIED_BY_RULE),
];

const REJECTED: CallVerdict = refused_for(RefusalReason::Rejected);
const NOBODY: CallVerdict = refused_for(RefusalReason::Nobody);
const DENIED_BY_MODE: CallVerdict = denied_for(DenialReason::Mode);
const DENIED_BY_CLASSIFIER: CallVerdict = denied_for(DenialReason::Classifier);
const DENIED_BY_RULE: CallVerdict = denied_for(DenialReason::Rule);

const fn refused_for(reason: RefusalReason) -> CallVerdict {
    CallVerdict::Decided(CallDecision::Refused(reason), None)
}

const fn denied_for(reason: DenialReason) -> CallVerdict {
    CallVerdict::Decided(CallDecision::Denied(reason), None)
}

const fn granted_for(grant: Grant) -> CallVerdict {
    CallVerdict::Decided(CallDecision::Granted(grant), None)
}

/// The tools that no mode asks about. Pressing Esc interrupts such a tool, and the transcripts of earlier versions
/// record that as a refusal.
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

/// The tools that ask only about files outside the project.
const ASK_OUTSIDE: [&str; 5] = ["Glob", "Grep", "LS", "NotebookRead", "Read"];

/// The modes in which nobody is asked.
const MODES_THAT_ASK_NOTHING: [&str; 2] = ["bypassPermissions", "dontAsk"];

/// A call that somebody decided about, or that was denied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    pub(crate) decision: CallDecision,
    /// The person's comment on the decision.
    pub(crate) feedback: Option<String>,
    pub(crate) of: CallOrigin,
    pub(crate) tool_use_id: String,
    pub(crate) tool_name: String,
    /// When the model made the call.
    pub(crate) called_at: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) described: Described,
    /// The unkeyed digest of its input.
    pub(crate) digest: String,
    /// How long it ran before its result came, in seconds, if known.
    pub(crate) ran_seconds: Option<f64>,
    /// Whether there was a prompt, when no hook logged one.
    pub(crate) prompt: MayPrompt,
    /// True when the same call ran at the same time.
    pub(crate) is_ambiguous: bool,
    /// True when other calls of the tool ran at the same time.
    pub(crate) has_company: bool,
}

/// How a call was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallDecision {
    /// The person allowed it.
    Granted(Grant),
    /// Somebody was asked, or was to be asked, and it did not run.
    Refused(RefusalReason),
    /// It was denied; nobody was asked.
    Denied(DenialReason),
}

impl CallDecision {
    /// The kind of its event.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Granted(_) => Kind::PermissionGranted,
            Self::Refused(_) => Kind::PermissionRefused,
            Self::Denied(_) => Kind::PermissionDenied,
        }
    }

    /// Its word in the event.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Granted(grant) => grant.as_str(),
            Self::Refused(reason) => reason.as_str(),
            Self::Denied(reason) => reason.as_str(),
        }
    }
}

/// Whether the person saw a prompt for a call, judging by its transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MayPrompt {
    /// They did, or may have.
    Yes,
    /// Only if a hook logged it: this tool or mode never asks about such a call.
    IfSeen,
    /// No. It waited behind the prompt of another call in the same message of the model, and one key press refused both.
    Behind,
}

/// Who decided about a call, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallVerdict {
    /// It was decided, and the person's words about it.
    Decided(CallDecision, Option<String>),
    /// It ran, and nobody was asked.
    Unasked,
    /// A hook allowed it.
    AllowedByHook,
    /// A hook denied it, or a run was interrupted, which does not show whether anybody was asked.
    Nothing,
    /// The line says nothing about a decision.
    Silent,
    /// The decision has an unknown form.
    Unknown,
}

/// The verdict in `line` on the call of `result`.
pub(super) fn verdict(line: TranscriptLine<'_>, result: &ToolResult<'_>) -> CallVerdict {
    if let Some(verdict) = undecided(line, result) {
        return verdict;
    }
    let decision = match line.decision() {
        Some(Ok(decision)) => decision,
        Some(Err(_)) => return CallVerdict::Unknown,
        None => return denied(line, result),
    };
    let source = decision.source.as_str();
    // Calls allowed by a rule are also attributed to the person there.
    let is_person = decision.reason_type.is_none();
    let scope = decision.grant_scope.as_deref();
    match (decision.decision.as_str(), source) {
        ("accept", "config") => CallVerdict::Unasked,
        ("accept", "user_temporary" | "user_permanent") if !is_person => CallVerdict::Unasked,
        ("accept", "hook") => CallVerdict::AllowedByHook,
        ("accept", "user_permanent") => granted_for(Grant::Always),
        ("accept", "user_temporary") => match scope {
            // Until about 2.1.315 the scope is missing.
            None | Some("once") => granted_for(Grant::Once),
            Some("session") => granted_for(Grant::Session),
            Some(_) => CallVerdict::Unknown,
        },
        ("reject", "user_reject") if is_person => refused(line.feedback()),
        // The second appears when prompts are switched off (`--permission-prompts none`, `denyInsteadOfPrompting`): the
        // hook is called as for any prompt, but nobody sees one.
        ("reject", "config")
            if line.denial() == Some(DenialKind::UserRejected)
                || decision.reason_type.as_deref() == Some("asyncAgent") =>
        {
            NOBODY
        }
        ("reject", "config" | "user_reject") => denied_for(denier(decision.reason_type.as_deref())),
        ("reject", "hook") => CallVerdict::Nothing,
        _ => CallVerdict::Unknown,
    }
}

/// The verdict on a call that nobody decided about, although its line may say that the person refused it.
fn undecided(line: TranscriptLine<'_>, result: &ToolResult<'_>) -> Option<CallVerdict> {
    if line.was_shut_down() || line.was_unanswered() {
        return Some(NOBODY);
    }
    if line.was_denied_after_run() {
        return Some(CallVerdict::Nothing);
    }
    if !result.is_error {
        return None;
    }
    match unfinished(&text_of(result))? {
        Unfinished::Unanswered => Some(NOBODY),
        Unfinished::Interrupted | Unfinished::SessionEnded | Unfinished::NeverShown => {
            Some(CallVerdict::Nothing)
        }
        Unfinished::Unknown => None,
    }
}

/// True when calls of `tool` in `mode` never cause a prompt, so an apparent refusal was an interruption. A call that
/// was rejected is known not to have run.
pub(super) fn asks_nothing(
    tool: &str,
    reach: Reach,
    mode: Option<&str>,
    reason: RefusalReason,
) -> bool {
    never_asks(tool)
        || ASK_OUTSIDE.contains(&tool) && matches!(reach, Reach::Reads)
        || reason != RefusalReason::Rejected
            && mode.is_some_and(|mode| MODES_THAT_ASK_NOTHING.contains(&mode))
}

/// True for the tools that no mode asks about.
pub(super) fn never_asks(tool: &str) -> bool {
    NEVER_ASK.contains(&tool)
}

fn refused(feedback: Option<&str>) -> CallVerdict {
    match feedback.map(str::trim).filter(|words| !words.is_empty()) {
        Some(words) => CallVerdict::Decided(
            CallDecision::Refused(RefusalReason::Feedback),
            Some(words.to_owned()),
        ),
        None => REJECTED,
    }
}

/// The verdict in the `text` of an error, in the words of earlier versions.
fn written(text: &str) -> Option<CallVerdict> {
    let fits = |(start, holds, _): &&(&str, &str, CallVerdict)| {
        let rest = text.strip_prefix(start);
        rest.is_some_and(|rest| rest.contains(holds))
    };
    let (.., verdict) = WRITTEN.iter().find(fits)?;
    let words = text.split_once(SAID).map(|(_, words)| words);
    match verdict {
        &REJECTED => Some(refused(words)),
        verdict => Some(verdict.clone()),
    }
}

/// The verdict in a line without a decision.
fn denied(line: TranscriptLine<'_>, result: &ToolResult<'_>) -> CallVerdict {
    let text = text_of(result);
    let version = line.version().and_then(numbers);
    let is_before = |first| version.is_none_or(|version| version < first);
    let is_earlier = is_before(FIRST_WITH_DECISIONS);
    let is_refusal = result.is_error && text.contains(REFUSED);
    let written = written(&text).filter(|_| is_earlier && result.is_error);
    match line.denial() {
        Some(DenialKind::UserRejected) if line.was_denied_before_run() => refused(line.feedback()),
        Some(DenialKind::UserRejected) | None if is_earlier && is_refusal => {
            match refused(text.split_once(SAID).map(|(_, words)| words)) {
                // Or the person interrupted the run: the transcript uses the same words.
                REJECTED => refused_for(RefusalReason::Unknown),
                refused => refused,
            }
        }
        Some(DenialKind::UserRejected) if is_before(FIRST_WITH_BEFORE_RUN) && is_refusal => {
            refused_for(RefusalReason::Unclear)
        }
        Some(DenialKind::UserRejected) => written.unwrap_or(CallVerdict::Nothing),
        // A call that the person declined in a program that embeds the host looks the same as one denied by a rule or a
        // hook.
        Some(DenialKind::PermissionRule)
            if is_earlier && line.is_embedded() && written.is_none() =>
        {
            match text.contains(" hook error: ") {
                true => CallVerdict::Nothing,
                false => refused_for(RefusalReason::Unknown),
            }
        }
        Some(DenialKind::PermissionRule) => written.unwrap_or(DENIED_BY_RULE),
        Some(DenialKind::Classifier) => DENIED_BY_CLASSIFIER,
        Some(DenialKind::Interrupted | DenialKind::Cancelled) => CallVerdict::Nothing,
        Some(DenialKind::Other) => CallVerdict::Unknown,
        None => written.unwrap_or(CallVerdict::Silent),
    }
}

/// Why a call was denied.
fn denier(reason_type: Option<&str>) -> DenialReason {
    match reason_type {
        Some("classifier") => DenialReason::Classifier,
        Some("mode") => DenialReason::Mode,
        Some("rule" | "subcommandResults") => DenialReason::Rule,
        _ => DenialReason::Other,
    }
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.splitn(3, '.').map(|part| {
        let end = part.find(|c: char| !c.is_ascii_digit());
        part.get(..end.unwrap_or(part.len()))?.parse().ok()
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

/// How far the clocks of host and hook may be apart.
const SLACK: TimeDelta = TimeDelta::seconds(1);

/// Prompts about one call within this time are the same prompt: the hook is registered twice.
const ONE_PROMPT: TimeDelta = TimeDelta::seconds(2);

/// A permission prompt that the hook logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedPrompt {
    /// The id of its event.
    pub id: String,
    /// When the person was asked.
    pub at: DateTime<Utc>,
    /// The hash of the call's input.
    pub input_digest: Option<String>,
}

/// Who asked: session, agent and tool.
type Asker = (String, Option<String>, String);

/// What the store knows that reading histories needs: the prompts without a known decision, and the projects.
#[derive(Debug, Default)]
pub struct Prompts {
    /// The keys of the projects with questions.
    pub(crate) projects: Vec<String>,
    /// Ordered by time. A prompt is removed when its decision is found.
    open: HashMap<Asker, Vec<LoggedPrompt>>,
    /// Decisions from this time on, except those in the future, are left for the next run: their prompts may have been
    /// logged after the prompts were looked up.
    looked_up: Option<DateTime<Utc>>,
    key: Option<DigestKey>,
}

impl Prompts {
    /// Adds a prompt for `tool` in a session or one of its sub-agents.
    pub fn add(&mut self, session: &str, agent: Option<&str>, tool: &str, prompt: LoggedPrompt) {
        let asker = (
            session.to_owned(),
            agent.map(str::to_owned),
            tool.to_owned(),
        );
        let open = self.open.entry(asker).or_default();
        let after = open.partition_point(|other| (other.at, &other.id) <= (prompt.at, &prompt.id));
        open.insert(after, prompt);
    }

    /// Sets the `key` for digests of the calls' inputs, which the hook uses, too.
    #[must_use]
    pub(crate) fn with_key(self, key: Option<DigestKey>) -> Self {
        Self { key, ..self }
    }

    /// True when a prompt of the session is open.
    pub(crate) fn are_of(&self, session: &str) -> bool {
        self.open.keys().any(|(of, ..)| of == session)
    }

    /// The digest of the call's input in its logged form; `None` without a key.
    pub(super) fn digest(&self, decided: &Decided) -> Option<String> {
        Some(self.key.as_ref()?.digest(&[&decided.digest]))
    }

    /// Leaves out decisions from `looked_up` on, the time when the prompts were looked up.
    pub(crate) fn leave_out_since(&mut self, looked_up: DateTime<Utc>) {
        self.looked_up = Some(looked_up);
    }

    /// Leaves nothing out.
    pub(crate) fn with_all(self) -> Self {
        Self {
            looked_up: None,
            ..self
        }
    }

    /// True for a decision that came while the transcripts were read.
    pub(super) fn is_too_new(&self, decided: &Decided) -> bool {
        let at = decided.of.at.as_deref().and_then(time);
        match (self.looked_up, at) {
            (Some(from), Some(at)) => from <= at && at <= DateTime::<Utc>::from(SystemTime::now()),
            _ => false,
        }
    }

    /// Removes and returns the prompt that `decided` answers.
    pub(super) fn take(&mut self, decided: &Decided) -> Option<LoggedPrompt> {
        let of = &decided.of;
        let digest = self.digest(decided);
        let asker = (
            of.session_id.clone(),
            of.agent_id.clone(),
            decided.tool_name.clone(),
        );
        let open = self.open.get_mut(&asker)?;
        let to = time(of.at.as_deref()?)?;
        let from = decided.called_at.as_deref().and_then(time).unwrap_or(to);
        // Hooks of earlier versions had no key.
        let is_same = |prompt: &LoggedPrompt| {
            let logged = prompt.input_digest.as_deref();
            logged
                .is_some_and(|logged| logged == decided.digest || Some(logged) == digest.as_deref())
        };
        let within = |prompt: &LoggedPrompt, slack: TimeDelta| {
            prompt.at >= from - slack && prompt.at <= to + slack
        };
        let exact = |slack| {
            open.iter()
                .position(|prompt| is_same(prompt) && within(prompt, slack))
        };
        let found = exact(TimeDelta::zero()).or_else(|| exact(SLACK));
        // A hook may have changed the input before the person saw it.
        let other = || {
            let mut inside = open.iter().enumerate();
            let mut inside = inside
                .by_ref()
                .filter(|(_, prompt)| within(prompt, TimeDelta::zero()));
            let (at, _) = inside.next()?;
            (inside.next().is_none() && !decided.has_company).then_some(at)
        };
        let prompt = open.remove(found.or_else(other)?);
        if !decided.is_ambiguous {
            open.retain(|again| {
                let is_again = again.input_digest == prompt.input_digest
                    && within(again, TimeDelta::zero())
                    && again.at - prompt.at <= ONE_PROMPT;
                !is_again
            });
        }
        Some(prompt)
    }
}

/// How long the person was asked before they decided, in seconds.
pub(super) fn waited(decided: &Decided, prompt: &LoggedPrompt) -> Option<f64> {
    let result = time(decided.of.at.as_deref()?)?;
    let seconds = (result - prompt.at).as_seconds_f64() - decided.ran_seconds?;
    (seconds >= 0.0).then_some((seconds * 1000.0).round() / 1000.0)
}

fn time(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.to_utc())
}

#[cfg(test)]
mod tests {
    use super::MayPrompt;
    use super::*;
    use crate::claude_code::call::CallOrigin;
    use plantune_domain::permissions::describe;
    use serde_json::json;

    fn of(line: &serde_json::Value, version: &str) -> CallVerdict {
        let mut line = line.clone();
        line["version"] = version.into();
        let content = line["text"].clone();
        let result = ToolResult {
            id: "",
            is_error: content.as_str().is_some_and(|text| !text.is_empty()),
            content: &content,
            returned: &serde_json::Value::Null,
        };
        verdict(TranscriptLine(&line), &result)
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
                granted_for(Grant::Once),
            ),
            (
                decision("accept", "user_temporary", "", ""),
                granted_for(Grant::Once),
            ),
            (
                decision("accept", "user_temporary", "session", ""),
                granted_for(Grant::Session),
            ),
            (
                decision("accept", "user_temporary", "for ever", ""),
                CallVerdict::Unknown,
            ),
            (
                decision("accept", "user_permanent", "", ""),
                granted_for(Grant::Always),
            ),
            (
                decision("accept", "user_permanent", "", "rule"),
                CallVerdict::Unasked,
            ),
            (
                decision("accept", "config", "", "mode"),
                CallVerdict::Unasked,
            ),
            (
                decision("accept", "hook", "", "hook"),
                CallVerdict::AllowedByHook,
            ),
            (decision("reject", "hook", "", "hook"), CallVerdict::Nothing),
            (
                decision("reject", "config", "", "classifier"),
                DENIED_BY_CLASSIFIER,
            ),
            (
                decision("reject", "config", "", "new"),
                denied_for(DenialReason::Other),
            ),
            (decision("reject", "user_reject", "", ""), REJECTED),
            (decision("accept", "somebody", "", ""), CallVerdict::Unknown),
            (decision("defer", "config", "", ""), CallVerdict::Unknown),
        ] {
            assert_eq!(is, expected);
        }
        let odd = json!({"permissionDecision": {"decision": true, "source": "config"}});
        assert_eq!(of(&odd, "2.1.330"), CallVerdict::Unknown);
        let words = json!({"permissionDecision": {"decision": "reject", "source": "user_reject"},
            "userFeedback": " use pnpm "});
        let expected = CallVerdict::Decided(
            CallDecision::Refused(RefusalReason::Feedback),
            Some("use pnpm".to_owned()),
        );
        assert_eq!(of(&words, "2.1.330"), expected);
    }

    #[test]
    fn lines_without_a_decision() {
        let unknown = refused_for(RefusalReason::Unknown);
        let refusal =
            "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        let plain = json!({"text": refusal});
        assert_eq!(of(&plain, "2.1.197"), unknown);
        assert_eq!(of(&plain, "2.1.330"), CallVerdict::Silent);
        let words = format!("{refusal} To tell you how to proceed, the user said:\nuse pnpm\n");
        let expected = CallVerdict::Decided(
            CallDecision::Refused(RefusalReason::Feedback),
            Some("use pnpm".to_owned()),
        );
        assert_eq!(of(&json!({"text": words}), "2.1.33"), expected);
        let rejected = json!({"toolDenialKind": "user-rejected", "text": refusal});
        assert_eq!(of(&rejected, "2.1.330"), CallVerdict::Nothing);
        assert_eq!(of(&rejected, "2.1.276"), unknown);
        for version in ["2.1.294", "2.1.315", "2.1.325"] {
            assert_eq!(of(&rejected, version), refused_for(RefusalReason::Unclear));
        }
        assert_eq!(of(&rejected, "2.1.326"), CallVerdict::Nothing);
        let before = json!({"toolDenialKind": "user-rejected", "toolDenialBeforeRun": true});
        assert_eq!(of(&before, "2.1.330"), REJECTED);
        let rule = |text: &str, entrypoint: &str| {
            let line = json!({"toolDenialKind": "permission-rule", "text": text,
                "entrypoint": entrypoint});
            of(&line, "2.1.288")
        };
        assert_eq!(rule("no", "sdk-cli"), unknown);
        assert_eq!(rule("no", "cli"), DENIED_BY_RULE);
        assert_eq!(
            rule("PreToolUse:Bash hook error: no", "sdk-cli"),
            CallVerdict::Nothing
        );
        let denied = "Permission to use Bash with command x has been denied.";
        assert_eq!(rule(denied, "sdk-cli"), DENIED_BY_RULE);
        assert_eq!(
            of(&json!({"toolDenialKind": "new"}), "2.1.330"),
            CallVerdict::Unknown
        );
        assert_eq!(
            of(&json!({"text": "Exit code 1"}), "2.1.197"),
            CallVerdict::Silent
        );
        let agent =
            "Permission to use Write has been denied. IMPORTANT: You *may* try another way.";
        assert_eq!(of(&json!({"text": agent}), "2.1.81"), NOBODY);
        assert_eq!(of(&json!({"text": agent}), "2.1.330"), CallVerdict::Silent);
        for (kind, text, expected) in [
            ("automode-unavailable", "x", DENIED_BY_CLASSIFIER),
            ("automode-parsing-error", "x", DENIED_BY_CLASSIFIER),
            ("interrupted", "x", CallVerdict::Nothing),
            ("cancelled", "x", CallVerdict::Nothing),
            (
                "cancelled",
                "[Tool call not completed: an approval request expired",
                NOBODY,
            ),
            (
                "cancelled",
                "[Tool call skipped: the turn was stopped",
                CallVerdict::Nothing,
            ),
            (
                "user-rejected",
                "The user doesn't want to proceed with this tool use. Correction to the text above: this call was stopped while running, not refused before it ran.",
                CallVerdict::Nothing,
            ),
        ] {
            let line = json!({"toolDenialKind": kind, "toolDenialBeforeRun": true, "text": text});
            assert_eq!(of(&line, "2.1.332"), expected, "{kind}: {text}");
        }
        // Nobody refused, although the line says so.
        for (field, value) in [
            ("interruptedByShutdown", json!(true)),
            ("toolDenialUnanswered", json!("stream-closed")),
        ] {
            let mut line = before.clone();
            line[field] = value;
            assert_eq!(of(&line, "2.1.332"), NOBODY);
        }
        let unmarked = json!({"text": "[Tool call not completed: an approval request expired"});
        assert_eq!(of(&unmarked, "2.1.332"), NOBODY);
        let plan = json!({"toolDenialKind": "user-rejected",
            "text": "User chose to stay in plan mode and continue planning"});
        assert_eq!(of(&plan, "2.1.276"), REJECTED);
    }

    fn decided(called: &str, at: &str) -> Decided {
        let time = |seconds: &str| format!("2026-11-21T10:00:{seconds}Z");
        Decided {
            decision: CallDecision::Refused(RefusalReason::Rejected),
            feedback: None,
            of: CallOrigin {
                at: Some(time(at)),
                session_id: "s".to_owned(),
                ..CallOrigin::default()
            },
            tool_use_id: "t".to_owned(),
            tool_name: "Bash".to_owned(),
            called_at: Some(time(called)),
            skill: None,
            described: describe("Bash", &json!({"command": "npm test"}), "/"),
            digest: "same".to_owned(),
            ran_seconds: Some(0.0),
            prompt: MayPrompt::Yes,
            is_ambiguous: false,
            has_company: false,
        }
    }

    fn prompts(all: &[(&str, &str)]) -> Prompts {
        let mut prompts = Prompts::default();
        for (seconds, digest) in all {
            let prompt = LoggedPrompt {
                id: (*seconds).to_owned(),
                at: time(&format!("2026-11-21T10:00:{seconds}Z")).unwrap(),
                input_digest: Some((*digest).to_owned()),
            };
            prompts.add("s", None, "Bash", prompt);
        }
        prompts
    }

    fn taken(prompts: &mut Prompts, decided: &Decided) -> Option<String> {
        prompts.take(decided).map(|prompt| prompt.id)
    }

    #[test]
    fn calls_take_the_prompts_between_call_and_result() {
        let all = [("01.500", "same"), ("12.000", "same"), ("30.000", "same")];
        let mut open = prompts(&all);
        let mut other = decided("01.000", "05.000");
        other.of.agent_id = Some("agent".to_owned());
        assert_eq!(taken(&mut open, &other), None);
        assert_eq!(
            taken(&mut open, &decided("11.900", "20.000")).unwrap(),
            "12.000"
        );
        assert_eq!(
            taken(&mut open, &decided("01.000", "05.000")).unwrap(),
            "01.500"
        );
        assert_eq!(taken(&mut open, &decided("01.000", "05.000")), None);
        // The clocks differ slightly.
        assert_eq!(
            taken(&mut open, &decided("30.400", "31.000")).unwrap(),
            "30.000"
        );
    }

    #[test]
    fn one_prompt_logged_twice() {
        let all = [("01.000", "same"), ("01.200", "same"), ("04.000", "same")];
        let mut open = prompts(&all);
        let whole = decided("00.900", "09.000");
        assert_eq!(taken(&mut open, &whole).unwrap(), "01.000");
        assert_eq!(taken(&mut open, &whole).unwrap(), "04.000");
        // Identical calls each get their own prompt.
        let mut open = prompts(&all);
        let ambiguous = Decided {
            is_ambiguous: true,
            ..whole
        };
        assert_eq!(taken(&mut open, &ambiguous).unwrap(), "01.000");
        assert_eq!(taken(&mut open, &ambiguous).unwrap(), "01.200");
    }

    #[test]
    fn an_input_that_a_hook_changed() {
        let alone = decided("01.000", "05.000");
        assert_eq!(
            taken(&mut prompts(&[("02.000", "other")]), &alone).unwrap(),
            "02.000"
        );
        let both = [("02.000", "other"), ("03.000", "third")];
        assert_eq!(taken(&mut prompts(&both), &alone), None);
        let beside = Decided {
            has_company: true,
            ..alone
        };
        assert_eq!(taken(&mut prompts(&[("02.000", "other")]), &beside), None);
    }

    #[test]
    fn how_long_it_was_asked() {
        let at = |seconds: &str| prompts(&[(seconds, "same")]).take(&decided("01.000", "09.000"));
        let seconds = |prompt: &str, ran| {
            let decided = Decided {
                ran_seconds: ran,
                ..decided("01.000", "09.000")
            };
            waited(&decided, &at(prompt).unwrap())
        };
        assert_eq!(seconds("02.500", Some(0.0)), Some(6.5));
        assert_eq!(seconds("02.500", Some(1.25)), Some(5.25));
        assert_eq!(seconds("02.500", Some(7.0)), None);
        assert_eq!(seconds("02.500", None), None);
    }

    #[test]
    fn what_is_decided_meanwhile_is_left_for_later() {
        let mut open = Prompts::default();
        let decided = decided("01.000", "09.000");
        assert!(!open.is_too_new(&decided));
        open.leave_out_since(time("2026-11-21T10:00:10Z").unwrap());
        assert!(!open.is_too_new(&decided));
        open.leave_out_since(time("2000-01-01T00:00:00Z").unwrap());
        let mut past = decided.clone();
        past.of.at = Some("2001-01-01T00:00:00Z".to_owned());
        assert!(open.is_too_new(&past));
        past.of.at = Some("2999-01-01T00:00:00Z".to_owned());
        assert!(!open.is_too_new(&past));
    }
}
