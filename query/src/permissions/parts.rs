//! What a call is about, judged again by the tables of this version: what was logged may be years old.

use std::collections::HashSet;

use plantune_domain::permissions::{
    Described, OwnReaches, Reach, SimpleCommand, describe_with, goes_elsewhere, is_never_asked,
    main_field, parts,
};
use serde_json::{Map, Value};

/// A longer input may have been cut when it was logged, in bytes; what is not whole is not understood.
const MAYBE_CUT: usize = 2040;

/// A call, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    /// Of a shell command what a rule must allow; empty where no rule helps, and of every other tool.
    pub(crate) commands: Vec<Command>,
    /// True for a line that runs in another folder: that it was allowed there says nothing about this one.
    pub(crate) elsewhere: bool,
}

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Command {
    /// As the host compares it with rules.
    pub(crate) text: String,
    /// What makes two of them the same.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
}

/// What a call of `tool` in the folder `cwd` is about, by its logged `input` and the reaches that the person
/// gave. `asks_all`: there are no commands that are never asked about.
pub(crate) fn judge(tool: &str, input: &str, cwd: &str, own: &OwnReaches, asks_all: bool) -> Call {
    let Described { subject, reach, .. } = describe_with(tool, &value(tool, input), cwd, own);
    let parts = match tool == "Bash" && input.len() < MAYBE_CUT {
        true => parts(input, cwd, own).unwrap_or_default(),
        false => Vec::new(),
    };
    Call {
        subject,
        reach,
        elsewhere: goes_elsewhere(&parts, cwd),
        commands: commands(input, parts, asks_all),
    }
}

/// What a rule must allow for `line` of these `parts` to run unasked; nothing where the host asks whatever the
/// rules are, what writes to a file and git behind `cd`, and where it never asks.
fn commands(line: &str, parts: Vec<SimpleCommand>, asks_all: bool) -> Vec<Command> {
    let moves = parts.iter().any(|part| part.is_aside);
    let is_git = |part: &SimpleCommand| part.words.first().is_some_and(|word| word == "git");
    if parts.iter().any(|part| part.writes_file) || moves && parts.iter().any(is_git) {
        return Vec::new();
    }
    // Words that do not stand together are none that a rule could be written for.
    if parts.iter().any(|part| !line.contains(&part.text())) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    parts
        .into_iter()
        .filter(|part| !part.is_aside && (asks_all || !is_never_asked(part)))
        .filter(|part| seen.insert(part.text()))
        .map(|part| Command {
            text: part.text(),
            subject: part.subject,
            reach: part.reach,
        })
        .collect()
}

/// The input of `tool`, as far as it was logged.
pub(crate) fn value(tool: &str, input: &str) -> Value {
    let Some(field) = main_field(tool) else {
        return Value::Object(Map::new());
    };
    let mut fields = Map::new();
    fields.insert(field.to_owned(), Value::from(input));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_must_allow() {
        let texts = |line| {
            let call = judge(
                "Bash",
                line,
                "/home/dev/shop",
                &OwnReaches::default(),
                false,
            );
            let texts = call.commands.into_iter().map(|command| command.text);
            texts.collect::<Vec<_>>()
        };
        for (line, expected) in [
            ("npm test", vec!["npm test"]),
            ("cd src && npm test", vec!["npm test"]),
            ("npm test | uniq", vec!["npm test", "uniq"]),
            ("npm test | tail -5", vec!["npm test"]),
            ("npm test | grep FAIL", vec!["npm test"]),
            ("npm test; npm run lint", vec!["npm test", "npm run lint"]),
            ("npm test; npm test", vec!["npm test"]),
            // The host runs it unasked.
            ("git status", vec![]),
            // The host asks whatever the rules are.
            ("npm test > out.txt", vec![]),
            ("npm test | tee out.txt", vec![]),
            ("cd src && git add a", vec![]),
            ("npm  test", vec![]),
            ("npm 2>&1 test", vec![]),
            ("npm test $(cat x)", vec![]),
            ("for f in a; do npm test; done", vec![]),
        ] {
            assert_eq!(texts(line), expected, "{line}");
        }
    }
}
