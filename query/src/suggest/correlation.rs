//! How alike a person's answers of one session are, over all their habits: the intra-cluster correlation
//! that the effective sample size is computed with.

/// The correlation that is assumed of a person of whom nothing is known.
const PRIOR: f64 = 0.3;

/// How much evidence the prior counts as, in expected disagreements between two answers of one session.
const PRIOR_WEIGHT: f64 = 4.0;

/// Nobody's answers of one session are believed to be less, or more, alike than this.
const BOUNDS: (f64, f64) = (0.15, 0.9);

/// Answers of one session, or of one day: how many agree with the habit's policy, and how many do not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cluster {
    pub(super) agreeing: usize,
    pub(super) disagreeing: usize,
}

/// How much the answers of one session differ, beside what one would expect were they independent; sums
/// over habits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Within {
    expected: f64,
    found: f64,
}

impl Within {
    /// Of one habit, by its sessions. With x of the m answers of a session agreeing, N answers in k
    /// sessions and the share p of all that agree: found is Σ x (m − x) / m, expected (N − k) p (1 − p)
    /// (Fleiss and Cuzick, "The reliability of dichotomous judgments: unequal numbers of judgments per
    /// subject", Applied Psychological Measurement 3 (1979) 537–542).
    #[allow(clippy::cast_precision_loss, reason = "forty answers at most")]
    pub(super) fn of<'a>(sessions: impl Iterator<Item = &'a Cluster>) -> Self {
        let (mut answers, mut clusters, mut agreeing, mut found) = (0.0, 0.0, 0.0, 0.0);
        for session in sessions {
            let x = session.agreeing as f64;
            let m = x + session.disagreeing as f64;
            if m > 0.0 {
                answers += m;
                clusters += 1.0;
                agreeing += x;
                found += x * (m - x) / m;
            }
        }
        if answers == 0.0 {
            return Self::default();
        }
        let share = agreeing / answers;
        Self {
            expected: (answers - clusters) * share * (1.0 - share),
            found,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            expected: self.expected + other.expected,
            found: self.found + other.found,
        }
    }

    /// The correlation ρ = 1 − found / expected, drawn to the prior's by as much evidence as that counts
    /// for, and bounded.
    pub(super) fn correlation(self) -> Correlation {
        let expected = self.expected + PRIOR_WEIGHT;
        let found = self.found + PRIOR_WEIGHT * (1.0 - PRIOR);
        Correlation((1.0 - found / expected).clamp(BOUNDS.0, BOUNDS.1))
    }
}

/// An intra-cluster correlation ρ (0–1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correlation(f64);

impl Correlation {
    /// How much one of `m` agreeing answers of a cluster counts: the inverse of Kish's design effect,
    /// 1 / (1 + (m − 1) ρ) (Kish, Survey Sampling, 1965, section 5.4). However many there are, a cluster
    /// counts for 1 / ρ answers at most.
    #[allow(clippy::cast_precision_loss, reason = "forty answers at most")]
    fn of_one(self, m: usize) -> f64 {
        1.0 / (1.0 + (m.max(1) - 1) as f64 * self.0)
    }
}

/// The summed weights of what agrees, by how many agree in the same cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BySize {
    /// So many of each cluster are as good as one of several.
    free: usize,
    sums: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum {
    size: usize,
    decisions: usize,
    count: f64,
    weight: f64,
}

impl BySize {
    /// Clusters that only begin with more decisions than `free`.
    pub(super) fn beyond(free: usize) -> Self {
        Self {
            free,
            ..Self::default()
        }
    }

    /// Adds one decision of a cluster of `members`: how much it counts without its age, and with it.
    pub(super) fn add(&mut self, members: usize, count: f64, weight: f64) {
        let size = members.saturating_sub(self.free).max(1);
        match self.sums.iter_mut().find(|sum| sum.size == size) {
            Some(sum) => {
                sum.decisions += 1;
                sum.count += count;
                sum.weight += weight;
            }
            None => self.sums.push(Sum {
                size,
                decisions: 1,
                count,
                weight,
            }),
        }
    }

    /// The effective number of agreeing answers, and their summed weight by age. The largest cluster counts
    /// for one answer, or a quarter of what all others do: what rests on one evening is no habit.
    pub(super) fn effective(&self, correlation: Correlation) -> (f64, f64) {
        let of = |(count, weight): (f64, f64), sum: &Sum| {
            let one = correlation.of_one(sum.size);
            (count + one * sum.count, weight + one * sum.weight)
        };
        let (count, weight) = self.sums.iter().fold((0.0, 0.0), of);
        let largest = self.sums.iter().max_by_key(|sum| sum.size);
        let Some(largest) = largest.filter(|sum| sum.size > 1) else {
            return (count, weight);
        };
        #[allow(clippy::cast_precision_loss, reason = "forty answers at most")]
        let clusters = (largest.decisions / (largest.size + self.free)).max(1) as f64;
        let own = correlation.of_one(largest.size) * largest.count / clusters;
        let most = (OF_THE_OTHERS * (count - own)).max(1.0);
        if own <= most {
            return (count, weight);
        }
        let own_weight = correlation.of_one(largest.size) * largest.weight / clusters;
        (count - own + most, weight - own_weight * (1.0 - most / own))
    }
}

/// How much the largest cluster may count beside all others together.
const OF_THE_OTHERS: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(agreeing: usize, disagreeing: usize) -> Cluster {
        Cluster {
            agreeing,
            disagreeing,
        }
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn correlation_by_hand() {
        // Nothing known: the prior.
        assert!(close(Within::default().correlation().0, 0.3));
        // Two sessions of four, one all for and one all against: p = 1/2, expected 6/4, found 0.
        let alike = Within::of([cluster(4, 0), cluster(0, 4)].iter());
        assert_eq!((alike.expected, alike.found), (1.5, 0.0));
        assert!(close(alike.correlation().0, 1.0 - 2.8 / 5.5));
        // Half and half in each: found is 4 · 1/4 a session.
        let mixed = Within::of([cluster(2, 2), cluster(2, 2)].iter());
        assert_eq!((mixed.expected, mixed.found), (1.5, 2.0));
        assert!(close(mixed.correlation().0, 0.15));
        // What is never answered otherwise says nothing.
        let never = Within::of([cluster(9, 0), cluster(7, 0)].iter());
        assert_eq!(never, Within::default());
        let many = (0..50).fold(Within::default(), |sum, _| sum.plus(alike));
        assert!(close(many.correlation().0, 0.9));
    }

    #[test]
    fn cluster_counts_for_few_however_large() {
        let correlation = Correlation(0.25);
        let mut burst = BySize::default();
        (0..30).for_each(|_| burst.add(30, 1.0, 0.5));
        // Alone it is one answer; beside others a quarter of theirs, and never more than Kish's 30 / 8.25.
        let (count, weight) = burst.effective(correlation);
        assert!(close(count, 1.0) && close(weight, 0.5));
        (0..8).for_each(|_| burst.add(1, 1.0, 1.0));
        let (count, weight) = burst.effective(correlation);
        assert!(close(count, 10.0) && close(weight, 9.0), "{count} {weight}");
        (0..32).for_each(|_| burst.add(1, 1.0, 1.0));
        assert!(close(burst.effective(correlation).0, 40.0 + 30.0 / 8.25));
        let mut even = BySize::default();
        (0..15).for_each(|_| even.add(3, 1.0, 1.0));
        assert!(close(even.effective(correlation).0, 10.0));
        let mut single = BySize::default();
        (0..30).for_each(|_| single.add(1, 1.0, 0.5));
        assert_eq!(single.effective(correlation), (30.0, 15.0));
    }
}
