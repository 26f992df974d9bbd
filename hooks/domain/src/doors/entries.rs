//! Looking words up in the lists.

/// How many buckets a list has, by the first two letters of its entries. More of them cost the hook more bytes
/// than they save time: most lists are short.
const BUCKETS: usize = 32;

/// Entries of one word each, or of several, in one text: `" delete drop "`, `"|force push|"`. The
/// byte that it begins with parts the entries and ends the last. Made by [`list`].
pub(crate) struct List {
    pub(crate) text: &'static str,
    /// Of each bucket, the third letters that its entries have, a bit each ([`third`]): that a word is no
    /// form of any entry is most often known without looking at one.
    pub(crate) thirds: &'static [u8; BUCKETS],
    /// Where each bucket begins among `entries`.
    pub(crate) buckets: &'static [u16; BUCKETS + 1],
    /// Where each entry begins in `text`, bucket by bucket.
    pub(crate) entries: &'static [u16],
}

/// What the compiler knows of a list of `N` entries.
pub(crate) struct Table<const N: usize> {
    pub(crate) thirds: [u8; BUCKETS],
    pub(crate) buckets: [u16; BUCKETS + 1],
    pub(crate) entries: [u16; N],
}

/// The [`List`] of a text, sorted into buckets by the compiler.
macro_rules! list {
    ($text:expr $(,)?) => {{
        const TEXT: &str = $text;
        const COUNT: usize = $crate::doors::entries::count(TEXT);
        static TABLE: $crate::doors::entries::Table<COUNT> =
            $crate::doors::entries::Table::of(TEXT);
        $crate::doors::entries::List {
            text: TEXT,
            thirds: &TABLE.thirds,
            buckets: &TABLE.buckets,
            entries: &TABLE.entries,
        }
    }};
}
pub(crate) use list;

/// The number of entries in `text`.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
pub(crate) const fn count(text: &str) -> usize {
    let (bytes, mut at, mut count) = (text.as_bytes(), 1, 0);
    while at < bytes.len() {
        count += (bytes[at] == bytes[0]) as usize;
        at += 1;
    }
    count
}

impl<const N: usize> Table<N> {
    #[allow(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "the compiler checks the bounds, and no list is 64 KiB long"
    )]
    pub(crate) const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut thirds = [0; BUCKETS];
        let mut buckets = [0; BUCKETS + 1];
        let mut entries = [0; N];
        // Counts, then sums, then places: each bucket's end moves down to its beginning.
        let mut at = 1;
        while at < bytes.len() {
            if bytes[at - 1] == bytes[0] {
                buckets[bucket(bytes[at], bytes[at + 1])] += 1;
            }
            at += 1;
        }
        let mut sum = 1;
        while sum <= BUCKETS {
            buckets[sum] += buckets[sum - 1];
            sum += 1;
        }
        at = bytes.len() - 1;
        while at > 0 {
            if bytes[at - 1] == bytes[0] {
                let bucket = bucket(bytes[at], bytes[at + 1]);
                thirds[bucket] |= if keeps_third(bytes, at) {
                    third(bytes[at + 2])
                } else {
                    u8::MAX
                };
                buckets[bucket] -= 1;
                entries[buckets[bucket] as usize] = at as u16;
            }
            at -= 1;
        }
        Self {
            thirds,
            buckets,
            entries,
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How often a list was searched: the rules' work, which tests count.
    pub(crate) static LOOKUPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

const fn bucket(one: u8, other: u8) -> usize {
    ((one as usize) << 2 ^ other as usize) & (BUCKETS - 1)
}

/// One bit for a third letter, which some others share.
const fn third(letter: u8) -> u8 {
    1 << (letter & 7)
}

/// True when all forms of the entry at `at` have its third letter: those of a word of four letters do, those of
/// one of three unless it ends in `e` (using) or `y` (tries), and those of a shorter one need not.
#[allow(clippy::indexing_slicing, reason = "the bounds are checked")]
const fn keeps_third(text: &[u8], at: usize) -> bool {
    at + 3 < text.len()
        && text[at + 1] != b' '
        && text[at + 2].is_ascii_lowercase()
        && (text[at + 3].is_ascii_lowercase() || !matches!(text[at + 2], b'e' | b'y'))
}

/// The entries of one bucket that start with three letters.
pub(crate) struct Starting {
    text: &'static str,
    entries: std::slice::Iter<'static, u16>,
    letters: [u8; 3],
}

impl Iterator for Starting {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let text = self.text.as_bytes();
        let [one, other, third] = self.letters;
        let start = self.entries.by_ref().find_map(|start| {
            let start = usize::from(*start);
            let starts = text.get(start) == Some(&one)
                && text.get(start + 1) == Some(&other)
                && (text.get(start + 2) == Some(&third) || !keeps_third(text, start));
            starts.then_some(start)
        })?;
        let rest = self.text.get(start..)?;
        let parting = char::from(*text.first()?);
        rest.split(parting).next()
    }
}

impl List {
    /// The entries that start like `word`: every form of a word keeps its first two letters. A word of
    /// one letter is an entry of that letter alone. `None` for most words of which there are none.
    #[inline]
    pub(crate) fn starting(&self, word: &str) -> Option<Starting> {
        Some(self.of(self.beginning(word)?))
    }

    /// The first letters of `word`, if an entry may start with them.
    #[inline]
    fn beginning(&self, word: &str) -> Option<[u8; 3]> {
        #[cfg(test)]
        LOOKUPS.set(LOOKUPS.get() + 1);
        let letters = match *word.as_bytes() {
            [one, other, letter, ..] => [one, other, letter],
            [one, other] => [one, other, b' '],
            [one] => [one, b' ', b' '],
            [] => return None,
        };
        let [one, other, letter] = letters;
        let thirds = self.thirds.get(bucket(one, other))?;
        (thirds & third(letter) != 0).then_some(letters)
    }

    /// The entries that start with `letters`.
    fn of(&self, letters: [u8; 3]) -> Starting {
        let [one, other, _] = letters;
        let bucket = bucket(one, other);
        let place = |at: usize| self.buckets.get(at).copied().map_or(0, usize::from);
        let entries = self.entries.get(place(bucket)..place(bucket + 1));
        Starting {
            text: self.text,
            entries: entries.unwrap_or_default().iter(),
            letters,
        }
    }

    /// The entry of which `word` is a form, by `is`.
    #[inline]
    pub(crate) fn entry(
        &'static self,
        word: &str,
        is: fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        let letters = self.beginning(word)?;
        self.among(letters, word, is)
    }

    #[inline(never)]
    fn among(
        &self,
        letters: [u8; 3],
        word: &str,
        is: fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        self.of(letters).find(|entry| is(word, entry))
    }

    /// True when `word` itself is an entry.
    pub(crate) fn holds(&'static self, word: &str) -> bool {
        self.entry(word, |word, entry| word == entry).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doors::tokens::is_verb;

    #[test]
    fn forms_of_three_letters_are_found() {
        static WORDS: List = list!(" use try put be ");
        for (word, entry) in [
            ("using", Some("use")),
            ("uses", Some("use")),
            ("tries", Some("try")),
            ("putting", Some("put")),
            ("being", Some("be")),
            ("pulling", None),
            ("trust", None),
        ] {
            assert_eq!(WORDS.entry(word, is_verb), entry, "{word}");
        }
        let starting = |word| WORDS.starting(word).into_iter().flatten().count();
        assert_eq!(
            [starting("putty"), starting("pull"), starting("true")],
            [1, 0, 1]
        );
    }

    #[test]
    fn entries_are_found_by_their_beginning() {
        static WORDS: List = list!(" delete drop de a удал ");
        static PHRASES: List = list!("|force push|no way|");
        let starting = |word| {
            WORDS
                .starting(word)
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        assert_eq!(starting("deleted"), ["delete", "de"]);
        assert_eq!(starting("dropped"), ["drop"]);
        assert_eq!(starting("a"), ["a"]);
        assert_eq!(starting("add"), [""; 0]);
        assert_eq!(starting("удалить"), ["удал"]);
        assert_eq!(
            PHRASES.starting("forced").unwrap().collect::<Vec<_>>(),
            ["force push"]
        );
        assert!(WORDS.holds("de") && !WORDS.holds("del") && !WORDS.holds(""));
    }
}
