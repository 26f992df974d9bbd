//! The state of a preference that answers (on trial, on, or stopped), and the files that count its checks.
//!
//! One pure function derives the state from the checks. The hook, the reports and the backtest share it. A check is a
//! question that the preference could have answered, but that the person was asked instead, without assistance. It
//! agrees when they choose exactly the preference's label and add nothing.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::named::named_enum;
use crate::paths::Paths;
use crate::preferences::Scope;
use crate::{hash, private_file};

/// The number of checks of a trial that must agree before the preference is on.
///
/// The acceptance bound of Wald's sequential probability-ratio test (A. Wald, "Sequential Tests of
/// Statistical Hypotheses", 1945), for a leaning that agrees in 70 % of the checks against a habit that
/// agrees in 95 %, with both error rates 10 %: the least n with n · ln(0.95 / 0.7) ≥ ln(0.9 / 0.1).
pub const ON_AFTER: u32 = 8;

/// The number of agreeing checks that make up for one that disagreed, for a preference that is on.
pub const MADE_UP_BY: u32 = 5;

/// The number of prior observations behind the first share, one of which disagreed.
const PRIOR: f64 = 3.0;

named_enum! {
    /// The state of a preference that answers.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum State {
        /// It answers, and is checked often.
        OnTrial = "on_trial",
        /// It answers, and is checked occasionally.
        #[default]
        On = "on",
        /// Its questions are asked until the person sets or clears it.
        Stopped = "stopped",
    }
}

named_enum! {
    /// Why a preference is in its state.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Cause {
        /// The person set it.
        #[default]
        Set = "set",
        /// Enough checks of its trial agreed.
        TrialAgreed = "trial_agreed",
        /// A check of its trial disagreed.
        TrialDisagreed = "trial_disagreed",
        /// Two checks disagreed, with too few agreeing ones in between.
        TwoDisagreed = "two_disagreed",
    }
}

/// The state of a preference, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stands {
    /// How.
    pub state: State,
    /// Why.
    pub reason: Cause,
    /// The index of the check that led to it, from 0; `None` when it is unchanged since it was set.
    pub since_check: Option<usize>,
}

/// The state of a preference, set on trial or not, after its `checks` in order of time (true for one that agreed).
///
/// A trial is on after [`ON_AFTER`] agreeing checks, and one disagreeing check stops it. A preference that is on is
/// stopped by two disagreeing checks with fewer than [`MADE_UP_BY`] agreeing ones in between. A stopped preference
/// stays stopped.
pub fn stands(on_trial: bool, checks: impl IntoIterator<Item = bool>) -> Stands {
    let mut stands = Stands {
        state: if on_trial { State::OnTrial } else { State::On },
        ..Stands::default()
    };
    let (mut agreed, mut to_make_up) = (0, 0_u32);
    for (at, agrees) in checks.into_iter().enumerate() {
        let (state, reason) = match (stands.state, agrees) {
            (State::Stopped, _) => break,
            (State::OnTrial, false) => (State::Stopped, Cause::TrialDisagreed),
            (State::OnTrial, true) => {
                agreed += 1;
                if agreed < ON_AFTER {
                    continue;
                }
                (State::On, Cause::TrialAgreed)
            }
            (State::On, true) => {
                to_make_up = to_make_up.saturating_sub(1);
                continue;
            }
            (State::On, false) if to_make_up == 0 => {
                to_make_up = MADE_UP_BY;
                continue;
            }
            (State::On, false) => (State::Stopped, Cause::TwoDisagreed),
        };
        stands = Stands {
            state,
            reason,
            since_check: Some(at),
        };
    }
    stands
}

/// The share (0–1) of calls to ask as checks of a trial, after `agreed` checks that all agreed. It starts at one in
/// three and never falls below `spot_check`, the share for preferences that are on.
///
/// It is the posterior mean of the probability that the person would answer differently, 1 / (3 + n), from a Beta(1, 2)
/// prior and n agreeing checks (the rule of succession: P. S. Laplace, 1774). So a check is as likely as a wrong answer
/// would be without it.
pub fn share_on_trial(agreed: u32, spot_check: f64) -> f64 {
    // `max` ignores NaN.
    (1.0 / (PRIOR + f64::from(agreed))).max(spot_check).min(1.0)
}

// The files that count checks, and that stop a preference.

/// The file that counts the calls of one preference. A preference that is set again gets a new count.
pub fn count_file(
    paths: &Paths,
    scope: Scope,
    project: &str,
    key: &str,
    set_at: Option<&str>,
) -> PathBuf {
    let project = match scope {
        Scope::Project => project,
        Scope::Global => "",
    };
    let parts = [scope.as_str(), project, key, set_at.unwrap_or_default()];
    paths.checks().join(hash::hex(&parts))
}

/// The file whose presence means that the preference of this count is stopped: the hook creates it for a preference on
/// trial, and `plantune` for any other.
pub fn stopped_mark(count: &Path) -> PathBuf {
    // Preferences that earlier versions stopped stay stopped.
    beside(count, ".withdrawn")
}

/// The file with the checks that agreed with the preference of this count, which is on trial: eight bytes each.
pub fn agreed_checks(count: &Path) -> PathBuf {
    beside(count, ".agreed")
}

/// The length of the record of a check in [`agreed_checks`], in bytes.
pub const CHECK_RECORD: usize = 8;

/// The most checks of a trial that are counted. The preference is long on by then.
pub const MOST_CHECKS: usize = 64;

/// The calls of the checks that agreed with the preference of this count, each once.
pub fn checks_that_agreed(count: &Path) -> Vec<[u8; CHECK_RECORD]> {
    // Hooks that ran at once may have recorded a call twice.
    let most = 2 * MOST_CHECKS * CHECK_RECORD;
    let bytes = private_file::read(&agreed_checks(count), most as u64).unwrap_or_default();
    let (records, _) = bytes.as_chunks();
    let mut calls = Vec::new();
    for record in records {
        if !calls.contains(record) {
            calls.push(*record);
        }
    }
    calls
}

/// How many checks agreed with the preference of this count.
pub fn agreed(count: &Path) -> u32 {
    u32::try_from(checks_that_agreed(count).len()).unwrap_or(u32::MAX)
}

/// The state of the preference of this count, set on trial or not, according to the hook's files.
pub fn state(count: &Path, on_trial: bool) -> State {
    if stopped_mark(count).exists() {
        return State::Stopped;
    }
    let agreed = match on_trial {
        true => checks_that_agreed(count).len(),
        false => 0,
    };
    stands(on_trial, std::iter::repeat_n(true, agreed)).state
}

fn beside(count: &Path, ending: &str) -> PathBuf {
    // Not `with_extension`, which adds a lot of code to the hook.
    let mut path = count.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state after these checks: `y` agrees, `n` disagrees.
    fn of(on_trial: bool, checks: &str) -> (State, Option<(Cause, usize)>) {
        let stands = stands(on_trial, checks.chars().map(|said| said == 'y'));
        let led_to_it = stands.since_check.map(|at| (stands.reason, at));
        assert_eq!(stands.reason == Cause::Set, led_to_it.is_none());
        (stands.state, led_to_it)
    }

    #[test]
    fn a_trial_is_on_after_eight_checks_and_stopped_by_one() {
        let is_on = (State::On, Some((Cause::TrialAgreed, 7)));
        for (checks, expected) in [
            ("", (State::OnTrial, None)),
            ("yyyyyyy", (State::OnTrial, None)),
            ("yyyyyyyy", is_on),
            ("n", (State::Stopped, Some((Cause::TrialDisagreed, 0)))),
            ("yyyn", (State::Stopped, Some((Cause::TrialDisagreed, 3)))),
            (
                "nyyyyyyyyyyyy",
                (State::Stopped, Some((Cause::TrialDisagreed, 0))),
            ),
            // From then on it is like any preference that is on.
            ("yyyyyyyyn", is_on),
            (
                "yyyyyyyynyyyyn",
                (State::Stopped, Some((Cause::TwoDisagreed, 13))),
            ),
        ] {
            assert_eq!(of(true, checks), expected, "{checks}");
        }
    }

    #[test]
    fn what_is_on_is_stopped_by_two_disagreements() {
        for (checks, expected) in [
            ("", None),
            ("yyy", None),
            ("n", None),
            ("nyyyyyn", None),
            ("nyyyyyny", None),
            ("nyyyyn", Some((Cause::TwoDisagreed, 5))),
            ("nn", Some((Cause::TwoDisagreed, 1))),
            ("nnyyyyyyyyyy", Some((Cause::TwoDisagreed, 1))),
        ] {
            let state = expected.map_or(State::On, |_| State::Stopped);
            assert_eq!(of(false, checks), (state, expected), "{checks}");
        }
    }

    #[test]
    fn share_falls_from_a_third_to_the_spot_checks() {
        let shares: Vec<f64> = (0..40).map(|agreed| share_on_trial(agreed, 0.05)).collect();
        assert!((shares[0] - 1.0 / 3.0).abs() < 1e-12);
        assert!(shares.windows(2).all(|pair| pair[1] <= pair[0]));
        let reached = shares.iter().position(|share| *share <= 0.05);
        assert_eq!(reached, Some(17));
        assert!((shares[39] - 0.05).abs() < 1e-12);
    }

    #[test]
    fn trial_is_checked_whatever_the_spot_checks_are() {
        assert!(share_on_trial(100, 0.0) > 0.0);
        assert!(share_on_trial(0, f64::NAN) > 0.3);
        assert!((share_on_trial(0, 0.5) - 0.5).abs() < 1e-12);
        assert!((share_on_trial(0, 7.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bound_is_that_of_the_ratio_test() {
        let (leaning, habit, error) = (0.7_f64, 0.95_f64, 0.1_f64);
        let bound = ((1.0 - error) / error).ln() / (habit / leaning).ln();
        assert_eq!(bound.ceil() as u32, ON_AFTER);
        // The share that passes a trial, in which one disagreement stops it.
        assert!(leaning.powi(8) < 0.06 && habit.powi(8) > 0.66);
    }
}

#[cfg(test)]
mod spot_check_tests {
    use super::*;

    #[test]
    fn changed_preference_has_its_own_count() {
        let paths = Paths::below("/p".into());
        let of = |scope, project, set_at| count_file(&paths, scope, project, "k", set_at);
        let one = of(Scope::Project, "p", Some("1"));
        assert_ne!(one, of(Scope::Project, "p", Some("2")));
        assert_ne!(one, of(Scope::Project, "q", Some("1")));
        assert_ne!(one, of(Scope::Global, "p", Some("1")));
        assert_eq!(of(Scope::Global, "p", None), of(Scope::Global, "q", None));
    }
}
