//! Doors: questions whose answer cannot be taken back (`one-way`) are always asked.
//!
//! A net of verbs × objects, the full product of word lists, over the question, its header and the
//! option that would be chosen. The net can only add `one-way`; it never removes it.

mod lists;

use std::fmt;

use lists::{
    ALWAYS, COMPOUNDS, CRITICAL_OBJECTS, HARD_VERBS, NEVER_TOUCHED, ORDINARY_OBJECTS, PHRASES,
    SOFT_VERBS, STEMS,
};

/// Whether an answer can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// Destructive, security, consent, payment, publication: always asked.
    OneWay,
    /// Anything else.
    TwoWay,
}

impl Door {
    /// The name in events, preferences and the registry.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneWay => "one-way",
            Self::TwoWay => "two-way",
        }
    }

    /// The door of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::OneWay, Self::TwoWay]
            .into_iter()
            .find(|door| door.name() == name)
    }
}

impl fmt::Display for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why `texts` make a one-way question, or `None` when the net finds nothing.
///
/// `texts` are the question, its header and the option that would be chosen: a verb in one and its
/// object in another are a pair, because "Delete them" answers "What about the old tables?".
pub fn one_way_reason(texts: &[&str]) -> Option<String> {
    let lower = texts.join(" ").to_lowercase();
    if let Some(stem) = STEMS.iter().find(|stem| lower.contains(**stem)) {
        return Some(format!("word: {stem}"));
    }
    let words: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    if let Some(phrase) = PHRASES.iter().find(|phrase| holds_phrase(&words, phrase)) {
        return Some(format!("phrase: {}", phrase.join(" ")));
    }
    if let Some(verb) = ALWAYS
        .iter()
        .find(|verb| words.iter().any(|word| is_verb(word, verb)))
    {
        return Some(format!("verb: {verb}"));
    }
    if let Some(thing) = NEVER_TOUCHED
        .iter()
        .find(|thing| words.iter().any(|word| is_noun(word, thing)))
    {
        return Some(format!("object: {thing}"));
    }
    let pair = |verbs: &[&str], objects: &[&str]| {
        let verb = verbs
            .iter()
            .find(|verb| words.iter().any(|word| is_verb(word, verb)))?;
        let object = objects
            .iter()
            .find(|object| words.iter().any(|word| is_noun(word, object)))?;
        Some(format!("pair: {verb} × {object}"))
    };
    pair(HARD_VERBS, CRITICAL_OBJECTS)
        .or_else(|| pair(HARD_VERBS, ORDINARY_OBJECTS))
        .or_else(|| pair(SOFT_VERBS, CRITICAL_OBJECTS))
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = split(text).into_iter().peekable();
    while let Some(word) = rest.next() {
        let is_compound = rest.peek().is_some_and(|second| {
            COMPOUNDS
                .iter()
                .any(|(one, other)| word == *one && is_noun(second, other))
        });
        if is_compound {
            rest.next();
        } else {
            words.push(word);
        }
    }
    words
}

fn split(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn holds_phrase(words: &[String], phrase: &[&str]) -> bool {
    words.windows(phrase.len()).any(|window| {
        window
            .iter()
            .zip(phrase.iter())
            .all(|(word, part)| is_noun(word, part) || is_verb(word, part))
    })
}

/// Every form keeps the first letter; most words end here, and the hook's time with them.
fn same_start(word: &str, form: &str) -> bool {
    word.as_bytes().first() == form.as_bytes().first()
}

/// True when `word` is `noun` or its plural.
fn is_noun(word: &str, noun: &str) -> bool {
    if !same_start(word, noun) {
        return false;
    }
    if let Some(stem) = noun.strip_suffix('y')
        && word.strip_suffix("ies") == Some(stem)
    {
        return true;
    }
    word.strip_prefix(noun)
        .is_some_and(|ending| matches!(ending, "" | "s" | "es"))
}

/// True when `word` is a form of `verb`: delete, deletes, deleted, deleting, deletion; drop,
/// dropped, dropping; apply, applies, applied.
fn is_verb(word: &str, verb: &str) -> bool {
    if !same_start(word, verb) {
        return false;
    }
    const ENDINGS: &[&str] = &["", "s", "es", "d", "ed", "ing", "al", "ation", "ment", "er"];
    if word
        .strip_prefix(verb)
        .is_some_and(|ending| ENDINGS.contains(&ending))
    {
        return true;
    }
    if let Some(stem) = verb.strip_suffix('e') {
        return word
            .strip_prefix(stem)
            .is_some_and(|ending| matches!(ending, "ing" | "ion" | "al" | "ation" | "or"));
    }
    if let Some(stem) = verb.strip_suffix('y') {
        return word
            .strip_prefix(stem)
            .is_some_and(|ending| matches!(ending, "ies" | "ied"));
    }
    let doubled = verb
        .chars()
        .next_back()
        .and_then(|last| word.strip_prefix(verb)?.strip_prefix(last));
    doubled.is_some_and(|ending| matches!(ending, "ed" | "ing" | "er" | "al"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangerous_phrases_are_one_way() {
        for text in [
            "Delete the old sessions tables before migrating?",
            "Force push the rewritten billing branch?",
            "Rotate the search API token now?",
            "Publish the parser package to production?",
            "Reset my secret?",
            "Dropping the staging databases",
            "Run rm -rf build?",
            "Wiping disks",
            "Grant the agent access to the repository?",
            "Approve the payment?",
            "Discard the backup",
            "Should I commit with --no-verify?",
            "git reset --hard origin/main?",
            "Delete files?",
            "Remove the user accounts?",
            "Deploying now?",
            "PR #233 머지 승인",
            "¿Resetear la base de datos?",
            "本番に公開しますか？",
            "Alte Tabellen löschen?",
        ] {
            assert!(one_way_reason(&[text]).is_some(), "{text}");
        }
        assert!(one_way_reason(&["What about the old tables?", "", "Drop them"]).is_some());
    }

    #[test]
    fn everyday_phrases_are_two_way() {
        for text in [
            "No TODOS.md found. Create one?",
            "shall I format the release notes?",
            "Which layout? Grid or list",
            "Which checks should run?",
            "themes: shall I split the fixture?",
            "shall I squash the changelog?",
            "shall I document the test plan?",
            "shall I update the snapshot?",
            "shall I rename the style guide?",
            "Where should the generated diagram go?",
            "Run the linter before committing?",
            "Write the plan or discuss more?",
            "Should I format the files?",
            "billing: shall I skip the release notes?",
            "backups: shall I split the release notes?",
        ] {
            assert_eq!(one_way_reason(&[text]), None, "{text}");
        }
    }
}
