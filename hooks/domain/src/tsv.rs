//! Facts in files: one line per fact, with tabs between columns, lines sorted by bytes. A line is found by its first
//! bytes when it is needed. Most positions of a text match no line, so the number of lines does not matter for speed.

use std::cmp::Ordering;
use std::ops::Range;

/// A file of such lines.
pub(crate) struct TsvFile {
    text: &'static str,
    /// The starts of the lines.
    starts: &'static [u32],
    /// One bit for each pair of bytes at the start of a line.
    pairs: [u64; 64],
}

/// The number of lines in `text`.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
pub(crate) const fn lines(text: &str) -> usize {
    let (bytes, mut at, mut count) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        count += (bytes[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// The starts of the lines of `text`.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
#[allow(clippy::cast_possible_truncation, reason = "a file is shorter")]
pub(crate) const fn starts<const LINES: usize>(text: &str) -> [u32; LINES] {
    let (bytes, mut at, mut line, mut starts) = (text.as_bytes(), 0, 1, [0; LINES]);
    while line < LINES {
        if bytes[at] == b'\n' {
            starts[line] = at as u32 + 1;
            line += 1;
        }
        at += 1;
    }
    starts
}

const fn place(pair: [u8; 2]) -> usize {
    ((pair[0] & 63) as usize) << 6 | (pair[1] & 63) as usize
}

impl TsvFile {
    #[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
    pub(crate) const fn new(text: &'static str, starts: &'static [u32]) -> Self {
        let (bytes, mut line, mut pairs) = (text.as_bytes(), 0, [0; 64]);
        while line < starts.len() {
            let start = starts[line] as usize;
            let place = place([bytes[start], bytes[start + 1]]);
            pairs[place / 64] |= 1 << (place % 64);
            line += 1;
        }
        Self {
            text,
            starts,
            pairs,
        }
    }

    /// The places of the lines whose first words are `words`. Not inlined, to keep the hook small.
    #[inline(never)]
    pub(crate) fn of_words(&self, words: &str) -> Range<usize> {
        let start = words.as_bytes();
        if start
            .first_chunk()
            .is_some_and(|pair| !self.may_hold(*pair))
        {
            return 0..0;
        }
        let text = self.text.as_bytes();
        let compare = |at: &u32| {
            let line = text.get(*at as usize..).unwrap_or_default();
            let (beginning, rest) = line.split_at(start.len().min(line.len()));
            let goes_on = rest.first().is_some_and(|byte| *byte > b' ');
            beginning.cmp(start).then(match goes_on {
                true => Ordering::Greater,
                false => Ordering::Equal,
            })
        };
        let near = match start.first_chunk() {
            Some(pair) => self.of_pair(*pair),
            None => 0..self.starts.len(),
        };
        let lines = self.starts.get(near.clone()).unwrap_or_default();
        let first = lines.partition_point(|at| compare(at).is_lt());
        let rest = lines.get(first..).unwrap_or_default();
        let first = near.start + first;
        first..first + rest.partition_point(|at| compare(at).is_eq())
    }

    /// False if no line begins with `pair`. Most positions of a text end here.
    #[inline]
    pub(crate) fn may_hold(&self, pair: [u8; 2]) -> bool {
        let place = place(pair);
        let bits = self.pairs.get(place / 64).copied().unwrap_or_default();
        bits & 1 << (place % 64) != 0
    }

    /// The places of the lines that begin with `pair`.
    fn of_pair(&self, pair: [u8; 2]) -> Range<usize> {
        let start = |at: &u32| {
            let line = self.text.as_bytes().get(*at as usize..);
            let pair = line.and_then(<[u8]>::first_chunk).copied();
            u16::from_be_bytes(pair.unwrap_or_default())
        };
        let pair = u16::from_be_bytes(pair);
        let first = self.starts.partition_point(|at| start(at) < pair);
        let rest = self.starts.get(first..).unwrap_or_default();
        first..first + rest.partition_point(|at| start(at) == pair)
    }

    /// False if a letter of the line at `at` is not the one of `near` at its place. Only plain letters are compared, up to
    /// the first other sign.
    fn may_be(&self, at: usize, near: &[u8]) -> bool {
        let start = self.starts.get(at).copied().unwrap_or_default() as usize;
        let line = self.text.as_bytes().get(start + 2..).unwrap_or_default();
        for (near, letter) in near.iter().skip(2).zip(line) {
            if !letter.is_ascii_alphabetic() {
                return true;
            }
            if !letter.eq_ignore_ascii_case(near) {
                return !near.is_ascii() || *near == b'%';
            }
        }
        true
    }

    /// The line at this place, split after its first column: `("git log", "reads\tfile")`.
    #[inline(never)]
    pub(crate) fn line(&self, at: usize) -> (&'static str, &'static str) {
        let start = |at: usize| {
            self.starts
                .get(at)
                .map_or(self.text.len(), |start| *start as usize)
        };
        // Without the end of the line.
        let line = self.text.get(start(at)..start(at + 1) - 1);
        let line = line.unwrap_or_default();
        // A first column is shorter than the search of a text is worth.
        match line.bytes().position(|byte| byte == b'\t') {
            Some(tab) => (
                line.get(..tab).unwrap_or_default(),
                line.get(tab + 1..).unwrap_or_default(),
            ),
            None => (line, ""),
        }
    }

    /// The first four columns of the lines that begin with `pair` and whose first column satisfies `is_it`; empty where
    /// a line has fewer. A line whose first letters are not those of `near`, in either case, is not asked about.
    pub(crate) fn rows(
        &self,
        pair: [u8; 2],
        near: &[u8],
        is_it: &dyn Fn(&str) -> bool,
    ) -> Vec<[&'static str; 4]> {
        match self.may_hold(pair) {
            true => self.rows_of(pair, near, is_it),
            false => Vec::new(),
        }
    }

    #[inline(never)]
    fn rows_of(
        &self,
        pair: [u8; 2],
        near: &[u8],
        is_it: &dyn Fn(&str) -> bool,
    ) -> Vec<[&'static str; 4]> {
        let found = self.of_pair(pair).filter(|at| self.may_be(*at, near));
        let found = found.map(|at| self.line(at));
        let found = found.filter(|(first, _)| is_it(first));
        let rows = found.map(|(first, rest)| {
            let mut columns = rest.split('\t');
            let mut column = || columns.next().unwrap_or_default();
            [first, column(), column(), column()]
        });
        rows.collect()
    }
}
