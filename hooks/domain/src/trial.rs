//! How a preference on trial is checked, and when it has proved right: pure functions of the trial's
//! checks, which the hook, the reports and the backtest share.
//!
//! A check is a question that the preference could have answered and that the person was asked instead,
//! without assistance. It agrees when they choose exactly the preference's label and say nothing else.

/// How many checks must agree, with none that disagrees, before a trial has held.
///
/// The acceptance bound of Wald's sequential probability-ratio test (A. Wald, "Sequential Tests of
/// Statistical Hypotheses", 1945), for a leaning that agrees in 70 % of the checks against a habit that
/// agrees in 95 %, with both error rates 10 %: the least n with n · ln(0.95 / 0.7) ≥ ln(0.9 / 0.1).
pub const HOLDS_AFTER: u32 = 8;

/// How many prior observations stand behind the first share, of which one disagreed.
const PRIOR: f64 = 3.0;

/// How a trial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialState {
    /// Too few checks to say.
    Running,
    /// [`HOLDS_AFTER`] checks agreed and none disagreed: the preference can stand.
    Held,
    /// A check disagreed: every question is asked from then on.
    Ended,
}

/// The share (0–1) of the calls that are asked as a check, after `agreed` checks of which none disagreed.
/// Never below `spot_check`, the share for preferences that stand; one in three at first.
///
/// It is the posterior mean of the chance that the person would answer otherwise, 1 / (3 + n), from a
/// Beta(1, 2) prior and n agreeing checks (the rule of succession: P. S. Laplace, 1774). A check is so as
/// likely as a wrong answer would be without it.
pub fn share(agreed: u32, spot_check: f64) -> f64 {
    // `max` ignores what is no number.
    (1.0 / (PRIOR + f64::from(agreed))).max(spot_check).min(1.0)
}

/// How a trial stands after `agreed` checks that agreed and `disagreed` that did not. One that disagreed
/// ends it, however many agreed.
pub fn state(agreed: u32, disagreed: u32) -> TrialState {
    match (agreed, disagreed) {
        (_, 1..) => TrialState::Ended,
        (HOLDS_AFTER.., 0) => TrialState::Held,
        (..HOLDS_AFTER, 0) => TrialState::Running,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_falls_from_a_third_to_the_spot_checks() {
        let shares: Vec<f64> = (0..40).map(|agreed| share(agreed, 0.05)).collect();
        assert!((shares[0] - 1.0 / 3.0).abs() < 1e-12);
        assert!(shares.windows(2).all(|pair| pair[1] <= pair[0]));
        let reached = shares.iter().position(|share| *share <= 0.05);
        assert_eq!(reached, Some(17));
        assert!((shares[39] - 0.05).abs() < 1e-12);
    }

    #[test]
    fn trial_is_checked_whatever_the_spot_checks_are() {
        assert!(share(100, 0.0) > 0.0);
        assert!(share(0, f64::NAN) > 0.3);
        assert!((share(0, 0.5) - 0.5).abs() < 1e-12);
        assert!((share(0, 7.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bound_is_that_of_the_ratio_test() {
        let (leaning, habit, error) = (0.7_f64, 0.95_f64, 0.1_f64);
        let bound = ((1.0 - error) / error).ln() / (habit / leaning).ln();
        assert_eq!(bound.ceil() as u32, HOLDS_AFTER);
        // What a trial lets through, as it ends at the first disagreement.
        assert!(leaning.powi(8) < 0.06 && habit.powi(8) > 0.66);
    }

    #[test]
    fn one_disagreement_ends_a_trial() {
        assert_eq!(state(0, 0), TrialState::Running);
        assert_eq!(state(HOLDS_AFTER - 1, 0), TrialState::Running);
        assert_eq!(state(HOLDS_AFTER, 0), TrialState::Held);
        assert_eq!(state(100, 1), TrialState::Ended);
    }
}
