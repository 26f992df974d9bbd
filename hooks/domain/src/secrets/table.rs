//! Rules in files: one a line, its columns with tabs between, the lines sorted by their bytes. Each position of a text
//! is looked up by two bytes, which most texts of most rules have not: how many rules there are costs nothing.

/// A file of rules.
pub(super) struct Table {
    text: &'static str,
    /// Where the lines begin.
    starts: &'static [u16],
    /// A bit for each pair of bytes that a line begins with.
    pairs: [u64; 64],
}

/// How many lines `text` has.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
pub(super) const fn lines(text: &str) -> usize {
    let (bytes, mut at, mut count) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        count += (bytes[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// Where the lines of `text` begin.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
#[allow(clippy::cast_possible_truncation, reason = "a file is shorter")]
pub(super) const fn starts<const LINES: usize>(text: &str) -> [u16; LINES] {
    let (bytes, mut at, mut line, mut starts) = (text.as_bytes(), 0, 1, [0; LINES]);
    while line < LINES {
        if bytes[at] == b'\n' {
            starts[line] = at as u16 + 1;
            line += 1;
        }
        at += 1;
    }
    starts
}

const fn place(pair: [u8; 2]) -> usize {
    ((pair[0] & 63) as usize) << 6 | (pair[1] & 63) as usize
}

impl Table {
    #[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
    pub(super) const fn new(text: &'static str, starts: &'static [u16]) -> Self {
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

    /// The columns of the lines that begin with `pair` and whose first column `is_it`: four, of which the last ones may be
    /// empty. Not inlined: the hook is to stay small.
    #[inline(never)]
    pub(super) fn rows(
        &self,
        pair: [u8; 2],
        is_it: &dyn Fn(&str) -> bool,
    ) -> Vec<[&'static str; 4]> {
        let place = place(pair);
        let bits = self.pairs.get(place / 64).copied().unwrap_or_default();
        if bits & 1 << (place % 64) == 0 {
            return Vec::new();
        }
        let line = |start: &u16| self.text.get(usize::from(*start)..).unwrap_or_default();
        let is_before = |start: &u16| line(start).as_bytes().get(..2) < Some(&pair[..]);
        let first = self.starts.partition_point(is_before);
        let lines = self.starts.get(first..).unwrap_or_default().iter();
        let lines = lines.map(line);
        let lines = lines.take_while(|line| line.as_bytes().starts_with(&pair));
        let columns = lines.filter_map(|line| {
            let end = line.bytes().position(|byte| byte < b' ')?;
            let mut columns = line.get(end..)?.split('\n').next()?.split('\t').skip(1);
            let first = line.get(..end).filter(|first| is_it(first))?;
            let mut column = || columns.next().unwrap_or_default();
            Some([first, column(), column(), column()])
        });
        columns.collect()
    }
}
