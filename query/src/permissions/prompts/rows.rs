//! Prompts, their subjects and the sums, as the store gives them. The names of the serialised fields are
//! those of `report --json` (docs/json.md) and are frozen.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use plantune_domain::permissions::Reach;
use serde::{Deserialize, Serialize};

use super::detail::Detail;
use crate::rows::{any_utc, utc};
use crate::seconds::to_milliseconds;

/// What makes prompts the same, with how often they came.
///
/// `asked` = `granted` + `refused` + `ambiguous` + `open`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    /// The subject: `npm test`.
    pub subject: String,
    /// The tool.
    pub tool: String,
    /// The furthest that a call of it reached; `None` when no event says.
    pub reach: Option<Reach>,
    /// Prompts.
    pub asked: u64,
    /// Allowed by the person.
    pub granted: u64,
    /// Refused.
    pub refused: u64,
    /// Decided, and which way cannot be known: identical concurrent calls.
    pub ambiguous: u64,
    /// No decision is known.
    pub open: u64,
    /// From prompt to decision, in seconds, where both are known.
    pub seconds_waited: f64,
    /// How many prompts `seconds_waited` is the sum of.
    pub waits_known: u64,
    /// How many waited so long that the person was away; they are in no median and no other sum.
    pub waits_away: u64,
    /// How long these waited, in seconds.
    pub seconds_away: f64,
    /// Their median; `None` without any.
    pub median_seconds: Option<f64>,
    /// Prompts that came although "don't ask again" had been chosen before.
    pub asked_again: u64,
    /// Prompts of agents that nobody attended.
    pub unattended: u64,
    /// Refusals in transcripts that do not record approvals.
    pub without_approvals: u64,
    /// The last prompt (UTC).
    #[serde(with = "utc")]
    pub last_at: DateTime<Utc>,
    /// The day of that time in the person's time zone.
    #[serde(skip_serializing)]
    pub last_day: NaiveDate,
}

/// The sums of a period, as `report --json` has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Permissions {
    /// Prompts.
    pub asked: u64,
    /// Allowed by the person.
    pub granted: u64,
    /// Refused.
    pub refused: u64,
    /// Decided, and which way cannot be known.
    pub ambiguous: u64,
    /// No decision is known.
    pub open: u64,
    /// Calls that auto mode or a permission mode denied; nobody was asked.
    pub denied: u64,
    /// Calls that ran without anybody being asked.
    pub auto_calls: u64,
    /// From prompt to decision, in seconds, where both are known.
    pub seconds_waited: f64,
    /// How many prompts `seconds_waited` is the sum of.
    pub waits_known: u64,
    /// How many waited so long that the person was away; they are in no median and no other sum.
    pub waits_away: u64,
    /// How long these waited, in seconds.
    pub seconds_away: f64,
    /// Prompts that came although "don't ask again" had been chosen before.
    pub asked_again: u64,
    /// Prompts of agents that nobody attended.
    pub unattended: u64,
    /// Refusals in transcripts that do not record approvals.
    pub without_approvals: u64,
    /// The first approval that is known, whenever that was; `None` for none.
    #[serde(with = "any_utc")]
    pub approvals_known_since: Option<DateTime<Utc>>,
    /// By subject and tool, the most frequent first.
    pub by_subject: Vec<Subject>,
    /// How many prompts came on each day that had any.
    #[serde(skip)]
    pub by_day: BTreeMap<NaiveDate, u64>,
    /// The prompts that need a look, where they were asked for.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

impl Permissions {
    /// The sums of `by_subject`, and nothing else yet.
    pub(super) fn of(by_subject: Vec<Subject>) -> Self {
        let sum = |of: fn(&Subject) -> u64| by_subject.iter().map(of).sum();
        let seconds = |of: fn(&Subject) -> f64| to_milliseconds(by_subject.iter().map(of).sum());
        Self {
            asked: sum(|one| one.asked),
            granted: sum(|one| one.granted),
            refused: sum(|one| one.refused),
            ambiguous: sum(|one| one.ambiguous),
            open: sum(|one| one.open),
            seconds_waited: seconds(|one| one.seconds_waited),
            waits_known: sum(|one| one.waits_known),
            waits_away: sum(|one| one.waits_away),
            seconds_away: seconds(|one| one.seconds_away),
            asked_again: sum(|one| one.asked_again),
            unattended: sum(|one| one.unattended),
            without_approvals: sum(|one| one.without_approvals),
            by_subject,
            ..Self::default()
        }
    }

    /// True when refusals are known from transcripts whose approvals are not: there are refusals from a client
    /// too old to tell, or refusals and never an approval.
    pub fn lacks_approvals(&self) -> bool {
        self.without_approvals > 0 || self.refused > 0 && self.approvals_known_since.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_subjects() {
        let one = Subject {
            asked: 3,
            granted: 1,
            refused: 1,
            open: 1,
            seconds_waited: 0.1,
            waits_known: 1,
            asked_again: 1,
            ..Subject::default()
        };
        let other = Subject {
            asked: 2,
            granted: 1,
            ambiguous: 1,
            seconds_waited: 0.2,
            waits_known: 1,
            unattended: 2,
            ..Subject::default()
        };
        let sums = Permissions::of(vec![one, other]);
        assert_eq!(
            (
                sums.asked,
                sums.granted,
                sums.refused,
                sums.ambiguous,
                sums.open
            ),
            (5, 2, 1, 1, 1)
        );
        assert_eq!(
            (sums.asked_again, sums.unattended, sums.waits_known),
            (1, 2, 2)
        );
        assert_eq!(sums.seconds_waited.to_string(), "0.3");
        let nothing = Permissions::of(Vec::new());
        assert_eq!(nothing.seconds_waited.to_string(), "0");
        let json = serde_json::to_value(&sums).unwrap();
        assert_eq!(json["approvals_known_since"], serde_json::Value::Null);
        assert_eq!(json["by_subject"][0]["asked"], 3);
        assert_eq!(json.get("refusals"), None);
    }

    #[test]
    fn approvals_are_missing_where_only_refusals_are_told() {
        let known = Some("2026-11-01T00:00:00Z".parse().unwrap());
        for (refused, old, since, lacks) in [
            (0, 0, None, false),
            (2, 0, None, true),
            (2, 0, known, false),
            (2, 1, known, true),
        ] {
            let sums = Permissions {
                refused,
                without_approvals: old,
                approvals_known_since: since,
                ..Permissions::default()
            };
            assert_eq!(sums.lacks_approvals(), lacks, "{refused} {old} {since:?}");
        }
    }
}
