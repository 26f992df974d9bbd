//! The backtest: the effect that the proposals would have had if the person had accepted each at once.
//!
//! History is gone through in the order of time. Before each call only what was answered before it
//! is known, and from that the same code as `suggest` says which preferences would be in force.

pub(crate) mod history;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use plantune_domain::gate;
use plantune_domain::gate::ProposedAnswer;
use plantune_domain::preferences::{Level, Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_domain::wire::SentQuestion;
use serde::Serialize;

pub use self::history::{PastAsking, TrialRun, askings};
use self::history::{PersonHistory, ProjectQuestion, QuestionHistory, Trial};
use crate::evidence::{HumanAnswer, KeyEvidence};
use crate::habits::{EVERYWHERE, LoggedQuestion, QuestionGrouping};
use crate::suggest::candidate::Candidate;
use crate::suggest::judge::{JudgeRules, judge_one};
use crate::suggest::policy::{PolicyVerdict, adds_to};
use crate::suggest::{ByLevel, PriorDecision, Score};
use crate::{Store, StoreError};

/// The score of one question, or of all unmarked ones with the same options. Serialised, it is what
/// `suggest --backtest --json` says of the question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyScore {
    /// The question's key.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// The project.
    pub project: String,
    /// Its name.
    pub name: String,
    /// The text as last asked.
    pub question: String,
    /// The labels as last sent.
    pub options: Vec<String>,
    /// The scores of all levels.
    #[serde(skip)]
    pub by_level: ByLevel,
    /// Its trials.
    #[serde(skip)]
    pub trials: Vec<TrialRun>,
}

/// A whole backtest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backtest {
    /// The first day that counts; earlier days are evidence only.
    pub since: Option<NaiveDate>,
    /// The scores of all levels, of all questions together.
    pub by_level: ByLevel,
    /// Every trial that would have begun.
    pub trials: Vec<TrialRun>,
    /// The questions one by one, the most often answered first.
    pub by_key: Vec<KeyScore>,
}

impl Score {
    /// Counts a question with the person's `answer`, if any; `verdict` compares it with the answer that would have been
    /// given, `None` if none would. An addition counts as wrong, as what the person added would have been lost.
    pub(super) fn count(&mut self, answer: Option<&HumanAnswer>, verdict: Option<PolicyVerdict>) {
        let Some(answer) = answer else {
            self.unanswered += 1;
            self.unanswered_decided += u64::from(verdict.is_some());
            return;
        };
        self.questions += 1;
        match verdict {
            None | Some(PolicyVerdict::Abstain) => {}
            Some(PolicyVerdict::Agree) => {
                self.correct += 1;
                self.seconds_saved += answer.human_seconds.unwrap_or_default();
            }
            Some(PolicyVerdict::Add | PolicyVerdict::Disagree) => self.wrong += 1,
        }
    }
}

/// Replays the history in the store, or that of one `project`; what counts begins on the day
/// `since`. Preferences that stand today do not matter.
///
/// # Errors
/// The errors of DuckDB.
pub fn backtest(
    store: &Store,
    settings: &Suggest,
    registry: &Registry,
    project: Option<&str>,
    since: Option<NaiveDate>,
) -> Result<Backtest, StoreError> {
    let mut replay = Replay::new(settings, registry, since);
    askings(store, project, |asking| replay.take(asking))?;
    let mut found = replay.finish();
    let grouping = QuestionGrouping::read(store, registry)?;
    for key in &mut found.by_key {
        key.name = grouping.called(&LoggedQuestion {
            project: key.project.clone(),
            question_key: key.question_key.clone(),
            question: key.question.clone(),
            header: None,
            options: key.options.clone(),
        });
    }
    Ok(found)
}

/// The score of each level over the answers of `key`, had the person accepted every proposal
/// that these alone allow.
pub fn hindsight(key: &KeyEvidence, settings: &Suggest, registry: &Registry) -> ByLevel {
    let mut replay = Replay::new(settings, registry, None);
    for answer in &key.answers {
        let took = answer.human_seconds.unwrap_or_default().max(0.001);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "milliseconds of one answer"
        )]
        let took = TimeDelta::milliseconds((took * 1000.0) as i64);
        replay.take(PastAsking {
            project: answer.project.to_string(),
            key_source: key.key_source.clone(),
            call: format!("{} {}", answer.session_id, answer.at),
            answered_at: Some(answer.at + took),
            answer: Arc::clone(answer),
        });
    }
    replay.finish().by_level
}

/// The check of a trial: its question, and whether the answer agrees.
type TrialCheck = (ProjectQuestion, PolicyVerdict);

/// A replay under way: takes the askings in the order of time.
pub struct Replay<'a> {
    settings: &'a Suggest,
    registry: &'a Registry,
    since: Option<NaiveDate>,
    questions: BTreeMap<ProjectQuestion, QuestionHistory>,
    /// The projects in which a key was asked.
    projects: BTreeMap<String, BTreeSet<String>>,
    call: Vec<PastAsking>,
    /// Answers that are known only once they were given: when, and in which order they came in.
    waiting: BTreeMap<(NaiveDateTime, u64), (PastAsking, Option<TrialCheck>)>,
    /// The questions about which something was learned since their habits were found.
    stale: BTreeSet<ProjectQuestion>,
    /// The questions of projects that have had a habit.
    with_habits: BTreeSet<ProjectQuestion>,
    person: Option<PersonHistory>,
    taken: u64,
    /// How many answers are known.
    learned: u64,
}

impl<'a> Replay<'a> {
    /// Nothing is known yet; what was asked before the day `since` counts as evidence only.
    pub fn new(settings: &'a Suggest, registry: &'a Registry, since: Option<NaiveDate>) -> Self {
        Self {
            settings,
            registry,
            since,
            questions: BTreeMap::new(),
            projects: BTreeMap::new(),
            call: Vec::new(),
            waiting: BTreeMap::new(),
            stale: BTreeSet::new(),
            with_habits: BTreeSet::new(),
            person: None,
            taken: 0,
            learned: 0,
        }
    }

    /// Adds the next asking; those of one call follow one another.
    pub fn take(&mut self, mut asking: PastAsking) {
        asking.take_rule(self.registry);
        if *asking.answer.project != *asking.project {
            Arc::make_mut(&mut asking.answer).project = asking.project.as_str().into();
        }
        let same_call = |before: &PastAsking| {
            before.call == asking.call && before.answer.at == asking.answer.at
        };
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
    #[cfg(test)]
    fn so_far(&self) -> Score {
        let mut total = Score::default();
        self.questions
            .values()
            .for_each(|known| total.add(&known.by_level.standing));
        total
    }

    fn scores(self) -> Backtest {
        let mut found = Backtest {
            since: self.since,
            ..Backtest::default()
        };
        for ((project, question_key), known) in self.questions {
            found.by_level.add(&known.by_level);
            let open = known.trial.filter(|trial| !trial.is_on());
            let mut runs = known.runs;
            runs.extend(open.map(|trial| trial.run));
            found.trials.extend(&runs);
            let Some(last) = known.last else { continue };
            found.by_key.push(KeyScore {
                project,
                question_key,
                key_source: last.key_source,
                name: String::new(),
                question: last.answer.question.clone(),
                options: last.answer.options.clone(),
                by_level: known.by_level,
                trials: runs,
            });
        }
        let questions = |key: &KeyScore| key.by_level.standing.questions;
        let counts = |key: &KeyScore| key.by_level.standing != Score::default();
        found.by_key.retain(counts);
        found.by_key.sort_by(|one, other| {
            (questions(other), &one.project, &one.question_key).cmp(&(
                questions(one),
                &other.project,
                &other.question_key,
            ))
        });
        found
    }

    /// Decides the current call by the answers before it, and then adds it.
    fn decide(&mut self) {
        let call = std::mem::take(&mut self.call);
        let Some(at) = call.first().map(|first| first.answer.at) else {
            return;
        };
        self.learn(at);
        let would: Vec<Would> = call.iter().map(|asking| self.would(asking)).collect();
        let unique = |asking: &PastAsking| {
            let text = &asking.answer.question;
            call.iter()
                .filter(|other| other.answer.question == *text)
                .count()
                == 1
        };
        // A call is answered as a whole, or not at all.
        let is_unique = call.iter().all(unique);
        let stands = is_unique && would.iter().all(|would| would.standing.is_some());
        let answers =
            |would: &Would| would.standing.is_some() || !matches!(would.trial, OnTrial::Nothing);
        let is_tried = is_unique && would.iter().all(answers);
        let mut pairs = call.iter().zip(&would);
        let is_check = is_tried && pairs.any(|(asking, would)| self.is_check(asking, would));
        for (asking, would) in call.into_iter().zip(would) {
            let (mut check, mut tried) = (None, None);
            if let OnTrial::Answers(place, verdict) = would.trial
                && is_tried
            {
                let is_wrong = !is_check && verdict != PolicyVerdict::Agree;
                if let Some(trial) = self.trial(&place) {
                    trial.asked(is_wrong && asking.answered_at.is_some());
                }
                match is_check {
                    true => check = Some((place, verdict)),
                    false => tried = Some(verdict),
                }
            }
            let standing = would.standing.filter(|_| stands);
            self.score(&asking, [tried, standing], check.is_some());
            if let Some(answered_at) = asking.answered_at {
                self.taken += 1;
                let taken = (answered_at, self.taken);
                self.waiting.insert(taken, (asking, check));
            }
        }
    }

    /// Applies the answers before the moment `at`.
    fn learn(&mut self, at: NaiveDateTime) {
        let later = self.waiting.split_off(&(at, 0));
        for (asking, check) in std::mem::replace(&mut self.waiting, later).into_values() {
            if let Some((place, verdict)) = check {
                self.checked(&place, verdict);
            }
            self.know(asking);
        }
        for place in std::mem::take(&mut self.stale) {
            let known = self.questions.entry(place.clone()).or_default();
            known.find_habit(|habit| Candidate::of(habit, self.settings));
            if known.candidate.is_some() && place.0 != EVERYWHERE {
                self.with_habits.insert(place);
            }
        }
    }

    /// The result of a check of the trial of the question at `place`.
    fn checked(&mut self, place: &ProjectQuestion, verdict: PolicyVerdict) {
        let Some(known) = self.questions.get_mut(place) else {
            return;
        };
        if let Some(trial) = &mut known.trial
            && trial.checked(verdict)
        {
            known.runs.push(trial.run);
            if trial.run.state == State::Stopped {
                known.trial = None;
            }
        }
    }

    fn know(&mut self, asking: PastAsking) {
        self.learned += 1;
        let (project, key) = asking.place();
        let projects = self.projects.entry(key.clone()).or_default();
        projects.insert(project.clone());
        if self.settings.across_projects {
            let everywhere = (EVERYWHERE.to_owned(), key.clone());
            let answer = Arc::clone(&asking.answer);
            let known = self.questions.entry(everywhere.clone()).or_default();
            known.know(EVERYWHERE, &asking.key_source, answer);
            if projects.len() > 1 {
                self.stale.insert(everywhere);
            }
        }
        let place = (project, key);
        self.stale.insert(place.clone());
        let known = self.questions.entry(place).or_default();
        known.know(&asking.project, &asking.key_source, asking.answer);
    }

    fn trial(&mut self, place: &ProjectQuestion) -> Option<&mut Trial> {
        self.questions.get_mut(place)?.trial.as_mut()
    }

    /// True when the question is asked to see whether its trial is right.
    fn is_check(&mut self, asking: &PastAsking, would: &Would) -> bool {
        let OnTrial::Answers(place, _) = &would.trial else {
            return false;
        };
        let trial = self.trial(place);
        trial.is_some_and(|trial| trial.is_check(&asking.call, &place.1))
    }

    /// True if it was asked on or after the first day that counts.
    fn counts(&self, asking: &PastAsking) -> bool {
        self.since.is_none_or(|since| asking.answer.day >= since)
    }

    /// Scores the outcome at each level, the lowest first.
    fn score(&mut self, asking: &PastAsking, would: [Option<PolicyVerdict>; 2], is_check: bool) {
        let counts = self.counts(asking);
        let known = self.questions.entry(asking.place()).or_default();
        known.last = Some(asking.clone());
        if !counts {
            return;
        }
        for (&level, verdict) in Level::ALL.iter().zip(would) {
            let answer = asking.answered_at.map(|_| &*asking.answer);
            known.by_level.of(level).count(answer, verdict);
        }
        known.by_level.checks += u64::from(is_check && asking.answered_at.is_some());
    }
}

/// The answers that each level would give to one question, each level by itself.
pub(super) struct Would {
    /// Whether the answer of a standing proposal agrees with the person's.
    pub(super) standing: Option<PolicyVerdict>,
    pub(super) trial: OnTrial,
}

/// The answer that a trial would give to one question.
pub(super) enum OnTrial {
    Nothing,
    /// It is on: the trial is over.
    Over,
    /// It would answer: the question of its proposal, and whether the answer agrees with the person's.
    Answers(ProjectQuestion, PolicyVerdict),
}

/// The answer of a proposal.
#[derive(Clone)]
struct ReplayProposal {
    level: Level,
    verdict: PolicyVerdict,
    place: ProjectQuestion,
    preference: Preference,
}

/// The questions whose preferences may answer `asking`: that of all projects, and its own.
fn places_of(asking: &PastAsking) -> [ProjectQuestion; 2] {
    let own = asking.place();
    [(EVERYWHERE.to_owned(), own.1.clone()), own]
}

impl Replay<'_> {
    /// The answers that each level would give to `asking`.
    pub(super) fn would(&mut self, asking: &PastAsking) -> Would {
        let person = match self.person.take() {
            Some(known) if known.holds(self.learned) => known,
            _ => PersonHistory::of(self.candidates(), asking.answer.at, self.learned),
        };
        let proposed = self.proposed(asking, &person);
        self.person = Some(person);
        let furthest = |least: Level| {
            // Of equals the first.
            let far = proposed.iter().rev().filter(|one| one.level >= least);
            far.max_by_key(|one| one.level)
        };
        Would {
            standing: furthest(Level::Standing).map(|one| one.verdict),
            trial: self.on_trial(asking, furthest(Level::Trial).cloned()),
        }
    }

    /// The proposals that would answer `asking`.
    fn proposed(&self, asking: &PastAsking, known_person: &PersonHistory) -> Vec<ReplayProposal> {
        let places = places_of(asking);
        let fitting = places.iter().filter_map(|place| {
            let known = self.questions.get(place)?;
            Some((place, known.candidate.as_ref()?))
        });
        let fitting: Vec<(&ProjectQuestion, &Candidate)> = fitting.collect();
        if fitting.is_empty() {
            return Vec::new();
        }
        let rules = JudgeRules {
            settings: self.settings,
            registry: self.registry,
            person: &known_person.person,
            median_seconds: &|| known_person.median_seconds(self.candidates()),
            shows_reasons: false,
        };
        let mut proposed = Vec::new();
        for (place, candidate) in fitting {
            proposed.extend(self.by(candidate, place, asking, &rules));
            // No later proposal can go further, and of equals the first counts.
            if proposed
                .last()
                .is_some_and(|one| one.level == Level::Standing)
            {
                break;
            }
        }
        proposed
    }

    /// The habits of all projects.
    fn candidates(&self) -> impl Iterator<Item = &Candidate> + Clone {
        let of_projects = self.with_habits.iter();
        let of_projects = of_projects.filter_map(|place| self.questions.get(place));
        of_projects.filter_map(|known| known.candidate.as_ref())
    }

    /// The trial's answer to the question: of the one under way, or the one that `begins` now.
    fn on_trial(&mut self, asking: &PastAsking, begins: Option<ReplayProposal>) -> OnTrial {
        for place in places_of(asking) {
            // A trial that was accepted goes on until a check disagrees.
            let known = self.questions.get(&place);
            if let Some(trial) = known.and_then(|known| known.trial.as_ref())
                && let Some(verdict) = self.answered_by(trial.preference.clone(), asking)
            {
                return match trial.is_on() {
                    true => OnTrial::Over,
                    false => OnTrial::Answers(place, verdict),
                };
            }
        }
        let Some(begins) = begins else {
            return OnTrial::Nothing;
        };
        let known = self.questions.entry(begins.place.clone()).or_default();
        let trial = known
            .trial
            .get_or_insert_with(|| Trial::of(&begins.preference));
        // What it covers grows with the answers seen.
        trial.preference = begins.preference;
        match trial.is_on() {
            true => OnTrial::Over,
            false => OnTrial::Answers(begins.place, begins.verdict),
        }
    }

    /// The same habit in other projects; in all of them if it holds everywhere.
    fn others(&self, (project, key): &ProjectQuestion) -> Vec<&Candidate> {
        let projects = self.projects.get(key).into_iter().flatten();
        projects
            .filter(|other| *other != project)
            .filter_map(|other| self.questions.get(&(other.clone(), key.clone())))
            .filter_map(|known| known.candidate.as_ref())
            .collect()
    }

    /// The answer of the proposal for `candidate` to `asking`.
    fn by(
        &self,
        candidate: &Candidate,
        place: &ProjectQuestion,
        asking: &PastAsking,
        rules: &JudgeRules<'_>,
    ) -> Option<ReplayProposal> {
        let others = self.others(place);
        let (_, found) = judge_one(candidate, &others, rules, PriorDecision::None)?;
        let found = found.ok()?;
        let preference = found.preference();
        Some(ReplayProposal {
            level: found.level,
            verdict: self.answered_by(preference.clone(), asking)?,
            place: place.clone(),
            preference,
        })
    }

    /// The question of `asking` as the hook would see it now: one-way if it was logged so, or
    /// if the rules of today say so.
    fn question(&self, asking: &PastAsking) -> Question {
        let answer = &asking.answer;
        let recommended = answer.recommended.as_deref();
        let is_recommended =
            |label: &String| recommended.is_some_and(|recommended| same_label(recommended, label));
        let mut question = Question {
            text: answer.question.clone(),
            key: answer.question_key.clone(),
            key_source: KeySource::parse(&asking.key_source).unwrap_or(KeySource::Text),
            tool: answer.tool.clone(),
            has_several_ids: false,
            recommended: answer.options.iter().position(is_recommended),
            door_reason: answer.one_way.clone(),
            preview_digests: answer.previews.clone().unwrap_or_default(),
            as_sent: None,
            sent: SentQuestion {
                text: answer.question.clone(),
                // Stands in the text that was logged.
                context: String::new(),
                header: answer.header.clone(),
                options: answer.options.clone(),
                descriptions: answer.descriptions.clone().unwrap_or_default(),
                previews: Vec::new(),
                multi_select: Some(answer.multi_select),
                unknown_field: None,
            },
        };
        if question.door_reason.is_none()
            && let Some(label) = question.recommended_label()
            && let proposed = ProposedAnswer::to(&question, label)
            && let Err(refusal) = gate::check(&proposed, self.registry)
        {
            question.door_reason = refusal.door_reason().map(str::to_owned);
        }
        question
    }

    /// How the hook would answer with `preference`.
    fn answered_by(&self, preference: Preference, asking: &PastAsking) -> Option<PolicyVerdict> {
        if asking.answer.is_held() {
            return None;
        }
        let question = self.question(asking);
        let standing = [(Scope::Project, preference)];
        let choice = gate::answer(&question, &standing, self.registry).ok()?;
        let answer = &asking.answer;
        Some(match answer.labels.as_slice() {
            [label] if !answer.said_more && same_label(label, choice.label()) => {
                PolicyVerdict::Agree
            }
            _ if adds_to(answer, choice.label()) => PolicyVerdict::Add,
            _ => PolicyVerdict::Disagree,
        })
    }
}
