//! Word lists in text files: one word or phrase per line, sorted, in groups. A line `# name: …` begins a group and
//! describes it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use memchr::memmem;
use rust_stemmers::{Algorithm, Stemmer};

/// Words that the hook itself searches for.
const DOORS: &str = include_str!("doors.txt");

/// One group of a file, read on first use.
pub(crate) struct WordList {
    file: &'static str,
    group: &'static str,
    /// Sorted, as in the file.
    entries: OnceLock<Vec<&'static str>>,
}

impl WordList {
    pub(crate) const fn doors(group: &'static str) -> Self {
        Self::of(DOORS, group)
    }

    pub(crate) const fn of(file: &'static str, group: &'static str) -> Self {
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

    pub(crate) fn entry(&self, word: &str) -> Option<&'static str> {
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

    /// The entry of which `word` is the base form, or the form with `-s` or `-ing`.
    pub(crate) fn inflected(&self, word: &str) -> Option<&'static str> {
        let shorter = |ending: &str| word.strip_suffix(ending);
        let doubled = || {
            let base = shorter("ing")?;
            let last = base.chars().next_back()?;
            base.strip_suffix(last).filter(|base| base.ends_with(last))
        };
        let bases = [shorter("s"), shorter("es"), shorter("ing"), doubled()];
        let with = |ending: &str, letter: &str| self.entry(&[shorter(ending)?, letter].concat());
        self.entry(word)
            .or_else(|| {
                bases
                    .into_iter()
                    .flatten()
                    .find_map(|base| self.entry(base))
            })
            .or_else(|| with("ing", "e"))
            .or_else(|| with("ies", "y"))
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
        for file in [
            DOORS,
            include_str!("../agreement/signs.txt"),
            include_str!("../agreement/labels.txt"),
        ] {
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
        const FILE: &str = include_str!("../agreement/signs.txt");
        static DESTROYING: WordList = WordList::of(FILE, "destroying");
        static THINGS: WordList = WordList::of(FILE, "things");
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
        assert_eq!(THINGS.noun("identities"), Some("identity"));
        assert_eq!(THINGS.noun("branches"), None);
        assert!(THINGS.holds("token") && !THINGS.holds("tokens"));
    }
}
