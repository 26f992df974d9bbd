//! What leaves the machine of each field, at each level. `docs/development/fleet-lake.md` shows the same table.

#[cfg(test)]
use crate::config::Level;

use Treatment::{Full, Identity, Kept, Key, Labels, Name, Subject, Word};

/// What becomes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
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
    pub(crate) fn at(self, level: Level) -> &'static str {
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
pub(crate) const KINDS: &[&str] = &[
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

/// Every field of an event, in the order of the columns (a test compares the two).
#[rustfmt::skip]
pub(crate) const FIELDS: &[(&str, Treatment)] = &[
    ("v", Kept),
    ("id", Identity("event")),
    ("ts", Kept),
    ("kind", Word(KINDS)),
    ("session_id", Identity("session")),
    ("session_kind", Word(&["interactive", "headless", "spawned", "unknown"])),
    ("project", Identity("project")),
    ("cwd", Full),
    ("permission_mode", Word(&[
        "default", "plan", "acceptEdits", "bypassPermissions", "dontAsk", "auto",
    ])),
    ("entrypoint", Word(&[
        "cli", "sdk-cli", "sdk-ts", "sdk-py", "claude-vscode", "claude-desktop", "github-action", "mcp",
    ])),
    ("agent_id", Identity("agent")),
    ("agent", Word(&["codex", "gemini", "opencode", "qwen"])),
    ("source", Word(&["hook", "cli", "dialog", "import:claude-code", "import:gstack", "import:codex",
        "import:gemini", "import:opencode", "import:qwen"])),
    ("tool_name", Word(&[
        "AskUserQuestion", "Bash", "BashOutput", "Edit", "ExitPlanMode", "Glob", "Grep", "KillShell", "LS",
        "MultiEdit", "NotebookEdit", "Read", "Skill", "SlashCommand", "Task", "TodoWrite", "WebFetch",
        "WebSearch", "Write",
    ])),
    ("tool_use_id", Identity("call")),
    ("question_index", Kept),
    ("question_count", Kept),
    ("question_key", Key),
    ("key_source", Word(&["marker", "registry", "fingerprint", "family"])),
    ("question", Full),
    ("header", Full),
    ("options", Labels),
    ("descriptions", Full),
    ("previews", Full),
    ("recommended", Labels),
    ("multi_select", Kept),
    ("door", Word(&["two-way", "one-way"])),
    ("door_reason", Full),
    ("skill", Name),
    ("ask_reason", Word(&[
        "no_preference", "always_ask", "one_way", "ambiguous", "partial_call", "split", "spot_check",
        "disabled",
    ])),
    ("answer", Labels),
    ("free_text", Full),
    ("notes", Full),
    ("was_auto_decided", Kept),
    ("followed_recommendation", Kept),
    ("preference", Word(&[
        "never-ask", "always-ask", "ask-only-for-one-way", "assist", "away", "reask", "reviewer",
        "permission-rule",
    ])),
    ("preference_scope", Word(&["project", "global", "session"])),
    ("mechanism", Word(&["allow", "deny", "reviewer"])),
    ("level", Word(&["standing", "trial", "away"])),
    ("assisted", Kept),
    ("shown", Full),
    ("subject", Subject),
    ("reach", Kept),
    ("input", Full),
    ("input_digest", Identity("input")),
    ("suggestions", Full),
    ("mcp_server", Full),
    ("transcript", Full),
    ("asked_id", Identity("event")),
    ("grant", Word(&["once", "session", "always"])),
    ("waited_seconds", Kept),
    ("ambiguous", Kept),
    ("calls", Kept),
    ("error", Full),
    ("error_kind", Word(&[
        "missing_result", "validation", "denied", "mcp_error", "connection_closed", "tool_error", "hook",
    ])),
    ("reason", Word(&[
        // asked
        "not_printed", "not_awaited", "answers_in_input", "none_recommended", "several_recommended", "not_bound",
        "tool_differs", "options_differ", "multi_select_differs", "text_differs", "header_differs",
        "description_differs", "preview_differs", "look_alike_options", "pinned_not_offered",
        "several_markers", "preferences_disagree", "same_text_twice", "registry_unreadable",
        "preferences_unreadable", "configuration_unreadable", "environment", "configuration", "roots_refused",
        // dismissed, and prompts
        "clarify", "rejected", "follow_up", "afk_timeout", "interrupted", "no_answer", "feedback", "nobody", "unknown",
        "unclear", "classifier", "mode", "rule", "denied",
        // sessions
        "startup", "resume", "clear", "compact", "logout", "prompt_input_exit",
    ])),
    ("detail", Full),
    ("truncated", Kept),
    ("extra", Full),
];

/// The columns that the lake has beside an event's fields, and what they hold at each level.
#[cfg(test)]
pub(crate) const ADDED: [(&str, [&str; 3]); 6] = [
    ("publisher", ["random id", "random id", "random id"]),
    ("ts_us", ["as it is", "as it is", "as it is"]),
    (
        "project_name",
        ["by `projects`", "by `projects`", "in clear"],
    ),
    ("key_name", ["nothing", "in clear", "in clear"]),
    ("answer_hash", ["keyed hash", "keyed hash", "keyed hash"]),
    ("answer_name", ["nothing", "in clear", "in clear"]),
];
