//! `registry.toml`: questions the person has named, with rules that recognise them, their door and
//! their category, and how far commands, hosts and tools reach. The file's format is described in
//! `docs/doors.md` and `docs/permissions.md`.

use std::path::Path;

use serde::Deserialize;

use super::config::LONGEST;
use super::pattern::{OptionPatterns, Pattern, folded};
use crate::cost::QuestionKind;
use crate::doors::Door;
use crate::keys::{is_id, option_set};
use crate::permissions::{About, OwnTier, OwnTiers, Tier};
use crate::private_file;
use crate::reask::Reask;

/// The rules, in the order of the file; the first that matches names the question.
#[derive(Debug, Default)]
pub struct Registry {
    rules: Vec<Rule>,
    own_tiers: OwnTiers,
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
    /// What they are about, by what a wrong answer costs, where the person gave it.
    pub kind: Option<QuestionKind>,
    /// Whether an answer holds for the rest of the session; `None` leaves it to `config.toml`.
    pub reask: Option<Reask>,
    text: Option<Pattern>,
    header: Option<Pattern>,
    options: Option<OptionPatterns>,
}

/// A question as patterns read it.
struct Asked {
    text: String,
    header: String,
    labels: Vec<String>,
}

impl Asked {
    fn new(text: &str, header: Option<&str>, options: &[String]) -> Self {
        Self {
            text: folded(text),
            header: folded(header.unwrap_or_default()),
            labels: option_set(options),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    question: Vec<Entry>,
    #[serde(default)]
    permission: Vec<Permission>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Permission {
    command: Option<String>,
    host: Option<String>,
    tool: Option<String>,
    tier: u32,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    door: Option<String>,
    category: Option<String>,
    kind: Option<String>,
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
    fn matches(&self, asked: &Asked) -> bool {
        let fits = |pattern: &Option<Pattern>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
        };
        let named = self.text.is_some() || self.header.is_some() || self.options.is_some();
        let labels = self.options.as_ref();
        named
            && fits(&self.text, &asked.text)
            && fits(&self.header, &asked.header)
            && labels.is_none_or(|patterns| patterns.match_all(&asked.labels))
    }
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
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let rules = file
            .question
            .into_iter()
            .map(rule)
            .collect::<Result<_, _>>()?;
        let tiers = file.permission.into_iter().map(own_tier);
        Ok(Self {
            rules,
            own_tiers: OwnTiers::new(tiers.collect::<Result<_, _>>()?),
        })
    }

    /// The tiers that the person gave to commands, hosts and tools.
    pub fn own_tiers(&self) -> &OwnTiers {
        &self.own_tiers
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

fn own_tier(entry: Permission) -> Result<OwnTier, String> {
    let about = match (entry.command, entry.host, entry.tool) {
        (Some(command), None, None) => About::Command(command),
        (None, Some(host), None) => About::Host(host),
        (None, None, Some(tool)) => About::Tool(tool),
        _ => return Err("a permission has one of command, host and tool".to_owned()),
    };
    if !(1..=3).contains(&entry.tier) {
        return Err(format!("tier {}: a tier is 1, 2 or 3", entry.tier));
    }
    Ok(OwnTier {
        about,
        tier: Tier::from_number(entry.tier),
        reason: entry.reason,
    })
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
    let kind = match entry.kind {
        None => None,
        Some(name) => Some(QuestionKind::parse(&name).ok_or_else(|| {
            let kinds: Vec<&str> = QuestionKind::ALL.iter().map(|kind| kind.as_str()).collect();
            format!(
                "kind {name:?} of {}: one of {}",
                entry.key,
                kinds.join(", ")
            )
        })?),
    };
    Ok(Rule {
        key: entry.key,
        door,
        category: entry.category,
        kind,
        reask: entry.reask,
        text: entry.text.as_deref().map(Pattern::new),
        header: entry.header.as_deref().map(Pattern::new),
        options: entry.options.as_deref().map(OptionPatterns::new),
    })
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
    fn tiers_of_the_persons_own() {
        let registry = Registry::parse(
            r#"
            [[permission]]
            command = "npm run e2e:remote"
            tier = 3
            reason = "runs against staging"
            [[permission]]
            command = "npm run smoke-shop"
            tier = 1
            [[permission]]
            command = "git push"
            tier = 1
            [[permission]]
            command = "sudo ls"
            tier = 1
            [[permission]]
            command = "cargo test"
            tier = 3
            [[permission]]
            host = "wiki.internal"
            tier = 2
            [[permission]]
            host = "*.example.com"
            tier = 3
            [[permission]]
            tool = "mcp__db__run_report"
            tier = 1
            [[permission]]
            tool = "mcp__db__*"
            tier = 3
            [[permission]]
            tool = "Skill"
            tier = 1
            "#,
        )
        .unwrap();
        let tier = |tool: &str, field: &str, value: &str| {
            let input = serde_json::json!({ field: value });
            let own = registry.own_tiers();
            crate::permissions::describe_with(tool, &input, "/home/dev/shop", own)
                .tier
                .number()
        };
        for (command, expected) in [
            ("npm run smoke-shop", 1),
            ("npm run smoke-shop --prefix /x", 3),
            ("npm run smoke-shop && git push", 3),
            ("X=1 npm run smoke-shop", 3),
            ("npm run smoke-shop > Makefile", 3),
            ("npm run smoke-sho*", 3),
            ("npm run e2e:remote", 3),
            ("git push", 3),
            ("sudo ls", 3),
            ("cargo test", 3),
            ("cargo test -p a", 3),
            ("cargo build", 1),
        ] {
            assert_eq!(tier("Bash", "command", command), expected, "{command}");
        }
        assert_eq!(tier("WebFetch", "url", "https://wiki.internal/a"), 2);
        assert_eq!(
            tier("WebFetch", "url", "https://wiki.internal/a?token=abc"),
            3
        );
        assert_eq!(tier("WebFetch", "url", "https://docs.example.com/a"), 3);
        assert_eq!(tier("mcp__db__run_report", "x", ""), 1);
        assert_eq!(tier("mcp__db__list_tables", "x", ""), 3);
        assert_eq!(tier("Skill", "skill", "x"), 3);
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
            "[[permission]]\ntier = 1",
            "[[permission]]\ncommand = \"a b\"\ntier = 4",
            "[[permission]]\ncommand = \"a b\"\nhost = \"c.d\"\ntier = 1",
        ] {
            assert!(Registry::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn markup_and_white_space_do_not_count() {
        let registry = Registry::parse(
            r#"
            [[question]]
            key = "widget"
            text = "*run the widget*"
            door = "one-way"
            [[question]]
            key = "layout"
            text = "Which `layout` for my_page?"
            header = "The  page"
            options = ["Grid view", "List"]
            "#,
        )
        .unwrap();
        for text in [
            "Shall I run the widget?",
            "Shall I run  the widget?",
            "run\nthe\u{a0}widget",
            "Shall I **run** the widget?",
            "_Run_ the `widget`?",
            "__run the widget__?",
            "~~run~~ the widget",
            "So: **run the widget**?",
        ] {
            assert_eq!(registry.key_of(text, None, &[]), Some("widget"), "{text}");
            assert!(
                registry.one_way_rule("k", text, None, &[]).is_some(),
                "{text}"
            );
        }
        assert_eq!(registry.key_of("Shall I rerun thewidget?", None, &[]), None);
        let labels = ["**Grid**  view (Recommended)", "__List__"].map(str::to_owned);
        for (text, key) in [
            ("Which layout for my_page?", Some("layout")),
            ("Which **layout** for `my_page`?", Some("layout")),
            ("Which layout for mypage?", None),
        ] {
            assert_eq!(
                registry.key_of(text, Some("the page"), &labels),
                key,
                "{text}"
            );
        }
    }
}
