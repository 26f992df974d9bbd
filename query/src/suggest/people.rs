//! Whether several people answer alike: the bound of a trial over voices, one a person, in place of answers.

use plantune_domain::config::Suggest;

use super::posterior::{Agreement, Tally};

/// How many people say the same, one voice each.
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
        Agreement::UNIFORM
            .after(tally)
            .lower_bound(settings.trial_credibility)
    }

    /// True when they agree as much as one person's answers must for a trial.
    pub fn agree(self, settings: &Suggest) -> bool {
        self.at_least(settings) >= settings.trial_agreement
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
