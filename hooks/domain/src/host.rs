//! Who a question is put to: a person at Claude Code's own dialog, a server's tool, or a program that runs
//! Claude Code through its SDK. What one of them answers says nothing about the others.

use crate::wire::QuestionTool;

/// What the entrypoints of programs begin with: `sdk-ts`, `sdk-py`, and `sdk-cli` for `-p`.
const PROGRAM: &str = "sdk-";

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
    host.starts_with(PROGRAM)
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
    fn what_is_learned_holds_where_it_was_learned() {
        let holds = |learned| [NATIVE, SERVER, "sdk-ts"].map(|asking| holds_for(learned, asking));
        assert_eq!(holds(NATIVE), [true, false, true]);
        assert_eq!(holds(SERVER), [false, true, false]);
        assert_eq!(holds("sdk-ts"), [false, false, true]);
        assert_eq!(holds("ask_user sdk-ts"), [false, false, true]);
        assert_eq!(holds("ask_user AskUserQuestion"), [true, false, true]);
    }
}
