//! How certain a share of so many cases is.

use crate::suggest::posterior::Agreement;

/// The credibility of an interval.
const CREDIBILITY: f64 = 0.95;

/// Where a share lies with 95 % credibility (0–1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The equal-tailed interval of the share of which `hits` of `of` cases are a sample: the
    /// quantiles of Beta(hits + ½, misses + ½), Jeffreys' prior (Brown, Cai and DasGupta, "Interval
    /// estimation for a binomial proportion", Statistical Science 16 (2001) 101–133; as there, an
    /// end is 0 or 1 when nothing or everything hit). `None` without cases.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a count of questions is far below 2^52"
    )]
    pub fn of_share(hits: u64, of: u64) -> Option<Self> {
        let misses = of.checked_sub(hits).filter(|_| of > 0)?;
        let share = Agreement {
            alpha: hits as f64 + 0.5,
            beta: misses as f64 + 0.5,
        };
        let tail = (1.0 - CREDIBILITY) / 2.0;
        let low = match hits {
            0 => 0.0,
            _ => share.lower_bound(1.0 - tail),
        };
        let high = match misses {
            0 => 1.0,
            _ => share.lower_bound(tail),
        };
        Some(Self { low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_as_published() {
        // Brown, Cai and DasGupta, table 5: n = 10, x = 3 and n = 30, x = 1.
        let close = |one: f64, other: f64| (one - other).abs() < 6e-4;
        let found = Interval::of_share(3, 10).unwrap();
        assert!(
            close(found.low, 0.093) && close(found.high, 0.606),
            "{found:?}"
        );
        let none = Interval::of_share(0, 10).unwrap();
        assert!(
            none.low.abs() < 1e-12 && close(none.high, 0.217),
            "{none:?}"
        );
        let all = Interval::of_share(10, 10).unwrap();
        assert!(close(all.low, 0.783) && (all.high - 1.0).abs() < 1e-12);
        assert_eq!(Interval::of_share(0, 0), None);
        assert_eq!(Interval::of_share(3, 2), None);
    }
}
