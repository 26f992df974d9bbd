//! The same habit in several projects.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::habit::GroupKey;
use crate::evidence::{HumanAnswer, KeyEvidence};

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
pub(crate) fn merged<'a>(series: impl Iterator<Item = &'a KeyEvidence>) -> Vec<KeyEvidence> {
    let mut by_key: BTreeMap<&str, KeyEvidence> = BTreeMap::new();
    for one in series {
        let into = by_key
            .entry(&one.question_key)
            .or_insert_with(|| KeyEvidence {
                project: EVERYWHERE.to_owned(),
                question_key: one.question_key.clone(),
                key_source: one.key_source.clone(),
                template: one.template.clone(),
                answers: Vec::new(),
                recent_askings: 0,
            });
        into.recent_askings += one.recent_askings;
        let project: Arc<str> = Arc::from(one.project.as_str());
        let answers = one.answers.iter().map(|answer| HumanAnswer {
            project: Arc::clone(&project),
            ..answer.clone()
        });
        into.answers.extend(answers);
    }
    by_key.into_values().collect()
}
