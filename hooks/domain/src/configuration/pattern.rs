//! The patterns of `registry.toml`: `*` stands for any run of characters; letter case, markup and how
//! white space is written do not count.

use serde::Deserialize;

use crate::keys::option_set;
use crate::text::wildcard;

/// A pattern over a whole text, what stands before, between and behind the `*` as [`folded`].
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Pattern(String);

impl From<String> for Pattern {
    fn from(pattern: String) -> Self {
        let parts: Vec<String> = pattern.trim().split('*').map(part).collect();
        Self(parts.join("*"))
    }
}

impl Pattern {
    /// True when it matches a text that is [`folded`].
    pub(super) fn matches(&self, text: &str) -> bool {
        wildcard(&self.0, text)
    }
}

/// Patterns over the labels of a question.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct OptionPatterns {
    entries: Vec<String>,
    /// Where an entry holds `*`.
    patterns: Option<Vec<Pattern>>,
}

impl From<Vec<String>> for OptionPatterns {
    fn from(entries: Vec<String>) -> Self {
        let entries = option_set(&entries);
        let has_pattern = entries.iter().any(|entry| entry.contains('*'));
        Self {
            entries: all_folded(&entries),
            patterns: has_pattern.then(|| entries.into_iter().map(Pattern::from).collect()),
        }
    }
}

impl OptionPatterns {
    /// True when the labels, an [`option_set`], are those of the entries. Where an entry holds `*`, every
    /// label must match one of the entries, and every entry one of the labels.
    pub(super) fn match_all(&self, labels: &[String]) -> bool {
        let labels = all_folded(labels);
        let Some(patterns) = &self.patterns else {
            return self.entries == labels;
        };
        let is_there = |pattern: &Pattern| labels.iter().any(|label| pattern.matches(label));
        let is_known = |label: &String| patterns.iter().any(|pattern| pattern.matches(label));
        patterns.iter().all(is_there) && labels.iter().all(is_known)
    }
}

/// The labels [`folded`], sorted.
fn all_folded(labels: &[String]) -> Vec<String> {
    let mut all: Vec<String> = labels.iter().map(|label| folded(label)).collect();
    all.sort_unstable();
    all
}

/// A part of a pattern: as [`folded`], but a blank at its ends counts.
fn part(pattern: &str) -> String {
    let blank = |is_there: bool| if is_there { " " } else { "" };
    let before = blank(pattern.starts_with(char::is_whitespace));
    let after = blank(pattern.ends_with(char::is_whitespace));
    match folded(pattern) {
        inside if inside.is_empty() => before.to_owned(),
        inside => [before, &inside, after].concat(),
    }
}

/// `text` as it is read: lower case, runs of white space as one blank, without Markdown's marks
/// (`*`, backticks, `~~`, `_` at the ends of words).
pub(super) fn folded(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    for word in text.to_lowercase().split_whitespace() {
        let word: String = word.chars().filter(|c| !"*`".contains(*c)).collect();
        let word = word.replace("~~", "");
        let word = word.trim_start_matches('_');
        let end = word.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
        // `_word_?`: the mark stands before what ends the sentence.
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
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::from(pattern.to_owned()).matches(&folded(text))
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
            assert_eq!(folded(text), "run the widget?", "{text}");
        }
        for text in ["my_page", "a ~ b", "löschen?", ""] {
            assert_eq!(folded(text), text);
        }
    }
}
