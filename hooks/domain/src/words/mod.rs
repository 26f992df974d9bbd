//! Word lists in text files: one word or phrase per line, sorted, in groups. A line `# name: …` begins a group and
//! describes it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem;
use rust_stemmers::{Algorithm, Stemmer};

/// Words for acts.
const VERBS: &str = include_str!("verbs.txt");
/// Objects of acts.
const THINGS: &str = include_str!("things.txt");
/// Grammar words.
const GRAMMAR: &str = include_str!("grammar.txt");
/// First words of labels.
const LABELS: &str = include_str!("labels.txt");
/// Words that the hook itself searches for.
const DOORS: &str = include_str!("doors.txt");
/// Several words in a row.
const PHRASES: &str = include_str!("phrases.txt");

/// Verbs with their objects.
const PAIRS: &str = include_str!("pairs.txt");

/// One group of a file, read on first use.
pub(crate) struct WordList {
    file: &'static str,
    group: &'static str,
    /// Sorted, as in the file.
    entries: OnceLock<Vec<&'static str>>,
}

impl WordList {
    pub(crate) const fn verbs(group: &'static str) -> Self {
        Self::of(VERBS, group)
    }

    pub(crate) const fn things(group: &'static str) -> Self {
        Self::of(THINGS, group)
    }

    pub(crate) const fn grammar(group: &'static str) -> Self {
        Self::of(GRAMMAR, group)
    }

    pub(crate) const fn labels(group: &'static str) -> Self {
        Self::of(LABELS, group)
    }

    pub(crate) const fn doors(group: &'static str) -> Self {
        Self::of(DOORS, group)
    }

    const fn of(file: &'static str, group: &'static str) -> Self {
        Self {
            file,
            group,
            entries: OnceLock::new(),
        }
    }

    fn entries(&self) -> &[&'static str] {
        let read = || entries(self.file, self.group).collect();
        self.entries.get_or_init(read)
    }

    fn entry(&self, word: &str) -> Option<&'static str> {
        let entries = self.entries();
        let at = entries.binary_search(&word).ok()?;
        entries.get(at).copied()
    }

    /// True when `word` itself is an entry.
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.entry(word).is_some()
    }

    /// The entry whose singular or plural is `word`.
    pub(crate) fn noun(&self, word: &str) -> Option<&'static str> {
        let plural = || {
            let stem = word.strip_suffix('s')?;
            let of_y = || self.entry(&[stem.strip_suffix("ie")?, "y"].concat());
            self.entry(stem)
                .or_else(|| self.entry(stem.strip_suffix('e')?))
                .or_else(of_y)
        };
        self.entry(word).or_else(plural)
    }

    /// The entry that has a form with this `stem`: delete, deletes, deleting, deletion.
    pub(crate) fn verb(&self, stem: &str) -> Option<&'static str> {
        // Every form begins like its stem.
        let begins = stem.get(..if stem.len() > 3 { 3 } else { 2 })?;
        let entries = self.entries();
        let first = entries.partition_point(|entry| *entry < begins);
        let near = entries.iter().skip(first);
        let mut near = near.take_while(|entry| entry.starts_with(begins));
        near.find(|entry| stem_of(entry) == stem).copied()
    }
}

/// One group of phrases, indexed by the stem of their first word.
pub(crate) struct PhraseList {
    file: &'static str,
    group: &'static str,
    phrases: OnceLock<HashMap<String, Vec<Phrase>>>,
}

/// A phrase of several words.
pub(crate) struct Phrase {
    /// The phrase as written in the file.
    pub(crate) text: &'static str,
    /// The stem of each word, and whether there may be up to four other words before it.
    pub(crate) parts: Vec<(String, bool)>,
}

impl PhraseList {
    pub(crate) const fn of(group: &'static str) -> Self {
        Self {
            file: PHRASES,
            group,
            phrases: OnceLock::new(),
        }
    }

    pub(crate) const fn doors(group: &'static str) -> Self {
        Self {
            file: DOORS,
            group,
            phrases: OnceLock::new(),
        }
    }

    /// The phrases whose first word has this `stem`.
    pub(crate) fn starting(&self, stem: &str) -> &[Phrase] {
        let phrases = self.phrases.get_or_init(|| {
            let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
            for text in entries(self.file, self.group) {
                let phrase = Phrase::read(text);
                let first = phrase.parts.first().map(|(stem, _)| stem.clone());
                phrases
                    .entry(first.unwrap_or_default())
                    .or_default()
                    .push(phrase);
            }
            phrases
        });
        phrases.get(stem).map_or(&[], Vec::as_slice)
    }
}

impl Phrase {
    fn read(text: &'static str) -> Self {
        let mut parts = Vec::new();
        let mut has_gap = false;
        for word in text.split(' ') {
            if word == "..." {
                has_gap = true;
            } else {
                parts.push((stem_of(word), has_gap));
                has_gap = false;
            }
        }
        Self { text, parts }
    }
}

/// One group of verbs and their objects.
pub(crate) struct PairList {
    group: &'static str,
    rows: OnceLock<Vec<(Vec<&'static str>, Vec<&'static str>)>>,
}

impl PairList {
    pub(crate) const fn of(group: &'static str) -> Self {
        Self {
            group,
            rows: OnceLock::new(),
        }
    }

    /// A verb in `words`, and an object of the same row at most `reach` words after it.
    pub(crate) fn find<'w>(&self, words: &'w [String], reach: usize) -> Option<(&'w str, &'w str)> {
        let row = |line: &'static str| {
            let (verbs, things) = line.split_once(": ")?;
            Some((verbs.split(' ').collect(), things.split(' ').collect()))
        };
        let rows = self
            .rows
            .get_or_init(|| entries(PAIRS, self.group).filter_map(row).collect());
        rows.iter().find_map(|(verbs, things)| {
            let at = words
                .iter()
                .position(|word| verbs.contains(&word.as_str()))?;
            let mut near = words.iter().skip(at + 1).take(reach);
            let thing = near.find(|word| things.contains(&word.as_str()))?;
            Some((words.get(at)?.as_str(), thing.as_str()))
        })
    }
}

thread_local! {
    /// The stems found so far: a history repeats the same words.
    static STEMS: RefCell<HashMap<String, String>> = RefCell::default();
}

/// The common part of all forms of the English `word`. Other words are returned unchanged.
pub(crate) fn stem_of(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| match stems.get(word) {
        Some(stem) => stem.clone(),
        None => {
            let stem = stemmed(word);
            stems.insert(word.to_owned(), stem.clone());
            stem
        }
    })
}

fn stemmed(word: &str) -> String {
    let is_whole =
        !word.is_ascii() || WHOLE.contains(&word) || word.ends_with("ly") && !word.ends_with("ply");
    match is_whole {
        true => word.to_owned(),
        false => Stemmer::create(Algorithm::English).stem(word).into_owned(),
    }
}

/// Words that the stemmer wrongly takes for forms of a verb: "terminal" is not a form of "terminate".
const WHOLE: [&str; 8] = [
    "author",
    "authority",
    "authors",
    "evening",
    "evenings",
    "invalid",
    "terminal",
    "terminals",
];

/// True if `list` contains a word of `text`.
pub(crate) fn has_word(text: &str, list: &WordList) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| list.holds(word))
}

/// The entries of `group` in `file`.
fn entries(file: &'static str, group: &str) -> impl Iterator<Item = &'static str> {
    let lines = lines(file, group).lines();
    lines.filter(|line| !line.is_empty())
}

/// The lines of `group` in `file`, with the line break before them.
fn lines(file: &'static str, group: &str) -> &'static str {
    let heading = ["\n# ", group, ":"].concat();
    let text = memmem::find(file.as_bytes(), heading.as_bytes())
        .and_then(|at| file.get(at + heading.len()..))
        .and_then(|rest| rest.get(rest.find('\n')?..));
    debug_assert!(text.is_some(), "no group is called {group}");
    let text = text.unwrap_or_default();
    let end = memmem::find(text.as_bytes(), b"\n#").unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_groups() {
        for file in [VERBS, THINGS, GRAMMAR, LABELS, DOORS, PHRASES, PAIRS] {
            for heading in file.lines().filter(|line| line.starts_with("# ")) {
                let (name, holds) = heading.trim_start_matches("# ").split_once(": ").unwrap();
                assert!(!holds.is_empty(), "{heading}");
                let words: Vec<&str> = entries(file, name).collect();
                assert!(!words.is_empty() && words.is_sorted(), "{heading}");
                let same = words.windows(2).find(|pair| pair.first() == pair.last());
                assert_eq!(same, None, "{heading}");
            }
        }
    }

    #[test]
    fn forms_of_words_are_found() {
        static DESTROYING: WordList = WordList::verbs("destroying");
        static CRITICAL: WordList = WordList::doors("critical");
        for (word, entry) in [
            ("deleted", Some("delete")),
            ("deletion", Some("delete")),
            ("dropping", Some("drop")),
            ("removal", Some("remove")),
            ("empties", Some("empty")),
            ("tested", None),
        ] {
            assert_eq!(DESTROYING.verb(&stem_of(word)), entry, "{word}");
        }
        assert_eq!(CRITICAL.noun("histories"), Some("history"));
        assert_eq!(CRITICAL.noun("branches"), None);
        assert!(CRITICAL.holds("token") && !CRITICAL.holds("tokens"));
    }
}
