//! `registry.toml`: questions the person has named, with rules that recognise them, their door and
//! their category, and how far commands, hosts and tools reach. The file's format is described in
//! `docs/settings.md` and `docs/permissions.md`.

use std::path::Path;

use super::file::LONGEST;
use crate::cost::QuestionKind;
use crate::doors::Door;
use crate::permissions::OwnReaches;
use crate::private_file;
use crate::reask::Reask;

mod file;
mod rule;
#[cfg(test)]
mod tests;

pub use rule::Rule;

use rule::Asked;

/// The rules, in the order of the file; the first that matches names the question.
#[derive(Debug, Default)]
pub struct Registry {
    rules: Vec<Rule>,
    own_reaches: OwnReaches,
}

impl Registry {
    /// The registry in `path`; an empty one when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed.
    pub fn load(path: &Path) -> Result<Self, String> {
        let text = Self::text(path)?;
        Self::parse(&text.unwrap_or_default())
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The text of the registry in `path`; `None` when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or is not to be obeyed
    /// ([`private_file::open_own`]).
    pub fn text(path: &Path) -> Result<Option<String>, String> {
        private_file::read_own(path, LONGEST)
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The registry that `text` describes.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A file of comments, as `plantune install` leaves it, costs the hook no parser.
        let is_rule =
            |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        if !text.lines().any(is_rule) {
            return Ok(Self::default());
        }
        let (rules, reaches) = file::parse(text)?;
        Ok(Self {
            rules,
            own_reaches: OwnReaches::new(reaches),
        })
    }

    /// The reaches that the person gave to commands, hosts and tools.
    pub fn own_reaches(&self) -> &OwnReaches {
        &self.own_reaches
    }

    /// The first rule whose patterns match a question.
    pub fn rule_of(&self, text: &str, header: Option<&str>, options: &[String]) -> Option<&Rule> {
        if self.rules.is_empty() {
            return None;
        }
        let asked = Asked::new(text, header, options);
        self.rules.iter().find(|rule| rule.matches(&asked))
    }

    /// The key of the first rule that matches a question without a marker.
    pub fn key_of(&self, text: &str, header: Option<&str>, options: &[String]) -> Option<&str> {
        Some(self.rule_of(text, header, options)?.key.as_str())
    }

    /// The keys that the rules give, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.key.as_str())
    }

    /// The rules about `key`.
    pub fn rules_of(&self, key: &str) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.key == key)
    }

    /// The rule that makes a question one-way, if one does: by its key, or by its patterns, also
    /// where a marker gives the question another key, or an earlier rule names it.
    pub fn one_way_rule(
        &self,
        key: &str,
        text: &str,
        header: Option<&str>,
        options: &[String],
    ) -> Option<&Rule> {
        let one_way = |rule: &&Rule| rule.door == Some(Door::OneWay);
        let mut rules = self.rules.iter().filter(one_way).peekable();
        rules.peek()?;
        let asked = Asked::new(text, header, options);
        rules.find(|rule| rule.key == key || rule.matches(&asked))
    }

    /// Whether the person has said that words do not hold a question that is called `key`. A rule with patterns says it
    /// of what they match alone: a marker gives its name to anything.
    pub fn opens(&self, key: &str, text: &str, header: Option<&str>, options: &[String]) -> bool {
        let two_way = |rule: &&Rule| rule.door == Some(Door::TwoWay);
        let mut rules = self.rules_of(key).filter(two_way).peekable();
        if rules.peek().is_none() {
            return false;
        }
        let asked = Asked::new(text, header, options);
        rules.any(|rule| !rule.has_patterns() || rule.matches(&asked))
    }

    /// Whether an answer to `key` holds for the rest of the session, by the rules; off wins.
    pub fn reask_of(&self, key: &str) -> Option<Reask> {
        // `Off` stands last in the enum.
        self.rules_of(key).filter_map(|rule| rule.reask).max()
    }

    /// True when any rule lets answers hold for the rest of the session.
    pub fn has_reask(&self) -> bool {
        self.rules
            .iter()
            .any(|rule| rule.reask == Some(Reask::OncePerSession))
    }

    /// What questions called `key` are about, by the first rule that says it.
    pub fn kind_of(&self, key: &str) -> Option<QuestionKind> {
        self.rules_of(key).find_map(|rule| rule.kind)
    }

    /// The door that the registry gives `key`; `one-way` wins when rules disagree.
    pub fn door_of(&self, key: &str) -> Option<Door> {
        let mut doors = self.rules_of(key).filter_map(|rule| rule.door);
        let first = doors.next()?;
        Some(if doors.any(|door| door == Door::OneWay) {
            Door::OneWay
        } else {
            first
        })
    }
}
