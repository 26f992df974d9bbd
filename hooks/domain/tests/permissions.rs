//! Tiers of commands: what looks harmless and is not, and what is ordinary.
//!
//! The lists in `tests/permissions/` hold one command a line; more of the same kind may be added.

use plantune_domain::permissions::{Tier, describe};
use serde_json::json;

const CWD: &str = "/home/dev/shop";

/// The commands of a list, each with its group.
fn commands(list: &'static str) -> Vec<(&'static str, String)> {
    let mut group = "";
    let mut commands = Vec::new();
    for line in list.lines() {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            && !line.starts_with("[ ")
            && !line.starts_with("[[")
        {
            group = name;
        } else if !line.is_empty() && !(line.starts_with('#') && group.is_empty()) {
            commands.push((group, line.to_owned()));
        }
    }
    commands
}

/// `\n`, `\r`, `\t`, `\0`, `\a`, `\\` and `\u{…}` as the characters they stand for.
fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let kind = after.chars().next();
        rest = after.get(1..).unwrap_or_default();
        match kind {
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('0') => text.push('\0'),
            Some('\\') => text.push('\\'),
            Some('u') => {
                let (code, after) = rest.strip_prefix('{').unwrap().split_once('}').unwrap();
                text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                rest = after;
            }
            other => panic!("{line}: {other:?} is no escape"),
        }
    }
    text + rest
}

fn tier(command: &str) -> (Tier, String, String) {
    let described = describe("Bash", &json!({ "command": command }), CWD);
    (described.tier, described.subject, described.reason)
}

#[test]
fn what_looks_harmless_and_is_not_reaches_beyond_the_project() {
    let list = commands(include_str!("permissions/dangerous.txt"));
    assert!(list.len() >= 400, "{}", list.len());
    let mut wrong = Vec::new();
    for (group, line) in &list {
        let command = unescaped(line);
        let (tier, subject, _) = tier(&command);
        if tier != Tier::Beyond {
            wrong.push(format!("[{group}] {line}: {tier:?}, {subject}"));
        }
        if tier == Tier::Beyond {
            // Whatever stands beside it, it stays so.
            for line in [
                format!("ls && {command}"),
                format!("{command}\nls"),
                format!("{command} | wc -l"),
            ] {
                if self::tier(&line).0 != Tier::Beyond {
                    wrong.push(format!("[{group}] {line}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        list.len(),
        wrong.join("\n")
    );
}

#[test]
fn ordinary_commands_are_of_the_first_two_tiers() {
    let list = commands(include_str!("permissions/harmless.txt"));
    assert!(list.len() >= 150, "{}", list.len());
    let mut wrong = Vec::new();
    for (group, line) in &list {
        let (tier, subject, reason) = tier(line);
        if tier.number().to_string() != *group {
            wrong.push(format!("[{group}] {line}: {tier:?}, {subject}: {reason}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        list.len(),
        wrong.join("\n")
    );
}
