//! The backtest of rules: the calls they would have allowed if the person had accepted each of them at once.
//!
//! Prompts are gone through in the order of time. On the first prompt of a day the code of `suggest` proposes rules from
//! what was decided before, and from then on they hold. A prompt that they spare does not come, so it is no evidence any
//! more. A rule is taken out only when a call runs that the person had refused: then every rule that allowed it goes.
//! What would have run had no rule been taken out is counted as well.

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::permissions::{OwnReaches, Reach, Rule, allows, value};
use serde::{Serialize, Serializer};

use super::propose::{RuleInputs, in_order, proposals_of};
use super::rules::{Behaviour, KnownRule, allows_judged, takes};
use super::{DecidedPrompt, JudgedPrompt, PromptOutcome};

/// The effect that the rules would have had on some prompts that the person decided. Serialised, it is a part of what
/// `suggest --backtest --json` says of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RuleTally {
    /// The prompts that the person decided.
    pub prompts: u64,
    /// How many of these they allowed and would not have been asked.
    pub spared: u64,
    /// How many of these they refused.
    pub refused: u64,
    /// How many of these would have run.
    pub refused_allowed: u64,
    /// The waiting time of the saved prompts in seconds, as far as it is known; `None` if it is known of none.
    pub seconds_saved: Option<f64>,
    /// How many spared ones that is known of.
    pub waits_known: u64,
}

impl RuleTally {
    fn add(&mut self, step: &ReplayStep<'_>) {
        let is_granted = step.prompt.is_granted();
        self.prompts += 1;
        self.refused += u64::from(!is_granted);
        self.refused_allowed += u64::from(!is_granted && step.is_allowed);
        if is_granted && step.is_allowed {
            self.spared += 1;
            if let Some(waited) = step.prompt.waited_seconds {
                self.waits_known += 1;
                *self.seconds_saved.get_or_insert_default() += waited;
            }
        }
    }
}

/// The effect that the rules would have had. Serialised, it is `permissions` in `suggest --backtest --json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RuleBacktest {
    /// All reaches together.
    #[serde(flatten)]
    pub total: RuleTally,
    /// The refused prompts that would have run, had no rule been taken out again.
    pub refused_allowed_if_kept: u64,
    /// The prompts that reach beyond the project, decided or not, that would have run: there should be none.
    pub beyond_allowed: u64,
    /// The saved prompts that only a rule for any arguments (`Bash(gh pr view *)`) spares.
    pub spared_by_any_arguments: u64,
    /// The rules that were written and taken out.
    #[serde(flatten)]
    pub rules: RuleChanges,
    /// By how far they reach, the shortest first.
    #[serde(serialize_with = "with_reach")]
    pub by_reach: [RuleTally; 4],
}

fn with_reach<S: Serializer>(tallies: &[RuleTally; 4], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct OfReach<'t> {
        reach: Reach,
        #[serde(flatten)]
        tally: &'t RuleTally,
    }
    let all = Reach::ALL.into_iter().zip(tallies);
    to.collect_seq(all.map(|(reach, tally)| OfReach { reach, tally }))
}

/// How many rules would have been written, in the whole history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RuleChanges {
    /// The rules that were proposed.
    #[serde(rename = "rules")]
    pub written: u64,
    /// The rules that were taken out after a call ran that the person refused.
    #[serde(rename = "rules_taken_out")]
    pub taken_out: u64,
}

/// One prompt, and what the rules of that time would have done with it.
#[derive(Clone, Debug)]
pub struct ReplayStep<'a> {
    /// The prompt.
    pub prompt: &'a DecidedPrompt,
    /// Its reach.
    pub reach: Reach,
    /// True if it would not have come.
    pub is_allowed: bool,
    /// True if it would have come without the rules for any arguments.
    pub needs_any_arguments: bool,
    /// True if it would not have come, had no rule been taken out.
    pub is_allowed_if_kept: bool,
    /// Computed for prompts that were refused or reach beyond the project: false only if Claude Code would certainly
    /// have asked, had no rule been taken out ([`allows`]). In doubt it is true.
    pub may_be_allowed: bool,
}

/// Replays `prompts`, in any order, and counts those of `project`, or all, from the day `since` on; earlier ones are
/// evidence only. The rules that the person has today play no part.
pub fn backtest(
    prompts: &[DecidedPrompt],
    settings: &Suggest,
    own: &OwnReaches,
    project: Option<&str>,
    since: Option<NaiveDate>,
) -> RuleBacktest {
    let mut found = RuleBacktest::default();
    let rules = replay(prompts, settings, own, |step| {
        let is_counted = project.is_none_or(|project| project == step.prompt.project)
            && since.is_none_or(|since| since <= step.prompt.day);
        if is_counted {
            found.add(step);
        }
    });
    RuleBacktest { rules, ..found }
}

impl RuleBacktest {
    fn add(&mut self, step: &ReplayStep<'_>) {
        self.beyond_allowed += u64::from(step.reach == Reach::Beyond && step.is_allowed);
        if !step.prompt.is_evidence() {
            return;
        }
        self.total.add(step);
        if let Some(of_reach) = self.by_reach.get_mut(step.reach as usize) {
            of_reach.add(step);
        }
        let is_spared = step.needs_any_arguments && step.prompt.is_granted();
        self.spared_by_any_arguments += u64::from(is_spared);
        let is_refused = step.prompt.outcome == PromptOutcome::Refused;
        self.refused_allowed_if_kept += u64::from(is_refused && step.is_allowed_if_kept);
    }
}

/// Replays `prompts`, in any order, and calls `see` with each, the earliest first.
pub fn replay(
    prompts: &[DecidedPrompt],
    settings: &Suggest,
    own: &OwnReaches,
    mut see: impl FnMut(&ReplayStep<'_>),
) -> RuleChanges {
    let mut replay = RuleReplay {
        settings,
        own,
        past: Vec::new(),
        written: Vec::new(),
        taken_out: Vec::new(),
        has_news: false,
        rules: RuleChanges::default(),
    };
    let mut day = None;
    for judged in in_order(prompts, own) {
        if day != Some(judged.prompt.day) {
            day = Some(judged.prompt.day);
            replay.propose(judged.prompt.at);
        }
        let step = replay.step(&judged);
        see(&step);
        replay.learn(judged, step.is_allowed);
    }
    replay.rules
}

struct RuleReplay<'r, 'a> {
    settings: &'r Suggest,
    own: &'r OwnReaches,
    /// The prompts that came to the person so far.
    past: Vec<JudgedPrompt<'a>>,
    written: Vec<KnownRule>,
    taken_out: Vec<KnownRule>,
    /// True when something was decided since rules were proposed.
    has_news: bool,
    rules: RuleChanges,
}

impl<'a> RuleReplay<'_, 'a> {
    /// Writes the rules that are proposed at the moment `now`.
    fn propose(&mut self, now: NaiveDateTime) {
        if !std::mem::take(&mut self.has_news) {
            return;
        }
        let inputs = RuleInputs {
            agent: plantune_agents::claude_code::NAME,
            settings: self.settings,
            now,
            own: self.own,
            known: &self.written,
            mode: None,
            holds: &|_, _| None,
        };
        let found = proposals_of(&self.past, &inputs).proposals;
        self.rules.written += u64::try_from(found.len()).unwrap_or(u64::MAX);
        self.written.extend(found.into_iter().map(|one| KnownRule {
            rule: one.rule,
            behaviour: Behaviour::Allow,
            root: one.root,
            file: String::new(),
            since: None,
        }));
    }

    fn step(&self, judged: &JudgedPrompt<'a>) -> ReplayStep<'a> {
        let prompt = judged.prompt;
        let mut rules: Vec<&Rule> = here(&self.written, prompt).collect();
        let is_allowed = allows_judged(&rules, judged);
        let words = rules
            .iter()
            .copied()
            .filter(|rule| !has_any_arguments(rule));
        let needs_any_arguments = is_allowed && !allows_judged(&words.collect::<Vec<_>>(), judged);
        rules.extend(here(&self.taken_out, prompt));
        let matters =
            prompt.outcome == PromptOutcome::Refused || judged.call.reach == Reach::Beyond;
        ReplayStep {
            prompt,
            reach: judged.call.reach,
            is_allowed,
            needs_any_arguments,
            is_allowed_if_kept: is_allowed || allows_judged(&rules, judged),
            may_be_allowed: matters && may_allow(&rules, prompt),
        }
    }

    /// Records the decision about a prompt that came, or the refusal of one that did not.
    fn learn(&mut self, judged: JudgedPrompt<'a>, is_allowed: bool) {
        let prompt = judged.prompt;
        if is_allowed && prompt.outcome != PromptOutcome::Refused {
            return;
        }
        if is_allowed {
            let let_it = |one: &mut KnownRule| {
                one.holds_in(&prompt.root) && judged.parts().any(|part| takes(&one.rule, &part))
            };
            let before = self.taken_out.len();
            self.taken_out.extend(self.written.extract_if(.., let_it));
            let count = self.taken_out.len() - before;
            self.rules.taken_out += u64::try_from(count).unwrap_or(u64::MAX);
        }
        self.has_news |= prompt.is_evidence();
        self.past.push(judged);
    }
}

/// True for a rule for a command with any arguments.
fn has_any_arguments(rule: &Rule) -> bool {
    let content = rule.content.as_deref().filter(|_| rule.tool == "Bash");
    content.is_some_and(|content| content.ends_with(" *"))
}

fn here<'r>(known: &'r [KnownRule], prompt: &DecidedPrompt) -> impl Iterator<Item = &'r Rule> {
    let known = known.iter().filter(|one| one.holds_in(&prompt.root));
    known.map(|one| &one.rule)
}

fn may_allow(rules: &[&Rule], prompt: &DecidedPrompt) -> bool {
    let rules: Vec<Rule> = rules.iter().map(|rule| (*rule).clone()).collect();
    let (tool, input) = (&*prompt.tool_name, &*prompt.input);
    allows(&rules, tool, &value(tool, input), &prompt.root)
}
