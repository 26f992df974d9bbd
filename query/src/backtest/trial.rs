//! One trial of a replay: when it is checked, and what becomes of it.

use plantune_domain::hash;
use plantune_domain::preferences::Preference;
use plantune_domain::state::{ON_AFTER, State, share_on_trial};

use crate::suggest::policy::Verdict;

/// The share of spot checks that a trial's checks fall to: the default of `spot_check`.
const SPOT_CHECK: f64 = 0.05;

/// A trial, from its begin to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialRun {
    /// What became of it.
    pub state: State,
    /// How many questions were asked while it lasted, its checks included.
    pub askings: u64,
    /// How many it answered otherwise than the person did.
    pub wrong: u64,
}

/// A trial under way.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) preference: Preference,
    agreed: u32,
    /// What there is to say of it so far.
    pub(super) run: TrialRun,
}

impl Trial {
    pub(super) fn of(preference: &Preference) -> Self {
        Self {
            preference: preference.clone(),
            agreed: 0,
            run: TrialRun {
                state: State::OnTrial,
                askings: 0,
                wrong: 0,
            },
        }
    }

    /// True when enough checks have agreed.
    pub(super) fn is_on(&self) -> bool {
        self.agreed >= ON_AFTER
    }

    /// True when the question of `call` is a check: by a hash of it, as often as the rule says.
    pub(super) fn is_check(&self, call: &str, key: &str) -> bool {
        let [a, b, c, d, ..] = hash::digest(&["trial", call, key]);
        let share = f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX);
        share < share_on_trial(self.agreed, SPOT_CHECK)
    }

    /// Counts a question that it answered, or that was asked to check it.
    pub(super) fn asked(&mut self, is_wrong: bool) {
        self.run.askings += 1;
        self.run.wrong += u64::from(is_wrong);
    }

    /// Counts a check; true when the trial ended by it.
    pub(super) fn checked(&mut self, verdict: Verdict) -> bool {
        self.run.state = match verdict {
            Verdict::Agree if !self.is_on() => {
                self.agreed += 1;
                if !self.is_on() {
                    return false;
                }
                State::On
            }
            // The label and nothing else agrees.
            Verdict::Disagree | Verdict::Add => State::Stopped,
            Verdict::Agree | Verdict::Abstain => return false,
        };
        true
    }
}
