//! The same habit in several projects.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::habit::GroupKey;
use crate::evidence::KeyEvidence;

/// What stands for the project of a habit that is pooled over all of them; no project is called so.
pub const EVERYWHERE: &str = "*";

/// The groups that stand in several projects, each as one of [`EVERYWHERE`].
pub(crate) fn pooled(
    groups: &BTreeMap<GroupKey, Vec<KeyEvidence>>,
) -> BTreeMap<GroupKey, Vec<KeyEvidence>> {
    let mut by_name: BTreeMap<&str, Vec<&Vec<KeyEvidence>>> = BTreeMap::new();
    for ((_, name), series) in groups {
        by_name.entry(name).or_default().push(series);
    }
    by_name.retain(|_, of_projects| of_projects.len() > 1);
    by_name
        .into_iter()
        .map(|(name, of_projects)| {
            let group = (EVERYWHERE.to_owned(), name.to_owned());
            (group, merged(of_projects.into_iter().flatten()))
        })
        .collect()
}

/// `series` of several projects as those of [`EVERYWHERE`], one a key.
fn merged<'a>(series: impl Iterator<Item = &'a KeyEvidence>) -> Vec<KeyEvidence> {
    let mut by_key: BTreeMap<&str, Vec<&'a KeyEvidence>> = BTreeMap::new();
    for one in series {
        by_key.entry(&one.question_key).or_default().push(one);
    }
    let one_of = |all: Vec<&'a KeyEvidence>| {
        let first = *all.first()?;
        let of_project = |one: &&'a KeyEvidence| {
            let project: Arc<str> = Arc::from(one.project.as_str());
            let answers = one.answers.iter();
            answers.map(move |answer| (Arc::clone(&project), answer))
        };
        let answers = all.iter().flat_map(of_project);
        let pooled = answers.map(|(project, answer)| answer.clone().of_project(&project));
        Some(KeyEvidence {
            project: EVERYWHERE.to_owned(),
            answers: pooled.collect(),
            known_since: first.known_since,
            recent_askings: all.iter().map(|one| one.recent_askings).sum(),
            question_key: first.question_key.clone(),
            key_source: first.key_source.clone(),
            template: first.template.clone(),
        })
    };
    by_key.into_values().filter_map(one_of).collect()
}
