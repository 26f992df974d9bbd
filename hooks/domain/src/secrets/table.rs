//! Rules in files: one a line, its columns with tabs between, the lines sorted by their bytes. Each position of a text
//! is looked up by two bytes, which most texts of most rules have not: how many rules there are costs nothing.

/// A file of rules.
pub(super) struct Table {
    text: &'static str,
    /// A bit for each pair of bytes that a line begins with.
    pairs: [u64; 64],
}

const fn place(pair: [u8; 2]) -> usize {
    ((pair[0] & 63) as usize) << 6 | (pair[1] & 63) as usize
}

impl Table {
    #[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
    pub(super) const fn new(text: &'static str) -> Self {
        let (bytes, mut at, mut pairs) = (text.as_bytes(), 0, [0; 64]);
        while at + 1 < bytes.len() {
            if at == 0 || bytes[at - 1] == b'\n' {
                let place = place([bytes[at], bytes[at + 1]]);
                pairs[place / 64] |= 1 << (place % 64);
            }
            at += 1;
        }
        Self { text, pairs }
    }

    /// The lines that begin with `pair` and whose first column `is_it`: four columns, of which the last ones may be empty.
    /// Not inlined: the hook is to stay small.
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
        // Halves the text until the first line is found that is not before the pair.
        let bytes = self.text.as_bytes();
        let (mut low, mut high) = (0, bytes.len());
        while low < high {
            let before = bytes.get(..low.midpoint(high)).unwrap_or_default();
            let start = before.iter().rposition(|byte| *byte == b'\n');
            let start = start.map_or(0, |end| end + 1);
            let line = bytes.get(start..).unwrap_or_default();
            if line.get(..2) < Some(&pair[..]) {
                let end = line.iter().position(|byte| *byte == b'\n');
                low = end.map_or(bytes.len(), |end| start + end + 1);
            } else {
                high = start;
            }
        }
        let lines = bytes
            .get(low..)
            .unwrap_or_default()
            .split(|byte| *byte == b'\n');
        let lines = lines.take_while(|line| line.starts_with(&pair));
        let columns = lines.filter_map(|line| {
            let mut columns = std::str::from_utf8(line).ok()?.split('\t');
            let first = columns.next().filter(|first| is_it(first))?;
            let mut column = || columns.next().unwrap_or_default();
            Some([first, column(), column(), column()])
        });
        columns.collect()
    }
}
