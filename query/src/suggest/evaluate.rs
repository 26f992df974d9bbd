//! From evidence to suggestions: every habit in every project, in all of them, and by who asks.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use plantune_domain::gate::check_preference;
use plantune_domain::registry::Registry;

use super::asker;
use super::candidate::{Candidate, Person, median_seconds};
use super::held::without_held;
use super::hindsight::replay_of;
use super::inputs::{InForce, Inputs};
use super::judge::Rules;
use super::judged::{Elsewhere, Judged, judge_one};
use super::level::Level;
use super::reason::Reason;
use super::refusals::Refusals;
use super::suggestions::{Rejected, Suggestion, Suggestions};
use crate::binding::Fillers;
use crate::evidence::KeyEvidence;
use crate::families::{self, Habits};
use crate::parallel;

/// The suggestions that follow from `habits`; why others are none only where `shows_reasons`.
pub(super) fn evaluate(habits: Habits, inputs: &Inputs<'_>, shows_reasons: bool) -> Suggestions {
    let refusals = Refusals::default();
    let candidate = |habit| {
        let habit = without_held(habit, &refusals, inputs.registry);
        Candidate::of(habit, inputs.settings)
    };
    let everywhere = habits.everywhere.into_iter();
    let everywhere = everywhere.flat_map(|(group, series)| families::habits(&group, series));
    let everywhere = parallel::in_order(everywhere.collect(), candidate);
    let candidates = parallel::in_order(habits.own, candidate);
    let person = Person::of(candidates.iter(), inputs.now.naive_utc());
    let median = OnceLock::new();
    let rules = Rules {
        settings: inputs.settings,
        registry: inputs.registry,
        median_seconds: &|| *median.get_or_init(|| median_seconds(candidates.iter())),
        fillers: &Fillers::default(),
        shows_reasons,
    };
    let mut found = judged(&everywhere, &candidates, &person, &rules, inputs);
    found.add_askers(&candidates, &person, &rules, inputs);
    found.withhold_refused(inputs.registry);
    found.sort();
    for suggestion in found.suggestions.iter_mut().take(inputs.hindsight) {
        let of = |one: &&Candidate| {
            let key = &one.habit.evidence;
            key.project == suggestion.asked.project
                && key.question_key == suggestion.asked.question_key
        };
        let mut all = everywhere.iter().chain(&candidates);
        let habit = all.find(of).map(|one| &one.habit.evidence);
        suggestion.hindsight = habit.map(|key| replay_of(key, inputs));
    }
    found
}

/// What is thought of each habit, those that hold everywhere first. A habit that another one represents as far as
/// it would go itself is left out.
fn judged(
    everywhere: &[Candidate],
    candidates: &[Candidate],
    person: &Person,
    rules: &Rules<'_>,
    inputs: &Inputs<'_>,
) -> Suggestions {
    let elsewhere = Elsewhere::of(candidates);
    let mut found = Suggestions::default();
    let mut represented = Represented::default();
    let judge = |candidate, others: &[&Candidate], in_force| {
        judge_one(candidate, others, person, rules, in_force)
    };
    for of_one_kind in [everywhere, candidates] {
        let all = of_one_kind.iter().map(|candidate| {
            let key = &candidate.habit.evidence;
            let in_force = (inputs.in_force)(&key.project, &key.question_key);
            (candidate, in_force)
        });
        let is_open = |(candidate, _): &(&Candidate, InForce)| {
            represented.level(&candidate.habit.evidence) != Some(Level::Standing)
        };
        // On all processors, but for text variants: most often their families represent them.
        let all = parallel::in_order(all.filter(is_open).collect(), |(candidate, in_force)| {
            let others = elsewhere.others(candidate);
            let is_variant = candidate.habit.within_family;
            let judged = (!is_variant).then(|| judge(candidate, &others, in_force));
            (candidate, others, in_force, judged)
        });
        for (candidate, others, in_force, judged) in all {
            let key = &candidate.habit.evidence;
            let by_other = represented.level(key);
            if by_other == Some(Level::Standing) {
                continue;
            }
            let decided = |one: &&Candidate| {
                let key = &one.habit.evidence;
                (inputs.in_force)(&key.project, &key.question_key) == InForce::Decided
            };
            if candidate.is_everywhere() && others.iter().any(decided) {
                continue;
            }
            let judged: Option<Judged<'_>> =
                judged.unwrap_or_else(|| judge(candidate, &others, in_force));
            let Some(judged) = judged else {
                continue;
            };
            let level = judged.verdict.as_ref().ok().map(|verdict| verdict.level);
            if by_other.is_some() && level <= by_other {
                continue;
            }
            // A text variant is not proposed in the place of what was taken back.
            let is_undone = matches!(judged.verdict, Err(Reason::Undone(_)));
            let stands = in_force >= InForce::Standing || is_undone && !candidate.is_everywhere();
            if let Some(level) = if stands { Some(Level::Standing) } else { level } {
                represented.add(candidate, &others, level);
            }
            let is_listed = !candidate.habit.within_family && !candidate.is_everywhere();
            if (is_listed && rules.shows_reasons) || level.is_some() {
                found.add(judged, inputs.settings);
            }
        }
    }
    found
}

/// How far the family of a text variant, or what holds everywhere, represents a question: by project and key.
#[derive(Default)]
struct Represented<'a>(HashMap<(&'a str, &'a str), Level>);

impl<'a> Represented<'a> {
    fn level(&self, key: &KeyEvidence) -> Option<Level> {
        let name = (key.project.as_str(), key.question_key.as_str());
        self.0.get(&name).copied()
    }

    /// Notes that `candidate` represents its questions, and those of `others` if it holds everywhere, at `level`.
    fn add(&mut self, candidate: &'a Candidate, others: &[&'a Candidate], level: Level) {
        let key = &candidate.habit.evidence;
        let is_everywhere = candidate.is_everywhere();
        let mut names: Vec<(&str, &str)> = Vec::new();
        if key.template.is_some() {
            names.extend(key.answers.iter().map(|one| {
                let project = match is_everywhere {
                    true => &*one.project,
                    false => key.project.as_str(),
                };
                (project, one.question_key.as_str())
            }));
        }
        if is_everywhere {
            let parts = others.iter().map(|other| &other.habit.evidence);
            names.extend(parts.map(|one| (one.project.as_str(), one.question_key.as_str())));
        }
        for name in names {
            let known = self.0.entry(name).or_insert(level);
            *known = level.max(*known);
        }
    }
}

impl Suggestions {
    /// Leaves out the preferences that their writer would refuse: what is proposed can be applied.
    fn withhold_refused(&mut self, registry: &Registry) {
        let refusal = |one: &Suggestion| {
            check_preference(&one.asked.question_key, &one.preference(), registry).err()
        };
        for one in std::mem::take(&mut self.suggestions) {
            match refusal(&one) {
                None => self.suggestions.push(one),
                Some(refusal) => self.rejected.push(Rejected {
                    reason: Reason::OneWay(refusal.door_reason().unwrap_or("split").to_owned()),
                    asked: one.asked,
                    answer: one.answer,
                    evidence: one.evidence,
                    held: None,
                    opens: None,
                }),
            }
        }
        for asker in &mut self.askers {
            asker.questions.retain(|one| refusal(one).is_none());
        }
    }

    /// Adds the proposals for all questions of one asker. What would be on trial with its asker is not proposed to
    /// be shown besides.
    fn add_askers(
        &mut self,
        candidates: &[Candidate],
        person: &Person,
        rules: &Rules<'_>,
        inputs: &Inputs<'_>,
    ) {
        let levels = self.suggestions.iter();
        let levels: HashMap<(String, String), Level> =
            levels.map(|one| (one.asked.name(), one.level)).collect();
        let covered = |key: &KeyEvidence| {
            let name = (key.project.clone(), key.question_key.clone());
            levels.get(&name).copied()
        };
        self.askers = asker::by_asker(candidates, person, rules, inputs.in_force, &covered);
        let questions = self.askers.iter().flat_map(|asker| &asker.questions);
        let on_trial: HashSet<(String, String)> = questions.map(|one| one.asked.name()).collect();
        self.suggestions
            .retain(|one| !on_trial.contains(&one.asked.name()));
    }
}
