//! Goes through history call by call: what is known before it, what would have been answered.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::config::Suggest;
use plantune_domain::family;
use plantune_domain::gate::{self, ProposedAnswer};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;

use super::{Asking, Backtest, KeyScore, Score};
use crate::binding::Fillers;
use crate::evidence::{HumanAnswer, KeyEvidence, MOST_ANSWERS};
use crate::families::{GroupKey, group_key, habits};
use crate::suggest::candidate::{Candidate, Person, median_seconds};
use crate::suggest::judge::Rules;
use crate::suggest::policy::Verdict;
use crate::suggest::refusals::Refusals;
use crate::suggest::{asked, judge_one, proposal};

/// An answer that is known only once it was given: when, and in which order it came in.
type Pending = Reverse<(NaiveDateTime, u64)>;

/// What is known of the questions of one group, and their score.
#[derive(Debug, Default)]
struct Known {
    /// The answers so far by the key they were logged under.
    series: BTreeMap<String, KeyEvidence>,
    /// The habits in them; out of date when something was learned since.
    candidates: Vec<Candidate>,
    is_stale: bool,
    score: Score,
    last: Option<Asking>,
    text_variants: usize,
}

/// A replay under way: takes the askings in the order of time.
pub struct Replay<'a> {
    settings: &'a Suggest,
    registry: &'a Registry,
    since: Option<NaiveDate>,
    groups: BTreeMap<GroupKey, Known>,
    call: Vec<Asking>,
    waiting: BinaryHeap<Pending>,
    answered: BTreeMap<u64, Asking>,
    stale: Vec<GroupKey>,
    taken: u64,
    refusals: Refusals,
    fillers: Fillers,
}

impl<'a> Replay<'a> {
    /// Nothing is known yet; what was asked before the day `since` counts as evidence only.
    pub fn new(settings: &'a Suggest, registry: &'a Registry, since: Option<NaiveDate>) -> Self {
        Self {
            settings,
            registry,
            since,
            groups: BTreeMap::new(),
            call: Vec::new(),
            waiting: BinaryHeap::new(),
            answered: BTreeMap::new(),
            stale: Vec::new(),
            taken: 0,
            refusals: Refusals::default(),
            fillers: Fillers::default(),
        }
    }

    /// Takes the next asking; those of one call follow one another.
    pub fn take(&mut self, mut asking: Asking) {
        asking.take_rule(self.registry);
        let same_call =
            |before: &Asking| before.call == asking.call && before.answer.at == asking.answer.at;
        if !self.call.last().is_some_and(same_call) {
            self.decide();
        }
        self.call.push(asking);
    }

    /// The scores, when all askings were taken.
    pub fn finish(mut self) -> Backtest {
        self.decide();
        self.scores()
    }

    /// The scores of the calls that are decided: all but the last one taken.
    pub fn so_far(&self) -> Score {
        let mut total = Score::default();
        self.groups
            .values()
            .for_each(|known| total.add(&known.score));
        total
    }

    fn scores(self) -> Backtest {
        let mut found = Backtest {
            since: self.since,
            ..Backtest::default()
        };
        for ((project, name), known) in self.groups {
            found.total.add(&known.score);
            let Some(last) = known.last else { continue };
            let is_family = known.text_variants > 1 && name.starts_with(family::PREFIX);
            found.by_key.push(KeyScore {
                project,
                question_key: if is_family {
                    name
                } else {
                    last.answer.question_key
                },
                key_source: if is_family {
                    "family".to_owned()
                } else {
                    last.key_source
                },
                question: last.answer.question,
                options: last.answer.options,
                score: known.score,
            });
        }
        found.by_key.retain(|key| key.score != Score::default());
        found.by_key.sort_by(|one, other| {
            (other.score.questions, &one.project, &one.question_key).cmp(&(
                one.score.questions,
                &other.project,
                &other.question_key,
            ))
        });
        found
    }

    /// Decides the call at hand by what was answered before it, and then knows it.
    fn decide(&mut self) {
        let call = std::mem::take(&mut self.call);
        let Some(at) = call.first().map(|first| first.answer.at) else {
            return;
        };
        self.learn(at);
        let decided: Vec<Option<Verdict>> = call
            .iter()
            .map(|asking| self.would_answer(asking))
            .collect();
        let unique = |asking: &Asking| {
            let text = &asking.answer.question;
            call.iter()
                .filter(|other| other.answer.question == *text)
                .count()
                == 1
        };
        // A call is answered as a whole, or not at all.
        let whole = decided.iter().all(Option::is_some) && call.iter().all(unique);
        for (asking, verdict) in call.into_iter().zip(decided) {
            self.score(&asking, verdict.filter(|_| whole));
            if let Some(answered_at) = asking.answered_at {
                self.taken += 1;
                self.waiting.push(Reverse((answered_at, self.taken)));
                self.answered.insert(self.taken, asking);
            }
        }
    }

    /// Applies what was answered before the moment `at`.
    fn learn(&mut self, at: NaiveDateTime) {
        while let Some(Reverse((answered_at, number))) = self.waiting.peek().copied() {
            if answered_at >= at {
                break;
            }
            self.waiting.pop();
            if let Some(asking) = self.answered.remove(&number) {
                self.know(asking);
            }
        }
        for group in self.stale.drain(..) {
            if let Some(known) = self.groups.get_mut(&group) {
                known.refresh(&group, self.settings);
            }
        }
    }

    fn know(&mut self, asking: Asking) {
        let group = group_key_of(&asking);
        let known = self.groups.entry(group.clone()).or_default();
        if !known.is_stale {
            known.is_stale = true;
            self.stale.push(group);
        }
        let key = asking.answer.question_key.clone();
        let series = known.series.entry(key).or_insert_with(|| KeyEvidence {
            project: asking.project,
            question_key: asking.answer.question_key.clone(),
            key_source: asking.key_source,
            ..KeyEvidence::default()
        });
        series.answers.push(asking.answer);
        if series.answers.len() > 2 * MOST_ANSWERS {
            series.answers.sort_by(HumanAnswer::in_time);
            series.answers.drain(..series.answers.len() - MOST_ANSWERS);
        }
        // The rate of asking changes what is saved, not whether anything is.
        series.recent_askings = 1;
    }

    /// How the answer that would have been given stands to the person's; `None` when they would have
    /// been asked.
    fn would_answer(&self, asking: &Asking) -> Option<Verdict> {
        let known = self.groups.get(&group_key_of(asking))?;
        if known.candidates.is_empty() {
            return None;
        }
        let candidates = || self.groups.values().flat_map(|known| &known.candidates);
        let person = Person::of(candidates(), asking.answer.at);
        let rules = Rules {
            settings: self.settings,
            registry: self.registry,
            median_seconds: &|| median_seconds(candidates()),
            refusals: &self.refusals,
            fillers: &self.fillers,
            shows_reasons: false,
        };
        // A family comes before its text variants, which stand only where it does not.
        let fitting = known.candidates.iter().filter(|one| fits(one, asking));
        let mut preferences = fitting.filter_map(|candidate| {
            let judged = judge_one(candidate, person, &rules, false)?;
            let binding = judged.verdict.ok()?.binding;
            let asked = asked(&judged.key, &judged.best);
            let preference = proposal::of_policy(&asked, &judged.best.policy, &binding);
            Some((asked.question_key, preference))
        });
        let (key, preference) = preferences.next()?;
        self.answered_by(&key, preference, asking)
    }

    /// The question of `asking` as the hook would see it now, called `key`: one-way if it was logged so, or
    /// if the rules of today say so.
    fn question(&self, key: &str, asking: &Asking) -> Question {
        let answer = &asking.answer;
        let recommended = answer.recommended.as_deref();
        let is_recommended =
            |label: &String| recommended.is_some_and(|recommended| same_label(recommended, label));
        let mut question = Question {
            text: answer.question.clone(),
            key: key.to_owned(),
            key_source: KeySource::parse(&asking.key_source).unwrap_or(KeySource::Fingerprint),
            tool: answer.tool.clone(),
            has_several_ids: false,
            recommended: answer.options.iter().position(is_recommended),
            door_reason: answer.one_way.clone(),
            preview_digests: answer.previews.clone().unwrap_or_default(),
            sent: SentQuestion {
                text: answer.question.clone(),
                header: answer.header.clone(),
                options: answer.options.clone(),
                descriptions: answer.descriptions.clone().unwrap_or_default(),
                previews: Vec::new(),
                multi_select: Some(answer.multi_select),
            },
        };
        if question.door_reason.is_none()
            && let Some(label) = question.recommended_label()
            && let proposed = ProposedAnswer::to(&question, label)
            && let Some(refusal) = self.refusals.of(&proposed, self.registry)
        {
            question.door_reason = refusal.door_reason().map(str::to_owned);
        }
        question
    }

    /// How the hook would answer with `preference` for `key`.
    fn answered_by(&self, key: &str, preference: Preference, asking: &Asking) -> Option<Verdict> {
        let question = self.question(key, asking);
        let standing = [(Scope::Project, preference)];
        let choice = gate::answer(&question, &standing, self.registry).ok()?;
        let answer = &asking.answer;
        let agrees = match answer.labels.as_slice() {
            [label] => !answer.said_more && same_label(label, choice.label()),
            _ => false,
        };
        Some(if agrees {
            Verdict::Agree
        } else {
            Verdict::Disagree
        })
    }

    fn score(&mut self, asking: &Asking, verdict: Option<Verdict>) {
        let known = self.groups.entry(group_key_of(asking)).or_default();
        let worded = |last: &Asking| last.answer.question_key == asking.answer.question_key;
        if !known.last.as_ref().is_some_and(worded) {
            known.text_variants += 1;
        }
        known.last = Some(asking.clone());
        if self.since.is_some_and(|since| asking.answer.day < since) {
            return;
        }
        let score = &mut known.score;
        if asking.answered_at.is_none() {
            score.unanswered += 1;
            score.unanswered_decided += u64::from(verdict.is_some());
            return;
        }
        score.questions += 1;
        match verdict {
            None | Some(Verdict::Abstain) => {}
            Some(Verdict::Agree) => {
                score.correct += 1;
                score.seconds_saved += asking.answer.human_seconds.unwrap_or_default();
            }
            Some(Verdict::Disagree) => score.wrong += 1,
        }
    }
}

impl Known {
    fn refresh(&mut self, group: &GroupKey, settings: &Suggest) {
        let series = self.series.values().cloned().collect();
        let habits = habits(group, series).into_iter();
        self.candidates = habits.map(|habit| Candidate::of(habit, settings)).collect();
        self.is_stale = false;
    }
}

impl Asking {
    /// Calls an unmarked question by the key that a rule of `registry` gives it now.
    fn take_rule(&mut self, registry: &Registry) {
        let answer = &mut self.answer;
        let header = answer.header.as_deref();
        if self.key_source == "fingerprint"
            && let Some(key) = registry.key_of(&answer.question, header, &answer.options)
        {
            key.clone_into(&mut answer.question_key);
            "registry".clone_into(&mut self.key_source);
        }
    }
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.correct += other.correct;
        self.wrong += other.wrong;
        self.seconds_saved += other.seconds_saved;
        self.unanswered += other.unanswered;
        self.unanswered_decided += other.unanswered_decided;
    }
}

fn group_key_of(asking: &Asking) -> GroupKey {
    group_key(
        &asking.project,
        &asking.answer.question_key,
        &asking.key_source,
        &asking.answer.options,
    )
}

/// True when a preference for the habit of `candidate` would be looked at for `asking`.
fn fits(candidate: &Candidate, asking: &Asking) -> bool {
    let habit = &candidate.habit.evidence;
    match &habit.template {
        Some(template) => family::fits(template, &asking.answer.question),
        None => habit.question_key == asking.answer.question_key,
    }
}
