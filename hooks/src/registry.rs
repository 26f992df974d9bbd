//! `registry.toml`: questions the person has named, with rules that recognise them and their door.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::doors::Door;
use crate::keys::{is_id, option_set};

/// The rules, in the order of the file; the first that matches names the question.
#[derive(Debug, Default)]
pub struct Registry {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    key: String,
    door: Option<Door>,
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
    text: Option<String>,
    header: Option<String>,
    options: Option<Vec<String>>,
    /// A note of the owner's.
    #[serde(default, rename = "note")]
    _note: Option<String>,
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
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let rules = file
            .question
            .into_iter()
            .map(rule)
            .collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// The key of the first rule that matches a question without a marker.
    pub fn key_of(&self, text: &str, header: Option<&str>, options: &[String]) -> Option<&str> {
        let matching = |rule: &&Rule| {
            let patterns = [
                (rule.text.as_deref(), Some(text)),
                (rule.header.as_deref(), header),
            ];
            let named = rule.text.is_some() || rule.header.is_some() || rule.options.is_some();
            named
                && patterns.iter().all(|(pattern, value)| {
                    pattern.is_none_or(|pattern| glob(pattern, value.unwrap_or_default()))
                })
                && rule
                    .options
                    .as_ref()
                    .is_none_or(|set| *set == option_set(options))
        };
        self.rules
            .iter()
            .find(matching)
            .map(|rule| rule.key.as_str())
    }

    /// The door that the registry gives `key`; `one-way` wins when rules disagree.
    pub fn door_of(&self, key: &str) -> Option<Door> {
        let mut doors = self
            .rules
            .iter()
            .filter(|rule| rule.key == key)
            .filter_map(|rule| rule.door);
        let first = doors.next()?;
        Some(if doors.any(|door| door == Door::OneWay) {
            Door::OneWay
        } else {
            first
        })
    }
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
        Some(name) => Some(Door::from_name(&name).ok_or_else(|| {
            format!(
                "door {name:?} of {}: a door is \"one-way\" or \"two-way\"",
                entry.key
            )
        })?),
    };
    Ok(Rule {
        key: entry.key,
        door,
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
    fn mistakes_are_named() {
        for text in [
            "[[question]]\nkey = \"A b\"",
            "[[question]]\nkey = \"a\"\ndoor = \"both\"",
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
