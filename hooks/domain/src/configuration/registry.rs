//! `registry.toml`: questions the person has named, with rules that recognise them, their door and
//! their category. The file's format is described in `docs/doors.md`.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::doors::Door;
use crate::keys::{is_id, option_set};
use crate::reask::Reask;

/// The rules, in the order of the file; the first that matches names the question.
#[derive(Debug, Default)]
pub struct Registry {
    rules: Vec<Rule>,
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// The key of the questions it recognises.
    pub key: String,
    /// Their door, where the person gave one.
    pub door: Option<Door>,
    /// A word of the person's for questions of this kind.
    pub category: Option<String>,
    /// Whether an answer holds for the rest of the session; `None` leaves it to `config.toml`.
    pub reask: Option<Reask>,
    text: Option<String>,
    header: Option<String>,
    options: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    question: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    door: Option<String>,
    category: Option<String>,
    reask: Option<Reask>,
    text: Option<String>,
    header: Option<String>,
    options: Option<Vec<String>>,
    /// A note of the owner's.
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

impl Rule {
    /// The `door_reason` of events for a door from this rule: `registry`, or `registry: <category>`.
    pub fn reason(&self) -> String {
        match &self.category {
            Some(category) => format!("registry: {category}"),
            None => "registry".to_owned(),
        }
    }

    /// True when the rule's patterns, of which there must be one, match the question.
    fn matches(&self, text: &str, header: Option<&str>, options: &[String]) -> bool {
        let matching = |pattern: &Option<String>, value: &str| {
            pattern.as_ref().is_none_or(|pattern| glob(pattern, value))
        };
        let named = self.text.is_some() || self.header.is_some() || self.options.is_some();
        named
            && matching(&self.text, text)
            && matching(&self.header, header.unwrap_or_default())
            && self
                .options
                .as_ref()
                .is_none_or(|set| same_options(set, options))
    }
}

impl Registry {
    /// The registry in `path`; an empty one when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|error| format!("{}: {error}", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
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
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let rules = file
            .question
            .into_iter()
            .map(rule)
            .collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// The first rule whose patterns match a question.
    pub fn rule_of(&self, text: &str, header: Option<&str>, options: &[String]) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| rule.matches(text, header, options))
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
        self.rules
            .iter()
            .filter(|rule| rule.door == Some(Door::OneWay))
            .find(|rule| rule.key == key || rule.matches(text, header, options))
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

/// True when the labels are those of `set`. Where an entry holds `*`, every label must match one of
/// the entries, and every entry one of the labels.
fn same_options(set: &[String], labels: &[String]) -> bool {
    let labels = option_set(labels);
    if !set.iter().any(|entry| entry.contains('*')) {
        return set == labels;
    }
    set.iter()
        .all(|entry| labels.iter().any(|label| glob(entry, label)))
        && labels
            .iter()
            .all(|label| set.iter().any(|entry| glob(entry, label)))
}

fn rule(entry: Entry) -> Result<Rule, String> {
    if !is_id(&entry.key) {
        return Err(format!(
            "key {:?}: a key is 1 to 64 of a-z, 0-9 and -",
            entry.key
        ));
    }
    let door = match entry.door {
        None => None,
        Some(name) => Some(Door::parse(&name).ok_or_else(|| {
            format!(
                "door {name:?} of {}: a door is \"one-way\" or \"two-way\"",
                entry.key
            )
        })?),
    };
    Ok(Rule {
        key: entry.key,
        door,
        category: entry.category,
        reask: entry.reask,
        text: entry.text,
        header: entry.header,
        options: entry.options.map(|options| option_set(&options)),
    })
}

/// True when `text` matches `pattern`, in which `*` stands for any run of characters; letter case
/// and outer white space do not count.
fn glob(pattern: &str, text: &str) -> bool {
    let pattern = pattern.trim().to_lowercase();
    let text = text.trim().to_lowercase();
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_match_text_header_and_option_set() {
        let registry = Registry::parse(
            r#"
            [[question]]
            key = "next-area"
            options = ["More questions", "Next area"]
            [[question]]
            key = "todos"
            text = "no todos* found*"
            header = "TODOs"
            door = "one-way"
            "#,
        )
        .unwrap();
        let options = [
            "Next area (Recommended)".to_owned(),
            "more questions".to_owned(),
        ];
        assert_eq!(
            registry.key_of("anything", None, &options),
            Some("next-area")
        );
        assert_eq!(
            registry.key_of("No TODOS.md found. Create?", Some("todos"), &[]),
            Some("todos")
        );
        assert_eq!(registry.key_of("No TODOS.md found.", None, &[]), None);
        assert_eq!(registry.door_of("todos"), Some(Door::OneWay));
        assert_eq!(registry.door_of("next-area"), None);
    }

    #[test]
    fn one_way_rule_matches_under_any_key() {
        let registry = Registry::parse(
            r#"
            [[question]]
            key = "anything"
            text = "*"
            [[question]]
            key = "ledger"
            text = "*ledger*"
            door = "one-way"
            category = "money"
            "#,
        )
        .unwrap();
        let asked = "Close the ledger of May?";
        assert_eq!(registry.key_of(asked, None, &[]), Some("anything"));
        for key in ["anything", "a-marker", "fp-0123456789abcdef"] {
            let rule = registry.one_way_rule(key, asked, None, &[]).unwrap();
            assert_eq!(rule.category.as_deref(), Some("money"), "{key}");
        }
        assert!(
            registry
                .one_way_rule("anything", "Close it?", None, &[])
                .is_none()
        );
        assert!(
            registry
                .one_way_rule("ledger", "Close it?", None, &[])
                .is_some()
        );
    }

    #[test]
    fn option_sets_may_hold_patterns() {
        let registry = Registry::parse(
            "[[question]]\nkey = \"finding\"\noptions = [\"fix *\", \"Skip\"]\nreask = \"off\"",
        )
        .unwrap();
        let key = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            registry.key_of("?", None, &labels).is_some()
        };
        assert!(key(&["Fix the typo (Recommended)", "skip"]));
        assert!(key(&["Skip", "Fix a", "Fix b"]));
        assert!(!key(&["Fix the typo", "Skip", "Later"]));
        assert!(!key(&["Skip"]));
        assert_eq!(registry.reask_of("finding"), Some(Reask::Off));
    }

    #[test]
    fn comments_are_no_rules() {
        assert!(Registry::parse("# [[question\n\n   # key\n").is_ok());
        assert!(Registry::parse("# a\n[[question").is_err());
    }

    #[test]
    fn mistakes_are_named() {
        for text in [
            "[[question]]\nkey = \"A b\"",
            "[[question]]\nkey = \"a\"\ndoor = \"both\"",
            "[[question]]\nkey = \"a\"\nreask = \"always\"",
            "x = 1",
        ] {
            assert!(Registry::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn globs() {
        assert!(glob("a*c", "ABC") && glob("*b*", "abc") && glob("abc", "abc") && glob("*", ""));
        assert!(!glob("a*c", "abd") && !glob("b", "abc") && !glob("a*b*c", "acb"));
    }
}
