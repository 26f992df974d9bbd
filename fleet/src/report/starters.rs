//! Starter preferences: what nearly everybody answers alike, and whether that can be taken over on this machine.

use std::collections::{BTreeMap, BTreeSet};

use duckdb::arrow::array::{Array as _, AsArray as _, StringArray};
use plantune_domain::config::Suggest;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::is_split;
use plantune_domain::preferences::{Policy, Preference};
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_ingest::read_events;
use plantune_query::suggest::Voices;
use plantune_reports::fleet::Advice;
use serde::Serialize;

use crate::failure::{Failure, Kind};
use crate::publish::rows::{items, label_hash, published_key, text, times};
use crate::workspace::Workspace;

/// How many machines say the same to a question of a group.
#[derive(Clone, Debug)]
pub(crate) struct Starter {
    /// The group: an asker, or the question itself.
    pub(crate) group: String,
    /// The question's key, as it is published.
    pub(crate) question_key: String,
    /// The name that a registry gives it, where a machine published that.
    pub(crate) label: Option<String>,
    pub(crate) answer_hash: String,
    /// In clear, where a machine published that.
    pub(crate) answer: Option<String>,
    /// Machines of which at least three of four answers are this one.
    pub(crate) agreeing: u64,
    /// All machines that answered.
    pub(crate) machines: u64,
    /// How often this answer was given, of `answers`.
    pub(crate) times: u64,
    pub(crate) answers: u64,
    pub(crate) human_seconds: f64,
}

impl Starter {
    fn voices(&self) -> Voices {
        Voices {
            agreeing: self.agreeing,
            all: self.machines,
        }
    }

    /// True when people agree as much as one person's answers must for a trial. Options of a split question are
    /// always asked.
    pub(crate) fn is_one(&self, settings: &Suggest) -> bool {
        self.voices().agree(settings) && !is_split(&self.question_key)
    }
}

impl From<Starter> for Advice {
    fn from(voice: Starter) -> Self {
        Self {
            agreement: voice.times as f64 / voice.answers.max(1) as f64,
            asker: voice.group,
            question_key: voice.question_key,
            label: voice.label,
            answer_hash: voice.answer_hash,
            answer: voice.answer,
            machines: voice.machines,
            answers: voice.answers,
            human_seconds: voice.human_seconds,
        }
    }
}

/// When people agree: the table `[suggest]` of `config.toml`.
///
/// # Errors
/// Conflict when it is not understood.
pub(crate) fn settings(workspace: &Workspace) -> Result<Suggest, Failure> {
    let settings = Suggest::load(&workspace.environment.paths.config_file());
    settings.map_err(|error| Failure::new(Kind::Conflict, error))
}

/// What this machine itself was asked: by the key as it is published, how it is known here and with which labels.
#[derive(Debug, Default)]
struct Asked(BTreeMap<String, Known>);

#[derive(Debug, Default)]
struct Known {
    /// When it was last asked, and how: its key, text, header and labels then.
    last: Option<i64>,
    key: String,
    question: String,
    header: Option<String>,
    options: Vec<String>,
    /// The labels that were offered, without marks, by their hashes.
    labels: BTreeMap<String, String>,
}

impl Known {
    /// Why `label` cannot be taken over for it, by the rules of who would write it; `None` where it can.
    fn obstacle(&self, label: &str, registry: &Registry) -> Option<&'static str> {
        let preference = Preference {
            answer: Some(label.to_owned()),
            question: Some(self.question.clone()),
            header: self.header.clone(),
            options: Some(self.options.clone()),
            ..Preference::of(Policy::NeverAsk)
        };
        let refused = check_preference(&self.key, &preference, registry).is_err();
        refused.then_some("always asked here: one-way")
    }
}

/// A starter preference, and whether it can be taken over here.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    /// The question's key on this machine; where it was never asked here, as it is published.
    pub(crate) question_key: String,
    /// The name that a registry gives it, where a machine published that.
    pub(crate) label: Option<String>,
    /// The answer's keyed hash.
    pub(crate) answer_hash: String,
    /// The answer in clear, where this machine has seen it or another one published it.
    pub(crate) answer: Option<String>,
    /// Machines that answer so.
    pub(crate) agreeing: u64,
    /// All machines that answer it.
    pub(crate) machines: u64,
    /// How often it was answered so.
    pub(crate) times: u64,
    /// How often it was answered.
    pub(crate) answers: u64,
    /// The share (0–1) of people who would answer so, at least.
    pub(crate) at_least: f64,
    /// Why it cannot be taken over here; `None` where it can.
    pub(crate) obstacle: Option<&'static str>,
}

/// `starters` as they are for this machine, by what its own log holds.
///
/// # Errors
/// Those of the log, of `config.toml` and of `registry.toml`.
pub(crate) fn for_this_machine(
    workspace: &Workspace,
    starters: &[Starter],
) -> Result<Vec<Shown>, Failure> {
    let settings = settings(workspace)?;
    let registry = Registry::load(&workspace.environment.paths.registry_file());
    let registry = registry.map_err(|error| Failure::new(Kind::Conflict, error))?;
    let keys: BTreeSet<&str> = starters
        .iter()
        .map(|starter| starter.question_key.as_str())
        .collect();
    let mut asked = asked(workspace, &keys)?;
    let shown = starters.iter().map(|starter| {
        let at_least = starter.voices().at_least(&settings);
        let known = asked.0.remove(&starter.question_key);
        let label = known
            .as_ref()
            .and_then(|known| known.labels.get(&starter.answer_hash));
        Shown {
            obstacle: match (&known, label) {
                (None, _) => Some("never asked here"),
                (Some(_), None) => Some("answer never offered here"),
                (Some(known), Some(label)) => known.obstacle(label, &registry),
            },
            // What this machine was offered counts, not what others say that the hash stands for.
            answer: label.or(starter.answer.as_ref()).cloned(),
            question_key: known.map_or_else(|| starter.question_key.clone(), |known| known.key),
            label: starter.label.clone(),
            answer_hash: starter.answer_hash.clone(),
            agreeing: starter.agreeing,
            machines: starter.machines,
            times: starter.times,
            answers: starter.answers,
            at_least,
        }
    });
    Ok(shown.collect())
}

/// A failure on the way, whatever it is of.
struct Step(Failure);

impl<E: std::error::Error> From<E> for Step {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// What the log says of the questions that are published as `keys`.
fn asked(workspace: &Workspace, keys: &BTreeSet<&str>) -> Result<Asked, Failure> {
    let mut asked = Asked::default();
    let log = workspace.environment.paths.events();
    read_events(&log, |events| -> Result<(), Step> {
        let (found, sources) = (text(events, "question_key")?, text(events, "key_source")?);
        let (questions, headers) = (text(events, "question")?, text(events, "header")?);
        let (kinds, times) = (text(events, "kind")?, times(events)?);
        let Some(options) = events.column_by_name("options") else {
            return Ok(());
        };
        let options = options.as_list::<i32>();
        for row in 0..events.num_rows() {
            let is_asked = kinds.is_valid(row) && kinds.value(row) == "asked";
            if !is_asked || !found.is_valid(row) {
                continue;
            }
            let source = given(sources, row);
            let key = found.value(row);
            let published = published_key(&workspace.key, key, source.as_deref());
            if keys.contains(published.as_str()) {
                let known = asked.0.entry(published).or_default();
                let labels = items(options, row).unwrap_or_default();
                for label in &labels {
                    let hash = label_hash(&workspace.key, label);
                    known.labels.insert(hash, strip_mark(label).0.to_owned());
                }
                if known.last <= times.is_valid(row).then(|| times.value(row)) {
                    known.last = times.is_valid(row).then(|| times.value(row));
                    key.clone_into(&mut known.key);
                    known.question = given(questions, row).unwrap_or_default();
                    known.header = given(headers, row);
                    known.options = labels;
                }
            }
        }
        Ok(())
    })
    .map_err(|step| step.0)?;
    Ok(asked)
}

fn given(texts: &StringArray, row: usize) -> Option<String> {
    texts.is_valid(row).then(|| texts.value(row).to_owned())
}
