//! Word lists in text files: one word or phrase per line, sorted, in groups. A line `# name: …` begins a group and
//! describes it. A group is found when the program is built, and a word in it by halving, so that nothing is prepared
//! when the hook starts. Most words of a text are in no list, which a few of their letters show.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rust_stemmers::{Algorithm, Stemmer};

use crate::hash::{FNV_BASIS, fnv1a};

/// Words that the hook itself searches for.
const DOORS: &str = include_str!("doors.txt");

/// One group of a file.
pub(crate) struct WordList {
    /// Its lines, sorted.
    lines: &'static str,
    /// One bit for the [`look`] of each entry.
    looks: [u64; LOOKS / 64],
    /// One bit for the first two letters of each entry.
    starts: [u64; STARTS / 64],
}

/// How many different looks and starts a word can have.
const LOOKS: usize = 1 << 10;
const STARTS: usize = 1 << 10;

/// A number below [`LOOKS`] from the length and three letters of `word`.
#[allow(clippy::indexing_slicing, reason = "the places are inside")]
const fn look(word: &[u8]) -> usize {
    let length = word.len();
    if length == 0 {
        return 0;
    }
    let [first, middle, last] = [word[0], word[length / 2], word[length - 1]];
    (first as usize ^ (middle as usize) << 3 ^ (last as usize) << 6 ^ length << 1) % LOOKS
}

/// A number below [`STARTS`] from the first two letters of `word`.
#[allow(clippy::indexing_slicing, reason = "the length is checked")]
const fn start(word: &[u8]) -> usize {
    match word.len() {
        0 | 1 => 0,
        _ => (word[0] as usize & 31) << 5 | word[1] as usize & 31,
    }
}

/// One bit for the [`look`] of each of `words`, which `end` separates.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
const fn looks(words: &[u8], end: u8) -> [u64; LOOKS / 64] {
    let (mut looks, mut rest) = ([0; LOOKS / 64], words);
    while !rest.is_empty() {
        let (word, after) = split(rest, end);
        looks[look(word) / 64] |= 1 << (look(word) % 64);
        rest = after;
    }
    looks
}

/// The first word of `words`, which `end` separates, and the others.
#[allow(clippy::indexing_slicing, reason = "the bounds are checked")]
const fn split(words: &[u8], end: u8) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < words.len() && words[at] != end {
        at += 1;
    }
    match words.split_at(at) {
        (word, [_, after @ ..]) => (word, after),
        (word, []) => (word, &[]),
    }
}

/// The number of words in `list`, which `end` separates.
pub(crate) const fn count(list: &str, end: u8) -> usize {
    let (mut rest, mut count) = (list.as_bytes(), 0);
    while !rest.is_empty() {
        (_, rest) = split(rest, end);
        count += 1;
    }
    count
}

/// The words in `list`, which `end` separates.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
pub(crate) const fn each<const COUNT: usize>(list: &str, end: u8) -> [&str; COUNT] {
    let (mut rest, mut words, mut at) = (list, [""; COUNT], 0);
    while at < COUNT {
        let (word, _) = split(rest.as_bytes(), end);
        (words[at], rest) = rest.split_at(word.len());
        if !rest.is_empty() {
            (_, rest) = rest.split_at(1);
        }
        at += 1;
    }
    words
}

/// Words in the code, with spaces between them, that each word of a text is compared with.
pub(crate) struct Words {
    words: &'static str,
    looks: [u64; LOOKS / 64],
}

impl Words {
    pub(crate) const fn of(words: &'static str) -> Self {
        Self {
            words,
            looks: looks(words.as_bytes(), b' '),
        }
    }

    /// True if `word` is one of them.
    pub(crate) fn hold(&self, word: &str) -> bool {
        is_set(&self.looks, look(word.as_bytes())) && is_listed(self.words, word)
    }
}

/// Whether the bit at `place` is set.
fn is_set(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64)
        .is_some_and(|bits| bits & 1 << (place % 64) != 0)
}

impl WordList {
    pub(crate) const fn doors(group: &'static str) -> Self {
        Self::of(DOORS, group)
    }

    #[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
    pub(crate) const fn of(file: &'static str, group: &str) -> Self {
        let lines = lines(file, group);
        let mut starts = [0; STARTS / 64];
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let (word, after) = split(rest, b'\n');
            starts[start(word) / 64] |= 1 << (start(word) % 64);
            rest = after;
        }
        Self {
            lines,
            looks: looks(lines.as_bytes(), b'\n'),
            starts,
        }
    }

    /// The entries from the first one that is not less than `word` on.
    fn entries_from(&self, word: &str) -> impl Iterator<Item = &'static str> {
        let lines = self.lines.as_bytes();
        let (mut from, mut to) = (0, lines.len());
        while from < to {
            let middle = from + (to - from) / 2;
            let before = lines.get(from..middle).unwrap_or_default();
            let start = before.iter().rposition(|byte| *byte == b'\n');
            let start = start.map_or(from, |at| from + at + 1);
            let (line, _) = split(lines.get(start..).unwrap_or_default(), b'\n');
            if line < word.as_bytes() {
                from = start + line.len() + 1;
            } else {
                to = start;
            }
        }
        self.lines.get(from..).unwrap_or_default().lines()
    }

    pub(crate) fn entry(&self, word: &str) -> Option<&'static str> {
        let bytes = word.as_bytes();
        if !is_set(&self.looks, look(bytes)) || !is_set(&self.starts, start(bytes)) {
            return None;
        }
        let mut entries = self.entries_from(word);
        entries.next().filter(|entry| *entry == word)
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
        if !is_set(&self.starts, start(begins.as_bytes())) {
            return None;
        }
        let near = self.entries_from(begins);
        let mut near = near.take_while(|entry| entry.starts_with(begins));
        near.find(|entry| stem_of(entry) == stem)
    }
}

/// How many words are kept: more than a person's history repeats.
const KEPT: usize = 1 << 16;

/// What was found of each word: a text repeats its words, and a history even more.
pub(crate) struct KnownWords<T>(HashMap<String, T, BuildHasherDefault<WordHasher>>);

impl<T> Default for KnownWords<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T: Clone> KnownWords<T> {
    /// What `find` finds of `word`, or found before.
    pub(crate) fn of(&mut self, word: &str, find: impl FnOnce(&str) -> T) -> T {
        if let Some(known) = self.0.get(word) {
            return known.clone();
        }
        if self.0.len() >= KEPT {
            self.0.clear();
        }
        let found = find(word);
        self.0.insert(word.to_owned(), found.clone());
        found
    }
}

/// Words are short, and a slow hash is most of the work of finding one.
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(FNV_BASIS)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv1a(self.0, bytes);
    }
}

thread_local! {
    static STEMS: RefCell<KnownWords<String>> = RefCell::default();
}

/// The common part of all forms of the English `word`. Other words are returned unchanged.
pub(crate) fn stem_of(word: &str) -> String {
    STEMS.with_borrow_mut(|stems| stems.of(word, stemmed))
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

/// True if `list`, words between spaces, contains `word`. The list is not split: most words are nowhere in it, not even
/// as a part of another one.
#[inline(never)]
pub(crate) fn is_listed(list: &str, word: &str) -> bool {
    if word.is_empty() || !list.contains(word) || word.contains(' ') {
        return false;
    }
    let is_first = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let is_last = |rest: &str| rest.ends_with(' ');
    list.strip_prefix(word).is_some_and(is_first)
        || list.strip_suffix(word).is_some_and(is_last)
        || list.contains(&[" ", word, " "].concat())
}

/// True if `list` contains a word of `text`.
pub(crate) fn has_word(text: &str, list: &WordList) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| list.holds(word))
}

/// How many different starts of three letters there are: five bits of each are enough for the letters of ASCII.
const TRIPLES: usize = 1 << 15;

/// One bit for the first three letters of each name in a text. Few places of another text have such a start.
pub(crate) struct Starts([u64; TRIPLES / 64]);

impl Starts {
    /// The starts of what follows each `end` in `names`. A name of two letters, or with a space as the third, has every
    /// start with those two.
    #[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
    pub(crate) const fn of(names: &[u8], end: u8) -> Self {
        let (mut bits, mut at) = ([0; TRIPLES / 64], 0);
        while at + 2 < names.len() {
            let (mut third, last) = match names[at + 2] {
                0..=b' ' => (0, 127),
                letter => (letter, letter),
            };
            loop {
                let place = triple([names[at], names[at + 1], third]);
                bits[place / 64] |= 1 << (place % 64);
                if third == last {
                    break;
                }
                third += 1;
            }
            while at < names.len() && names[at] != end {
                at += 1;
            }
            at += 1;
        }
        Self(bits)
    }

    /// False if no name begins with these letters, in either case.
    pub(crate) fn hold(&self, letters: [u8; 3]) -> bool {
        is_set(&self.0, triple(letters))
    }

    /// The places of `text` where a name of three letters or more may begin.
    pub(crate) fn places(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let letters = text.windows(3).enumerate();
        letters.filter_map(|(at, letters)| self.hold(*letters.first_chunk()?).then_some(at))
    }
}

/// The place of a start among [`TRIPLES`]. A letter has the same place in both cases.
const fn triple([one, two, three]: [u8; 3]) -> usize {
    (one as usize & 31) | (two as usize & 31) << 5 | (three as usize & 31) << 10
}

/// The lines of `group` in `file`, without the line break at their end. The program is not built if there is no such
/// group.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
const fn lines(file: &'static str, group: &str) -> &'static str {
    let mut rest = file;
    loop {
        let (line, _) = split(rest.as_bytes(), b'\n');
        let (_, after) = rest.split_at(line.len() + 1);
        if is_heading(line, group.as_bytes()) {
            return up_to_heading(after);
        }
        rest = after;
    }
}

/// True for `# group: …`.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
const fn is_heading(line: &[u8], group: &[u8]) -> bool {
    if line.len() < group.len() + 3 || line[0] != b'#' || line[group.len() + 2] != b':' {
        return false;
    }
    let mut at = 0;
    while at < group.len() && line[at + 2] == group[at] {
        at += 1;
    }
    at == group.len()
}

/// The start of `text` up to an empty line, or without the line break at its end.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
const fn up_to_heading(text: &'static str) -> &'static str {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at + 1 < bytes.len() && !(bytes[at] == b'\n' && bytes[at + 1] == b'\n') {
        at += 1;
    }
    text.split_at(at).0
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
                let words: Vec<&str> = lines(file, name).split('\n').collect();
                assert!(
                    !words.contains(&"") && !words.is_empty() && words.is_sorted(),
                    "{heading}"
                );
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
