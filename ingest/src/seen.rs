//! Which ids this run may have appended already: a Bloom filter of a size that does not change.
//!
//! Ids are hashes, so their own bits serve as the filter's hash functions. A hit means "look it up
//! in the store"; only a miss is certain, and a filter that fills up costs time, never a row.

/// At most this many bits, for whatever number of ids.
const MOST_BITS: u64 = 1 << 28;

/// At least this many.
const FEWEST_BITS: u64 = 1 << 20;

/// About how many bits an id has to itself, as far as there are enough.
const BITS_AN_ID: u64 = 32;

const PROBES: u32 = 6;

/// Words in a cache line of 64 bytes.
const WORDS_A_LINE: usize = 8;

/// A set of ids that may claim to hold more than it does, and never less.
pub(crate) struct Seen {
    /// Bits that are no longer set are those of ids. (Of memory that is all zero, pages would come
    /// when they are first read, and again when they are first written.)
    words: Vec<u64>,
}

impl Seen {
    /// For about so many ids.
    pub(crate) fn new(ids: u64) -> Self {
        let bits = ids.saturating_mul(BITS_AN_ID).max(FEWEST_BITS);
        let bits = bits.min(MOST_BITS).next_power_of_two();
        Self {
            words: vec![u64::MAX; (bits / 64) as usize],
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
                held &= *word & (1 << (bit % 64)) == 0;
                *word &= !(1 << (bit % 64));
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
        let mut seen = Seen::new(5000);
        let ids = (0u128..5000).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835));
        let false_hits = ids.clone().filter(|id| seen.insert(*id)).count();
        assert!(false_hits < 5, "{false_hits}");
        assert!(ids.clone().all(|id| seen.insert(id)));
    }
}
