//! What chance would give: whether a count, or a time, is more than that.

use statrs::distribution::{ContinuousCDF as _, StudentsT};
use statrs::function::beta::checked_beta_reg;

/// How often at least `hits` of `n` tries succeed by chance when each does with probability `share` (0–1):
/// the exact binomial test, by the incomplete beta function (Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 26.5.24).
pub(super) fn at_least(hits: u64, n: u64, share: f64) -> f64 {
    if hits == 0 || share >= 1.0 {
        return 1.0;
    }
    if hits > n || share <= 0.0 {
        return 0.0;
    }
    let (hits, misses) = (number(hits), number(n - hits));
    checked_beta_reg(hits, misses + 1.0, share).unwrap_or(1.0)
}

/// How often two Poisson counts over `days` and `days_before` differ by chance as much as `count` and
/// `before` do, or more, when both have the same rate: given their sum, the first is binomial (Przyborowski
/// and Wilenski, "Homogeneity of results in testing samples from Poisson series", Biometrika 31 (1940)
/// 313–323). The smaller tail, doubled.
pub(super) fn counts_differ([count, before]: [u64; 2], [days, days_before]: [f64; 2]) -> f64 {
    let share = days / (days + days_before);
    let sum = count + before;
    let more = at_least(count, sum, share);
    let fewer = at_least(before, sum, 1.0 - share);
    (2.0 * more.min(fewer)).min(1.0)
}

/// The logarithms of times: how many, their sum, and the sum of their squares. Times of answers are about
/// log-normal, so that it is their logarithms that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Logs {
    pub(super) n: f64,
    pub(super) sum: f64,
    pub(super) squares: f64,
}

impl Logs {
    fn mean(self) -> f64 {
        self.sum / self.n
    }

    /// The variance of their mean.
    fn error(self) -> f64 {
        let variance = (self.squares - self.sum * self.sum / self.n) / (self.n - 1.0);
        variance.max(0.0) / self.n
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            n: self.n - other.n,
            sum: self.sum - other.sum,
            squares: self.squares - other.squares,
        }
    }
}

/// How often times are by chance as much longer than `others` as `these` are: Welch's t-test, one-sided
/// (Welch, "The generalization of 'Student's' problem when several different population variances are
/// involved", Biometrika 34 (1947) 28–35). 1 for fewer than two of either.
pub(super) fn longer(these: Logs, others: Logs) -> f64 {
    if these.n < 2.0 || others.n < 2.0 {
        return 1.0;
    }
    let (error, of_others) = (these.error(), others.error());
    let both = error + of_others;
    let difference = these.mean() - others.mean();
    if both <= f64::EPSILON {
        // All alike, to the digit: no test says more than the difference itself.
        return if difference > f64::EPSILON { 0.0 } else { 1.0 };
    }
    let freedom =
        both * both / (error * error / (these.n - 1.0) + of_others * of_others / (others.n - 1.0));
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |student| student.sf(difference / both.sqrt()))
}

/// Which of several findings stay when among those that do at most the share `level` is to be chance:
/// Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society
/// B 57 (1995) 289–300. `chances` says how often chance gives each.
pub(super) fn beyond_chance(chances: &[f64], level: f64) -> Vec<bool> {
    let mut sorted: Vec<f64> = chances.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let all = sorted.len() as f64;
    let ranked = (1_u32..).zip(&sorted);
    let bound = ranked
        .filter(|(rank, chance)| **chance <= level * f64::from(*rank) / all)
        .map(|(_, chance)| *chance)
        .fold(f64::NEG_INFINITY, f64::max);
    chances.iter().map(|chance| *chance <= bound).collect()
}

/// A count as a number to compute with.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn binomial_tails_by_hand() {
        close(at_least(5, 5, 0.5), 1.0 / 32.0);
        close(at_least(2, 3, 0.5), 0.5);
        close(at_least(1, 2, 0.25), 7.0 / 16.0);
        close(at_least(0, 9, 0.1), 1.0);
        close(at_least(3, 2, 0.9), 0.0);
        close(at_least(2, 2, 1.0), 1.0);
    }

    #[test]
    fn counts_that_differ_are_judged_by_their_days() {
        // 9 and 1 in equal times: 2 × (1 + 10) / 1024.
        close(counts_differ([9, 1], [7.0, 7.0]), 22.0 / 1024.0);
        close(counts_differ([1, 9], [7.0, 7.0]), 22.0 / 1024.0);
        close(counts_differ([5, 5], [7.0, 7.0]), 1.0);
        // Three in a day are as many as 21 in a week.
        assert!(counts_differ([3, 21], [1.0, 7.0]) > 0.9);
        close(counts_differ([0, 0], [7.0, 7.0]), 1.0);
    }

    fn logs(seconds: &[f64]) -> Logs {
        Logs {
            n: seconds.len() as f64,
            sum: seconds.iter().map(|one| one.ln()).sum(),
            squares: seconds.iter().map(|one| one.ln().powi(2)).sum(),
        }
    }

    #[test]
    fn longer_times_are_known_from_equal_ones() {
        let short = logs(&[10.0, 12.0, 9.0, 11.0, 14.0, 8.0]);
        let long = logs(&[100.0, 90.0, 130.0, 80.0, 120.0]);
        assert!(longer(long, short) < 1e-6);
        assert!(longer(short, long) > 0.999);
        close(longer(short, short), 0.5);
        close(longer(logs(&[5.0]), short), 1.0);
        close(longer(logs(&[5.0, 5.0]), logs(&[1.0, 1.0])), 0.0);
        close(longer(logs(&[5.0, 5.0]), logs(&[5.0, 5.0])), 1.0);
        let difference = logs(&[5.0, 6.0, 7.0]).minus(logs(&[7.0]));
        close(difference.sum, logs(&[5.0, 6.0]).sum);
    }

    #[test]
    fn many_findings_together_count_more_than_one_among_many() {
        assert_eq!(beyond_chance(&[0.04], 0.05), [true]);
        assert_eq!(beyond_chance(&[0.04, 0.9], 0.05), [false, false]);
        assert_eq!(beyond_chance(&[0.04, 0.05], 0.05), [true, true]);
        assert_eq!(
            beyond_chance(&[0.9, 0.001, 0.5], 0.05),
            [false, true, false]
        );
        assert_eq!(beyond_chance(&[], 0.05), Vec::<bool>::new());
    }
}
