//! Chance that a seed repeats, the same on every machine: the generator splitmix64 (Steele, Lea and Flood, "Fast
//! splittable pseudorandom number generators", OOPSLA 2014).

#![allow(dead_code, reason = "each user needs some of it")]

pub(crate) struct Chance {
    state: u64,
    seed: u64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x9E37_79B9_7F4A_7C15,
            seed,
        }
    }

    /// Another series of choices, of the same seed.
    pub(crate) fn fork(&mut self) -> Self {
        Self {
            state: self.next(),
            seed: self.seed,
        }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Evenly from 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Below `end`, which is a whole number of any type; 0 below 0.
    pub(crate) fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, end: N) -> N {
        let end: u64 = end.try_into().ok().unwrap();
        let number = ((self.share() * end as f64) as u64).min(end.saturating_sub(1));
        N::try_from(number).ok().unwrap()
    }

    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// About normal: the sum of twelve even numbers, less six.
    pub(crate) fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| self.share()).sum();
        mean + deviation * (sum - 6.0)
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
