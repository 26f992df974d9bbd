//! The `statusLine` of the settings: registration, if there is no other.

use super::document::{Json, quoted};
use super::view::View;
use super::{EditChange, Step, registration};
use crate::Problem;

/// The member that names the status line's command.
const KEY: &str = "statusLine";

/// The place of that command.
const COMMAND: [&str; 2] = [KEY, "command"];

/// The argument of the hook's binary.
pub const ARGUMENT: &str = "--statusline";

/// Whose status line it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// There is no status line.
    Nobody,
    /// Ours, with its command.
    Ours(String),
    /// Somebody else's.
    Other,
}

/// Whose status line `view` has.
///
/// # Errors
/// If it is there twice.
pub(super) fn owner(view: &View<'_>) -> Result<Owner, Problem> {
    if view.get(&[KEY])?.is_none() {
        return Ok(Owner::Nobody);
    }
    let command = view.get(&COMMAND)?.and_then(Json::string);
    let ours = command.filter(|command| is_ours(command));
    Ok(ours.map_or(Owner::Other, Owner::Ours))
}

/// The next step so that `command` prints the status line; `None` when it does, or another one is
/// there.
///
/// # Errors
/// If it is there twice.
pub(super) fn install(view: &View<'_>, command: &str) -> Result<Option<Step>, Problem> {
    let quoted = quoted(command);
    let (edit, verb) = match (owner(view)?, view.get(&COMMAND)?) {
        (Owner::Nobody, _) => {
            let line = format!("{{\"type\":\"command\",\"command\":{quoted}}}");
            (view.insert(&[KEY], &line)?, "add")
        }
        (Owner::Ours(old), Some(there)) if old != command => {
            (view.style.replace(there, &quoted, &[]), "update")
        }
        _ => return Ok(None),
    };
    let change = EditChange::of(verb, "the status line");
    Ok(Some(Step { edit, change }))
}

/// The next step so that the status line is not ours.
///
/// # Errors
/// If it is there twice.
pub(super) fn uninstall(view: &View<'_>) -> Result<Option<Step>, Problem> {
    let Owner::Ours(_) = owner(view)? else {
        return Ok(None);
    };
    let change = EditChange::of("remove", "the status line");
    let edit = view.remove(&[KEY], None)?;
    Ok(edit.map(|edit| Step { edit, change }))
}

/// True for a shell line that starts our binary for the status line, and nothing else.
fn is_ours(command: &str) -> bool {
    let line = command.trim();
    registration::program(line, false).is_some()
        && line.strip_suffix(ARGUMENT).is_some_and(|program| {
            registration::names_our_hook(program.trim_end().trim_matches(['\'', '"']))
        })
}

#[cfg(test)]
mod tests {
    use super::super::{install_status_line, status_line_owner, uninstall};
    use super::Owner;

    const COMMAND: &str = "/opt/plantune/bin/plantune-hook --statusline";

    fn installed(text: &str) -> String {
        install_status_line(text, COMMAND).unwrap().text
    }

    #[test]
    fn it_comes_and_goes_and_leaves_every_other_byte() {
        for text in [
            "{}",
            "{\n  \"model\": \"opus\"\n}\n",
            "{\"a\":1}",
            "{\r\n\t\"a\" : [ ],\r\n\t\"b\": {}\r\n}",
        ] {
            let with = installed(text);
            assert_eq!(
                status_line_owner(&with).unwrap(),
                Owner::Ours(COMMAND.to_owned())
            );
            assert_eq!(installed(&with), with);
            assert_eq!(uninstall(&with).unwrap().text, text);
        }
        assert_eq!(uninstall(&installed("")).unwrap().text, "{}\n");
    }

    #[test]
    fn a_new_place_is_written_and_what_stands_beside_it_stays() {
        let text = r#"{"statusLine": {"type": "command", "padding": 0, "command": "'/old dir/plantune-hook' --statusline"}}"#;
        let edited = install_status_line(text, COMMAND).unwrap();
        assert_eq!(edited.summary(), "update the status line");
        let expected = format!(
            r#"{{"statusLine": {{"type": "command", "padding": 0, "command": "{COMMAND}"}}}}"#
        );
        assert_eq!(edited.text, expected);
    }

    #[test]
    fn another_one_is_never_touched() {
        for other in [
            r#"{"type": "command", "command": "~/.claude/statusline.sh"}"#,
            r#"{"type": "command", "command": "~/s.sh; plantune-hook --statusline"}"#,
            r#"{"type": "command", "command": "plantune-hook --statusline | head -1"}"#,
            r#"{"type": "command", "command": "plantune-hook --statusline -x"}"#,
            r#"{"type": "command", "command": "plantune-hook"}"#,
            r#"{"type": "command", "command": "plantune-hook x --statusline"}"#,
            r#"{"type": "command"}"#,
            r#""off""#,
            "null",
        ] {
            let text = format!("{{\"statusLine\": {other}}}");
            assert_eq!(status_line_owner(&text).unwrap(), Owner::Other, "{text}");
            assert_eq!(installed(&text), text);
            assert_eq!(uninstall(&text).unwrap().text, text);
        }
        assert!(install_status_line(r#"{"statusLine":1,"statusLine":2}"#, COMMAND).is_err());
    }
}
