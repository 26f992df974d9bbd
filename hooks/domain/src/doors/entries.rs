//! Looking words up in the lists.

use memchr::memmem;

/// Entries of one word each, or of several, in one text: `" delete drop "`, `"|force push|"`.
pub(super) struct List {
    text: &'static str,
    /// What parts the entries, and encloses them.
    bar: u8,
    /// Which pairs of first letters there are, one bit a pair: most words end here, and the hook's
    /// time with them.
    starts: Pairs,
}

/// A set of pairs of letters, five bits of each: one that is not in it is nowhere.
pub(super) struct Pairs([u64; 16]);

impl Pairs {
    pub(super) const NONE: Self = Self([0; 16]);

    #[allow(
        clippy::indexing_slicing,
        reason = "there are 1024 pairs of five bits; `get_mut` is for no constant"
    )]
    pub(super) const fn add(&mut self, one: u8, other: u8) {
        let pair = pair(one, other);
        self.0[pair / 64] |= 1 << (pair % 64);
    }

    pub(super) fn has(&self, one: u8, other: u8) -> bool {
        let pair = pair(one, other);
        let bits = self.0.get(pair / 64).copied().unwrap_or_default();
        bits >> (pair % 64) & 1 == 1
    }
}

impl List {
    /// The list in `text`, whose first byte parts its entries.
    pub(super) const fn of(text: &'static str) -> Self {
        let mut starts = Pairs::NONE;
        let (mut rest, mut bar) = (text.as_bytes(), b' ');
        if let [first, ..] = rest {
            bar = *first;
        }
        while let [before, one, other, ..] = rest {
            if *before == bar {
                starts.add(*one, *other);
            }
            let [_, next @ ..] = rest else { break };
            rest = next;
        }
        Self { text, bar, starts }
    }

    /// The entries that start like `word`: every form of a word keeps its first two letters.
    pub(super) fn starting(&'static self, word: &str) -> impl Iterator<Item = &'static str> {
        let (needle, known) = match *word.as_bytes() {
            [one, other, ..] => ([self.bar, one, other], self.starts.has(one, other)),
            [one] => ([self.bar, one, self.bar], true),
            [] => ([self.bar; 3], false),
        };
        let mut from = if known { 0 } else { self.text.len() };
        std::iter::from_fn(move || {
            let rest = self.text.as_bytes().get(from..)?;
            let at = from + memmem::find(rest, &needle)? + 1;
            from = at;
            self.text.get(at..)?.split(char::from(self.bar)).next()
        })
    }

    /// The entry of which `word` is a form, by `is`.
    pub(super) fn entry(
        &'static self,
        word: &str,
        is: fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        self.starting(word).find(|entry| is(word, entry))
    }

    /// True when `word` itself is an entry.
    pub(super) fn holds(&'static self, word: &str) -> bool {
        self.entry(word, |word, entry| word == entry).is_some()
    }
}

const fn pair(one: u8, other: u8) -> usize {
    ((one & 31) as usize) << 5 | (other & 31) as usize
}
