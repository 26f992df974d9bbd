//! Prompts for permission as documents: `schema_version` 1 in JSON, stable names for scripts. Counts as numbers, times
//! as RFC 3339 in UTC, unknown is null.

use std::collections::BTreeMap;

use plantune_query::permissions::near_miss::Reason;
use plantune_query::permissions::prompts::{Prompt, Subject};
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::json::sorted;

/// Prompts by who was at work: `report --prompts --by`.
#[derive(Clone, Debug, Serialize)]
pub struct Groups<'a> {
    pub(super) by: &'a str,
    #[serde(serialize_with = "as_groups")]
    pub(super) groups: &'a [Subject],
    #[serde(skip)]
    pub(super) all: usize,
}

impl<'a> Groups<'a> {
    /// The first `most` of `groups`, whose subject is what they are counted `by`; empty where that is not known.
    pub fn new(by: &'a str, groups: &'a [Subject], most: usize) -> Self {
        Self {
            by,
            groups: groups.get(..most).unwrap_or(groups),
            all: groups.len(),
        }
    }
}

/// The name of a group; `None` where it is not known.
pub(super) fn name(group: &Subject) -> Option<&str> {
    Some(&*group.subject).filter(|name| !name.is_empty())
}

fn as_groups<S: Serializer>(groups: &&[Subject], to: S) -> Result<S::Ok, S::Error> {
    let group = |one: &Subject| {
        json!({
            "name": name(one),
            "asked": one.asked,
            "granted": one.granted,
            "refused": one.refused,
            "ambiguous": one.ambiguous,
            "open": one.open,
            "seconds_waited": one.seconds_waited,
            "waits_known": one.waits_known,
            "median_seconds": one.median_seconds,
        })
    };
    to.collect_seq(groups.iter().map(group))
}

/// A subject with its prompts, the latest first.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The subject and its sums.
    pub subject: Subject,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
    /// Why those came that a rule seems to cover.
    pub although: Vec<Reason>,
}

/// Subjects with their latest prompts, and with all rules that were offered: `report SUBJECT`.
#[derive(Clone, Debug, Serialize)]
pub struct Subjects<'a> {
    #[serde(serialize_with = "sorted")]
    pub(super) subjects: Vec<Described<'a>>,
}

impl<'a> Subjects<'a> {
    /// Those of `shown`, each with its latest `most` prompts.
    pub fn new(shown: &'a [Shown], most: usize) -> Self {
        let described = |one: &'a Shown| Described {
            subject: &one.subject,
            offered: offered(&one.prompts),
            although: &one.although,
            prompts: one.prompts.get(..most).unwrap_or(&one.prompts),
            all: &one.prompts,
        };
        Self {
            subjects: shown.iter().map(described).collect(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Described<'a> {
    #[serde(flatten)]
    pub(super) subject: &'a Subject,
    /// The rules that the dialog offered, the most frequent first.
    pub(super) offered: Vec<Offered<'a>>,
    /// Why those came that a rule seems to cover, the most frequent reason first.
    pub(super) although: &'a [Reason],
    pub(super) prompts: &'a [Prompt],
    /// All prompts, also those that are left out.
    #[serde(skip)]
    pub(super) all: &'a [Prompt],
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Offered<'a> {
    pub(super) rule: &'a str,
    pub(super) times: usize,
}

fn offered(prompts: &[Prompt]) -> Vec<Offered<'_>> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for rule in prompts.iter().flat_map(|one| &one.suggestions) {
        *times.entry(rule).or_default() += 1;
    }
    let rules = times.into_iter();
    let mut rules: Vec<_> = rules.map(|(rule, times)| Offered { rule, times }).collect();
    rules.sort_by_key(|offered| std::cmp::Reverse(offered.times));
    rules
}
