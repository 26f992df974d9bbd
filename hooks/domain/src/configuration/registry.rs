//! `registry.toml`: questions that the person has named, with rules to recognise them, their door and their category;
//! and how far commands, hosts and tools reach. The file's format is described in `docs/settings.md` and
//! `docs/permissions.md`.

use std::path::Path;

use serde::Deserialize;

use super::config::LONGEST;
use crate::config::{QuestionKind, Reask};
use crate::doors::Door;
use crate::keys::{is_id, option_set};
use crate::private_file;
use crate::reach::{About, OwnReach, OwnReaches, Reach};
use crate::text::wildcard;

/// The rules, in the order of the file; the first that matches names the question.
#[derive(Debug, Default)]
pub struct Registry {
    rules: Vec<QuestionRule>,
    own_reaches: OwnReaches,
}

impl Registry {
    /// The registry in `path`; an empty one when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, if it cannot be read or parsed, or must be ignored.
    pub fn load(path: &Path) -> Result<Self, String> {
        let text = Self::text(path)?;
        Self::parse(&text.unwrap_or_default())
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The text of the registry in `path`; `None` when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, if it cannot be read or must be ignored ([`private_file::open_own`]).
    pub fn text(path: &Path) -> Result<Option<String>, String> {
        private_file::read_own(path, LONGEST)
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The registry that `text` describes.
    ///
    /// # Errors
    /// The mistake in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        // The file that `plantune install` writes contains only comments, and the hook need not run the parser for it.
        let is_rule =
            |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        if !text.lines().any(is_rule) {
            return Ok(Self::default());
        }
        let (rules, reaches) = parse(text)?;
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
    pub fn rule_of(
        &self,
        text: &str,
        header: Option<&str>,
        options: &[String],
    ) -> Option<&QuestionRule> {
        if self.rules.is_empty() {
            return None;
        }
        let asked = PlainQuestion::new(text, header, options);
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
    pub fn rules_of(&self, key: &str) -> impl Iterator<Item = &QuestionRule> {
        self.rules.iter().filter(move |rule| rule.key == key)
    }

    /// The rule that makes a question one-way, if one does: by its key, or by its patterns, even if a marker gives the
    /// question another key or an earlier rule names it.
    pub fn one_way_rule(
        &self,
        key: &str,
        text: &str,
        header: Option<&str>,
        options: &[String],
    ) -> Option<&QuestionRule> {
        let one_way = |rule: &&QuestionRule| rule.door == Some(Door::OneWay);
        let mut rules = self.rules.iter().filter(one_way).peekable();
        rules.peek()?;
        let asked = PlainQuestion::new(text, header, options);
        rules.find(|rule| rule.key == key || rule.matches(&asked))
    }

    /// True if a rule gives `key` the door `two-way`, so that its words do not make the question one-way. A rule with
    /// patterns counts only for the questions that they match, because a marker can give any question this key.
    pub fn opens(&self, key: &str, text: &str, header: Option<&str>, options: &[String]) -> bool {
        let two_way = |rule: &&QuestionRule| rule.door == Some(Door::TwoWay);
        let mut rules = self.rules_of(key).filter(two_way).peekable();
        if rules.peek().is_none() {
            return false;
        }
        let asked = PlainQuestion::new(text, header, options);
        rules.any(|rule| !rule.has_patterns() || rule.matches(&asked))
    }

    /// Whether an answer to `key` holds for the rest of the session, by the rules; off wins.
    pub fn reask_of(&self, key: &str) -> Option<Reask> {
        // `Off` is the last variant, and so the greatest.
        self.rules_of(key).filter_map(|rule| rule.reask).max()
    }

    /// True when any rule lets answers hold for the rest of the session.
    pub fn has_reask(&self) -> bool {
        self.rules
            .iter()
            .any(|rule| rule.reask == Some(Reask::OncePerSession))
    }

    /// The kind of the questions called `key`, by the first rule that has one.
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

// Parsing `registry.toml`: its tables become rules and reaches.

/// The rules for questions and the reaches that the person set, in the order of the file.
///
/// # Errors
/// The mistake in the text.
fn parse(text: &str) -> Result<(Vec<QuestionRule>, Vec<OwnReach>), String> {
    let file: RegistryFile = toml::from_str(text).map_err(|error| error.to_string())?;
    if let Some(rule) = file.question.iter().find(|rule| !is_id(&rule.key)) {
        let key = &rule.key;
        return Err(format!("key {key:?}: a key is 1 to 64 of a-z, 0-9 and -"));
    }
    let reaches = file.permission.into_iter().map(own_reach);
    Ok((file.question, reaches.collect::<Result<_, _>>()?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    #[serde(default)]
    question: Vec<QuestionRule>,
    #[serde(default)]
    permission: Vec<ReachRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReachRule {
    command: Option<String>,
    host: Option<String>,
    tool: Option<String>,
    reach: String,
    reason: Option<String>,
}

fn own_reach(entry: ReachRule) -> Result<OwnReach, String> {
    let about = match (entry.command, entry.host, entry.tool) {
        (Some(command), None, None) => About::Command(command),
        (None, Some(host), None) => About::Host(host),
        (None, None, Some(tool)) => About::Tool(tool),
        _ => return Err("a permission has one of command, host and tool".to_owned()),
    };
    let named = Reach::ALL.into_iter().find(|one| one.name() == entry.reach);
    Ok(OwnReach {
        about,
        reach: named.ok_or_else(|| {
            let names = Reach::ALL.map(Reach::name).join(", ");
            format!("reach {:?} of a permission: one of {names}", entry.reach)
        })?,
        reason: entry.reason,
    })
}

// A rule, and the questions that it recognises.

/// One rule, as written in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionRule {
    /// The key of the questions it recognises.
    pub key: String,
    /// Their door, if the person set one.
    pub door: Option<Door>,
    /// The person's word for such questions.
    pub category: Option<String>,
    /// Their kind, if the person set one. It decides what a wrong answer costs.
    pub kind: Option<QuestionKind>,
    /// Whether an answer holds for the rest of the session; `None` leaves it to `config.toml`.
    pub reask: Option<Reask>,
    text: Option<TextPattern>,
    header: Option<TextPattern>,
    options: Option<OptionPatterns>,
    /// A note of the file's owner.
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

/// A question in the form that patterns are compared with.
struct PlainQuestion {
    text: String,
    header: String,
    labels: Vec<String>,
}

impl PlainQuestion {
    fn new(text: &str, header: Option<&str>, options: &[String]) -> Self {
        Self {
            text: without_markup(text),
            header: without_markup(header.unwrap_or_default()),
            labels: option_set(options),
        }
    }
}

impl QuestionRule {
    /// The beginning of an event's `door_reason` for a door from a rule.
    pub(crate) const REASON: &str = "registry";

    /// The `door_reason` of events for a door from this rule: `registry`, or `registry: <category>`.
    pub fn reason(&self) -> String {
        match &self.category {
            Some(category) => format!("{}: {category}", Self::REASON),
            None => Self::REASON.to_owned(),
        }
    }

    /// True for a rule that recognises more questions than those that carry its key.
    fn has_patterns(&self) -> bool {
        self.text.is_some() || self.header.is_some() || self.options.is_some()
    }

    /// True if the rule has patterns, and all of them match the question.
    fn matches(&self, asked: &PlainQuestion) -> bool {
        let fits = |pattern: &Option<TextPattern>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
        };
        let labels = self.options.as_ref();
        self.has_patterns()
            && fits(&self.text, &asked.text)
            && fits(&self.header, &asked.header)
            && labels.is_none_or(|patterns| patterns.match_all(&asked.labels))
    }
}

// The patterns of `registry.toml`. `*` stands for any run of characters. Letter case, markup and the amount of white
// space do not matter.

/// A pattern for a whole text. The parts around its `*` are [`without_markup`].
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct TextPattern(String);

impl From<String> for TextPattern {
    fn from(pattern: String) -> Self {
        let parts: Vec<String> = pattern.trim().split('*').map(part).collect();
        Self(parts.join("*"))
    }
}

impl TextPattern {
    /// True when it matches a text that is [`without_markup`].
    pub(super) fn matches(&self, text: &str) -> bool {
        wildcard(&self.0, text)
    }
}

/// Patterns for the labels of a question.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct OptionPatterns {
    entries: Vec<String>,
    /// Set if an entry contains `*`.
    patterns: Option<Vec<TextPattern>>,
}

impl From<Vec<String>> for OptionPatterns {
    fn from(entries: Vec<String>) -> Self {
        let entries = option_set(&entries);
        let has_pattern = entries.iter().any(|entry| entry.contains('*'));
        Self {
            entries: labels_without_markup(&entries),
            patterns: has_pattern.then(|| entries.into_iter().map(TextPattern::from).collect()),
        }
    }
}

impl OptionPatterns {
    /// True when the labels, an [`option_set`], are the same as the entries. If an entry contains `*`, every label must
    /// match one of the entries, and every entry one of the labels.
    pub(super) fn match_all(&self, labels: &[String]) -> bool {
        let labels = labels_without_markup(labels);
        let Some(patterns) = &self.patterns else {
            return self.entries == labels;
        };
        let is_there = |pattern: &TextPattern| labels.iter().any(|label| pattern.matches(label));
        let is_known = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
        patterns.iter().all(is_there) && labels.iter().all(is_known)
    }
}

/// The labels [`without_markup`], sorted.
fn labels_without_markup(labels: &[String]) -> Vec<String> {
    let mut all: Vec<String> = labels.iter().map(|label| without_markup(label)).collect();
    all.sort_unstable();
    all
}

/// A part of a pattern: as [`without_markup`], but a space at its start or end stays.
fn part(pattern: &str) -> String {
    let blank = |is_there: bool| if is_there { " " } else { "" };
    let before = blank(pattern.starts_with(char::is_whitespace));
    let after = blank(pattern.ends_with(char::is_whitespace));
    match without_markup(pattern) {
        inside if inside.is_empty() => before.to_owned(),
        inside => [before, &inside, after].concat(),
    }
}

/// `text` in lower case, with runs of white space as one space, without Markdown's marks (`*`, backticks, `~~`, `_` at
/// the ends of words).
pub(super) fn without_markup(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    for word in text.to_lowercase().split_whitespace() {
        let word: String = word.chars().filter(|c| !"*`".contains(*c)).collect();
        let word = word.replace("~~", "");
        let word = word.trim_start_matches('_');
        let end = word.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        // In `_word_?`, the mark stands before the end of the sentence.
        let (inner, tail) = word.split_at(end);
        let word = [inner, &tail.replace('_', "")].concat();
        if !read.is_empty() && !word.is_empty() {
            read.push(' ');
        }
        read.push_str(&word);
    }
    read
}

#[cfg(test)]
mod pattern_tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        TextPattern::from(pattern.to_owned()).matches(&without_markup(text))
    }

    #[test]
    fn patterns_match_whole_texts() {
        for (pattern, text) in [
            ("a*c", "ABC"),
            ("*b*", "abc"),
            ("abc", "abc"),
            ("*", ""),
            ("a *c", "a c"),
            ("a * c", "a b  c"),
            (" a ", "A"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a*c", "abd"),
            ("b", "abc"),
            ("a*b*c", "acb"),
            ("a *", "ab"),
            ("* b", "ab"),
            ("aba*ba", "aba"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn markup_and_white_space_are_folded() {
        for text in [
            "Run  the widget?",
            "run\nthe\u{a0}widget?",
            "**Run** the widget?",
            "_Run_ the `widget`?",
            "__run the widget__?",
            "~~run~~ ** the widget?",
        ] {
            assert_eq!(without_markup(text), "run the widget?", "{text}");
        }
        for text in ["my_page", "a ~ b", "löschen?", ""] {
            assert_eq!(without_markup(text), text);
        }
    }
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
    fn reaches_of_the_persons_own() {
        let registry = Registry::parse(
            r#"
        [[permission]]
        command = "npm run e2e:remote"
        reach = "beyond"
        reason = "runs against staging"
        [[permission]]
        command = "npm run smoke-shop"
        reach = "reads"
        [[permission]]
        command = "git push"
        reach = "reads"
        [[permission]]
        command = "sudo ls"
        reach = "reads"
        [[permission]]
        command = "cargo test"
        reach = "beyond"
        [[permission]]
        host = "wiki.internal"
        reach = "project"
        [[permission]]
        host = "*.example.com"
        reach = "beyond"
        [[permission]]
        tool = "mcp__db__run_report"
        reach = "reads"
        [[permission]]
        tool = "mcp__db__*"
        reach = "beyond"
        [[permission]]
        tool = "Skill"
        reach = "reads"
        "#,
        )
        .unwrap();
        let reach = |tool: &str, field: &str, value: &str| {
            let input = serde_json::json!({ field: value });
            let own = registry.own_reaches();
            crate::permissions::describe_with(tool, &input, "/home/dev/shop", own)
                .reach
                .name()
        };
        for (command, expected) in [
            ("npm run smoke-shop", "reads"),
            ("npm run smoke-shop --prefix /x", "beyond"),
            ("npm run smoke-shop && git push", "beyond"),
            ("X=1 npm run smoke-shop", "unknown"),
            ("npm run smoke-shop > smoke.log", "project"),
            ("npm run smoke-sho*", "beyond"),
            ("npm run e2e:remote", "beyond"),
            ("git push", "beyond"),
            ("sudo ls", "beyond"),
            ("cargo test", "beyond"),
            ("cargo test -p a", "beyond"),
            ("cargo build", "reads"),
        ] {
            assert_eq!(reach("Bash", "command", command), expected, "{command}");
        }
        assert_eq!(
            reach("WebFetch", "url", "https://wiki.internal/a"),
            "project"
        );
        assert_eq!(
            reach("WebFetch", "url", "https://wiki.internal/a?token=abc"),
            "beyond"
        );
        assert_eq!(
            reach("WebFetch", "url", "https://docs.example.com/a"),
            "beyond"
        );
        assert_eq!(reach("mcp__db__run_report", "x", ""), "reads");
        assert_eq!(reach("mcp__db__list_tables", "x", ""), "beyond");
        assert_eq!(reach("Skill", "skill", "x"), "beyond");
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
            "[[permission]]\nreach = \"reads\"",
            "[[permission]]\ncommand = \"a b\"\nreach = \"all\"",
            "[[permission]]\ncommand = \"a b\"\nhost = \"c.d\"\nreach = \"reads\"",
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
