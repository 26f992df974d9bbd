//! What each level would do with a question, by what is known before it.

use plantune_domain::family;
use plantune_domain::gate::{self, ProposedAnswer};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::{KeySource, Question};
use plantune_domain::recommended::same_label;
use plantune_domain::wire::SentQuestion;

use super::Replay;
use super::known::{Known, KnownPerson};
use crate::backtest::asking::{Asking, group_key_of};
use crate::backtest::trial::Trial;
use crate::families::{EVERYWHERE, GroupKey};
use crate::suggest::candidate::Candidate;
use crate::suggest::inputs::InForce;
use crate::suggest::judge::Rules;
use crate::suggest::judged::{Judged, judge_one};
use crate::suggest::level::Level;
use crate::suggest::policy::{Verdict, adds_to};
use crate::suggest::proposal::preference;
use crate::suggest::summary::asked;

/// What each level would do with one question, each as if the others were not.
pub(super) struct Would {
    /// How the answer of a standing proposal stands to the person's.
    pub(super) standing: Option<Verdict>,
    /// The same of one that is shown.
    pub(super) assist: Option<Verdict>,
    pub(super) trial: OnTrial,
}

/// What a trial would do with one question.
pub(super) enum OnTrial {
    Nothing,
    /// It is on: what follows is no trial.
    Over,
    /// It would answer: the group and the key of its proposal, and how the answer stands to the person's.
    Answers(GroupKey, String, Verdict),
}

/// What a proposal would answer.
#[derive(Clone)]
struct Proposed {
    level: Level,
    verdict: Verdict,
    group: GroupKey,
    key: String,
    preference: Preference,
}

/// The groups that may answer `asking`: that of all projects, and its own.
fn groups_of(asking: &Asking) -> [GroupKey; 2] {
    let own = group_key_of(asking);
    [(EVERYWHERE.to_owned(), own.1.clone()), own]
}

impl Replay<'_> {
    /// What each level would do with `asking`.
    pub(super) fn would(&mut self, asking: &Asking) -> Would {
        let person = match self.person.take() {
            Some(known) if known.holds(self.learned) => known,
            _ => KnownPerson::of(self.candidates(), asking.answer.at, self.learned),
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
            assist: furthest(Level::Assist).map(|one| one.verdict),
            trial: self.on_trial(asking, furthest(Level::Trial).cloned()),
        }
    }

    /// What would be proposed and answers `asking`: of a family before its text variants, which stand only where it
    /// goes less far.
    fn proposed(&self, asking: &Asking, known_person: &KnownPerson) -> Vec<Proposed> {
        let groups = groups_of(asking);
        let known = groups
            .iter()
            .filter_map(|group| Some((group, self.groups.get(group)?)));
        let fitting: Vec<(&GroupKey, &Candidate)> = known
            .flat_map(|(group, known)| {
                let answer = &asking.answer;
                let fitting = known.fitting(&answer.question, &answer.question_key);
                fitting.map(move |one| (group, one))
            })
            .collect();
        if fitting.is_empty() {
            return Vec::new();
        }
        let rules = Rules {
            settings: self.settings,
            registry: self.registry,
            person: &known_person.person,
            median_seconds: &|| known_person.median_seconds(self.candidates()),
            fillers: &self.fillers,
            shows_reasons: false,
        };
        let mut proposed = Vec::new();
        for (group, candidate) in fitting {
            proposed.extend(self.by(candidate, group, asking, &rules));
            // Nothing goes further, and of equals the first counts.
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
        let of_projects = of_projects.filter_map(|group| self.groups.get(group));
        of_projects.flat_map(Known::candidates)
    }

    /// What a trial of the question does: the one under way, or the one that `begins` now.
    fn on_trial(&mut self, asking: &Asking, begins: Option<Proposed>) -> OnTrial {
        for group in groups_of(asking) {
            let known = self.groups.get(&group);
            let trials = known.iter().flat_map(|known| &known.trials);
            // The hook looks for a preference by the question's key, and by those of families.
            let is_found =
                |key: &str| key == asking.answer.question_key || key.starts_with(family::PREFIX);
            for (key, trial) in trials.filter(|(key, _)| is_found(key)) {
                // What was accepted on trial stays until a check disagrees.
                let preference = trial.preference.clone();
                if let Some(verdict) = self.answered_by(key, preference, asking) {
                    return match trial.is_on() {
                        true => OnTrial::Over,
                        false => OnTrial::Answers(group.clone(), key.clone(), verdict),
                    };
                }
            }
        }
        let Some(begins) = begins else {
            return OnTrial::Nothing;
        };
        let known = self.groups.entry(begins.group.clone()).or_default();
        let trial = known.trials.entry(begins.key.clone());
        let trial = trial.or_insert_with(|| Trial::of(&begins.preference));
        // What it covers grows with what is seen.
        trial.preference = begins.preference;
        match trial.is_on() {
            true => OnTrial::Over,
            false => OnTrial::Answers(begins.group, begins.key, begins.verdict),
        }
    }

    /// The same habit in other projects; of one that holds everywhere, in all.
    fn others(&self, candidate: &Candidate, (project, name): &GroupKey) -> Vec<&Candidate> {
        let projects = self.projects.get(name).into_iter().flatten();
        projects
            .filter(|other| *other != project)
            .filter_map(|other| self.groups.get(&(other.clone(), name.clone())))
            .filter_map(|known| known.same_habit(candidate))
            .collect()
    }

    /// What the proposal for `candidate` would do with `asking`.
    fn by(
        &self,
        candidate: &Candidate,
        group: &GroupKey,
        asking: &Asking,
        rules: &Rules<'_>,
    ) -> Option<Proposed> {
        let others = self.others(candidate, group);
        let Judged { best, verdict, .. } = judge_one(candidate, others, rules, InForce::Nothing)?;
        let verdict = verdict.ok()?;
        let asked = asked(&candidate.habit.evidence, &best);
        let preference = preference(&asked, best.policy.answer(), &verdict.binding);
        let key = asked.question_key;
        Some(Proposed {
            level: verdict.level,
            verdict: self.answered_by(&key, preference.clone(), asking)?,
            group: group.clone(),
            key,
            preference,
        })
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
}
