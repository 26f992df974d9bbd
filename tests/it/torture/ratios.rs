//! How long a command takes after a kill, beside computing the store from nothing.

use std::fmt;
use std::time::Duration;

/// What fails: far more than the promise, which is twice. Machines are noisy.
const BOUND: u32 = 4;

/// What is added to the bound: a short run may be interrupted for longer than it takes.
const SLACK: Duration = Duration::from_secs(1);

/// The times of commands, each with that of computing the store.
#[derive(Default)]
pub(crate) struct Ratios(Vec<(Duration, Duration)>);

impl Ratios {
    pub(crate) fn add(&mut self, took: Duration, computing: Duration) {
        self.0.push((took, computing));
    }

    fn sorted(&self) -> Vec<f64> {
        let ratios = self.0.iter();
        let mut ratios: Vec<f64> = ratios
            .map(|(took, computing)| took.as_secs_f64() / computing.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }

    pub(crate) fn assert_bounded(&self) {
        for (took, computing) in &self.0 {
            assert!(
                *took < *computing * BOUND + SLACK,
                "{took:.2?} beside {computing:.2?}; {self}"
            );
        }
    }
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratios = self.sorted();
        let longest = self.0.iter().map(|(_, computing)| *computing).max();
        write!(
            f,
            "{:.2} times in the median, {:.2} at worst ({} commands; computing took up to {:.2?})",
            ratios[ratios.len() / 2],
            ratios[ratios.len() - 1],
            ratios.len(),
            longest.unwrap_or_default()
        )
    }
}
