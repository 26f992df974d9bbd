//! A judged habit as a suggestion: the question, what is known of it, and how its answer can be shown.

use std::collections::BTreeSet;

use plantune_domain::preferences::AssistMode;

use super::candidate::PolicyScore;
use super::judge::{Rules, Verdicts, credibility};
use super::judged::Judged;
use super::level::Level;
use super::policy::{Verdict, count};
use super::spread;
use super::suggestions::{Asked, Evidence, Rejected, Suggestion, Suggestions};
use crate::evidence::KeyEvidence;
use crate::families::EVERYWHERE;

impl Suggestions {
    /// Adds what is thought of a habit: a proposal, or why there is none, where that is shown.
    pub(super) fn add(&mut self, judged: Judged<'_>, rules: &Rules<'_>) {
        let habit = &judged.candidate.habit;
        let is_listed = !habit.within_family && !judged.candidate.is_everywhere();
        let is_shown = judged.verdict.is_ok() || is_listed && rules.shows_reasons;
        let (key, best) = (&habit.evidence, &judged.best);
        // Where the agent cannot show it, the usual answer is not proposed to be shown: it is not ripe for more.
        let verdict = match judged.verdict {
            Ok(Verdicts {
                level: Level::Assist,
                lacks: Some(reason),
                ref binding,
                ..
            }) if !can_assist(binding.tool.as_deref()) => Err(reason),
            verdict => verdict,
        };
        let answer = best.policy.answer().map(str::to_owned);
        match verdict {
            Ok(verdict) => self.suggestions.push(Suggestion {
                level: verdict.level,
                before: judged.in_force,
                assist: (verdict.level == Level::Assist).then(|| assist_mode(key)),
                lacks: verdict.lacks,
                wrong: verdict.wrong,
                projects: projects(key),
                hindsight: None,
                asked: asked(key, best),
                answer,
                confidence: (verdict.posterior).lower_bound(credibility(best, rules.settings)),
                expected: verdict.posterior.mean(),
                evidence: summary(key, best),
                seconds_saved_per_week: verdict.benefit.saved,
                asked_per_week: key.a_week(),
                binding: verdict.binding,
            }),
            Err(reason) if is_shown => self.rejected.push(Rejected {
                asked: asked(key, best),
                answer,
                reason,
                evidence: summary(key, best),
                held: habit.held.clone(),
                opens: judged.opens,
            }),
            Err(_) => {}
        }
    }
}

/// Whether the agent that asks by `tool` can show the usual answer in its dialog.
fn can_assist(tool: Option<&str>) -> bool {
    let agent = tool.and_then(plantune_agents::of_tool);
    agent.is_none_or(|agent| agent.known().changes_questions)
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
        // Filled for what is shown.
        name: String::new(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
        asker: asker(key).map(str::to_owned),
    }
}

pub(super) fn summary(key: &KeyEvidence, best: &PolicyScore) -> Evidence {
    let (sessions, days) = spread::distinct(&key.answers);
    let judged = || key.answers.iter().zip(&best.verdicts);
    let of = |wanted| count(&best.verdicts, wanted);
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

pub(super) fn projects(key: &KeyEvidence) -> Vec<String> {
    if key.project != EVERYWHERE {
        return vec![key.project.clone()];
    }
    let projects: BTreeSet<&str> = key.answers.iter().map(|answer| &*answer.project).collect();
    projects.into_iter().map(str::to_owned).collect()
}

/// How the usual answer can be shown: first, but where several can be chosen or there are previews.
pub(super) fn assist_mode(key: &KeyEvidence) -> AssistMode {
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

/// Who asked `key` last, as far as that is known.
pub(super) fn asker(key: &KeyEvidence) -> Option<&str> {
    let mut answers = key.answers.iter().rev();
    answers.find_map(|one| one.asker.as_deref())
}
