//! An option that is offered now and then beside those of a family: not another question, where the answer stays.

use std::collections::HashSet;

use plantune_domain::commitment::stands_alone;
use plantune_domain::family;
use plantune_domain::preferences::Coverage;
use plantune_domain::recommended::{option_text, same_label};

use super::candidate::Candidate;
use super::suggestions::{Asked, Suggestion, Suggestions};
use crate::binding::more;
use crate::evidence::{HumanAnswer, KeyEvidence};
use crate::families::{EVERYWHERE, is_specific};

impl Suggestions {
    /// Joins what is proposed of a family with the habits of `all` that have one option more, are worded like it and
    /// were always answered alike. The answer must say what it does whatever is beside it, and the labels
    /// in common say enough. The fewer options must be the commoner ones.
    pub(super) fn join_added(&mut self, all: [&[Candidate]; 2]) {
        let mut joined: HashSet<(&str, &str)> = HashSet::new();
        for one in &mut self.suggestions {
            let families = all.into_iter().flatten();
            for wider in families.filter(|one| !one.habit.within_family) {
                let key = &wider.habit.evidence;
                if let Some(label) = added_in(one, key) {
                    one.binding.added.push(label);
                    let texts = key.answers.iter().map(|one| one.question_key.as_str());
                    let keys = texts.chain([key.question_key.as_str()]);
                    joined.extend(keys.map(|name| (name, key.project.as_str())));
                }
            }
        }
        let is_joined = |asked: &Asked| {
            let is_everywhere = |project: &str| project == EVERYWHERE;
            joined.iter().any(|(key, project)| {
                let same = *project == asked.project;
                let either = is_everywhere(project) || is_everywhere(&asked.project);
                *key == asked.question_key && (same || either)
            })
        };
        self.suggestions.retain(|one| !is_joined(&one.asked));
        self.rejected.retain(|one| !is_joined(&one.asked));
    }
}

/// The option that `wider` has beside those of `one`, where both are one question.
fn added_in(one: &Suggestion, wider: &KeyEvidence) -> Option<String> {
    let (asked, binding) = (&one.asked, &one.binding);
    let last = wider.answers.last()?;
    let may_be = asked.key_source == "family"
        && matches!(wider.key_source.as_str(), "family" | "fingerprint")
        && wider.project == asked.project
        && last.options.len() == binding.options.len() + 1
        && wider.answers.len() < one.evidence.answers
        && is_specific(&binding.options);
    if !may_be {
        return None;
    }
    let answer = one.answer.as_deref()?;
    // Labels that are answered whatever the text need no words in common.
    let is_any = binding.coverage == Some(Coverage::Options);
    let template = asked.template.as_ref();
    let template = template.filter(|words| is_any || !words.is_empty())?;
    let label = more(&binding.options, &last.options)?;
    let is_alike = |other: &HumanAnswer| {
        let chosen = matches!(other.labels.as_slice(), [label] if same_label(label, answer));
        chosen
            && !other.said_more
            && !other.multi_select
            && other.tool == binding.tool
            && other.undone.is_none()
            && more(&binding.options, &other.options).is_some_and(|one| same_label(one, label))
            && family::fits(template, &other.question)
            && stands_alone(&other.question, answer)
    };
    let all_alike = wider.answers.iter().all(is_alike);
    all_alike.then(|| option_text(label).to_owned())
}
