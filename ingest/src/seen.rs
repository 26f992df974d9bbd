//! Which ids this run may have appended already: a Bloom filter of fixed size.
//!
//! Ids are hashes, so their own bits serve as the filter's hash functions. A hit means "look it up
//! in the store"; only a miss is certain, and a filter that fills up costs time, never a row.

const BITS: u64 = 1 << 28;

const PROBES: u32 = 6;

/// Words in a cache line of 64 bytes.
const WORDS_A_LINE: usize = 8;

/// A set of ids that may claim to hold more than it does, and never less.
pub(crate) struct Seen {
    words: Vec<u64>,
}

impl Seen {
    pub(crate) fn new() -> Self {
        Self {
            words: vec![0; (BITS / 64) as usize],
        }
    }

    /// Adds `id`, and says whether it may have been in the set before. All of its bits are in one
    /// cache line: looking into several would take longer than what it saves.
    pub(crate) fn insert(&mut self, id: u128) -> bool {
        let lines = self.words.len() / WORDS_A_LINE;
        let line = (id >> 64) as usize % lines * WORDS_A_LINE;
        let mut held = true;
        for probe in 0..PROBES {
            let bit = (id >> (probe * 9)) as usize % (64 * WORDS_A_LINE);
            if let Some(word) = self.words.get_mut(line + bit / 64) {
                held &= *word & (1 << (bit % 64)) != 0;
                *word |= 1 << (bit % 64);
            }
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_in_is_held() {
        let mut seen = Seen::new();
        let ids = (0u128..5000).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835));
        let false_hits = ids.clone().filter(|id| seen.insert(*id)).count();
        assert!(false_hits < 5, "{false_hits}");
        assert!(ids.clone().all(|id| seen.insert(id)));
    }
}
