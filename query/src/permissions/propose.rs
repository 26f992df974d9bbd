//! Finds the rules that would have saved a person's prompts, from what they allowed.

use std::collections::{BTreeMap, BTreeSet};

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};
use plantune_agents::claude_code;
use plantune_domain::agreement::agreement::Consent;
use plantune_domain::permissions::{OwnReaches, Reach, Rule};
use plantune_domain::preferences::Level;
use serde::Serialize;

use super::certainty::{DecisionHabit, DecisionPrior};
use super::rules::{
    Behaviour, Holds, KnownRule, RuleGroup, RuleScope, allows_judged, also_allows, exact,
    folder_of, group_of, is_wide, takes, wide,
};
use super::{DecidedPrompt, JudgedPrompt, PromptPart, judged};
use crate::evidence::{COUNTS_FOR, a_week, first_day};
use crate::suggest::posterior::median;

/// The inputs beside the prompts.
#[derive(Clone, Copy)]
pub struct RuleInputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The word for the agent.
    pub agent: &'static str,
    /// The moment of the run (UTC).
    pub now: NaiveDateTime,
    /// The reaches that the person gave.
    pub own: &'a OwnReaches,
    /// The rules that are there already.
    pub known: &'a [KnownRule],
    /// The permission mode that the person mostly works in, if known.
    pub mode: Option<&'a str>,
    /// The contents of a folder of a project: of the project's folder and one below it; `None` if that was not looked
    /// at.
    pub holds: &'a dyn Fn(&str, &str) -> Option<Holds>,
}

/// The evidence of a proposal. Counts are of prompts, dates are local days. Serialised, it is what suggestions and
/// events hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RuleEvidence {
    /// The distinct sessions in which it was allowed.
    pub sessions: usize,
    /// Its distinct days.
    pub days: usize,
    /// The prompts that were read from transcripts alone.
    pub imported: usize,
    /// The day of the first prompt.
    pub first: NaiveDate,
    /// The day of the last prompt.
    pub last: NaiveDate,
    /// The skill that was at work at every one of the prompts; `None` if another one was, or none. A rule holds whoever
    /// is at work.
    pub only_skill: Option<String>,
}

/// A rule that the person could have. Serialised, it is an entry of `permissions` in `suggest --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleProposal {
    /// The rule, as Claude Code would have it.
    #[serde(skip)]
    pub rule: Rule,
    /// The rule in the form of the agent's settings.
    #[serde(rename = "rule")]
    pub name: String,
    /// The word for the agent whose settings it is for.
    pub agent: &'static str,
    /// The subject that makes its prompts the same.
    pub subject: String,
    /// How far the allowed calls reach; never beyond the project.
    pub reach: Reach,
    /// How the person confirms it: where nobody knows what the calls do, they type what they allow.
    pub consent: Consent,
    /// The decided prompts that it would take part in allowing.
    pub prompts: usize,
    /// How many of these the person refused.
    pub refused: usize,
    /// Seconds of waiting that it spares in a week; `None` if no wait is known.
    pub seconds_saved_per_week: Option<f64>,
    /// How many prompts a week it spares.
    #[serde(skip)]
    pub prompts_per_week: f64,
    /// The calls that it would also allow and that were never asked about, in words.
    pub also_allows: String,
    /// How sure the evidence is: on trial or standing.
    pub level: Level,
    /// Whose settings it is for.
    #[serde(rename = "settings")]
    pub scope: RuleScope,
    /// The project; `None` for all of them.
    pub project: Option<String>,
    /// The projects that the prompts come from.
    pub projects: Vec<String>,
    /// The folder of the project whose settings it is for, where the last prompt came; `None` for everywhere.
    #[serde(rename = "folder")]
    pub root: Option<String>,
    /// The share (0–1) of such prompts that the person allows, at least.
    pub confidence: f64,
    /// The evidence.
    pub evidence: RuleEvidence,
    /// Its worth in the mode that the person mostly works in.
    #[serde(rename = "mode")]
    pub worth: Worth,
}

impl RuleProposal {
    /// The calls that it would allow, in words behind `The rule covers`.
    pub fn covers(&self) -> String {
        let mut letters = self.also_allows.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

/// The proposed rules, and the prompts that none of them covers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposals {
    /// The proposals: the greatest saving first.
    pub proposals: Vec<RuleProposal>,
    /// The prompts that no proposal covers.
    pub left: UncoveredPrompts,
}

/// How many decided prompts no proposal spares, each counted under the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UncoveredPrompts {
    /// They reach beyond the project, or nothing certain is known about them.
    pub beyond: usize,
    /// Today the host runs them without asking, so that no rule is needed.
    pub runs_unasked: usize,
    /// No rule can be written for them.
    pub no_rule: usize,
    /// Rules that are there allow them, or keep them asked.
    pub known: usize,
    /// The mode that the person mostly works in asks about nothing like it.
    pub mode: usize,
    /// The person refused it, or another of its kind.
    pub refused: usize,
    /// Allowed often, in other words each time.
    pub varied: usize,
    /// Not allowed often enough yet.
    pub unsure: usize,
}

/// The worth of a rule in a mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// The mode that the person mostly works in, as the host calls it; `None` if it is not known.
    pub mode: Option<String>,
    /// False if the rule would spare next to nothing there.
    pub helps: bool,
    /// Why, in words; empty if there is nothing to say.
    pub note: &'static str,
}

/// The rules that follow from `prompts`, in any order.
pub fn proposals(prompts: &[DecidedPrompt], inputs: &RuleInputs<'_>) -> Proposals {
    proposals_of(&in_order(prompts, inputs.own), inputs)
}

/// `prompts`, judged, in the order of time.
pub(crate) fn in_order<'a>(
    prompts: &'a [DecidedPrompt],
    own: &OwnReaches,
) -> Vec<JudgedPrompt<'a>> {
    let mut judged = judged(prompts, own);
    judged.sort_by_key(|one| (one.prompt.at, &one.prompt.session_id, &one.prompt.input));
    judged
}

/// The rules that follow from `judged`, which are in the order of time.
pub(crate) fn proposals_of(judged: &[JudgedPrompt<'_>], inputs: &RuleInputs<'_>) -> Proposals {
    let history = PromptHistory::of(judged, inputs);
    let (idle, mut found): (Vec<_>, Vec<_>) = history
        .proposals()
        .into_iter()
        .partition(|one| asks_nothing(inputs.mode, &one.rule));
    found.sort_by(|one, other| {
        let saved = |one: &RuleProposal| one.seconds_saved_per_week.unwrap_or_default();
        (saved(other).total_cmp(&saved(one)))
            .then_with(|| other.prompts.cmp(&one.prompts))
            .then_with(|| place(one).cmp(&place(other)))
    });
    Proposals {
        left: history.uncovered(&found, &idle),
        proposals: found,
    }
}

/// Where a rule holds, and what it is: everywhere comes first.
fn place(one: &RuleProposal) -> (Option<&str>, &Rule) {
    (one.project.as_deref(), &one.rule)
}

/// All prompts, and the facts that all rules of a run share.
struct PromptHistory<'j> {
    judged: &'j [JudgedPrompt<'j>],
    inputs: &'j RuleInputs<'j>,
    /// The moment that ages are counted from: the newest prompt.
    reference: NaiveDateTime,
    /// The median wait over all prompts, in seconds.
    seconds: Option<f64>,
    /// The prompts that could be one rule, project by project.
    groups: Vec<PartGroup<'j>>,
}

/// Why no rule is proposed for a prompt that the person decided; the weightiest reason is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum WhyUncovered {
    /// All of its kind was allowed, in other words each time.
    Varied,
    /// Its kind was not allowed often enough.
    Unsure,
    /// Its kind was refused.
    Refused,
}

/// The things that could be one rule, of one project, or of all for `None`.
struct PartGroup<'j> {
    project: Option<&'j str>,
    group: RuleGroup,
    parts: Vec<PromptPart<'j>>,
    habit: DecisionHabit,
}

impl<'j> PromptHistory<'j> {
    fn of(judged: &'j [JudgedPrompt<'j>], inputs: &'j RuleInputs<'j>) -> Self {
        let newest = judged.iter().map(|one| one.prompt.at).max();
        let waited = judged.iter().filter(|one| one.prompt.is_evidence());
        let waited = waited.filter_map(|one| one.prompt.waited_seconds);
        let mut history = Self {
            judged,
            inputs,
            reference: newest.map_or(inputs.now, |newest| newest.min(inputs.now)),
            seconds: median(waited.collect()),
            groups: Vec::new(),
        };
        history.groups = history.groups(|part| Some(part.prompt.project.as_str()));
        history
    }

    /// The parts in groups, those of different `project`s apart.
    fn groups(&self, project: impl Fn(&PromptPart<'j>) -> Option<&'j str>) -> Vec<PartGroup<'j>> {
        let candidates = self.judged.iter().filter(|one| is_candidate(one));
        let mut groups: BTreeMap<(Option<&str>, RuleGroup), Vec<PromptPart<'j>>> = BTreeMap::new();
        for part in candidates.flat_map(JudgedPrompt::parts) {
            let name = (project(&part), group_of(&part));
            groups.entry(name).or_default().push(part);
        }
        let groups = groups
            .into_iter()
            .map(|((project, group), parts)| PartGroup {
                project,
                group,
                habit: self.habit(&parts),
                parts,
            });
        groups.collect()
    }

    fn habit(&self, parts: &[PromptPart<'j>]) -> DecisionHabit {
        let oldest = self.inputs.now.checked_sub_signed(COUNTS_FOR);
        let counts = |part: &PromptPart<'j>| oldest.is_none_or(|oldest| part.prompt.at >= oldest);
        DecisionHabit::of(&of(parts, counts), self.reference, self.inputs.settings)
    }

    fn proposals(&self) -> Vec<RuleProposal> {
        let prior = DecisionPrior::of(self.groups.iter().map(|group| &group.habit));
        let mut found = Vec::new();
        if self.inputs.settings.across_projects {
            for group in self.groups(|_| None) {
                found.extend(self.of_group(&group, &prior));
            }
        }
        let everywhere: BTreeSet<Rule> = found.iter().map(|one| one.rule.clone()).collect();
        for group in &self.groups {
            let own = self.of_group(group, &prior).into_iter();
            // A rule that holds everywhere is not proposed for a project again.
            found.extend(own.filter(|one| !everywhere.contains(&one.rule)));
        }
        found
    }

    /// The rules for `group`: one for each thing that was allowed often enough by itself; or one wider rule, if the
    /// narrow ones would leave two prompts or more uncovered.
    fn of_group(&self, group: &PartGroup<'j>, prior: &DecisionPrior) -> Vec<RuleProposal> {
        let granted = of(&group.parts, |part| part.prompt.is_granted());
        // A rule for one thing alone needs that many prompts of its own.
        let mut often = exact_rules(&granted);
        often.retain(|_, count| *count >= self.inputs.settings.trial_answers);
        let narrow: Vec<RuleProposal> = often
            .into_keys()
            .filter_map(|rule| self.proposal(rule, group, prior))
            .collect();
        let is_covered =
            |part: &PromptPart<'j>| narrow.iter().any(|proposal| takes(&proposal.rule, part));
        let left = of(&granted, |part| {
            !is_covered(part) && !self.is_known(part, group.project.is_none())
        });
        // Other agents read a star in other ways.
        let is_read = |rule: &Rule| rule.tool != "Bash" || self.inputs.agent == claude_code::NAME;
        if left.len() >= 2
            && let Some(rule) = wide(&granted).filter(is_read)
            && let Some(proposal) = self.proposal(rule, group, prior)
        {
            return vec![proposal];
        }
        narrow
    }

    /// `rule` as a proposal, if `group` is evidence enough for it.
    fn proposal(
        &self,
        rule: Rule,
        group: &PartGroup<'j>,
        prior: &DecisionPrior,
    ) -> Option<RuleProposal> {
        let parts = of(&group.parts, |part| takes(&rule, part));
        let (first, last) = (parts.first()?, parts.last()?);
        let root = group.project.map(|_| last.prompt.root.as_str());
        let scope = match root {
            None => RuleScope::User,
            Some(_) => RuleScope::Local,
        };
        let reach = parts.iter().map(|part| part.thing.reach).max()?;
        let holds = folder_of(&rule)
            .and_then(|folder| (self.inputs.holds)(root.unwrap_or_default(), folder));
        let is_sensitive = |holds: &Holds| holds.sensitive.is_some();
        if scope == RuleScope::User && !is_for_everywhere(&rule, &parts)
            || self.is_there(&rule, &parts, root.unwrap_or_default())
            || is_wide(&rule) && self.is_refused(&rule, group.project)
            || holds.as_ref().is_some_and(is_sensitive)
        {
            return None;
        }
        let habit = self.habit(&parts);
        let bar = bar(self.inputs.settings, reach);
        let (level, confidence) = prior.assess(&habit, &group.habit, &bar)?;
        let projects: BTreeSet<&str> = parts.iter().map(|part| &*part.prompt.project).collect();
        Some(RuleProposal {
            name: match (&rule.content, self.inputs.agent == claude_code::NAME) {
                (Some(command), false) => command.clone(),
                _ => rule.to_string(),
            },
            agent: self.inputs.agent,
            subject: last.thing.subject.clone(),
            reach,
            consent: consent(&rule, reach),
            prompts: parts.len(),
            refused: of(&parts, |part| !part.prompt.is_granted()).len(),
            seconds_saved_per_week: self.saved(&parts),
            prompts_per_week: self.a_week(&parts),
            also_allows: also_allows(&rule, scope, reach, holds.as_ref()),
            level,
            scope,
            project: group.project.map(str::to_owned),
            projects: projects.into_iter().map(str::to_owned).collect(),
            root: root.map(str::to_owned),
            confidence,
            evidence: RuleEvidence {
                sessions: habit.weighed.sessions,
                days: habit.weighed.days,
                imported: of(&parts, |part| part.prompt.is_imported).len(),
                first: first.prompt.day,
                last: last.prompt.day,
                only_skill: only_skill(&parts),
            },
            worth: worth(self.inputs.mode),
            rule,
        })
    }

    /// The seconds a week that a rule for `parts` spares: of a prompt about several things it spares a part.
    fn saved(&self, parts: &[PromptPart<'j>]) -> Option<f64> {
        let waited = parts.iter().filter_map(|part| part.prompt.waited_seconds);
        let seconds = median(waited.collect()).or(self.seconds)?;
        Some(self.a_week(parts) * seconds)
    }

    /// How many prompts a week `parts` are; of a command of several parts each is a share.
    fn a_week(&self, parts: &[PromptPart<'j>]) -> f64 {
        let Some(last) = parts.last().map(|part| part.prompt.day) else {
            return 0.0;
        };
        let since = first_day(last);
        let recent = parts.iter().filter(|part| part.prompt.day >= since);
        #[allow(clippy::cast_precision_loss, reason = "a command has few parts")]
        let share = |part: &PromptPart<'_>| 1.0 / part.of as f64;
        let known_since = self.judged.first().map(|one| one.prompt.day);
        a_week(recent.map(share).sum(), known_since, last)
    }

    /// True if the person has `rule` already, has a rule that stops one of `parts`, or has rules that allow them all.
    fn is_there(&self, rule: &Rule, parts: &[PromptPart<'j>], root: &str) -> bool {
        let mut known = self.inputs.known.iter();
        known.any(|one| match one.behaviour {
            Behaviour::Allow => one.holds_in(root) && one.rule == *rule,
            Behaviour::Stop => {
                let concerns = |part: &PromptPart<'_>| one.holds_in(&part.prompt.root);
                parts.iter().any(concerns) && parts.iter().any(|part| takes(&one.rule, part))
            }
        }) || parts.iter().all(|part| self.is_known(part, false))
    }

    /// True if a rule that the person has takes `part` already. Where the new rule is to hold `everywhere`, only their
    /// rules that do so count.
    fn is_known(&self, part: &PromptPart<'j>, everywhere: bool) -> bool {
        self.inputs.known.iter().any(|one| {
            let here = match everywhere {
                true => one.root.is_none(),
                false => one.holds_in(&part.prompt.root),
            };
            here && takes(&one.rule, part)
        })
    }

    /// True if `rule`, which allows more than was asked about, would allow something that reaches beyond the project or
    /// that the person refused.
    fn is_refused(&self, rule: &Rule, project: Option<&str>) -> bool {
        let here = |one: &&JudgedPrompt<'_>| project.is_none_or(|name| one.prompt.project == name);
        let mut parts = self
            .judged
            .iter()
            .filter(here)
            .flat_map(JudgedPrompt::parts);
        parts.any(|part| {
            let refused = part.prompt.is_evidence() && !part.prompt.is_granted();
            takes(rule, &part) && (part.thing.reach == Reach::Beyond || refused)
        })
    }

    /// Why no rule is proposed for a group of prompts, by the decisions about all of them.
    fn why(&self, group: &PartGroup<'j>) -> WhyUncovered {
        let reach = group.parts.iter().map(|part| part.thing.reach).max();
        let least = bar(self.inputs.settings, reach.unwrap_or(Reach::Unknown)).trial_answers;
        let granted = of(&group.parts, |part| part.prompt.is_granted());
        if granted.len() < group.parts.len() {
            return WhyUncovered::Refused;
        }
        let is_often = u32::try_from(granted.len()).is_ok_and(|count| count >= least);
        match is_often && exact_rules(&granted).values().all(|count| *count < least) {
            true => WhyUncovered::Varied,
            false => WhyUncovered::Unsure,
        }
    }

    /// The decided prompts that the rules `found` do not cover, nor those `idle` in the person's mode.
    fn uncovered(&self, found: &[RuleProposal], idle: &[RuleProposal]) -> UncoveredPrompts {
        let mut left = UncoveredPrompts::default();
        let whys = self.groups.iter();
        let whys: BTreeMap<(Option<&str>, RuleGroup), WhyUncovered> = whys
            .map(|group| ((group.project, group.group.clone()), self.why(group)))
            .collect();
        let allowed = |found: &[RuleProposal], one: &JudgedPrompt<'_>| {
            let here = |project: &String| *project == one.prompt.project;
            let rules = found.iter();
            let rules = rules.filter(|proposal| proposal.project.as_ref().is_none_or(here));
            let rules: Vec<&Rule> = rules.map(|proposal| &proposal.rule).collect();
            allows_judged(&rules, one)
        };
        for one in self.judged.iter().filter(|one| one.prompt.is_evidence()) {
            let has_no_rule =
                one.call.grantables.is_empty() || one.parts().any(|part| exact(&part).is_none());
            let count = if one.call.reach == Reach::Beyond {
                &mut left.beyond
            } else if one.call.runs_unasked {
                &mut left.runs_unasked
            } else if has_no_rule {
                &mut left.no_rule
            } else if one.parts().all(|part| self.is_known(&part, false)) {
                &mut left.known
            } else if allowed(idle, one) {
                &mut left.mode
            } else if allowed(found, one) {
                continue;
            } else {
                let project = Some(one.prompt.project.as_str());
                let why = one.parts().map(|part| {
                    let why = whys.get(&(project, group_of(&part)));
                    why.copied().unwrap_or(WhyUncovered::Unsure)
                });
                match why.max().unwrap_or(WhyUncovered::Unsure) {
                    WhyUncovered::Varied => &mut left.varied,
                    WhyUncovered::Unsure => &mut left.unsure,
                    WhyUncovered::Refused => &mut left.refused,
                }
            };
            *count += 1;
        }
        left
    }
}

/// The words of commands, beside git's, that bring code from elsewhere, whose scripts may run.
const BRINGING: [&str; 5] = ["add", "ci", "get", "i", "install"];

/// How the person confirms a `rule` of this `reach`: what nobody knows, and what brings code, they type.
fn consent(rule: &Rule, reach: Reach) -> Consent {
    let mut words = rule.content.as_deref().unwrap_or_default().split(' ');
    let is_git = words.next() == Some("git");
    let brings = rule.tool == "Bash"
        && reach == Reach::Project
        && !is_git
        && words.any(|word| BRINGING.contains(&word));
    match reach == Reach::Unknown || brings {
        true => Consent::Type,
        false => Consent::Yes,
    }
}

/// The evidence that a rule with this reach needs: half as much again where it is not known what its calls do.
fn bar(settings: &Suggest, reach: Reach) -> Suggest {
    let more = |count: u32| match reach {
        Reach::Unknown => count + count.div_ceil(2),
        _ => count,
    };
    Suggest {
        min_answers: more(settings.min_answers),
        min_sessions: more(settings.min_sessions),
        min_days: more(settings.min_days),
        trial_answers: more(settings.trial_answers),
        trial_sessions: more(settings.trial_sessions),
        ..settings.clone()
    }
}

/// True for a prompt that says what the person wants, and that a rule could be for. A command behind `cd` into a folder of
/// the project is the command: the host asks about both by the same rules.
fn is_candidate(judged: &JudgedPrompt<'_>) -> bool {
    judged.prompt.is_evidence()
        && judged.call.reach < Reach::Beyond
        && judged.parts().all(|part| part.thing.reach < Reach::Beyond)
}

/// Those of `parts` that are `wanted`.
fn of<'a>(
    parts: &[PromptPart<'a>],
    wanted: impl Fn(&PromptPart<'a>) -> bool,
) -> Vec<PromptPart<'a>> {
    parts.iter().copied().filter(wanted).collect()
}

/// How often each rule for just one thing would have been for one of `parts`.
fn exact_rules(parts: &[PromptPart<'_>]) -> BTreeMap<Rule, u32> {
    let mut times: BTreeMap<Rule, u32> = BTreeMap::new();
    for rule in parts.iter().filter_map(exact) {
        *times.entry(rule).or_default() += 1;
    }
    times
}

/// The skill at work at every prompt of `parts`.
fn only_skill(parts: &[PromptPart<'_>]) -> Option<String> {
    let first = parts.first()?.prompt.skill.as_deref()?;
    let is_same = |part: &PromptPart<'_>| part.prompt.skill.as_deref() == Some(first);
    parts.iter().all(is_same).then(|| first.to_owned())
}

/// How often a rule for everywhere must have been allowed in each of two projects.
const LEAST_IN_A_PROJECT: usize = 2;

/// How many times a project must have allowed it since a refusal for that to be forgotten.
const FORGETS_AFTER: usize = 3;

/// True where `parts`, of all projects and in the order of time, say that `rule` may stand in every project: allowed in
/// two projects at least, refused lately in none, and with a known reach. A rule about files never may: paths belong to
/// one project.
fn is_for_everywhere(rule: &Rule, parts: &[PromptPart<'_>]) -> bool {
    /// How often a project allowed it, and how often since it last refused.
    #[derive(Default)]
    struct OfProject {
        granted: usize,
        since_refused: Option<usize>,
    }
    let mut projects: BTreeMap<&str, OfProject> = BTreeMap::new();
    for part in parts {
        let of = projects.entry(&part.prompt.project).or_default();
        match part.prompt.is_granted() {
            true => {
                of.granted += 1;
                of.since_refused = of.since_refused.map(|times| times + 1);
            }
            false => of.since_refused = Some(0),
        }
    }
    let is_known = parts.iter().all(|part| part.thing.reach < Reach::Unknown);
    let refuses = |of: &OfProject| of.since_refused.is_some_and(|times| times < FORGETS_AFTER);
    let often = projects
        .values()
        .filter(|of| of.granted >= LEAST_IN_A_PROJECT);
    rule.tool != "Edit" && is_known && often.count() >= 2 && !projects.values().any(refuses)
}

/// True if nobody is asked in `mode` about what `rule` allows.
fn asks_nothing(mode: Option<&str>, rule: &Rule) -> bool {
    match mode {
        Some("bypassPermissions" | "dontAsk") => true,
        Some("acceptEdits") => rule.tool == "Edit",
        _ => false,
    }
}

/// The worth of a rule in `mode`, which asks.
fn worth(mode: Option<&str>) -> Worth {
    let note = match mode {
        Some("auto") => {
            "You mostly work in auto mode, where a classifier decides and few prompts come. The rule saves little \
             there, and its calls skip the classifier."
        }
        _ => "",
    };
    Worth {
        mode: mode.map(str::to_owned),
        helps: note.is_empty(),
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_ask_nothing_and_little() {
        let asks = |mode, rule| !asks_nothing(Some(mode), &Rule::parse(rule).unwrap());
        assert!(asks("default", "Bash(npm test)") && asks("plan", "Bash(npm test)"));
        assert!(!asks("dontAsk", "Bash(npm test)") && !asks("bypassPermissions", "Bash(npm test)"));
        assert!(asks("acceptEdits", "Bash(npm test)") && !asks("acceptEdits", "Edit(/src/**)"));
        assert!(worth(Some("default")).helps && !worth(Some("auto")).helps);
        let unknown = worth(None);
        assert!(unknown.helps && unknown.note.is_empty());
    }
}
