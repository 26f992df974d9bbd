//! The state of a preference that answers (on trial, on, or stopped), and the files that count its checks.
//!
//! One pure function derives the state from the checks. The hook, the reports and the backtest share it. A check is a
//! question that the preference could have answered, but that the person was asked instead. It
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
        /// It was on, and a check disagreed.
        OneDisagreed = "one_disagreed",
        /// Another check disagreed before enough of them agreed.
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
    /// The number of agreeing checks that count towards being on; 0 when it is not on trial.
    pub agreed: u32,
    /// The index of the check that led to it, from 0; `None` when it is unchanged since it was set.
    pub since_check: Option<usize>,
}

/// The state of a preference, set on trial or not, after its `checks` in order of time (true for one that agreed).
///
/// A trial is on after [`ON_AFTER`] agreeing checks, and one disagreeing check stops it. A disagreeing check puts a
/// preference that is on back on trial. A stopped preference stays stopped.
pub fn stands(on_trial: bool, checks: impl IntoIterator<Item = bool>) -> Stands {
    let mut stands = Stands {
        state: if on_trial { State::OnTrial } else { State::On },
        ..Stands::default()
    };
    for (at, agrees) in checks.into_iter().enumerate() {
        let (state, reason) = match (stands.state, agrees) {
            (State::Stopped, _) => break,
            (State::On, true) => continue,
            (State::On, false) => (State::OnTrial, Cause::OneDisagreed),
            (State::OnTrial, true) => {
                stands.agreed += 1;
                if stands.agreed < ON_AFTER {
                    continue;
                }
                (State::On, Cause::TrialAgreed)
            }
            (State::OnTrial, false) if stands.reason == Cause::OneDisagreed => {
                (State::Stopped, Cause::TwoDisagreed)
            }
            (State::OnTrial, false) => (State::Stopped, Cause::TrialDisagreed),
        };
        stands = Stands {
            state,
            reason,
            agreed: 0,
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

// The files of a preference's calls and of its checks.

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

/// A check that counts, as its file records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckRecord {
    /// A digest of the call's id.
    pub call: u64,
    /// When the person answered, in Unix seconds.
    pub at: i64,
    /// Whether they answered as the preference would have.
    pub agrees: bool,
}

/// The length of the record of a check, in bytes.
const RECORD: usize = 16;

/// How much of a file of checks is read, in bytes: four thousand checks.
const MOST_BYTES: u64 = 64 * 1024;

impl CheckRecord {
    /// Its record.
    pub fn to_bytes(self) -> [u8; RECORD] {
        let result = (self.at << 1) | i64::from(self.agrees);
        let both = (u128::from(self.call) << 64) | u128::from(result.cast_unsigned());
        both.to_be_bytes()
    }

    fn of(record: [u8; RECORD]) -> Self {
        let both = u128::from_be_bytes(record);
        let result = (both as u64).cast_signed();
        Self {
            call: (both >> 64) as u64,
            at: result >> 1,
            agrees: result & 1 == 1,
        }
    }
}

/// The file with the checks of the preference of this count. Only the hook writes it.
pub fn checks_file(count: &Path) -> PathBuf {
    // Not `with_extension`, which adds a lot of code to the hook.
    let mut path = count.as_os_str().to_owned();
    path.push(".checks");
    path.into()
}

/// The checks of the preference of this count in order of time, one a call.
pub fn checks(count: &Path) -> Vec<CheckRecord> {
    let bytes = private_file::read(&checks_file(count), MOST_BYTES).unwrap_or_default();
    let (records, _) = bytes.as_chunks();
    let mut checks: Vec<CheckRecord> = Vec::with_capacity(records.len());
    for check in records.iter().copied().map(CheckRecord::of) {
        if checks.iter().all(|known| known.call != check.call) {
            checks.push(check);
        }
    }
    checks
}

/// The state of the preference of this count, set on trial or not, by its checks.
pub fn counted(count: &Path, on_trial: bool) -> Stands {
    stands(on_trial, checks(count).iter().map(|check| check.agrees))
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
            (
                "yyyyyyyyn",
                (State::OnTrial, Some((Cause::OneDisagreed, 8))),
            ),
            (
                "yyyyyyyynyyyyn",
                (State::Stopped, Some((Cause::TwoDisagreed, 13))),
            ),
        ] {
            assert_eq!(of(true, checks), expected, "{checks}");
        }
    }

    #[test]
    fn what_is_on_goes_back_on_trial_and_is_stopped_by_a_second_disagreement() {
        let on_trial = (State::OnTrial, Cause::OneDisagreed);
        let stopped = (State::Stopped, Cause::TwoDisagreed);
        for (checks, expected, at) in [
            ("n", on_trial, 0),
            ("yyn", on_trial, 2),
            ("nyyyyyyy", on_trial, 0),
            ("nyyyyyyyy", (State::On, Cause::TrialAgreed), 8),
            ("nyyyyyyyyn", on_trial, 9),
            ("nyyyyyyyn", stopped, 8),
            ("nn", stopped, 1),
            ("nnyyyyyyyyyy", stopped, 1),
        ] {
            let (state, reason) = expected;
            assert_eq!(of(false, checks), (state, Some((reason, at))), "{checks}");
        }
        assert_eq!(of(false, ""), (State::On, None));
        assert_eq!(of(false, "yyy"), (State::On, None));
        let agreed = |checks: &str| stands(false, checks.chars().map(|said| said == 'y')).agreed;
        assert_eq!(
            (agreed("yyn"), agreed("yynyy"), agreed("nyyyyyyyyy")),
            (0, 2, 0)
        );
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

    #[test]
    fn bytes_of_a_check_are_frozen() {
        let check = CheckRecord {
            call: 0x0123_4567_89ab_cdef,
            at: 1_795_000_000,
            agrees: true,
        };
        let bytes = "0123456789abcdef00000000d5fb0d81";
        assert_eq!(
            format!("{:032x}", u128::from_be_bytes(check.to_bytes())),
            bytes
        );
        for check in [
            check,
            CheckRecord {
                at: -5,
                agrees: false,
                ..check
            },
        ] {
            assert_eq!(CheckRecord::of(check.to_bytes()), check);
        }
    }

    #[test]
    fn a_call_is_one_check_and_half_a_record_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("c");
        assert_eq!(counted(&count, true).state, State::OnTrial);
        let check = |call, agrees| {
            CheckRecord {
                call,
                at: 0,
                agrees,
            }
            .to_bytes()
            .to_vec()
        };
        let records = [check(1, true), check(1, false), check(2, true), vec![0; 3]];
        crate::atomic_file::replace(&checks_file(&count), &records.concat(), 0o600).unwrap();
        let found = counted(&count, true);
        assert_eq!((found.state, found.agreed), (State::OnTrial, 2));
    }
}
