//! Looking words up in the lists.

/// How many buckets a list has, by the first two letters of its entries.
const BUCKETS: usize = 256;

/// Entries of one word each, or of several, in one text: `" delete drop "`, `"|force push|"`. The
/// byte that it begins with parts the entries and ends the last. Made by [`list`].
pub(crate) struct List {
    pub(crate) text: &'static str,
    /// Where each bucket begins among `entries`.
    pub(crate) buckets: &'static [u16; BUCKETS + 1],
    /// Where each entry begins and ends in `text`, bucket by bucket.
    pub(crate) entries: &'static [[u16; 2]],
}

/// What the compiler knows of a list of `N` entries.
pub(crate) struct Table<const N: usize> {
    pub(crate) buckets: [u16; BUCKETS + 1],
    pub(crate) entries: [[u16; 2]; N],
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
        let mut buckets = [0; BUCKETS + 1];
        let mut entries = [[0; 2]; N];
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
        let mut end = at;
        while at > 0 {
            if bytes[at - 1] == bytes[0] {
                let bucket = bucket(bytes[at], bytes[at + 1]);
                buckets[bucket] -= 1;
                entries[buckets[bucket] as usize] = [at as u16, end as u16];
                end = at - 1;
            }
            at -= 1;
        }
        Self { buckets, entries }
    }
}

#[cfg(test)]
thread_local! {
    /// How often a list was searched: the rules' work, which tests count.
    pub(crate) static LOOKUPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

const fn bucket(one: u8, other: u8) -> usize {
    ((one as usize) << 3 ^ other as usize) & (BUCKETS - 1)
}

impl List {
    /// The entries that start like `word`: every form of a word keeps its first two letters. A word of
    /// one letter is an entry of that letter alone.
    pub(crate) fn starting(&'static self, word: &str) -> impl Iterator<Item = &'static str> {
        #[cfg(test)]
        LOOKUPS.set(LOOKUPS.get() + 1);
        let bar = self.text.as_bytes().first().copied().unwrap_or_default();
        let (one, other, third) = match *word.as_bytes() {
            [one, other, third, ..] => (one, other, third),
            [one, other] => (one, other, b' '),
            [one] => (one, b' ', b' '),
            [] => (bar, bar, bar),
        };
        let bucket = bucket(one, other);
        let place = |at: usize| self.buckets.get(at).copied().map_or(0, usize::from);
        let entries = self.entries.get(place(bucket)..place(bucket + 1));
        let entries = entries.unwrap_or_default().iter();
        let entries = entries
            .filter_map(|[start, end]| self.text.get(usize::from(*start)..usize::from(*end)));
        // The third letter distinguishes most entries of a bucket. The forms of a word of four letters keep
        // it, those of a shorter one need not.
        entries.filter(move |entry| match *entry.as_bytes() {
            [a, b, c, d, ..] if b != b' ' && c.is_ascii_lowercase() && d.is_ascii_lowercase() => {
                a == one && b == other && c == third
            }
            [a, b, ..] => a == one && b == other,
            [a] => a == one && bar == other,
            [] => false,
        })
    }

    /// The entry of which `word` is a form, by `is`.
    pub(crate) fn entry(
        &'static self,
        word: &str,
        is: fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        self.starting(word).find(|entry| is(word, entry))
    }

    /// True when `word` itself is an entry.
    pub(crate) fn holds(&'static self, word: &str) -> bool {
        self.entry(word, |word, entry| word == entry).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_beginning() {
        static WORDS: List = list!(" delete drop de a удал ");
        static PHRASES: List = list!("|force push|no way|");
        let starting = |word| WORDS.starting(word).collect::<Vec<_>>();
        assert_eq!(starting("deleted"), ["delete", "de"]);
        assert_eq!(starting("dropped"), ["drop"]);
        assert_eq!(starting("a"), ["a"]);
        assert_eq!(starting("add"), [""; 0]);
        assert_eq!(starting("удалить"), ["удал"]);
        assert_eq!(
            PHRASES.starting("forced").collect::<Vec<_>>(),
            ["force push"]
        );
        assert!(WORDS.holds("de") && !WORDS.holds("del") && !WORDS.holds(""));
    }
}
