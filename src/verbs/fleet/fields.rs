//! What leaves the machine of each field, at each level. `docs/development/fleet.md` shows the same table.

#[cfg(test)]
use super::config::Level;

use Treatment::{Full, Identity, Kept, Key, Labels, Name, Subject, Word};

/// What becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Numbers, truth values and times: as they are, at every level.
    Kept,
    /// One of these words; whatever else stands there is `other`. At every level.
    Word(&'static [&'static str]),
    /// A keyed hash at every level, so that machines of different levels agree; the text says of what.
    Identity(&'static str),
    /// A question's key: as it is where a marker names it or it is a hash; the names that rules of the registry
    /// give may be made of questions' texts: keyed hashes, at every level.
    Key,
    /// The name of a command (without its slash), skill, plugin or tool: as it is where it is a plain name, else a keyed hash.
    Name,
    /// Offered labels: keyed hashes, and in clear from `keys-and-labels` on. Elsewhere than in events about
    /// a question, in clear at `full` alone: a permission rule stands there, too.
    Labels,
    /// What a prompt for permission is about: a keyed hash, and in clear at `full`.
    Subject,
    /// At `full` alone.
    Full,
}

#[cfg(test)]
impl Treatment {
    /// What a column holds at a level, in a word.
    pub(super) fn at(self, level: Level) -> &'static str {
        match (self, level) {
            (Kept, _) => "as it is",
            (Word(_), _) => "a known word",
            (Identity(_), _) => "keyed hash",
            (Key, _) => "key, or keyed hash",
            (Name, _) => "plain name",
            (Labels, Level::None) | (Subject, Level::None | Level::KeysAndLabels) => "keyed hash",
            (Labels, _) | (Subject | Full, Level::Full) => "in clear",
            (Full, _) => "nothing",
        }
    }
}

/// The kinds of events that are published; of what a later version logs, this one cannot know what it holds.
pub(super) const KINDS: &[&str] = &[
    "asked",
    "auto_decided",
    "answered",
    "dismissed",
    "failed",
    "session_started",
    "session_ended",
    "preference_changed",
    "hook_error",
    "permission_asked",
    "permission_granted",
    "permission_refused",
    "permission_denied",
    "permission_auto",
];

/// What becomes of the field `name` of events. One that is not named here leaves at `full` alone.
pub(super) fn treatment(name: &str) -> Treatment {
    match name {
        "id" | "asked_id" => Identity("event"),
        "session_id" => Identity("session"),
        "project" => Identity("project"),
        "agent_id" => Identity("agent"),
        "tool_use_id" => Identity("call"),
        "input_digest" => Identity("input"),
        "question_key" => Key,
        "options" | "recommended" | "answer" => Labels,
        "skill" => Name,
        "subject" => Subject,
        "v"
        | "ts"
        | "question_index"
        | "question_count"
        | "multi_select"
        | "was_auto_decided"
        | "followed_recommendation"
        | "assisted"
        | "reach"
        | "waited_seconds"
        | "ambiguous"
        | "calls"
        | "truncated" => Kept,
        _ => words(name).map_or(Full, Word),
    }
}

/// The words that a field may hold, where it is one of a closed set.
#[rustfmt::skip]
fn words(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "kind" => KINDS,
        "session_kind" => &["interactive", "headless", "spawned", "unknown"],
        "permission_mode" => &["default", "plan", "acceptEdits", "bypassPermissions", "dontAsk", "auto"],
        "entrypoint" => &[
            "cli", "sdk-cli", "sdk-ts", "sdk-py", "claude-vscode", "claude-desktop", "github-action", "mcp",
        ],
        "agent" => &["codex", "gemini", "opencode", "qwen"],
        "source" => &[
            "hook", "cli", "dialog", "import:claude-code", "import:gstack", "import:codex", "import:gemini",
            "import:opencode", "import:qwen",
        ],
        "tool_name" => &[
            "AskUserQuestion", "Bash", "BashOutput", "Edit", "ExitPlanMode", "Glob", "Grep", "KillShell", "LS",
            "MultiEdit", "NotebookEdit", "Read", "Skill", "SlashCommand", "Task", "TodoWrite", "WebFetch",
            "WebSearch", "Write",
        ],
        "key_source" => &["marker", "registry", "fingerprint", "family"],
        "door" => &["two-way", "one-way"],
        "ask_reason" => &[
            "no_preference", "always_ask", "one_way", "ambiguous", "partial_call", "split", "spot_check", "disabled",
        ],
        "preference" => &[
            "never-ask", "always-ask", "ask-only-for-one-way", "assist", "away", "reask", "reviewer",
            "permission-rule",
        ],
        "preference_scope" => &["project", "global", "session"],
        "mechanism" => &["allow", "deny", "reviewer"],
        "level" => &["standing", "trial", "away"],
        "grant" => &["once", "session", "always"],
        "error_kind" => &[
            "missing_result", "validation", "denied", "mcp_error", "connection_closed", "tool_error", "hook",
        ],
        "reason" => &[
            // asked
            "not_printed", "not_awaited", "answers_in_input", "none_recommended", "several_recommended", "not_bound",
            "tool_differs", "options_differ", "multi_select_differs", "text_differs", "header_differs",
            "preview_differs", "new_in_question", "asks_something_else", "new_in_description", "unknown_field",
            "look_alike_options", "pinned_not_offered",
            "several_markers", "preferences_disagree", "same_text_twice", "registry_unreadable",
            "preferences_unreadable", "configuration_unreadable", "environment", "configuration", "roots_refused",
            // dismissed, and prompts
            "clarify", "rejected", "follow_up", "afk_timeout", "interrupted", "no_answer", "feedback", "nobody",
            "unknown", "unclear", "cancelled", "classifier", "mode", "rule", "denied",
            // sessions
            "startup", "resume", "clear", "compact", "logout", "prompt_input_exit",
        ],
        _ => return None,
    })
}
