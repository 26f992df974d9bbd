//! Which ids this run may have appended already: a Bloom filter of fixed size.
//!
//! Ids are hashes, so their own bits serve as the filter's hash functions. A hit means "look it up
//! in the store"; only a miss is certain, and a filter that fills up costs time, never a row.

const BITS: u64 = 1 << 28;

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

    /// Adds `id`, and says whether it may have been in the set before.
    pub(crate) fn insert(&mut self, id: [u8; 16]) -> bool {
        let id = u128::from_be_bytes(id);
        let mut held = true;
        for probe in 0..4 {
            let bit = (id >> (probe * 28)) as u64 % BITS;
            if let Some(word) = self.words.get_mut((bit / 64) as usize) {
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
        let ids = (0u128..5000)
            .map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)).to_be_bytes());
        let false_hits = ids.clone().filter(|id| seen.insert(*id)).count();
        assert_eq!(false_hits, 0);
        assert!(ids.clone().all(|id| seen.insert(id)));
    }
}
