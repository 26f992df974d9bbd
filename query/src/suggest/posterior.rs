//! How sure one can be that a policy answers as the person would (a beta-binomial model), what that is worth in time, and
//! how often the proposals would have been right.

use crate::suggest::Suggest;
use plantune_domain::preferences::Level;
use statrs::distribution::{Beta, ContinuousCDF as _};
use statrs::statistics::{Data, OrderStatistics as _};

/// How much weighted evidence speaks for a policy and against it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// The summed weights of the agreeing answers.
    pub(super) agreeing: f64,
    /// The summed weights of the disagreeing answers.
    pub(super) disagreeing: f64,
}

impl Tally {
    pub(super) fn total(self) -> f64 {
        self.agreeing + self.disagreeing
    }

    /// The evidence of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            agreeing: self.agreeing + other.agreeing,
            disagreeing: self.disagreeing + other.disagreeing,
        }
    }

    /// The tally with every weight times `factor`.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            agreeing: self.agreeing * factor,
            disagreeing: self.disagreeing * factor,
        }
    }
}

/// A beta distribution over the share of answers that agree with a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    /// Pseudo-answers that agree (α), above 0.
    pub(crate) alpha: f64,
    /// Pseudo-answers that disagree (β), above 0.
    pub(crate) beta: f64,
}

impl Posterior {
    /// Every share equally likely: Bayes' and Laplace's prior, Beta(1, 1).
    pub(super) const UNIFORM: Self = Self {
        alpha: 1.0,
        beta: 1.0,
    };

    /// The posterior after `tally`, the beta prior being conjugate to the binomial likelihood
    /// (Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.4).
    pub(crate) fn after(self, tally: Tally) -> Self {
        Self {
            alpha: self.alpha + tally.agreeing,
            beta: self.beta + tally.disagreeing,
        }
    }

    /// The posterior after `more` answers of full weight that agree.
    pub(super) fn with_agreeing(self, more: u32) -> Self {
        Self {
            alpha: self.alpha + f64::from(more),
            ..self
        }
    }

    /// The expected share of agreeing answers, α / (α + β) (0–1).
    pub(super) fn mean(self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// The share (0–1) that the true one exceeds with probability `credibility` (0–1): the
    /// (1 − credibility) quantile of the distribution. 0 for numbers that make no distribution.
    pub(crate) fn lower_bound(self, credibility: f64) -> f64 {
        let tail = (1.0 - credibility).clamp(0.0, 1.0);
        Beta::new(self.alpha, self.beta)
            .ok()
            .and_then(|beta| beta.try_inverse_cdf(tail).ok())
            .filter(|bound| bound.is_finite())
            .unwrap_or(0.0)
    }
}

/// The weight (0–1) of an answer of `age_days`: halved every `half_life_days`, 2^(−age / half-life).
/// An answer from the future counts as new; without a sensible half-life everything counts alike.
pub(super) fn age_weight(age_days: f64, half_life_days: f64) -> f64 {
    if half_life_days > 0.0 {
        (-age_days.max(0.0) / half_life_days).exp2()
    } else {
        1.0
    }
}

/// The least and the greatest number of pseudo-answers a prior may weigh.
const STRENGTH: (f64, f64) = (1.0, 10.0);

/// The greatest mean of a prior. Without a limit, a few questions that were always answered alike would make every
/// other question look certain.
const GREATEST_MEAN: f64 = 0.9;

/// How many other keys it takes to say something about the user.
const LEAST_KEYS: f64 = 3.0;

/// Sums over the tallies of a user's keys, from which each key's prior is computed without itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Population {
    keys: f64,
    total: f64,
    agreeing: f64,
    agreeing_squared_per_total: f64,
    total_squared: f64,
}

impl Population {
    /// The population of `tallies`; empty ones do not count.
    pub(crate) fn of(tallies: impl IntoIterator<Item = Tally>) -> Self {
        tallies
            .into_iter()
            .fold(Self::default(), |sums, tally| sums.moved(tally, 1.0))
    }

    /// The population without a key that was counted.
    pub(crate) fn without(self, tally: Tally) -> Self {
        self.moved(tally, -1.0)
    }

    fn moved(mut self, tally: Tally, sign: f64) -> Self {
        let total = tally.total();
        if total > 0.0 {
            self.keys += sign;
            self.total += sign * total;
            self.agreeing += sign * tally.agreeing;
            self.agreeing_squared_per_total += sign * tally.agreeing * tally.agreeing / total;
            self.total_squared += sign * total * total;
        }
        self
    }

    /// The prior that these keys suggest for another one: empirical Bayes by the method of
    /// moments (Kleinman, "Proportions with extraneous variance", JASA 68 (1973) 46–54, with each
    /// key weighing as much as its answers).
    ///
    /// With p the pooled share, S = Σ n_i (p_i − p)², N = Σ n_i and k keys, the intra-key
    /// correlation is ρ = (S / p(1−p) − (k−1)) / (N − Σ n_i² / N − (k−1)), and the prior weighs
    /// α + β = 1/ρ − 1 answers. Bounded: 1 to 10 pseudo-answers and no more than there are keys,
    /// mean at most 0.9. Fewer than three keys say nothing: [`Posterior::UNIFORM`].
    pub(crate) fn prior(self) -> Posterior {
        // Keys were added and taken away in floating point; their number is a whole one.
        let keys = self.keys.round();
        if keys < LEAST_KEYS || self.total <= 0.0 {
            return Posterior::UNIFORM;
        }
        let share = (self.agreeing / self.total).clamp(0.0, 1.0);
        let spread = share * (1.0 - share);
        let between = self.agreeing_squared_per_total - self.total * share * share;
        let freedom = keys - 1.0;
        let denominator = self.total - self.total_squared / self.total - freedom;
        let correlation = if spread > 1e-9 && denominator > 1e-9 {
            (between / spread - freedom) / denominator
        } else {
            0.0
        };
        let strength = if correlation > 0.0 {
            1.0 / correlation - 1.0
        } else {
            f64::INFINITY
        };
        let strength = strength.min(keys).clamp(STRENGTH.0, STRENGTH.1);
        let mean = share.clamp(1.0 - GREATEST_MEAN, GREATEST_MEAN);
        Posterior {
            alpha: mean * strength,
            beta: (1.0 - mean) * strength,
        }
    }
}

/// The worth of answering for the person, in seconds of their time a week.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Benefit {
    /// The time the person would not spend on the question: askings a week × the median answer's
    /// seconds.
    pub(super) saved: f64,
    /// The time wrong answers would cost: askings a week × (1 − expected agreement) × the seconds
    /// one wrong answer costs.
    pub(super) lost: f64,
}

impl Benefit {
    /// The benefit for a key that is asked so often `a_week`.
    ///
    /// Every asking is saved, also the one answered wrongly: the person pays for that one in
    /// `lost`, by noticing and undoing. Expected utility with a linear cost, as in Horvitz,
    /// "Principles of mixed-initiative user interfaces" (CHI 1999): act when the expected gain of
    /// acting exceeds that of asking.
    pub(super) fn of(
        a_week: f64,
        median_seconds: f64,
        expected_agreement: f64,
        wrong_answer_seconds: f64,
    ) -> Self {
        Self {
            saved: a_week * median_seconds,
            lost: a_week * (1.0 - expected_agreement) * wrong_answer_seconds,
        }
    }

    /// True when more is saved than lost.
    pub(super) fn is_positive(self) -> bool {
        self.saved > self.lost
    }
}

/// The median of `values`, the mean of the two middle ones for an even number; `None` of nothing.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|value| value.is_finite());
    (!values.is_empty()).then(|| Data::new(values).median())
}

/// How many people give the same answer; each counts once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voices {
    /// How many say it.
    pub agreeing: u64,
    /// How many there are.
    pub all: u64,
}

impl Voices {
    /// The share (0–1) of people who would say it, at least, with the credibility that a trial asks for: the
    /// bound of Beta(1 + agreeing, 1 + others).
    pub fn at_least(self, settings: &Suggest) -> f64 {
        let tally = Tally {
            agreeing: self.agreeing as f64,
            disagreeing: self.all.saturating_sub(self.agreeing) as f64,
        };
        Posterior::UNIFORM
            .after(tally)
            .lower_bound(settings.trial_credibility)
    }

    /// True when they agree as much as one person's answers must for a trial.
    pub fn agree(self, settings: &Suggest) -> bool {
        self.at_least(settings) >= settings.trial_agreement
    }
}

/// Counts of what the proposals would have got right and wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The questions that the person answered.
    pub questions: u64,
    /// Of these, those that would have been answered as the person did.
    pub correct: u64,
    /// Of these, those that would have been answered otherwise, or without what the person added.
    pub wrong: u64,
    /// The seconds the person spent on those that would have been answered rightly.
    pub seconds_saved: f64,
    /// The questions that were asked and not answered, by which nothing can be judged.
    pub unanswered: u64,
    /// Of these, those that would have been answered.
    pub unanswered_decided: u64,
}

/// The scores of the levels, each as if every proposal that reaches it had been accepted at that level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByLevel {
    /// Of the questions that trials would have answered while they lasted, without their checks.
    pub trial: Score,
    /// Of the questions that standing preferences would have answered.
    pub standing: Score,
    /// How many questions would have been asked to check a trial.
    pub checks: u64,
}

impl ByLevel {
    /// The levels with their scores, the least first.
    pub fn levels(&self) -> [(Level, &Score); 2] {
        [
            (Level::Trial, &self.trial),
            (Level::Standing, &self.standing),
        ]
    }

    pub(crate) fn of(&mut self, level: Level) -> &mut Score {
        match level {
            Level::Trial => &mut self.trial,
            Level::Standing => &mut self.standing,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.trial.add(&other.trial);
        self.standing.add(&other.standing);
        self.checks += other.checks;
    }
}

impl Score {
    /// How many of the answered questions would have been answered for the person.
    pub fn auto_decided(&self) -> u64 {
        self.correct + self.wrong
    }

    /// The share (0–1) of these that would have been right; `None` when there are none.
    pub fn precision(&self) -> Option<f64> {
        share(self.correct, self.auto_decided())
    }

    /// The share (0–1) of the answered questions that would have been spared; `None` without any.
    pub fn coverage(&self) -> Option<f64> {
        share(self.auto_decided(), self.questions)
    }

    /// Where the precision lies with 95 % credibility; `None` when nothing was decided.
    pub fn precision_interval(&self) -> Option<Interval> {
        Interval::of_share(self.correct, self.auto_decided())
    }

    /// Where the coverage lies with 95 % credibility; `None` without questions.
    pub fn coverage_interval(&self) -> Option<Interval> {
        Interval::of_share(self.auto_decided(), self.questions)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.correct += other.correct;
        self.wrong += other.wrong;
        self.seconds_saved += other.seconds_saved;
        self.unanswered += other.unanswered;
        self.unanswered_decided += other.unanswered_decided;
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a count of questions is far below 2^52"
)]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

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
    pub(crate) fn of_share(hits: u64, of: u64) -> Option<Self> {
        let misses = of.checked_sub(hits).filter(|_| of > 0)?;
        let share = Posterior {
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

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-6
    }

    fn tally(agreeing: f64, disagreeing: f64) -> Tally {
        Tally {
            agreeing,
            disagreeing,
        }
    }

    #[test]
    fn answers_weigh_half_after_a_half_life() {
        assert!(close(age_weight(0.0, 60.0), 1.0));
        assert!(close(age_weight(60.0, 60.0), 0.5));
        assert!(close(age_weight(120.0, 60.0), 0.25));
        assert!(close(age_weight(-5.0, 60.0), 1.0));
        assert!(close(age_weight(500.0, 0.0), 1.0));
    }

    #[test]
    fn the_bound_of_n_agreeing_answers_is_known_in_closed_form() {
        // Beta(n + 1, 1) has the distribution function x^(n+1), so the bound is 0.05^(1/(n+1)).
        for (n, bound) in [(8.0, 0.716_871_1), (12.0, 0.794_182), (28.0, 0.901_855_1)] {
            let posterior = Posterior::UNIFORM.after(tally(n, 0.0));
            let found = posterior.lower_bound(0.95);
            assert!(close(found, 0.05_f64.powf(1.0 / (n + 1.0))));
            assert!((found - bound).abs() < 5e-4, "{n}: {found}");
        }
        // Beta(1, 2) has 1 − (1 − x)², so the bound is 1 − √0.95.
        let posterior = Posterior::UNIFORM.after(tally(0.0, 1.0));
        assert!(close(posterior.lower_bound(0.95), 1.0 - 0.95_f64.sqrt()));
        assert!(close(posterior.mean(), 1.0 / 3.0));
    }

    #[test]
    fn the_quantile_is_the_inverse_of_the_distribution_function() {
        for alpha in [0.1, 0.9, 2.5, 11.0, 40.0, 150.0] {
            for beta in [0.1, 0.3, 1.0, 2.7, 12.0, 60.0] {
                for credibility in [0.8, 0.9, 0.95, 0.99] {
                    let bound = Posterior { alpha, beta }.lower_bound(credibility);
                    // Bisection needs nothing but the distribution function.
                    let exact = Beta::new(alpha, beta).unwrap();
                    let (mut low, mut high) = (0.0_f64, 1.0_f64);
                    for _ in 0..100 {
                        let middle = f64::midpoint(low, high);
                        if exact.cdf(middle) < 1.0 - credibility {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    assert!(
                        (bound - low).abs() < 1e-6,
                        "Beta({alpha}, {beta}) at {credibility}: {bound}, not {low}"
                    );
                }
            }
        }
    }

    #[test]
    fn nonsense_gives_no_confidence() {
        for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(close(Posterior { alpha, beta: 1.0 }.lower_bound(0.95), 0.0));
        }
    }

    #[test]
    fn the_prior_follows_the_method_of_moments() {
        // Four keys of ten answers: 10, 10, 10 and 2 agree. p = 0.8, S = 10·(3·0.04 + 0.36) = 4.8,
        // S / p(1−p) = 30, N − Σn²/N − 3 = 40 − 10 − 3 = 27, ρ = (30 − 3) / 27 = 1.
        let tallies = [10.0, 10.0, 10.0, 2.0].map(|agreeing| tally(agreeing, 10.0 - agreeing));
        let prior = Population::of(tallies).prior();
        assert!(close(prior.mean(), 0.8) && close(prior.alpha + prior.beta, 1.0));
        // 9, 8, 7 and 5 of ten: p = 0.725, S = 0.875, over p(1−p) = 4.388715,
        // ρ = 1.388715 / 27 = 0.051434, strength 18.44, held at the four keys there are.
        let tallies = [9.0, 8.0, 7.0, 5.0].map(|agreeing| tally(agreeing, 10.0 - agreeing));
        let prior = Population::of(tallies).prior();
        assert!(close(prior.mean(), 0.725) && close(prior.alpha + prior.beta, 4.0));
        // 10, 10, 8, 4 of ten: p = 0.8, S = 2.4, over 0.16 = 15, ρ = 12/27, strength 1.25.
        let tallies = [10.0, 10.0, 8.0, 4.0].map(|agreeing| tally(agreeing, 10.0 - agreeing));
        let prior = Population::of(tallies).prior();
        assert!(close(prior.alpha, 1.0) && close(prior.beta, 0.25));
    }

    #[test]
    fn the_prior_is_bounded() {
        let tidy = tally(30.0, 0.0);
        assert_eq!(Population::of([tidy; 2]).prior(), Posterior::UNIFORM);
        let prior = Population::of([tidy; 40]).prior();
        assert!(close(prior.mean(), 0.9) && close(prior.alpha + prior.beta, 10.0));
        let prior = Population::of([tally(0.0, 30.0); 40]).prior();
        assert!(close(prior.mean(), 0.1));
        let same = Population::of([tidy, tally(3.0, 4.0), tidy, tidy]).without(tally(3.0, 4.0));
        assert!(close(
            same.prior().alpha,
            Population::of([tidy; 3]).prior().alpha
        ));
    }

    #[test]
    fn saved_and_lost_by_hand() {
        // Twice a week; 30 s each; one in twenty wrong at 120 s.
        let benefit = Benefit::of(2.0, 30.0, 0.95, 120.0);
        assert!((benefit.saved - 60.0).abs() < 1e-9);
        assert!((benefit.lost - 12.0).abs() < 1e-9);
        assert!(benefit.is_positive());
        assert!(!Benefit::of(2.0, 5.0, 0.95, 120.0).is_positive());
        assert!(!Benefit::of(0.0, 30.0, 1.0, 120.0).is_positive());
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, f64::NAN, 1.0]), Some(2.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
    }

    #[test]
    fn five_who_agree_are_enough_and_one_who_does_not_takes_many_more() {
        let settings = Suggest::default();
        let agree = |agreeing, all| Voices { agreeing, all }.agree(&settings);
        // 0.1^(1/6) = 0.681, above 0.68.
        assert!(agree(5, 5) && !agree(4, 4));
        assert!(!agree(6, 7) && !agree(9, 11) && agree(19, 20));
        // Beta(n + 1, 1) has the distribution function x^(n + 1).
        let eight = Voices {
            agreeing: 8,
            all: 8,
        };
        assert!((eight.at_least(&settings) - 0.1_f64.powf(1.0 / 9.0)).abs() < 1e-9);
        assert!(!agree(0, 0));
    }

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
