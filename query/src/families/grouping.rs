//! What is one question to a person: the same for every verb.
//!
//! A question that was logged with a marker or by a rule of the registry is what that names. An
//! unmarked one is what a rule names it now, else one of the family whose options and template it has,
//! else itself. The families are those that suggestions rest on.

use std::collections::{BTreeMap, BTreeSet};

use plantune_domain::family;
use plantune_domain::registry::Registry;
use serde::{Deserialize, Serialize};

use super::added::joined;
use super::habit::{GroupKey, Habit, group_key, groups, habits, renamed};
use super::name::QuestionNames;
use super::pooled::{EVERYWHERE, pooled};
use crate::evidence::{KeyEvidence, evidence};
use crate::rows::json;
use crate::{Error, Store};

/// The habits in a person's answers.
pub struct Habits {
    /// Those of each project.
    pub(crate) own: Vec<Habit>,
    /// Those across the projects, of what stands in several.
    pub(crate) everywhere: Vec<Habit>,
}

impl Habits {
    /// The habits in the answers of the store; also across projects where that is wanted.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn read(store: &Store, registry: &Registry, across: bool) -> Result<Self, Error> {
        Ok(Self::of(evidence(store, registry)?, registry, across))
    }

    /// The habits in `series`, the answers by the keys they were logged under.
    pub(crate) fn of(series: Vec<KeyEvidence>, registry: &Registry, across: bool) -> Self {
        let groups = joined(groups(renamed(series, registry)));
        let found = |groups: BTreeMap<GroupKey, Vec<KeyEvidence>>| {
            let groups = groups.into_iter();
            groups
                .flat_map(|(group, series)| habits(&group, series))
                .collect()
        };
        Self {
            everywhere: match across {
                true => found(pooled(&groups)),
                false => Vec::new(),
            },
            own: found(groups),
        }
    }

    /// What questions are called by these habits and the rules of `registry`.
    pub fn grouping<'r>(&self, registry: &'r Registry) -> Grouping<'r> {
        let mut families: BTreeMap<GroupKey, Vec<(String, Vec<String>)>> = BTreeMap::new();
        for evidence in self.own.iter().map(|habit| &habit.evidence) {
            if let (Some(template), Some(last)) = (&evidence.template, evidence.answers.last()) {
                let key = &evidence.question_key;
                let group = group_key(&evidence.project, key, "family", &last.options);
                let named = (key.clone(), template.clone());
                families.entry(group).or_default().push(named);
            }
        }
        let logged_as = self.own.iter().chain(&self.everywhere).flat_map(logged_as);
        Grouping {
            families,
            logged_as: logged_as.collect(),
            names: QuestionNames::of_habits(self),
            registry,
        }
    }
}

/// The keys other than its own under which the answers of `habit` were logged.
fn logged_as(habit: &Habit) -> BTreeSet<LoggedAs> {
    let evidence = &habit.evidence;
    let answers = evidence.answers.iter();
    let others = answers.filter(|answer| answer.question_key != evidence.question_key);
    let named = others.map(|answer| LoggedAs {
        project: (evidence.project != EVERYWHERE).then(|| evidence.project.clone()),
        logged_as: answer.question_key.clone(),
        name: evidence.question_key.clone(),
    });
    named.collect()
}

/// Which questions are one and the same, and how that one is called.
#[derive(Clone, Debug)]
pub struct Grouping<'r> {
    /// The families of each group: key and template.
    families: BTreeMap<GroupKey, Vec<(String, Vec<String>)>>,
    logged_as: Vec<LoggedAs>,
    names: QuestionNames,
    registry: &'r Registry,
}

/// A key under which answers to a question were logged that is called otherwise today.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct LoggedAs {
    /// The project; `None` for all.
    project: Option<String>,
    /// The key.
    logged_as: String,
    /// What it is called today.
    name: String,
}

/// A question as it was logged.
#[derive(Clone, Debug, Deserialize)]
pub struct Logged {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// The text.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
}

/// What a question is called where that is not what it was logged as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The key.
    pub question_key: String,
    /// How the key was found: `registry` or `family`.
    pub key_source: &'static str,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
}

/// The family that a question belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// The family's key.
    pub question_key: String,
    /// The words that all its texts hold, in their order.
    pub template: Vec<String>,
    /// What it is called: the same as a text with `…` for what varies.
    pub template_text: String,
}

impl<'r> Grouping<'r> {
    /// The grouping of the store as it is.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn read(store: &Store, registry: &'r Registry) -> Result<Self, Error> {
        Ok(Habits::read(store, registry, false)?.grouping(registry))
    }

    /// The grouping without any answer: what the rules of `registry` name.
    pub fn by_rules(registry: &'r Registry) -> Self {
        Habits::of(Vec::new(), registry, false).grouping(registry)
    }

    /// The keys under which the answers of habits were logged, where these are not their own.
    pub(crate) fn logged_as(&self) -> &[LoggedAs] {
        &self.logged_as
    }

    /// What questions are called.
    pub fn names(&self) -> &QuestionNames {
        &self.names
    }

    /// True when every question is what it was logged as.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty() && self.registry.keys().next().is_none()
    }

    /// What an unmarked question is called now; `None` for any other, and for what belongs to nothing.
    pub fn name(&self, logged: &Logged) -> Option<Name> {
        let Logged {
            project,
            question_key: key,
            key_source: source,
            question: text,
            header,
            options,
        } = logged;
        if !matches!(source.as_str(), "fingerprint" | "family") {
            return None;
        }
        if let Some(key) = self.registry.key_of(text, header.as_deref(), options) {
            return Some(Name {
                question_key: key.to_owned(),
                key_source: "registry",
                template: None,
            });
        }
        let group = group_key(project, key, source, options);
        let mut families = self.families.get(&group)?.iter();
        let (key, template) = families.find(|(_, template)| family::fits(template, text))?;
        Some(Name {
            question_key: key.clone(),
            key_source: "family",
            template: Some(template.clone()),
        })
    }

    /// What the question `logged` is called.
    pub fn called(&self, logged: &Logged) -> String {
        let name = self.name(logged);
        let key = name.map_or_else(|| logged.question_key.clone(), |name| name.question_key);
        self.names.of(&key, &logged.question)
    }

    /// The family that a question belongs to, if it belongs to one.
    pub fn family(&self, logged: &Logged) -> Option<Family> {
        let name = self.name(logged)?;
        let template = name.template?;
        Some(Family {
            template_text: self.names.of(&name.question_key, &logged.question),
            question_key: name.question_key,
            template,
        })
    }
}
