//! Who can answer in a session: whether a human can, by the environment, and which host the question is put to.

use std::ffi::OsString;

use SessionKind::{Headless, Interactive, Spawned};

use crate::named::named_enum;
use crate::wire::QuestionTool;

named_enum! {
    /// Whether a human can answer in a session.
    pub enum SessionKind {
        /// A person sits there.
        Interactive = "interactive",
        /// Nobody does: CI, or a script.
        Headless = "headless",
        /// Another program runs the session.
        Spawned = "spawned",
    }
}

/// The rules, in their order: a variable, the value it must have (any but the empty one when
/// `None`), and the kind.
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

/// The kind by the first rule that matches the variables that `lookup` gives, where a variable that
/// is set but empty does not count; interactive without one.
///
/// A wrong `headless` stops a real human; a wrong `interactive` only prints prose nobody reads.
pub fn session_kind(lookup: impl Fn(&str) -> Option<OsString>) -> SessionKind {
    with_variable(lookup).0
}

/// [`session_kind`], and the variable that decided it; `None` where none did.
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

// Who a question is put to: a person at Claude Code's own dialog, a server's tool, or a program that runs
// Claude Code through its SDK. What one of them answers says nothing about the others.

/// The entrypoints of Claude Code at which a person sits.
const PERSONS: [&str; 3] = ["cli", "claude-vscode", "claude-desktop"];

/// Those of programs; `sdk-cli` is `-p`.
const PROGRAMS: [&str; 3] = ["sdk-cli", "sdk-py", "sdk-ts"];

/// True for a session whose answers say what somebody wants who began it by `entrypoint`: a person, or the program that
/// answers there. A session that states none began before there was one, or in another agent. Of any other entrypoint
/// (`mcp`, `claude-code-github-action`, one of a later version) nobody knows who answers.
pub fn is_known(entrypoint: Option<&str>) -> bool {
    entrypoint.is_none_or(|one| PERSONS.contains(&one) || PROGRAMS.contains(&one))
}

/// The host of what `tool` asks in a session that began by `entrypoint`: the program where one answers the
/// native tool, else the tool.
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

/// Whether what was learned at the host `learned`, or may be used at several, a space between them, holds for `asking`:
/// for these hosts alone, but what a person said in the dialog holds for programs, too.
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
