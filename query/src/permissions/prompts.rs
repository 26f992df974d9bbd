//! Permission prompts, as the store gives them: sums, by subject, and one by one. Their fields are those of the JSON
//! documents (docs/json.md), so their names are frozen.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::params;
use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::permissions::Reach;
use plantune_domain::session_kind::SessionKind;
use serde::{Deserialize, Serialize};

use super::auto_mode::Denied;
use super::near_miss::NearMiss;
use super::{DecidedPrompt, PromptOutcome, root_of};
use crate::request::{DayRange, GroupKey, Request};
use crate::store::{any_utc, json, to_milliseconds, utc};
use crate::{Named, Store, StoreError};

impl Store {
    /// The subjects of the prompts that are `wanted`, the most frequent first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn prompt_subjects(&self, wanted: &WantedSubjects<'_>) -> Result<Vec<Subject>, StoreError> {
        self.judge_prompts(wanted.days, wanted.project, wanted.open_from)?;
        self.subjects(wanted)
    }

    /// The prompts that are `wanted`, the latest first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn prompts(&self, wanted: &WantedPrompts<'_>) -> Result<Vec<LoggedPrompt>, StoreError> {
        self.judge_prompts(wanted.days, wanted.project, wanted.open_from)?;
        self.one_by_one(wanted)
    }

    /// The sums and subjects of the request's period.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn permissions(&self, request: &Request<'_>) -> Result<Permissions, StoreError> {
        let open_from = Some(request.open_from());
        self.judge_prompts(Some(request.period), request.project, open_from)?;
        let days = self.rows(include_str!("../../sql/permissions/days.sql"), [])?;
        let (denied, auto_calls) =
            self.row(include_str!("../../sql/permissions/unasked.sql"), [])?;
        let detail = || {
            Ok::<_, StoreError>(Detail {
                modes: self.rows(include_str!("../../sql/permissions/modes.sql"), [])?,
                denied_in_auto_mode: self.denied_in_auto_mode()?,
                repeated: self.rows(include_str!("../../sql/permissions/repeated.sql"), [])?,
                skill_commands: self
                    .rows(include_str!("../../sql/permissions/skill_commands.sql"), [])?,
                ..Detail::of(&self.one_by_one(&WantedPrompts::default())?)
            })
        };
        Ok(Permissions {
            denied,
            auto_calls,
            by_day: days.into_iter().collect(),
            detail: request.prompts.then(detail).transpose()?,
            ..Permissions::of(self.subjects(&WantedSubjects::default())?)
        })
    }

    fn denied_in_auto_mode(&self) -> Result<Vec<Denied>, StoreError> {
        let sql = include_str!("../../sql/permissions/classifier.sql");
        let denied: Vec<Denied> = self.rows(sql, [])?;
        Ok(denied.into_iter().map(Denied::with_entry).collect())
    }

    /// Makes the table that the queries below read: the prompts of `days`, with facts from other prompts.
    fn judge_prompts(
        &self,
        days: Option<DayRange>,
        project: Option<&str>,
        open_from: Option<NaiveDate>,
    ) -> Result<(), StoreError> {
        let (start, end) = (days.map(|days| days.start), days.map(|days| days.end));
        self.connection.execute(
            include_str!("../../sql/permissions/request.sql"),
            params![start, end, project, open_from],
        )?;
        let sql = include_str!("../../sql/permissions/judged.sql");
        Ok(self.connection.execute_batch(sql)?)
    }

    fn subjects(&self, wanted: &WantedSubjects<'_>) -> Result<Vec<Subject>, StoreError> {
        let reach = wanted.reach.map(Reach::name);
        self.rows(
            include_str!("../../sql/permissions/subjects.sql"),
            params![
                wanted.by.map_or("subject", GroupKey::as_str),
                reach,
                wanted.tool
            ],
        )
    }

    fn one_by_one(&self, wanted: &WantedPrompts<'_>) -> Result<Vec<LoggedPrompt>, StoreError> {
        let limit = wanted.limit.map_or(i64::MAX, i64::from);
        self.rows(
            include_str!("../../sql/permissions/prompts.sql"),
            params![wanted.id, wanted.subject, wanted.tool, limit],
        )
    }
}

/// One prompt, and its decision, if known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoggedPrompt {
    /// The id of the event that asked; without one, of that which decided.
    pub id: String,
    /// The call, if a decision is known.
    pub tool_use_id: Option<String>,
    /// When it was asked; without that, when it was decided (UTC).
    #[serde(with = "utc")]
    pub at: DateTime<Utc>,
    /// The day of that time in the person's time zone.
    #[serde(skip_serializing)]
    pub day: NaiveDate,
    /// The project.
    pub project: String,
    /// The folder that the session was in.
    #[serde(skip_serializing)]
    pub cwd: String,
    /// The session.
    pub session_id: String,
    /// Whether a person was in the session.
    pub session_kind: Named<SessionKind>,
    /// The word for the agent: `claude-code`, …
    pub agent: String,
    /// The permission mode.
    pub permission_mode: Option<String>,
    /// The sub-agent that called the tool.
    pub agent_id: Option<String>,
    /// The skill in which it did.
    pub skill: Option<String>,
    /// `hook`, or the source it was imported from.
    pub source: String,
    /// The tool.
    pub tool: String,
    /// The subject.
    pub subject: String,
    /// How far the call reaches.
    pub reach: Option<Reach>,
    /// The command, path, URL or query, without secrets.
    pub input: Option<String>,
    /// The rules that the dialog offered.
    #[serde(deserialize_with = "json")]
    pub suggestions: Vec<String>,
    /// When the hook saw it (UTC); `None` for a decision whose prompt no hook logged.
    #[serde(with = "any_utc")]
    pub asked_at: Option<DateTime<Utc>>,
    /// When it was decided (UTC), as far as that is known.
    #[serde(with = "any_utc")]
    pub decided_at: Option<DateTime<Utc>>,
    /// How it was decided; [`PromptOutcome::Nobody`] is a refusal here.
    pub outcome: PromptOutcome,
    /// For how long it was allowed.
    pub grant: Option<Named<Grant>>,
    /// From prompt to decision, in seconds.
    pub waited_seconds: Option<f64>,
    /// Why it was refused.
    pub reason: Option<Named<RefusalReason>>,
    /// The words that the person typed.
    pub free_text: Option<String>,
    /// The "don't ask again" that had been chosen before.
    pub asked_again_after: Option<Grant>,
    /// When that was chosen first (UTC).
    #[serde(with = "any_utc")]
    pub given_at: Option<DateTime<Utc>>,
    /// True when nobody attended the agent: a headless or spawned session, nobody to ask, or no decision a day
    /// later.
    pub unattended: bool,
    /// Why a rule of today that seems to cover it does not; `None` if none seems to, and where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub although: Option<NearMiss>,
}

impl LoggedPrompt {
    /// True if it was refused because nobody was there.
    pub fn had_nobody(&self) -> bool {
        self.reason == Some(RefusalReason::Nobody.into())
    }

    /// For how long it was allowed, as far as that is known.
    pub fn known_grant(&self) -> Option<Grant> {
        self.grant.as_ref()?.known()
    }

    /// The prompt in the form that rules are matched against.
    pub fn to_evidence(&self) -> DecidedPrompt {
        DecidedPrompt {
            at: self.at.naive_utc(),
            project: self.project.clone(),
            root: root_of(&self.cwd),
            cwd: self.cwd.clone(),
            permission_mode: self.permission_mode.clone(),
            tool_name: self.tool.clone(),
            input: self.input.clone().unwrap_or_default(),
            ..DecidedPrompt::default()
        }
    }
}

/// The prompts that need a look; one may be in several lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Detail {
    /// Refused, the latest first.
    pub refusals: Vec<LoggedPrompt>,
    /// Asked again although "don't ask again" had been chosen, the most frequent first.
    pub repeated: Vec<Repeated>,
    /// The prompts of agents that nobody attended, the latest first.
    pub blocked: Vec<LoggedPrompt>,
    /// Under which permission modes calls ran, the most frequent first.
    pub modes: Vec<Mode>,
    /// The calls that the classifier of auto mode denied, the most frequent first.
    pub denied_in_auto_mode: Vec<Denied>,
    /// The commands that the texts of skills ran, by skill, the most first.
    pub skill_commands: Vec<SkillCommands>,
}

impl Detail {
    /// The projects that it names, so that they can be called otherwise.
    pub fn projects(&mut self) -> impl Iterator<Item = &mut String> {
        let refusals = self.refusals.iter_mut().map(|one| &mut one.project);
        refusals
            .chain(self.repeated.iter_mut().map(|one| &mut one.project))
            .chain(self.blocked.iter_mut().map(|one| &mut one.project))
            .chain(
                self.denied_in_auto_mode
                    .iter_mut()
                    .map(|one| &mut one.project),
            )
    }
}

/// A subject that was asked again although "don't ask again" had been chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// The subject.
    pub subject: String,
    /// The tool.
    pub tool: String,
    /// The project.
    pub project: String,
    /// The choice before: for good or for the session.
    pub chosen: Grant,
    /// When that was chosen first (UTC).
    #[serde(with = "utc")]
    pub chosen_at: DateTime<Utc>,
    /// How many prompts came after it.
    pub prompts: u64,
    /// The rules that the dialog offered last.
    #[serde(deserialize_with = "json")]
    pub suggestions: Vec<String>,
}

impl Detail {
    /// The refused and blocked ones of the `prompts`, which come the latest first.
    pub fn of(prompts: &[LoggedPrompt]) -> Self {
        let of =
            |is: fn(&LoggedPrompt) -> bool| prompts.iter().filter(|one| is(one)).cloned().collect();
        Self {
            refusals: of(|one| one.outcome == PromptOutcome::Refused),
            blocked: of(|one| one.unattended),
            ..Self::default()
        }
    }
}

/// The calls of one permission mode, as far as they were logged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// The mode as Claude Code calls it; `None` if no event says.
    pub mode: Option<String>,
    /// Prompts.
    pub asked: u64,
    /// Calls that ran without anybody being asked.
    pub ran: u64,
    /// Calls that were denied without anybody being asked.
    pub denied: u64,
}

/// The commands that a skill's text ran by itself. Nobody is asked about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillCommands {
    /// The skill or slash command.
    pub skill: String,
    /// Commands.
    pub commands: u64,
}

/// The subject that makes prompts the same, with how often they came.
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

impl Subject {
    /// True for the prompts with which Claude Code leaves plan mode.
    fn is_plan_approval(&self) -> bool {
        self.tool == PLAN_APPROVAL && self.subject == PLAN_APPROVAL
    }
}

/// The tool that asks whether a plan is to be carried out. Its subject is its name.
const PLAN_APPROVAL: &str = "ExitPlanMode";

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
    /// By subject and tool, the most frequent first; without plan approvals.
    pub by_subject: Vec<Subject>,
    /// The prompts to approve a plan; `None` for none. They are in the sums. No rule ever allows them.
    pub plan_approvals: Option<Subject>,
    /// How many prompts came on each day that had any.
    #[serde(skip)]
    pub by_day: BTreeMap<NaiveDate, u64>,
    /// The prompts that need a look, if requested.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

impl Permissions {
    /// The sums of these subjects, and nothing else yet.
    fn of(mut by_subject: Vec<Subject>) -> Self {
        let sum = |of: fn(&Subject) -> u64| by_subject.iter().map(of).sum();
        let seconds = |of: fn(&Subject) -> f64| to_milliseconds(by_subject.iter().map(of).sum());
        let sums = Self {
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
            ..Self::default()
        };
        let plans = by_subject.iter().position(Subject::is_plan_approval);
        Self {
            plan_approvals: plans.map(|at| by_subject.remove(at)),
            by_subject,
            ..sums
        }
    }

    /// True when refusals are known from transcripts whose approvals are not: there are refusals from a client
    /// too old to tell, or refusals and never an approval.
    pub fn lacks_approvals(&self) -> bool {
        self.without_approvals > 0 || self.refused > 0 && self.approvals_known_since.is_none()
    }
}

/// Which subjects to list; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedSubjects<'a> {
    /// The grouping by which they are counted, asker or framework; `None` for their subject and tool.
    pub by: Option<GroupKey>,
    /// The days of the prompts.
    pub days: Option<DayRange>,
    /// The project.
    pub project: Option<&'a str>,
    /// The reach.
    pub reach: Option<Reach>,
    /// The tool.
    pub tool: Option<&'a str>,
    /// The first day whose prompts without a decision may still get one; those before it count as
    /// unattended.
    pub open_from: Option<NaiveDate>,
}

/// Which prompts to look for; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedPrompts<'a> {
    /// The prompt of this id, or that about the call of this id.
    pub id: Option<&'a str>,
    /// About this subject.
    pub subject: Option<&'a str>,
    /// The tool.
    pub tool: Option<&'a str>,
    /// The project.
    pub project: Option<&'a str>,
    /// The days.
    pub days: Option<DayRange>,
    /// The first day whose prompts without a decision may still get one.
    pub open_from: Option<NaiveDate>,
    /// The largest number to return; `None` for all.
    pub limit: Option<u32>,
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
        assert_eq!(sums.plan_approvals, None);
        let nothing = Permissions::of(Vec::new());
        assert_eq!(nothing.seconds_waited.to_string(), "0");
        let json = serde_json::to_value(&sums).unwrap();
        assert_eq!(json["approvals_known_since"], serde_json::Value::Null);
        assert_eq!(json["by_subject"][0]["asked"], 3);
        assert_eq!(json.get("refusals"), None);
    }

    #[test]
    fn plan_approvals_are_apart_from_the_subjects() {
        let named = |tool: &str, subject: &str| Subject {
            tool: tool.to_owned(),
            subject: subject.to_owned(),
            asked: 2,
            granted: 2,
            ..Subject::default()
        };
        let plan = named("ExitPlanMode", "ExitPlanMode");
        // A command of that name is none.
        let command = named("Bash", "ExitPlanMode");
        let sums = Permissions::of(vec![plan.clone(), command.clone()]);
        assert_eq!((sums.asked, sums.granted), (4, 4));
        assert_eq!(sums.plan_approvals, Some(plan));
        assert_eq!(sums.by_subject, [command]);
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
