//! Suggestions: which questions the person answers so alike that they need not be asked.
//!
//! [`suggestions`] reads the evidence from the store; [`evaluate`] is the pure part, from evidence
//! to proposals. Nothing here is applied by itself.

mod addition;
mod asker;
pub(crate) mod assess;
pub(crate) mod benefit;
pub(crate) mod candidate;
mod correlation;
pub(crate) mod judge;
mod kind;
pub(crate) mod level;
pub(crate) mod policy;
pub(crate) mod pooling;
mod posterior;
pub(crate) mod proposal;
mod reason;
pub(crate) mod refusals;
mod spread;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::preferences::{AssistMode, Scope};
use plantune_domain::registry::Registry;

pub use self::asker::AskerSuggestion;
use self::candidate::{Candidate, Person, PolicyScore, median_seconds};
use self::judge::{Rules, Verdicts, credibility, judge};
pub use self::level::{Level, WrongAnswer};
use self::policy::{Policy, Verdict};
pub use self::pooling::EVERYWHERE;
use self::pooling::{borrowed, level_everywhere, pooled};
pub use self::reason::{Lacks, Reason};
use self::refusals::Refusals;
use crate::backtest::{Asking, ByLevel, Replay};
use crate::binding::{Binding, Fillers};
use crate::evidence::{self, KeyEvidence};
use crate::families::{GroupKey, groups, habits, renamed};
use crate::{Error, Store};

/// What the person's answers to one question show. Counts are of answers, dates are local days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The person's answers that were looked at (the latest of the key).
    pub answers: usize,
    /// Of these, those that the policy would have given.
    pub agreed: usize,
    /// Of these, those that it would have left to the person all the same.
    pub left: usize,
    /// Of these, those in which the person named its answer and added something.
    pub added: usize,
    /// Of these, those in which it was shown to them as their usual answer.
    pub assisted: usize,
    /// Of these, those that were read from transcripts, and not logged by the hook.
    pub imported: usize,
    /// The distinct sessions they come from.
    pub sessions: usize,
    /// The distinct days they come from.
    pub days: usize,
    /// The day of the first answer.
    pub first: Option<NaiveDate>,
    /// The day of the last answer.
    pub last: Option<NaiveDate>,
    /// The day of the last answer that the policy would not have given.
    pub last_disagreement: Option<NaiveDate>,
}

/// A question, as last answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The project it was asked in; [`EVERYWHERE`] for all of them.
    pub project: String,
    /// Its key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `fingerprint` or `family`.
    pub key_source: String,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
}

/// A proposal: how to treat this question from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The question.
    pub asked: Asked,
    /// How far it goes.
    pub level: Level,
    /// Of [`Level::Assist`]: how the answer would be shown.
    pub assist: Option<AssistMode>,
    /// What stands between it and the next level.
    pub lacks: Option<Reason>,
    /// What a wrong answer would cost.
    pub wrong: WrongAnswer,
    /// The projects that the answers come from.
    pub projects: Vec<String>,
    /// What each level would have got right in these answers alone, gone through in the order of time;
    /// where it was asked for.
    pub hindsight: Option<ByLevel>,
    /// The label to answer with, without its mark; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least: the lower
    /// bound of the posterior at the configured credibility.
    pub confidence: f64,
    /// The expected share (0–1).
    pub expected: f64,
    /// What it rests on.
    pub evidence: Evidence,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
    /// What the preference would be given for.
    pub binding: Binding,
}

impl Suggestion {
    /// Where it holds.
    pub fn scope(&self) -> Scope {
        if self.asked.project == EVERYWHERE {
            Scope::Global
        } else {
            Scope::Project
        }
    }

    /// True when it would change something in `project`.
    pub fn concerns(&self, project: &str) -> bool {
        self.projects.iter().any(|one| one == project)
    }
}

/// A question that is not proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The question.
    pub asked: Asked,
    /// The answer that came nearest; `None` for the recommended one.
    pub answer: Option<String>,
    /// Why not.
    pub reason: Reason,
    /// What is known.
    pub evidence: Evidence,
}

/// What is proposed, the furthest level and the greatest saving first, and what is not, the nearest to it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The proposals.
    pub suggestions: Vec<Suggestion>,
    /// The proposals for all questions of one asker, the greatest saving first.
    pub askers: Vec<AskerSuggestion>,
    /// What was looked at and is not proposed.
    pub rejected: Vec<Rejected>,
}

/// What besides the evidence decides.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The doors the person gave to questions.
    pub registry: &'a Registry,
    /// What the person has decided about a question already: project, key.
    pub in_force: &'a dyn Fn(&str, &str) -> InForce,
    /// The moment of the run.
    pub now: DateTime<Utc>,
    /// For how many proposals it is computed what each level would have got right.
    pub hindsight: usize,
}

/// What the person has decided about a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InForce {
    /// Nothing.
    #[default]
    Nothing,
    /// To be shown the usual answer: a trial may still be proposed.
    Assist,
    /// To have it answered on trial.
    Trial,
    /// To have it answered on trial, which has held.
    HeldTrial,
    /// To have it answered.
    Standing,
    /// To be asked: nothing is proposed, nor for everywhere.
    Decided,
}

impl InForce {
    /// True when a proposal of `level` would be news.
    fn leaves(self, level: Level) -> bool {
        match self {
            Self::Nothing => true,
            Self::Assist => level > Level::Assist,
            Self::Trial | Self::HeldTrial => level > Level::Trial,
            Self::Standing | Self::Decided => false,
        }
    }
}

/// The suggestions for the store, or for one `project` of it. What is typical of the person is
/// taken from all projects either way.
///
/// # Errors
/// DuckDB's.
pub fn suggestions(
    store: &Store,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Result<Suggestions, Error> {
    let series = evidence::evidence(store, inputs.registry)?;
    let found = evaluate_in_detail(series, inputs, true);
    Ok(found.of_project(project))
}

/// The proposals that [`suggestions`] returns, without what is rejected and without what each level would have
/// got right: to work that out takes most of the time.
///
/// # Errors
/// DuckDB's.
pub fn only_proposals(
    store: &Store,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Result<Suggestions, Error> {
    let series = evidence::evidence(store, inputs.registry)?;
    let found = evaluate_in_detail(series, inputs, false).of_project(project);
    Ok(found)
}

/// The suggestions that follow from `series`, the answers by the keys they were logged under. The
/// order of series and of their answers does not matter.
pub fn evaluate(series: Vec<KeyEvidence>, inputs: &Inputs<'_>) -> Suggestions {
    evaluate_in_detail(series, inputs, true)
}

fn evaluate_in_detail(
    series: Vec<KeyEvidence>,
    inputs: &Inputs<'_>,
    shows_reasons: bool,
) -> Suggestions {
    let groups = groups(renamed(series, inputs.registry));
    let of = |groups: BTreeMap<GroupKey, Vec<KeyEvidence>>| -> Vec<Candidate> {
        groups
            .into_iter()
            .flat_map(|(group, series)| habits(&group, series))
            .map(|habit| Candidate::of(habit, inputs.settings))
            .collect()
    };
    let everywhere = match inputs.settings.across_projects {
        true => of(pooled(&groups)),
        false => Vec::new(),
    };
    let candidates = of(groups);
    let person = Person::of(candidates.iter(), inputs.now.naive_utc());
    let rules = Rules {
        settings: inputs.settings,
        registry: inputs.registry,
        median_seconds: &|| median_seconds(candidates.iter()),
        refusals: &Refusals::default(),
        fillers: &Fillers::default(),
        shows_reasons,
    };
    let elsewhere = Elsewhere::of(&candidates);
    let mut found = Suggestions::default();
    // How far the family of a text variant, or what holds everywhere, represents a question.
    let mut represented: HashMap<(&str, &str), Level> = HashMap::new();
    for candidate in everywhere.iter().chain(&candidates) {
        let key = &candidate.habit.evidence;
        let name = (key.project.as_str(), key.question_key.as_str());
        let by_other = represented.get(&name).copied();
        if by_other == Some(Level::Standing) {
            continue;
        }
        let in_force = (inputs.in_force)(&key.project, &key.question_key);
        let others = elsewhere.others(candidate);
        let decided = |one: &&Candidate| {
            let key = &one.habit.evidence;
            (inputs.in_force)(&key.project, &key.question_key) == InForce::Decided
        };
        if candidate.is_everywhere() && others.iter().any(decided) {
            continue;
        }
        let Some(judged) = judge_one(candidate, &others, &person, &rules, in_force) else {
            continue;
        };
        let level = judged.verdict.as_ref().ok().map(|verdict| verdict.level);
        if by_other.is_some() && level <= by_other {
            continue;
        }
        let stands = in_force >= InForce::Standing;
        let represents = if stands { Some(Level::Standing) } else { level };
        if let Some(level) = represents {
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
                let known = represented.entry(name).or_insert(level);
                *known = level.max(*known);
            }
        }
        let is_listed = !candidate.habit.within_family && !candidate.is_everywhere();
        if is_listed || level.is_some() {
            found.add(judged, inputs.settings);
        }
    }
    let levels: HashMap<(String, String), Level> = found
        .suggestions
        .iter()
        .map(|one| (name_of(&one.asked), one.level))
        .collect();
    let covered = |asked: &Asked| levels.get(&name_of(asked)).copied();
    found.askers = asker::by_asker(&candidates, &person, &rules, inputs.in_force, &covered);
    // What would be on trial with its asker is not proposed to be shown besides.
    let on_trial: HashSet<(String, String)> = found
        .askers
        .iter()
        .flat_map(|asker| &asker.questions)
        .map(|one| name_of(&one.asked))
        .collect();
    found
        .suggestions
        .retain(|one| !on_trial.contains(&name_of(&one.asked)));
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

fn name_of(asked: &Asked) -> (String, String) {
    (asked.project.clone(), asked.question_key.clone())
}

/// What each level would have got right in the answers of `key`, had the person accepted every proposal
/// that these alone allow.
fn replay_of(key: &KeyEvidence, inputs: &Inputs<'_>) -> ByLevel {
    let mut replay = Replay::new(inputs.settings, inputs.registry, None);
    for answer in &key.answers {
        let took = answer.human_seconds.unwrap_or_default().max(0.001);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "milliseconds of one answer"
        )]
        let took = TimeDelta::milliseconds((took * 1000.0) as i64);
        replay.take(Asking {
            project: match key.project == EVERYWHERE {
                true => answer.project.to_string(),
                false => key.project.clone(),
            },
            key_source: match key.template {
                Some(_) => "fingerprint".to_owned(),
                None => key.key_source.clone(),
            },
            call: format!("{} {}", answer.session_id, answer.at),
            answered_at: Some(answer.at + took),
            answer: answer.clone(),
        });
    }
    replay.finish().by_level
}

/// The same habits in other projects.
struct Elsewhere<'a>(HashMap<u64, Vec<&'a Candidate>>);

impl<'a> Elsewhere<'a> {
    fn of(candidates: &'a [Candidate]) -> Self {
        let mut by_name: HashMap<u64, Vec<&'a Candidate>> = HashMap::new();
        for one in candidates {
            by_name.entry(one.name).or_default().push(one);
        }
        by_name.retain(|_, same| same.len() > 1);
        Self(by_name)
    }

    fn others(&self, candidate: &Candidate) -> Vec<&'a Candidate> {
        let same = self.0.get(&candidate.name).into_iter().flatten().copied();
        let project = &candidate.habit.evidence.project;
        same.filter(|one| one.habit.evidence.project != *project)
            .collect()
    }
}

/// A habit, its best policy, and what is thought of it.
pub(crate) struct Judged {
    pub(crate) key: KeyEvidence,
    pub(crate) best: PolicyScore,
    pub(crate) verdict: Result<Verdicts, Reason>,
}

/// Judges `candidate`, about which the person has decided `in_force`; `others` is the same habit in other
/// projects, or of one that holds everywhere, in all.
pub(crate) fn judge_one(
    candidate: &Candidate,
    others: &[&Candidate],
    person: &Person,
    rules: &Rules<'_>,
    in_force: InForce,
) -> Option<Judged> {
    let mut key = candidate.habit.evidence.clone();
    let mut best = candidate.best(person)?;
    let verdict = if in_force >= InForce::Standing {
        Err(Reason::PreferenceInForce)
    } else {
        judge_at(&mut key, &mut best, candidate, others, person, rules)
    };
    let verdict = verdict.map(|verdict| match in_force {
        // The checks of the trial have shown what more answers would.
        InForce::HeldTrial if verdict.level == Level::Trial => Verdicts {
            level: Level::Standing,
            lacks: None,
            ..verdict
        },
        _ => verdict,
    });
    let verdict = verdict.and_then(|verdict| match in_force.leaves(verdict.level) {
        true => Ok(verdict),
        false => Err(Reason::PreferenceInForce),
    });
    Some(Judged { key, best, verdict })
}

fn judge_at(
    key: &mut KeyEvidence,
    best: &mut PolicyScore,
    candidate: &Candidate,
    others: &[&Candidate],
    person: &Person,
    rules: &Rules<'_>,
) -> Result<Verdicts, Reason> {
    let mut prior = person.prior(candidate, others);
    if candidate.is_everywhere() {
        let most = level_everywhere(candidate, best, others, person)?;
        let verdict = judge(key, best, prior, rules)?;
        return Ok(Verdicts {
            level: verdict.level.min(most),
            ..verdict
        });
    }
    if !rules.settings.across_projects {
        return judge(key, best, person.prior(candidate, &[]), rules);
    }
    best.borrowed = borrowed(candidate, others, person);
    prior = prior.after(best.borrowed);
    judge(key, best, prior, rules)
}

/// The question as last answered where the policy answers too; a one-way asking does not stand for
/// what is proposed.
pub(crate) fn asked(key: &KeyEvidence, best: &PolicyScore) -> Asked {
    let mut judged = key.answers.iter().zip(&best.verdicts).rev();
    let stands = judged
        .find(|(answer, verdict)| answer.one_way.is_none() && **verdict != Verdict::Abstain)
        .map(|(answer, _)| answer)
        .or(key.answers.last());
    Asked {
        project: key.project.clone(),
        question_key: key.question_key.clone(),
        key_source: key.key_source.clone(),
        template: key.template.clone(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
    }
}

fn summary(key: &KeyEvidence, best: &PolicyScore) -> Evidence {
    let (sessions, days) = spread::distinct(&key.answers);
    let judged = || key.answers.iter().zip(&best.verdicts);
    let of = |wanted: Verdict| {
        best.verdicts
            .iter()
            .filter(|verdict| **verdict == wanted)
            .count()
    };
    Evidence {
        answers: key.answers.len(),
        agreed: of(Verdict::Agree),
        left: of(Verdict::Abstain),
        added: of(Verdict::Add),
        assisted: key.answers.iter().filter(|answer| answer.assisted).count(),
        imported: key
            .answers
            .iter()
            .filter(|answer| answer.is_imported)
            .count(),
        sessions,
        days,
        first: key.answers.first().map(|answer| answer.day),
        last: key.answers.last().map(|answer| answer.day),
        last_disagreement: judged()
            .filter(|(_, verdict)| **verdict == Verdict::Disagree)
            .map(|(answer, _)| answer.day)
            .next_back(),
    }
}

fn projects(key: &KeyEvidence) -> Vec<String> {
    if key.project != EVERYWHERE {
        return vec![key.project.clone()];
    }
    let projects: BTreeSet<&str> = key.answers.iter().map(|answer| &*answer.project).collect();
    projects.into_iter().map(str::to_owned).collect()
}

/// How the usual answer can be shown: first, but where several can be chosen or there are previews.
fn assist_mode(key: &KeyEvidence) -> AssistMode {
    let has_previews = |texts: &Vec<String>| texts.iter().any(|text| !text.is_empty());
    let is_plain = key.answers.last().is_some_and(|answer| {
        !answer.multi_select && !answer.previews.as_ref().is_some_and(has_previews)
    });
    if is_plain {
        AssistMode::First
    } else {
        AssistMode::Note
    }
}

impl Suggestions {
    /// Those of `project`, or all of them.
    fn of_project(mut self, project: Option<&str>) -> Self {
        let Some(project) = project else {
            return self;
        };
        self.suggestions.retain(|one| one.concerns(project));
        for asker in &mut self.askers {
            asker.questions.retain(|one| one.concerns(project));
        }
        self.askers.retain(|asker| !asker.questions.is_empty());
        self.rejected.retain(|one| one.asked.project == project);
        self
    }

    fn add(&mut self, judged: Judged, settings: &Suggest) {
        let Judged { key, best, verdict } = judged;
        let asked = asked(&key, &best);
        let evidence = summary(&key, &best);
        let credibility = credibility(&best, settings);
        let answer = match best.policy {
            Policy::Follow => None,
            Policy::Pin(label) => Some(label),
        };
        match verdict {
            Ok(judged) => self.suggestions.push(Suggestion {
                level: judged.level,
                assist: (judged.level == Level::Assist).then(|| assist_mode(&key)),
                lacks: judged.lacks,
                wrong: judged.wrong,
                projects: projects(&key),
                hindsight: None,
                asked,
                answer,
                confidence: judged.posterior.lower_bound(credibility),
                expected: judged.posterior.mean(),
                evidence,
                seconds_saved_per_week: judged.benefit.saved,
                binding: judged.binding,
            }),
            Err(reason) => self.rejected.push(Rejected {
                asked,
                answer,
                reason,
                evidence,
            }),
        }
    }

    fn sort(&mut self) {
        let name = name_of;
        self.askers
            .sort_by(|one, other| other.saved().total_cmp(&one.saved()));
        self.suggestions.sort_by(|one, other| {
            (other.level.cmp(&one.level))
                .then_with(|| {
                    other
                        .seconds_saved_per_week
                        .total_cmp(&one.seconds_saved_per_week)
                })
                .then_with(|| name(&one.asked).cmp(&name(&other.asked)))
        });
        let far = |rejected: &Rejected| {
            rejected.reason.lacks().map_or(u32::MAX, |lacks| {
                lacks.answers.max(lacks.sessions).max(lacks.days)
            })
        };
        self.rejected.sort_by_cached_key(|rejected| {
            (
                far(rejected),
                std::cmp::Reverse(rejected.evidence.answers),
                name(&rejected.asked),
            )
        });
    }
}
