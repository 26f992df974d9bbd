//! Finds the rules that would have saved a person's prompts, from what they allowed.

use std::collections::{BTreeMap, BTreeSet};

use crate::suggest::Suggest;
use chrono::NaiveDateTime;
use plantune_domain::permissions::{OwnReaches, Reach, Rule};

use super::evidence::{DecidedPrompt, JudgedPrompt, PromptPart, judged};
pub use super::proposal::{
    Behaviour, Holds, KnownRule, Left, Proposal, Proposals, RuleEvidence, RuleInputs, Settings,
    Worth,
};
use super::proposal::{also_allows, asks_nothing, worth};
use super::rules::{allows_judged, exact, group_of, groups, takes, wide};
use crate::evidence::{COUNTS_FOR, a_week, first_day};
use crate::habits::EVERYWHERE;
use crate::suggest::assess::{DecisionHabit, DecisionHabits, YesOrNo, habit};
use crate::suggest::posterior::median;

/// A rule for everywhere must have been allowed so often in each of two projects.
const LEAST_IN_A_PROJECT: usize = 2;

/// The skill at work at every prompt of `units`.
fn only_skill(units: &[&PromptPart<'_>]) -> Option<String> {
    let first = units.first()?.prompt.skill.as_deref()?;
    let is_same = |unit: &&PromptPart<'_>| unit.prompt.skill.as_deref() == Some(first);
    units.iter().all(is_same).then(|| first.to_owned())
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
    judged.sort_by(|one, other| {
        (one.prompt.at, &one.prompt.session_id, &one.prompt.input).cmp(&(
            other.prompt.at,
            &other.prompt.session_id,
            &other.prompt.input,
        ))
    });
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
        let saved = |one: &Proposal| one.seconds_saved_per_week.unwrap_or_default();
        (saved(other).total_cmp(&saved(one)))
            .then_with(|| other.prompts.cmp(&one.prompts))
            .then_with(|| (&one.project, &one.rule).cmp(&(&other.project, &other.rule)))
    });
    Proposals {
        left: history.left(&found, &idle),
        proposals: found,
    }
}

/// All prompts, and the facts that all rules of a run share.
struct PromptHistory<'j, 'a> {
    judged: &'j [JudgedPrompt<'a>],
    inputs: &'j RuleInputs<'j>,
    /// The moment that ages are counted from: the newest prompt.
    reference: NaiveDateTime,
    /// The median wait over all prompts, in seconds.
    seconds: Option<f64>,
}

/// Why no rule is proposed for a prompt that the person decided; the weightiest reason is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// All of its kind was allowed, in other words each time.
    Varied,
    /// Its kind was not allowed often enough.
    Unsure,
    /// Its kind was refused.
    Refused,
}

/// The prompts of one project, or of all, that could be one rule.
struct SubjectGroup<'u, 'a> {
    project: &'u str,
    units: Vec<&'u PromptPart<'a>>,
    habit: DecisionHabit,
}

impl<'j, 'a> PromptHistory<'j, 'a> {
    fn of(judged: &'j [JudgedPrompt<'a>], inputs: &'j RuleInputs<'j>) -> Self {
        let newest = judged.iter().map(|one| one.prompt.at).max();
        let waited = judged.iter().filter(|one| one.prompt.is_evidence());
        let waited = waited.filter_map(|one| one.prompt.waited_seconds);
        Self {
            judged,
            inputs,
            reference: newest.map_or(inputs.now, |newest| newest.min(inputs.now)),
            seconds: median(waited.collect()),
        }
    }

    fn proposals(&self) -> Vec<Proposal> {
        let units = || {
            self.judged
                .iter()
                .filter(is_candidate)
                .flat_map(|one| &one.units)
        };
        let mut groups_of: BTreeMap<&str, Vec<&PromptPart<'a>>> = BTreeMap::new();
        for unit in units() {
            groups_of
                .entry(&unit.prompt.project)
                .or_default()
                .push(unit);
        }
        let by_project: Vec<SubjectGroup<'_, 'a>> = groups_of
            .into_iter()
            .flat_map(|(project, units)| self.groups(project, units))
            .collect();
        let habits = DecisionHabits::of(by_project.iter().map(|group| &group.habit));
        let mut found = Vec::new();
        if self.inputs.settings.across_projects {
            for group in self.groups(EVERYWHERE, units().collect()) {
                found.extend(self.of_group(&group, &habits));
            }
        }
        let everywhere: BTreeSet<Rule> = found.iter().map(|one| one.rule.clone()).collect();
        for group in &by_project {
            let own = self.of_group(group, &habits).into_iter();
            // Whatever holds everywhere need not be written once more.
            found.extend(own.filter(|one| !everywhere.contains(&one.rule)));
        }
        found
    }

    fn groups<'u>(
        &self,
        project: &'u str,
        units: Vec<&'u PromptPart<'a>>,
    ) -> Vec<SubjectGroup<'u, 'a>> {
        groups(units.into_iter())
            .into_values()
            .map(|units| SubjectGroup {
                project,
                habit: self.habit(&units),
                units,
            })
            .collect()
    }

    fn habit(&self, units: &[&PromptPart<'a>]) -> DecisionHabit {
        let oldest = self.inputs.now.checked_sub_signed(COUNTS_FOR);
        let decisions = units.iter().map(|unit| decision(unit));
        let decisions = decisions.filter(|one| oldest.is_none_or(|oldest| one.at >= oldest));
        let decisions: Vec<YesOrNo<'_>> = decisions.collect();
        habit(&decisions, self.reference, self.inputs.settings)
    }

    /// The rules for `group`: one for each thing that was allowed often enough by itself, or a wider one,
    /// where that leaves out two prompts or more.
    fn of_group(&self, group: &SubjectGroup<'_, 'a>, habits: &DecisionHabits) -> Vec<Proposal> {
        let granted: Vec<&PromptPart<'a>> = of(&group.units, |unit| unit.prompt.is_granted());
        // What was not allowed often enough by itself need not be looked at.
        let mut often: BTreeMap<Rule, u32> = BTreeMap::new();
        for rule in granted.iter().filter_map(|unit| exact(unit)) {
            *often.entry(rule).or_default() += 1;
        }
        often.retain(|_, count| *count >= self.inputs.settings.trial_answers);
        let narrow: Vec<Proposal> = often
            .into_keys()
            .filter_map(|rule| self.proposal(rule, group, habits))
            .collect();
        let is_covered =
            |unit: &PromptPart<'a>| narrow.iter().any(|proposal| takes(&proposal.rule, unit));
        let left = of(&granted, |unit| {
            !is_covered(unit) && !self.is_known(unit, group.project)
        });
        if left.len() >= 2
            && let Some(rule) = wide(&granted)
            && let Some(proposal) = self.proposal(rule, group, habits)
        {
            return vec![proposal];
        }
        narrow
    }

    /// `rule` as a proposal, if `group` is evidence enough for it.
    fn proposal(
        &self,
        rule: Rule,
        group: &SubjectGroup<'_, 'a>,
        habits: &DecisionHabits,
    ) -> Option<Proposal> {
        let units = of(&group.units, |unit| takes(&rule, unit));
        let last = units.last()?;
        let settings = match group.project == EVERYWHERE {
            true => Settings::User,
            false => Settings::Local,
        };
        let root = match settings {
            Settings::User => "",
            Settings::Local => last.prompt.root.as_str(),
        };
        let reach = units.iter().map(|unit| unit.reach).max()?;
        let holds = folder_of(&rule).and_then(|folder| (self.inputs.holds)(root, folder));
        let is_sensitive = |holds: &Holds| holds.sensitive.is_some();
        if settings == Settings::User && !is_for_everywhere(&rule, &units)
            || self.is_there(&rule, &units, root)
            || is_wide(&rule) && self.is_refused(&rule, group.project)
            || holds.as_ref().is_some_and(is_sensitive)
        {
            return None;
        }
        let habit = self.habit(&units);
        let bar = bar(self.inputs.settings, reach);
        let (level, confidence) = habits.assess(&habit, &group.habit, &bar)?;
        let (sessions, days) = habit.spread();
        let projects: BTreeSet<&str> = units
            .iter()
            .map(|unit| unit.prompt.project.as_str())
            .collect();
        let first = units.first()?;
        Some(Proposal {
            agent: self.inputs.agent,
            subject: last.subject.clone(),
            reach,
            project: group.project.to_owned(),
            projects: projects.into_iter().map(str::to_owned).collect(),
            root: root.to_owned(),
            settings,
            prompts: units.len(),
            refused: of(&units, |unit| !unit.prompt.is_granted()).len(),
            seconds_saved_per_week: self.saved(&units),
            prompts_per_week: self.a_week(&units),
            also_allows: also_allows(&rule, settings, reach, holds.as_ref()),
            level,
            confidence,
            evidence: RuleEvidence {
                sessions,
                days,
                imported: of(&units, |unit| unit.prompt.is_imported).len(),
                first: first.prompt.day,
                last: last.prompt.day,
                only_skill: only_skill(&units),
            },
            worth: worth(self.inputs.mode),
            rule,
        })
    }

    /// The seconds a week that a rule for `units` spares: of a prompt about several things it spares a part.
    fn saved(&self, units: &[&PromptPart<'a>]) -> Option<f64> {
        let waited = units.iter().filter_map(|unit| unit.prompt.waited_seconds);
        let seconds = median(waited.collect()).or(self.seconds)?;
        Some(self.a_week(units) * seconds)
    }

    /// How many prompts a week `units` are; of a command of several parts each is a share.
    fn a_week(&self, units: &[&PromptPart<'a>]) -> f64 {
        let Some(last) = units.last().map(|unit| unit.prompt.day) else {
            return 0.0;
        };
        let since = first_day(last);
        let recent = units.iter().filter(|unit| unit.prompt.day >= since);
        #[allow(clippy::cast_precision_loss, reason = "a command has few parts")]
        let share = |unit: &&PromptPart<'_>| 1.0 / unit.of as f64;
        let known_since = self.judged.first().map(|one| one.prompt.day);
        a_week(recent.map(share).sum(), known_since, last)
    }

    /// True if a rule that is there keeps asking about one of `units`, or where such rules allow them all.
    fn is_there(&self, rule: &Rule, units: &[&PromptPart<'a>], root: &str) -> bool {
        let mut known = self.inputs.known.iter();
        known.any(|one| match one.behaviour {
            Behaviour::Allow => one.holds_in(root) && one.rule == *rule,
            Behaviour::Stop => {
                let concerns = |unit: &&PromptPart<'a>| one.holds_in(&unit.prompt.root);
                units.iter().any(concerns) && units.iter().any(|unit| takes(&one.rule, unit))
            }
        }) || units
            .iter()
            .all(|unit| self.is_known(unit, &unit.prompt.project))
    }

    /// True if a rule that is there is about `unit` already.
    fn is_known(&self, unit: &PromptPart<'a>, project: &str) -> bool {
        self.inputs.known.iter().any(|one| {
            let here = match project == EVERYWHERE {
                true => one.root.is_none(),
                false => one.holds_in(&unit.prompt.root),
            };
            here && takes(&one.rule, unit)
        })
    }

    /// True if a rule that is wider than what was allowed would take part in something beyond the project,
    /// or in something that the person refused.
    fn is_refused(&self, rule: &Rule, project: &str) -> bool {
        let here = |one: &&JudgedPrompt<'a>| project == EVERYWHERE || one.prompt.project == project;
        let mut units = self.judged.iter().filter(here).flat_map(|one| &one.units);
        units.any(|unit| {
            let refused = unit.prompt.is_evidence() && !unit.prompt.is_granted();
            takes(rule, unit) && (unit.reach == Reach::Beyond || refused)
        })
    }

    /// Why no rule is proposed for a group of prompts in a project, by the decisions about all of them.
    fn whys(&self) -> BTreeMap<(&str, (String, String)), Why> {
        let mut units_of: BTreeMap<&str, Vec<&PromptPart<'a>>> = BTreeMap::new();
        for unit in self
            .judged
            .iter()
            .filter(is_candidate)
            .flat_map(|one| &one.units)
        {
            units_of.entry(&unit.prompt.project).or_default().push(unit);
        }
        let mut whys = BTreeMap::new();
        for (project, units) in units_of {
            for (group, units) in groups(units.into_iter()) {
                let least = units.iter().map(|unit| unit.reach).max();
                let least =
                    bar(self.inputs.settings, least.unwrap_or(Reach::Unknown)).trial_answers;
                let granted = of(&units, |unit| unit.prompt.is_granted());
                let mut times: BTreeMap<Rule, u32> = BTreeMap::new();
                for rule in granted.iter().filter_map(|unit| exact(unit)) {
                    *times.entry(rule).or_default() += 1;
                }
                let is_often =
                    |count: usize| u32::try_from(count).is_ok_and(|count| count >= least);
                let why = if granted.len() < units.len() {
                    Why::Refused
                } else if is_often(granted.len()) && times.values().all(|count| *count < least) {
                    Why::Varied
                } else {
                    Why::Unsure
                };
                whys.insert((project, group), why);
            }
        }
        whys
    }

    fn left(&self, found: &[Proposal], idle: &[Proposal]) -> Left {
        let mut left = Left::default();
        let kinds = self.whys();
        let of = |found: &[Proposal], one: &JudgedPrompt<'a>| {
            let rules = found.iter().filter(|proposal| {
                proposal.settings == Settings::User || proposal.project == one.prompt.project
            });
            let rules: Vec<&Rule> = rules.map(|proposal| &proposal.rule).collect();
            allows_judged(&rules, one)
        };
        for one in self.judged.iter().filter(|one| one.prompt.is_evidence()) {
            if one.reach == Reach::Beyond {
                left.beyond += 1;
            } else if one.elsewhere
                || one.units.is_empty()
                || one.units.iter().any(|unit| exact(unit).is_none())
            {
                left.no_rule += 1;
            } else if one
                .units
                .iter()
                .all(|unit| self.is_known(unit, &one.prompt.project))
            {
                left.known += 1;
            } else if of(idle, one) {
                left.mode += 1;
            } else if !of(found, one) {
                let why = one.units.iter().map(|unit| {
                    let group = group_of(unit);
                    let kind = kinds.get(&(unit.prompt.project.as_str(), group));
                    kind.copied().unwrap_or(Why::Unsure)
                });
                *match why.max().unwrap_or(Why::Unsure) {
                    Why::Varied => &mut left.varied,
                    Why::Unsure => &mut left.unsure,
                    Why::Refused => &mut left.refused,
                } += 1;
            }
        }
        left
    }
}

/// The bar for a rule whose calls reach so far: where it is not known what they do, half as much evidence again.
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

/// The folder of the project whose files `rule` lets be edited, `src` of `Edit(/src/**)`.
fn folder_of(rule: &Rule) -> Option<&str> {
    let content = rule.content.as_deref().filter(|_| rule.tool == "Edit")?;
    content.strip_prefix('/')?.strip_suffix("/**")
}

/// True for a prompt that says what the person wants, and that a rule could be for. What was allowed in another
/// folder says nothing about this one; what was refused there does.
fn is_candidate(judged: &&JudgedPrompt<'_>) -> bool {
    judged.prompt.is_evidence()
        && judged.reach < Reach::Beyond
        && !(judged.elsewhere && judged.prompt.is_granted())
        && judged.units.iter().all(|unit| unit.reach < Reach::Beyond)
}

/// True for a rule that allows more than the very words that were asked about.
fn is_wide(rule: &Rule) -> bool {
    match rule.tool.as_str() {
        "Bash" | "Edit" => rule
            .content
            .as_ref()
            .is_none_or(|content| content.contains('*')),
        "WebFetch" => true,
        _ => false,
    }
}

fn decision<'u>(unit: &'u PromptPart<'_>) -> YesOrNo<'u> {
    YesOrNo {
        at: unit.prompt.at,
        day: unit.prompt.day,
        session: &unit.prompt.session_id,
        words: unit.action.words(),
        yes: unit.prompt.is_granted(),
    }
}

fn of<'u, 'a>(
    units: &[&'u PromptPart<'a>],
    wanted: impl Fn(&PromptPart<'a>) -> bool,
) -> Vec<&'u PromptPart<'a>> {
    units.iter().copied().filter(|unit| wanted(unit)).collect()
}

/// True where `units`, of all projects, say that `rule` may stand in every project: allowed in two projects
/// at least, refused in none, and known for what they do. A path is one project's.
fn is_for_everywhere(rule: &Rule, units: &[&PromptPart<'_>]) -> bool {
    let mut granted: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in units {
        if !unit.prompt.is_granted() || unit.reach >= Reach::Unknown {
            return false;
        }
        *granted.entry(&unit.prompt.project).or_default() += 1;
    }
    let often = granted
        .values()
        .filter(|count| **count >= LEAST_IN_A_PROJECT);
    rule.tool != "Edit" && often.count() >= 2
}
