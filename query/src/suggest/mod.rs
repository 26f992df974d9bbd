//! Suggestions: which questions the person answers so alike that they need not be asked.
//!
//! [`suggestions`] judges habits; [`evaluate`] makes them from evidence first. Nothing here is applied by itself.

pub(crate) mod candidate;
pub(crate) mod judge;
mod kind;
pub(crate) mod policy;
pub(crate) mod posterior;
pub(crate) mod spread;
mod suggestions;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use chrono::{DateTime, NaiveDateTime, Utc};
use plantune_domain::config::{QuestionKind, SuggestSettings};
use plantune_domain::gate::check_preference;
use plantune_domain::preferences::Level;
use plantune_domain::registry::Registry;
use rayon::prelude::*;

use self::candidate::{Candidate, PersonPrior, PolicyScore, median_seconds};
pub use self::judge::{AFTER_UNDO, TRIAL_ANSWERS, TRIAL_LATEST, TRIAL_RUN, TRIAL_SESSIONS};
use self::judge::{Elsewhere, JudgeRules, asked, judge_one, summary};
pub use self::posterior::{ByLevel, Interval, Score, Voices};
pub use self::suggestions::{
    Crowded, Evidence, Lacks, LastAsked, PriorDecision, RejectReason, Rejected, Suggestion,
    Suggestions, WrongAnswer, door_words,
};
use crate::evidence::{COUNTS_FOR, KeyEvidence, LEAST_ANSWERS};
use crate::habits::{EVERYWHERE, Habits};

/// The suggestions that follow from `habits`, for all projects or for one; what is typical of the person is taken from
/// all projects either way. Most of the work is to find out why a habit is not proposed: that is done only where
/// `shows_reasons`.
pub fn suggestions(
    habits: Habits,
    inputs: &Inputs<'_>,
    project: Option<&str>,
    shows_reasons: bool,
) -> Suggestions {
    evaluate_habits(habits, inputs, shows_reasons).of_project(project)
}

/// The suggestions that follow from `series`, the answers by the keys they were logged under. The
/// order of series and of their answers does not matter.
pub fn evaluate(series: Vec<KeyEvidence>, inputs: &Inputs<'_>) -> Suggestions {
    let across = inputs.settings.across_projects;
    evaluate_habits(Habits::of(series, inputs.registry, across), inputs, true)
}

/// For how many proposals the score of each level over their answers is computed, and how: the backtest's `hindsight`.
pub type Hindsight<'a> = (usize, &'a dyn Fn(&KeyEvidence) -> ByLevel);

/// The inputs beside the evidence.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The doors the person gave to questions.
    pub registry: &'a Registry,
    /// The person's decision about a question so far: project, key.
    pub in_force: &'a dyn Fn(&str, &str) -> PriorDecision,
    /// The moment of the run.
    pub now: DateTime<Utc>,
    /// For how many proposals the score of each level over their answers is computed, and how.
    pub hindsight: Option<Hindsight<'a>>,
}

/// The suggestions that follow from `habits`; why others are none only where `shows_reasons`.
fn evaluate_habits(habits: Habits, inputs: &Inputs<'_>, shows_reasons: bool) -> Suggestions {
    let names = habits.names();
    let candidate = |habit| Candidate::of(habit, inputs.settings);
    let of_age = |habits| still_counting(habits, inputs.now.naive_utc());
    let everywhere = in_parallel(of_age(habits.everywhere), candidate);
    let candidates = in_parallel(of_age(habits.own), candidate);
    let median = OnceLock::new();
    let rules = JudgeRules {
        settings: inputs.settings,
        registry: inputs.registry,
        person: &PersonPrior::of(candidates.iter(), inputs.now.naive_utc()),
        median_seconds: &|| *median.get_or_init(|| median_seconds(candidates.iter())),
        shows_reasons,
    };
    let mut found = judged(&everywhere, &candidates, &rules, inputs);
    found.withhold_refused(inputs.registry);
    found.say_one_thing();
    found.sort();
    for asked in found.all_asked() {
        asked.name = names.of(&asked.question_key, &asked.question);
    }
    if let Some((most, of_answers)) = inputs.hindsight {
        for suggestion in found.suggestions.iter_mut().take(most) {
            let name = suggestion.asked.place();
            let of = |one: &&Candidate| one.evidence.name() == name;
            let mut all = everywhere.iter().chain(&candidates);
            let habit = all.find(of).map(|one| &one.evidence);
            suggestion.hindsight = habit.map(of_answers);
        }
    }
    found
}

/// `habits` without the answers that are too old at the moment `now`, and without those that have too few left. Weights by
/// age would not be enough: they are relative to the newest answer, which may be just as old.
fn still_counting(habits: Vec<KeyEvidence>, now: NaiveDateTime) -> Vec<KeyEvidence> {
    let oldest = now.checked_sub_signed(COUNTS_FOR).unwrap_or(now);
    let mut habits = habits;
    for habit in &mut habits {
        habit.answers.retain(|answer| answer.at >= oldest);
    }
    habits.retain(|habit| habit.answers.len() >= LEAST_ANSWERS);
    habits
}

/// The results of `of` for each of `all`, in their order, on all processors; a thread takes at least sixteen of them.
fn in_parallel<T: Send, R: Send>(all: Vec<T>, of: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    all.into_par_iter().with_min_len(16).map(of).collect()
}

/// Judges each habit so that a question has one proposal: for everywhere, unless the proposal of a project goes further;
/// otherwise one for each project.
fn judged(
    everywhere: &[Candidate],
    candidates: &[Candidate],
    rules: &JudgeRules<'_>,
    inputs: &Inputs<'_>,
) -> Suggestions {
    let elsewhere = Elsewhere::of(candidates);
    let judged = |all| judge_all(all, &elsewhere, rules, inputs);
    let mut represented = Represented::default();
    let mut of_all = judged(everywhere.iter().collect());
    let stands = |one: &&JudgedHabit<'_>| one.level() == Some(Level::Standing);
    of_all
        .iter()
        .filter(stands)
        .for_each(|one| represented.add(one));
    let mut own: Vec<&Candidate> = candidates.iter().collect();
    own.retain(|one| represented.level(one, &[]).is_none());
    let mut own = judged(own);
    let mut of_project = Represented::default();
    let proposed = own.iter().filter(|one| one.found.is_ok());
    proposed.for_each(|one| of_project.add(one));
    of_all.retain(|one| one.level() >= of_project.level(one.candidate, &one.others));
    of_all.iter().for_each(|one| represented.add(one));
    own.retain(|one| represented.level(one.candidate, &[]).is_none());
    let mut found = Suggestions::default();
    let all = of_all.into_iter().chain(own);
    all.for_each(|one| found.add(one, rules.shows_reasons));
    found
}

/// A habit, its best policy, and the proposal, or why there is none.
struct JudgedHabit<'a> {
    candidate: &'a Candidate,
    /// The same habit in other projects; of one that holds everywhere, in all.
    others: Vec<&'a Candidate>,
    best: PolicyScore,
    before: PriorDecision,
    found: Result<Suggestion, RejectReason>,
}

impl JudgedHabit<'_> {
    /// How far it is proposed, or stands already.
    fn level(&self) -> Option<Level> {
        // Where a project took an answer back, the same is not proposed for everywhere instead.
        let is_undone = matches!(self.found, Err(RejectReason::Undone(_)));
        if self.before >= PriorDecision::Standing || is_undone && !self.candidate.is_everywhere() {
            return Some(Level::Standing);
        }
        self.found.as_ref().ok().map(|found| found.level)
    }
}

/// The judgement of each of `all`, on all processors. A question that one project is always to be asked is not judged for
/// everywhere.
fn judge_all<'a>(
    all: Vec<&'a Candidate>,
    elsewhere: &Elsewhere<'a>,
    rules: &JudgeRules<'_>,
    inputs: &Inputs<'_>,
) -> Vec<JudgedHabit<'a>> {
    let decided = |one: &Candidate| {
        let key = &one.evidence;
        (inputs.in_force)(&key.project, &key.question_key)
    };
    let known = all.into_iter().filter_map(|candidate| {
        let others = elsewhere.others(candidate);
        let is_asked = |one: &&Candidate| decided(one) == PriorDecision::AlwaysAsk;
        let is_open = !candidate.is_everywhere() || !others.iter().any(is_asked);
        is_open.then(|| (candidate, others, decided(candidate)))
    });
    let judged = |(candidate, others, before): (&'a Candidate, Vec<&'a Candidate>, _)| {
        let (best, found) = judge_one(candidate, &others, rules, before)?;
        Some(JudgedHabit {
            candidate,
            others,
            best,
            before,
            found,
        })
    };
    let judged = in_parallel(known.collect(), judged);
    judged.into_iter().flatten().collect()
}

/// How far a question is proposed already, by project and key.
#[derive(Default)]
struct Represented<'a>(HashMap<(&'a str, &'a str), Level>);

impl<'a> Represented<'a> {
    /// How far the question of `candidate` is proposed already, here or in `others`.
    fn level(&self, candidate: &'a Candidate, others: &[&'a Candidate]) -> Option<Level> {
        let places = places(candidate, others).into_iter();
        places.filter_map(|place| self.0.get(&place).copied()).max()
    }

    fn add(&mut self, judged: &JudgedHabit<'a>) {
        let Some(level) = judged.level() else {
            return;
        };
        for place in places(judged.candidate, &judged.others) {
            let known = self.0.entry(place).or_insert(level);
            *known = level.max(*known);
        }
    }
}

/// Where the question of `candidate` is asked; of what holds everywhere also in its projects, which are in `others`.
fn places<'a>(candidate: &'a Candidate, others: &[&'a Candidate]) -> Vec<(&'a str, &'a str)> {
    let key = &candidate.evidence;
    let mut places = vec![(key.project.as_str(), key.question_key.as_str())];
    if candidate.is_everywhere() {
        let answers = key.answers.iter();
        places.extend(answers.map(|answer| (&*answer.project, key.question_key.as_str())));
        let parts = others.iter().map(|other| &other.evidence);
        places.extend(parts.map(|one| (one.project.as_str(), one.question_key.as_str())));
    }
    places
}

impl Suggestions {
    /// Adds the proposal for a habit, or where `shows_reasons` why there is none.
    fn add(&mut self, judged: JudgedHabit<'_>, shows_reasons: bool) {
        let (key, best) = (&judged.candidate.evidence, &judged.best);
        let is_listed = shows_reasons && !judged.candidate.is_everywhere();
        match judged.found {
            Ok(found) => self.suggestions.push(found.completed(key, &best.weighed)),
            Err(reason) if is_listed => self.rejected.push(Rejected {
                asked: asked(key, &best.weighed),
                answer: best.policy.answer().map(str::to_owned),
                reason,
                evidence: summary(key, &best.weighed),
            }),
            Err(_) => {}
        }
    }

    /// Drops the rejections of questions that are proposed after all: by themselves, or for everywhere.
    fn say_one_thing(&mut self) {
        let proposed = self.suggestions.iter().map(|one| one.asked.place());
        let proposed: HashSet<(String, String)> = proposed.collect();
        self.rejected.retain(|one| {
            let (project, key) = one.asked.place();
            let everywhere = (EVERYWHERE.to_owned(), key.clone());
            !proposed.contains(&(project, key)) && !proposed.contains(&everywhere)
        });
    }

    /// Rejects the proposals whose preference could not be written, so that whatever is proposed can be applied.
    fn withhold_refused(&mut self, registry: &Registry) {
        let refusal = |one: &Suggestion| {
            check_preference(&one.asked.question_key, &one.preference(), registry).err()
        };
        for one in std::mem::take(&mut self.suggestions) {
            match refusal(&one) {
                None => self.suggestions.push(one),
                Some(refusal) => self.rejected.push(Rejected {
                    reason: RejectReason::OneWay(format!(
                        "always asked ({})",
                        door_words(refusal.door_reason().unwrap_or("a split question"))
                    )),
                    asked: one.asked,
                    answer: one.answer,
                    evidence: one.evidence,
                }),
            }
        }
    }
}

// What answers must show before a habit is proposed.

/// The guards of a suggestion. A person sets the last two; the others were chosen on made-up people whose habits are
/// known (docs/development/agreement.md).
#[derive(Clone, Debug, PartialEq)]
pub struct Suggest {
    /// The least number of a person's answers.
    pub min_answers: u32,
    /// The least number of distinct sessions.
    pub min_sessions: u32,
    /// The least number of distinct days.
    pub min_days: u32,
    /// The least lower bound of the agreement's posterior (0–1).
    pub min_agreement: f64,
    /// The credibility of that bound (0–1).
    pub credibility: f64,
    /// The same for a question that was never answered otherwise.
    pub credibility_unbroken: f64,
    /// How many of the latest answers must all agree.
    pub recent_agreeing: u32,
    /// After how many days an answer weighs half.
    pub half_life_days: f64,
    /// The least number of agreeing answers before a question is answered on trial.
    pub trial_answers: u32,
    /// The least number of distinct sessions of these, and of distinct days.
    pub trial_sessions: u32,
    /// The least lower bound of the agreement's posterior for a trial (0–1).
    pub trial_agreement: f64,
    /// The credibility of that bound (0–1).
    pub trial_credibility: f64,
    /// False keeps every project to itself.
    pub across_projects: bool,
    /// The cost of a wrong answer, in seconds of the person's time; by the kind of question when `None`.
    pub wrong_answer_seconds: Option<f64>,
}

impl Default for Suggest {
    fn default() -> Self {
        Self::from(&SuggestSettings::default())
    }
}

impl From<&SuggestSettings> for Suggest {
    fn from(table: &SuggestSettings) -> Self {
        Self {
            // A low bound that is nearly certain distinguishes habits with an exception from leanings (the same answer three
            // times of four) better than a high one that is less so.
            min_answers: 8,
            min_sessions: 4,
            min_days: 4,
            min_agreement: 0.74,
            credibility: 0.99,
            credibility_unbroken: 0.95,
            recent_agreeing: 2,
            half_life_days: 180.0,
            trial_answers: 6,
            trial_sessions: 3,
            trial_agreement: 0.68,
            trial_credibility: 0.9,
            across_projects: table.across_projects,
            wrong_answer_seconds: table.wrong_answer_seconds,
        }
    }
}

impl Suggest {
    /// The time it takes to notice and undo a wrong answer to a question of this kind, in seconds.
    pub fn wrong_answer_seconds(&self, kind: QuestionKind) -> f64 {
        self.wrong_answer_seconds.unwrap_or(match kind {
            QuestionKind::GoOn => 30.0,
            QuestionKind::Scope => 60.0,
            QuestionKind::Content => 120.0,
            QuestionKind::Architecture => 300.0,
        })
    }
}
