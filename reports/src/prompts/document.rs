//! Prompts for permission as documents: `schema_version` 1 in JSON, stable names for scripts. Counts as numbers, times
//! as RFC 3339 in UTC, unknown is null.

use std::collections::BTreeMap;

use plantune_query::permissions::prompts::{Prompt, Subject};
use serde::Serialize;

use crate::json::sorted;

/// The subjects: `prompts`.
#[derive(Clone, Debug, Serialize)]
pub struct List<'a> {
    schema_version: u32,
    #[serde(serialize_with = "sorted")]
    pub(super) subjects: &'a [Subject],
    /// How many there are, also those that are left out.
    #[serde(skip)]
    pub(super) all: usize,
}

impl<'a> List<'a> {
    /// The first `most` of `subjects`.
    pub fn new(subjects: &'a [Subject], most: usize) -> Self {
        Self {
            schema_version: 1,
            subjects: subjects.get(..most).unwrap_or(subjects),
            all: subjects.len(),
        }
    }
}

/// A subject with its prompts, the latest first.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The subject and its sums.
    pub subject: Subject,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
}

/// Subjects with their latest prompts, and with all rules that were offered: `prompts show`.
#[derive(Clone, Debug, Serialize)]
pub struct Subjects<'a> {
    schema_version: u32,
    #[serde(serialize_with = "sorted")]
    pub(super) subjects: Vec<Described<'a>>,
}

impl<'a> Subjects<'a> {
    /// Those of `shown`, each with its latest `most` prompts.
    pub fn new(shown: &'a [Shown], most: usize) -> Self {
        let described = |one: &'a Shown| Described {
            subject: &one.subject,
            offered: offered(&one.prompts),
            prompts: one.prompts.get(..most).unwrap_or(&one.prompts),
            all: &one.prompts,
        };
        Self {
            schema_version: 1,
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
