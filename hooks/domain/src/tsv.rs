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

    /// The lines whose first words are `words`, each split after its first column: `("git log", "reads\tfile")`.
    pub(crate) fn of_word(
        &self,
        words: &str,
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        let found = self.range(words.as_bytes(), true);
        found.map(|at| self.line(at))
    }

    /// The places of the lines that begin with `start`; with `is_whole`, of those where a word ends there. Not inlined,
    /// to keep the hook small.
    #[inline(never)]
    fn range(&self, start: &[u8], is_whole: bool) -> Range<usize> {
        if let Some(pair) = start.first_chunk() {
            let place = place(*pair);
            let bits = self.pairs.get(place / 64).copied().unwrap_or_default();
            if bits & 1 << (place % 64) == 0 {
                return 0..0;
            }
        }
        let text = self.text.as_bytes();
        let compare = |at: &u32| {
            let line = text.get(*at as usize..).unwrap_or_default();
            let (beginning, rest) = line.split_at(start.len().min(line.len()));
            let goes_on = is_whole && rest.first().is_some_and(|byte| *byte > b' ');
            beginning.cmp(start).then(match goes_on {
                true => Ordering::Greater,
                false => Ordering::Equal,
            })
        };
        let first = self.starts.partition_point(|at| compare(at).is_lt());
        let rest = self.starts.get(first..).unwrap_or_default();
        first..first + rest.partition_point(|at| compare(at).is_eq())
    }

    #[inline(never)]
    fn line(&self, at: usize) -> (&'static str, &'static str) {
        let start = |at: usize| {
            self.starts
                .get(at)
                .map_or(self.text.len(), |start| *start as usize)
        };
        // Without the end of the line.
        let line = self.text.get(start(at)..start(at + 1) - 1);
        let line = line.unwrap_or_default();
        line.split_once('\t').unwrap_or((line, ""))
    }

    /// The first four columns of the lines that begin with `pair` and whose first column satisfies `is_it`; empty where
    /// a line has fewer.
    #[inline(never)]
    pub(crate) fn rows(
        &self,
        pair: [u8; 2],
        is_it: &dyn Fn(&str) -> bool,
    ) -> Vec<[&'static str; 4]> {
        let found = self.range(&pair, false).map(|at| self.line(at));
        let found = found.filter(|(first, _)| is_it(first));
        let rows = found.map(|(first, rest)| {
            let mut columns = rest.split('\t');
            let mut column = || columns.next().unwrap_or_default();
            [first, column(), column(), column()]
        });
        rows.collect()
    }
}
