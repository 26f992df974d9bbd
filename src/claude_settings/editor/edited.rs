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

/// One change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// In words: `add PreToolUse`.
    Words(String),
    RuleAdded(List),
    RuleRemoved(List),
}

impl Change {
    /// `verb` is what was done to `what`.
    pub(crate) fn of(verb: &str, what: &str) -> Self {
        Self::Words(format!("{verb} {what}"))
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
    /// `text`, in which nothing had to be done.
    pub(crate) fn unchanged(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            changes: Vec::new(),
        }
    }

    /// With `edit` made as well, where something is `wanted`.
    ///
    /// # Errors
    /// Those of the edit.
    pub(crate) fn with<T>(
        mut self,
        wanted: Option<T>,
        edit: impl FnOnce(&str, T) -> Result<Self, Problem>,
    ) -> Result<Self, Problem> {
        if let Some(wanted) = wanted {
            let next = edit(&self.text, wanted)?;
            self.text = next.text;
            self.changes.extend(next.changes);
        }
        Ok(self)
    }

    /// The changes in a line: `add PreToolUse, update SessionEnd, add 9 rules that deny`.
    pub(crate) fn summary(&self) -> String {
        let words = self.changes.iter().filter_map(|change| match change {
            Change::Words(words) => Some(words.clone()),
            Change::RuleAdded(_) | Change::RuleRemoved(_) => None,
        });
        let mut words: Vec<String> = words.collect();
        let lists = List::ALL.into_iter();
        for list in lists.chain([List::Commands("allow"), List::Policies]) {
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
}
