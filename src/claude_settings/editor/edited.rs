//! What an edit of the settings did, or why there was none.

use std::fmt;
use std::path::Path;

/// Why the settings cannot be edited, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    fact: String,
    line: usize,
    column: usize,
    remedy: &'static str,
}

impl Problem {
    /// `fact` about the byte `offset` of `text`.
    pub(crate) fn at(text: &str, offset: usize, fact: impl Into<String>) -> Self {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            fact: fact.into(),
            line: before.matches('\n').count() + 1,
            column: line.chars().filter(|c| *c != '\u{feff}').count() + 1,
            remedy: "",
        }
    }

    pub(crate) fn remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// What the person can do.
    pub(crate) fn hint(&self) -> &'static str {
        self.remedy
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.fact
        )
    }
}

/// A list of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// What runs unasked.
    Allow,
    /// What is asked about, whatever allows it.
    Ask,
    /// What is refused.
    Deny,
    /// Of OpenCode, which keeps an object of commands and what becomes of each: those with this value.
    Commands(&'static str),
    /// Of Gemini CLI, in a file of plantune's own: what runs unasked.
    Policies,
}

impl List {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// What runs unasked in the file at `path`.
    pub(crate) fn allowing(path: &Path) -> Self {
        match path.file_name().and_then(|name| name.to_str()) {
            Some("opencode.json") => Self::Commands(Self::Allow.key()),
            Some("plantune.toml") => Self::Policies,
            _ => Self::Allow,
        }
    }

    /// The key below `permissions`, or the value of a command.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Commands(value) => value,
            Self::Policies => "allow",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One thing done to the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// An event got its entry.
    Added(String),
    /// An entry of ours was brought up to date where it stands.
    Updated(String),
    /// A double, misplaced or unwanted entry of ours went.
    Removed(String),
    /// A list of permission rules got one.
    RuleAdded(List),
    /// A rule went from a list.
    RuleRemoved(List),
    /// The status line is ours now.
    StatusLineAdded,
    /// It was ours, and has another command now.
    StatusLineUpdated,
    /// It was ours, and went.
    StatusLineRemoved,
    /// The terminal's bell rings now.
    NotificationsAdded,
    /// It does not any more.
    NotificationsRemoved,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(event) => write!(f, "add {event}"),
            Self::Updated(event) => write!(f, "update {event}"),
            Self::Removed(event) => write!(f, "remove {event}"),
            Self::RuleAdded(_) => f.write_str("add a rule"),
            Self::RuleRemoved(_) => f.write_str("remove a rule"),
            Self::StatusLineAdded => f.write_str("add the status line"),
            Self::StatusLineUpdated => f.write_str("update the status line"),
            Self::StatusLineRemoved => f.write_str("remove the status line"),
            Self::NotificationsAdded => f.write_str("let the terminal's bell ring"),
            Self::NotificationsRemoved => f.write_str("let the terminal's bell be"),
        }
    }
}

/// The settings after an edit.
#[derive(Debug)]
pub(crate) struct Edited {
    /// The new text.
    pub(crate) text: String,
    /// What was done, in order; empty when nothing had to be.
    pub(crate) changes: Vec<Change>,
}

impl Edited {
    /// The changes in a line: `add PreToolUse, update SessionEnd, add 9 rules that deny`.
    pub(crate) fn summary(&self) -> String {
        let is_rule =
            |change: &&Change| matches!(change, Change::RuleAdded(_) | Change::RuleRemoved(_));
        let mut words: Vec<_> = self
            .changes
            .iter()
            .filter(|change| !is_rule(change))
            .map(ToString::to_string)
            .collect();
        for list in List::ALL
            .into_iter()
            .chain([List::Commands("allow"), List::Policies])
        {
            let (one, several) = match list {
                List::Allow | List::Commands(_) | List::Policies => ("allows", "allow"),
                List::Ask => ("asks", "ask"),
                List::Deny => ("denies", "deny"),
            };
            for (change, verb) in [
                (Change::RuleAdded(list), "add"),
                (Change::RuleRemoved(list), "remove"),
            ] {
                match self.changes.iter().filter(|done| **done == change).count() {
                    0 => {}
                    1 => words.push(format!("{verb} a rule that {one}")),
                    count => words.push(format!("{verb} {count} rules that {several}")),
                }
            }
        }
        words.join(", ")
    }

    /// Both edits, `next` having been made on this one's text.
    pub(crate) fn and_then(mut self, next: Self) -> Self {
        self.changes.extend(next.changes);
        Self {
            text: next.text,
            changes: self.changes,
        }
    }
}
