//! Goes through history call by call: what is known before it, what would have been answered.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::config::Suggest;
use plantune_domain::family;
use plantune_domain::gate::{self, ProposedAnswer};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::wire::SentQuestion;

use super::score::ByLevel;
use super::trial::Trial;
use super::{Asking, Backtest, KeyScore, Score, TrialEnd, TrialRun};
use crate::binding::Fillers;
use crate::evidence::{HumanAnswer, KeyEvidence, MOST_ANSWERS};
use crate::families::{GroupKey, group_key, habits};
use crate::suggest::candidate::{Candidate, Person, median_seconds};
use crate::suggest::judge::Rules;
use crate::suggest::policy::{Verdict, adds_to};
use crate::suggest::refusals::Refusals;
use crate::suggest::{EVERYWHERE, InForce, Level, asked, judge_one, proposal};

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
    /// What stands on trial, by its key.
    trials: BTreeMap<String, Trial>,
    score: Score,
    by_level: ByLevel,
    runs: Vec<TrialRun>,
    last: Option<Asking>,
    text_variants: usize,
}

/// What each level would do with one question, each as if the others were not.
#[derive(Default)]
struct Would {
    /// How the answer of a standing proposal stands to the person's.
    standing: Option<Verdict>,
    /// The same of one that is shown.
    assist: Option<Verdict>,
    trial: OnTrial,
}

/// What a trial would do with one question.
#[derive(Default)]
enum OnTrial {
    #[default]
    Nothing,
    /// It has held: what follows is no trial.
    Held,
    /// It would answer: the group and the key of its proposal, and how the answer stands to the person's.
    Answers(GroupKey, String, Verdict),
}

/// What a proposal would answer.
struct Proposed {
    level: Level,
    verdict: Verdict,
    group: GroupKey,
    key: String,
    preference: Preference,
}

/// The check of a trial, by the group and the key of its proposal, and how the answer stands to it.
type Check = (GroupKey, String, Verdict);

/// A replay under way: takes the askings in the order of time.
pub struct Replay<'a> {
    settings: &'a Suggest,
    registry: &'a Registry,
    since: Option<NaiveDate>,
    groups: BTreeMap<GroupKey, Known>,
    /// The projects that have a group of the name.
    projects: BTreeMap<String, BTreeSet<String>>,
    call: Vec<Asking>,
    waiting: BinaryHeap<Pending>,
    answered: BTreeMap<u64, (Asking, Option<Check>)>,
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
            projects: BTreeMap::new(),
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
            found.by_level.add(&known.by_level);
            let open = known.trials.values().filter(|trial| !trial.has_held());
            let mut runs = known.runs;
            runs.extend(open.map(|trial| trial.run(TrialEnd::Open)));
            found.trials.extend(&runs);
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
                by_level: known.by_level,
                trials: runs,
            });
        }
        found.by_key.retain(|key| !key.is_empty());
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
        let would: Vec<Would> = call.iter().map(|asking| self.would(asking)).collect();
        let unique = |asking: &Asking| {
            let text = &asking.answer.question;
            call.iter()
                .filter(|other| other.answer.question == *text)
                .count()
                == 1
        };
        // A call is answered as a whole, or not at all.
        let is_unique = call.iter().all(unique);
        let stands = is_unique && would.iter().all(|would| would.standing.is_some());
        let on_trial = |would: &Would| !matches!(would.trial, OnTrial::Nothing);
        let is_tried = is_unique && would.iter().all(on_trial);
        let is_check = is_tried && {
            let mut pairs = call.iter().zip(&would);
            pairs.any(|(asking, would)| self.is_check(asking, would))
        };
        for (asking, would) in call.into_iter().zip(would) {
            let mut check = None;
            let mut tried = None;
            if let OnTrial::Answers(group, key, verdict) = would.trial
                && is_tried
            {
                let is_wrong = !is_check && verdict != Verdict::Agree;
                if let Some(trial) = self.trial(&group, &key) {
                    trial.asked(is_wrong && asking.answered_at.is_some());
                }
                match is_check {
                    true => check = Some((group, key, verdict)),
                    false => tried = Some(verdict),
                }
            }
            let standing = would.standing.filter(|_| stands);
            self.score(&asking, [would.assist, tried, standing], check.is_some());
            if let Some(answered_at) = asking.answered_at {
                self.taken += 1;
                self.waiting.push(Reverse((answered_at, self.taken)));
                self.answered.insert(self.taken, (asking, check));
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
            if let Some((asking, check)) = self.answered.remove(&number) {
                if let Some((group, key, verdict)) = check {
                    self.checked(&group, &key, verdict);
                }
                self.know(asking);
            }
        }
        for group in self.stale.drain(..) {
            if let Some(known) = self.groups.get_mut(&group) {
                known.refresh(&group, self.settings);
            }
        }
    }

    /// What a check of the trial of `key` says.
    fn checked(&mut self, group: &GroupKey, key: &str, verdict: Verdict) {
        let Some(known) = self.groups.get_mut(group) else {
            return;
        };
        let end = known
            .trials
            .get_mut(key)
            .and_then(|trial| trial.checked(verdict));
        if let Some(run) = end {
            known.runs.push(run);
            if run.end == TrialEnd::Fell {
                known.trials.remove(key);
            }
        }
    }

    fn know(&mut self, asking: Asking) {
        let (project, name) = group_key_of(&asking);
        let projects = self.projects.entry(name.clone()).or_default();
        let is_new = projects.insert(project.clone());
        let is_shared = projects.len() > 1 && self.settings.across_projects;
        if is_shared {
            let mut answers = vec![asking.answer.clone()];
            let mut of = vec![project.clone()];
            if is_new && projects.len() == 2 {
                // What the first project had is pooled from now on.
                for first in projects.iter().filter(|other| **other != project) {
                    let known = self.groups.get(&(first.clone(), name.clone()));
                    let series = known.iter().flat_map(|known| known.series.values());
                    for answer in series.flat_map(|series| &series.answers) {
                        answers.push(answer.clone());
                        of.push(first.clone());
                    }
                }
            }
            let pooled = self.group((EVERYWHERE.to_owned(), name.clone()));
            for (mut answer, project) in answers.into_iter().zip(of) {
                answer.project = project.into();
                pooled.know(EVERYWHERE, &asking.key_source, answer);
            }
        }
        let known = self.group((project, name));
        known.know(&asking.project, &asking.key_source, asking.answer);
    }

    /// What is known of `group`, which is about to change.
    fn group(&mut self, group: GroupKey) -> &mut Known {
        let known = self.groups.entry(group.clone()).or_default();
        if !known.is_stale {
            known.is_stale = true;
            self.stale.push(group);
        }
        known
    }

    /// What each level would do with `asking`.
    fn would(&mut self, asking: &Asking) -> Would {
        let own = group_key_of(asking);
        let pooled = (EVERYWHERE.to_owned(), own.1.clone());
        let groups = [pooled, own];
        let is_known = |group| {
            let known: Option<&Known> = self.groups.get(group);
            known.is_some_and(|known| !known.candidates.is_empty())
        };
        if !groups.iter().any(is_known) {
            return Would::default();
        }
        let of_projects = self
            .groups
            .iter()
            .filter(|((project, _), _)| project != EVERYWHERE);
        let candidates = || of_projects.clone().flat_map(|(_, known)| &known.candidates);
        let person = Person::of(candidates(), asking.answer.at);
        let rules = Rules {
            settings: self.settings,
            registry: self.registry,
            median_seconds: &|| median_seconds(candidates()),
            refusals: &self.refusals,
            fillers: &self.fillers,
            shows_reasons: false,
        };
        let mut proposed: Vec<Proposed> = Vec::new();
        for group in groups {
            let Some(known) = self.groups.get(&group) else {
                continue;
            };
            // A family comes before its text variants, which stand only where it goes less far.
            for candidate in known.candidates.iter().filter(|one| fits(one, asking)) {
                let others = self.others(candidate, &group);
                proposed.extend(self.by(candidate, &others, asking, &person, &rules, &group));
            }
        }
        let furthest = |least: Level| {
            let of = |one: &&Proposed| one.level >= least;
            // Of equals the first.
            let mut far = proposed.iter().filter(of);
            let first = far.next()?;
            Some(far.fold(
                first,
                |best, one| if one.level > best.level { one } else { best },
            ))
        };
        let would = Would {
            standing: furthest(Level::Standing).map(|one| one.verdict),
            assist: furthest(Level::Assist).map(|one| one.verdict),
            trial: OnTrial::Nothing,
        };
        let begins = furthest(Level::Trial).map(|one| {
            let name = (one.group.clone(), one.key.clone());
            (name, one.preference.clone())
        });
        Would {
            trial: self.on_trial(asking, begins),
            ..would
        }
    }

    /// What a trial of the question does: the one under way, or the one that `begins` now.
    fn on_trial(
        &mut self,
        asking: &Asking,
        begins: Option<((GroupKey, String), Preference)>,
    ) -> OnTrial {
        let own = group_key_of(asking);
        let pooled = (EVERYWHERE.to_owned(), own.1.clone());
        for group in [pooled, own] {
            let known = self.groups.get(&group);
            for (key, trial) in known.iter().flat_map(|known| &known.trials) {
                // What was accepted on trial stays until a check disagrees.
                let preference = trial.preference.clone();
                if let Some(verdict) = self.answered_by(key, preference, asking) {
                    return match trial.has_held() {
                        true => OnTrial::Held,
                        false => OnTrial::Answers(group.clone(), key.clone(), verdict),
                    };
                }
            }
        }
        let Some(((group, key), preference)) = begins else {
            return OnTrial::Nothing;
        };
        let verdict = self.answered_by(&key, preference.clone(), asking);
        if let Some(known) = self.groups.get_mut(&group) {
            // What it covers grows with what is seen.
            let trial = known.trials.entry(key.clone());
            let trial = trial.or_insert_with(|| Trial::of(&preference));
            trial.preference = preference;
            if trial.has_held() {
                return OnTrial::Held;
            }
        }
        verdict.map_or(OnTrial::Nothing, |verdict| {
            OnTrial::Answers(group, key, verdict)
        })
    }

    /// The same habit in other projects; of one that holds everywhere, in all.
    fn others(&self, candidate: &Candidate, (project, name): &GroupKey) -> Vec<&Candidate> {
        let projects = self.projects.get(name).into_iter().flatten();
        projects
            .filter(|other| *other != project)
            .filter_map(|other| self.groups.get(&(other.clone(), name.clone())))
            .flat_map(|known| &known.candidates)
            .filter(|other| candidate.is_same_habit(other))
            .collect()
    }

    /// What the proposal for `candidate` would do with `asking`.
    fn by(
        &self,
        candidate: &Candidate,
        others: &[&Candidate],
        asking: &Asking,
        person: &Person,
        rules: &Rules<'_>,
        group: &GroupKey,
    ) -> Option<Proposed> {
        let judged = judge_one(candidate, others, person, rules, InForce::Nothing)?;
        let verdict = judged.verdict.ok()?;
        let asked = asked(&judged.key, &judged.best);
        let preference = proposal::of_policy(&asked, &judged.best.policy, &verdict.binding);
        let key = asked.question_key;
        Some(Proposed {
            level: verdict.level,
            verdict: self.answered_by(&key, preference.clone(), asking)?,
            group: group.clone(),
            key,
            preference,
        })
    }

    fn trial(&mut self, group: &GroupKey, key: &str) -> Option<&mut Trial> {
        self.groups.get_mut(group)?.trials.get_mut(key)
    }

    /// True when the question is asked to see whether its trial is right.
    fn is_check(&mut self, asking: &Asking, would: &Would) -> bool {
        let OnTrial::Answers(group, key, _) = &would.trial else {
            return false;
        };
        let trial = self.trial(group, key);
        trial.is_some_and(|trial| trial.is_check(&asking.call, key))
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
        Some(match answer.labels.as_slice() {
            [label] if !answer.said_more && same_label(label, choice.label()) => Verdict::Agree,
            _ if adds_to(answer, choice.label()) => Verdict::Add,
            _ => Verdict::Disagree,
        })
    }

    /// Scores what the levels would do, the least first.
    fn score(&mut self, asking: &Asking, would: [Option<Verdict>; 3], is_check: bool) {
        let known = self.groups.entry(group_key_of(asking)).or_default();
        let worded = |last: &Asking| last.answer.question_key == asking.answer.question_key;
        if !known.last.as_ref().is_some_and(worded) {
            known.text_variants += 1;
        }
        known.last = Some(asking.clone());
        if self.since.is_some_and(|since| asking.answer.day < since) {
            return;
        }
        for (level, verdict) in Level::ALL.into_iter().zip(would) {
            known.by_level.of(level).count(asking, verdict, level);
        }
        known.by_level.checks += u64::from(is_check && asking.answered_at.is_some());
        let [.., standing] = would;
        known.score.count(asking, standing, Level::Standing);
    }
}

impl Known {
    /// Knows one answer more.
    fn know(&mut self, project: &str, key_source: &str, answer: HumanAnswer) {
        let key = answer.question_key.clone();
        let series = self.series.entry(key).or_insert_with(|| KeyEvidence {
            project: project.to_owned(),
            question_key: answer.question_key.clone(),
            key_source: key_source.to_owned(),
            ..KeyEvidence::default()
        });
        series.answers.push(answer);
        if series.answers.len() > 2 * MOST_ANSWERS {
            series.answers.sort_by(HumanAnswer::in_time);
            series.answers.drain(..series.answers.len() - MOST_ANSWERS);
        }
        // The rate of asking changes what is saved, not whether anything is.
        series.recent_askings = 1;
    }

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
