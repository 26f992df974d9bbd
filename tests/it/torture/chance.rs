//! Random choices that a seed repeats.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct Chance {
    state: u64,
    seed: u64,
}

impl Chance {
    /// Of the seed in `PLANTUNE_TORTURE_SEED`, else of one of its own, which a failure names.
    pub(crate) fn new() -> Self {
        let seed = super::number("PLANTUNE_TORTURE_SEED")
            .unwrap_or_else(|| RandomState::new().hash_one("seed") >> 32);
        let chance = Self { state: seed, seed };
        eprintln!("{}", chance.seed());
        chance
    }

    /// Another series of choices, of the same seed.
    pub(crate) fn fork(&mut self) -> Self {
        Self {
            state: self.next(),
            seed: self.seed,
        }
    }

    /// How to repeat these choices.
    pub(crate) fn seed(&self) -> String {
        format!("PLANTUNE_TORTURE_SEED={}", self.seed)
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of 0..`end`; the bias of the remainder does not matter here.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// True `percent` times of a hundred.
    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A time up to `most`.
    pub(crate) fn up_to(&mut self, most: Duration) -> Duration {
        Duration::from_micros(self.below(most.as_micros() as u64 + 1))
    }

    pub(crate) fn one_of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len() as u64) as usize]
    }
}
