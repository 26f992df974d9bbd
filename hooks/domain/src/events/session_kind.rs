//! Who can answer in a session: whether a human can, judging by the environment, and which host shows the question.

use std::ffi::OsString;

use SessionKind::{Headless, Interactive, Spawned};

use serde::{Deserialize, Serialize};

use crate::named::named_enum;
use crate::wire::QuestionTool;

named_enum! {
    /// Whether a human can answer in a session.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SessionKind {
        /// A person is there.
        Interactive = "interactive",
        /// Nobody is there: CI, or a script.
        Headless = "headless",
        /// Another program runs the session.
        Spawned = "spawned",
    }
}

/// The rules, in order: a variable, its required value (any non-empty one for `None`), and the kind.
const RULES: [(&str, Option<&str>, SessionKind); 8] = [
    ("OPENCLAW_SESSION", None, Spawned),
    ("PLANTUNE_HEADLESS", None, Headless),
    ("GSTACK_HEADLESS", None, Headless),
    ("CONDUCTOR_WORKSPACE_PATH", None, Interactive),
    ("CONDUCTOR_PORT", None, Interactive),
    ("CLAUDE_CODE_ENTRYPOINT", Some("cli"), Interactive),
    ("CI", None, Headless),
    ("GITHUB_ACTIONS", None, Headless),
];

/// The kind of the first rule that matches the variables from `lookup`; interactive without a match. An empty variable
/// does not count.
///
/// A wrong `headless` stops a real human; a wrong `interactive` only prints prose nobody reads.
pub fn session_kind(lookup: impl Fn(&str) -> Option<OsString>) -> SessionKind {
    with_variable(lookup).0
}

/// [`session_kind`], and the variable that decided it; `None` if none did.
pub fn with_variable(
    lookup: impl Fn(&str) -> Option<OsString>,
) -> (SessionKind, Option<&'static str>) {
    let matches = |name: &str, wanted: Option<&str>| {
        lookup(name).is_some_and(|value| match wanted {
            Some(wanted) => value == wanted,
            None => !value.is_empty(),
        })
    };
    RULES
        .iter()
        .find(|(name, wanted, _)| matches(name, *wanted))
        .map_or((Interactive, None), |(name, _, kind)| (*kind, Some(name)))
}

// The host that gets a question: a person at Claude Code's own dialog, a server's tool, or a program that runs Claude
// Code through its SDK. The answers of one say nothing about the others.

/// The entrypoints of Claude Code with a person.
const PERSONS: [&str; 3] = ["cli", "claude-vscode", "claude-desktop"];

/// The entrypoints of programs; `sdk-cli` is `-p`.
const PROGRAMS: [&str; 3] = ["sdk-cli", "sdk-py", "sdk-ts"];

/// True if it is known who answers in a session with this `entrypoint`: a person, or the program that runs it. A
/// session without an entrypoint is from an earlier version or another agent. With any other entrypoint (`mcp`,
/// `claude-code-github-action`, one of a later version), it is not known who answers.
pub fn is_known(entrypoint: Option<&str>) -> bool {
    entrypoint.is_none_or(|one| PERSONS.contains(&one) || PROGRAMS.contains(&one))
}

/// The host of the questions of `tool` in a session with this `entrypoint`: the program if one answers the native tool,
/// otherwise the tool.
pub fn host<'a>(tool: &'a str, entrypoint: Option<&'a str>) -> &'a str {
    let is_native = QuestionTool::from_name(tool) == Some(QuestionTool::Native);
    entrypoint
        .filter(|entrypoint| is_native && is_program(entrypoint))
        .unwrap_or(tool)
}

/// True for a server's tool.
pub fn is_server(host: &str) -> bool {
    host.starts_with("mcp__")
}

/// True for a program, and for the entrypoint of one.
pub fn is_program(host: &str) -> bool {
    PROGRAMS.contains(&host)
}

/// True if answers learned at the host `learned` (or at several, separated by spaces) apply to the host `asking`. They
/// apply to the same hosts only, except that a person's answers in the dialog also apply to programs.
pub fn holds_for(learned: &str, asking: &str) -> bool {
    learned.split(' ').any(|learned| {
        let is_dialog = QuestionTool::from_name(learned) == Some(QuestionTool::Native);
        learned == asking || is_dialog && is_program(asking)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(variables: &[(&str, &str)]) -> SessionKind {
        session_kind(|name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn first_match_wins() {
        assert_eq!(kind(&[]), Interactive);
        assert_eq!(kind(&[("CI", "true")]), Headless);
        assert_eq!(kind(&[("CI", "")]), Interactive);
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "cli")]),
            Interactive
        );
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]),
            Headless
        );
        assert_eq!(kind(&[("CI", "1"), ("CONDUCTOR_PORT", "1")]), Interactive);
        assert_eq!(
            kind(&[("GSTACK_HEADLESS", "1"), ("CONDUCTOR_PORT", "1")]),
            Headless
        );
        assert_eq!(
            kind(&[("OPENCLAW_SESSION", "x"), ("PLANTUNE_HEADLESS", "1")]),
            Spawned
        );
    }
}

#[cfg(test)]
mod host_tests {
    use super::*;

    const NATIVE: &str = "AskUserQuestion";
    const SERVER: &str = "mcp__conductor__AskUserQuestion";

    #[test]
    fn programs_are_hosts_of_the_native_tool() {
        for (tool, entrypoint, expected) in [
            (NATIVE, None, NATIVE),
            (NATIVE, Some("cli"), NATIVE),
            (NATIVE, Some("claude-vscode"), NATIVE),
            (NATIVE, Some("sdk-ts"), "sdk-ts"),
            (NATIVE, Some("sdk-cli"), "sdk-cli"),
            (SERVER, Some("sdk-ts"), SERVER),
        ] {
            assert_eq!(host(tool, entrypoint), expected, "{tool} {entrypoint:?}");
        }
    }

    #[test]
    fn who_answers_is_known_of_some_entrypoints() {
        for entrypoint in [None, Some("cli"), Some("claude-vscode"), Some("sdk-ts")] {
            assert!(is_known(entrypoint), "{entrypoint:?}");
        }
        for entrypoint in [
            "",
            "mcp",
            "claude-code-github-action",
            "remote",
            "sdk-new",
            "CLI",
        ] {
            assert!(!is_known(Some(entrypoint)), "{entrypoint}");
        }
    }

    #[test]
    fn what_is_learned_holds_where_it_was_learned() {
        let holds = |learned| [NATIVE, SERVER, "sdk-ts"].map(|asking| holds_for(learned, asking));
        assert_eq!(holds(NATIVE), [true, false, true]);
        assert_eq!(holds(SERVER), [false, true, false]);
        assert_eq!(holds("sdk-ts"), [false, false, true]);
        assert_eq!(holds("ask_user sdk-ts"), [false, false, true]);
        assert_eq!(holds("ask_user AskUserQuestion"), [true, false, true]);
    }
}
