//! Starter preferences: what nearly everybody answers alike, and whether that can be taken over on this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use plantune_domain::config::Suggest;
use plantune_domain::gate::check_preference;
use plantune_domain::keys::is_split;
use plantune_domain::preferences::{Policy, Preference};
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_ingest::read_events;
use plantune_query::suggest::Voices;
use plantune_reports::fleet::{Shown, Starter};
use serde::Deserialize;

use crate::database::in_batches;
use crate::failure::Failure;
use crate::publish::rows::{label_hash, published_key};
use crate::workspace::Workspace;

fn voices(starter: &Starter) -> Voices {
    Voices {
        agreeing: starter.agreeing,
        all: starter.machines,
    }
}

/// True when people agree as much as one person's answers must for a trial. Options of a split question are always
/// asked.
pub(crate) fn is_one(starter: &Starter, settings: &Suggest) -> bool {
    voices(starter).agree(settings) && !is_split(&starter.question_key)
}

/// When people agree: the table `[suggest]` of `config.toml`.
///
/// # Errors
/// Conflict when it is not understood.
pub(crate) fn settings(workspace: &Workspace) -> Result<Suggest, Failure> {
    let settings = Suggest::load(&workspace.environment.paths.config_file());
    settings.map_err(Failure::conflict)
}

/// What an event says of a question.
#[derive(Debug, Default, Deserialize)]
struct Event {
    /// In microseconds since 1970, UTC.
    ts: Option<i64>,
    kind: Option<String>,
    question_key: Option<String>,
    key_source: Option<String>,
    question: Option<String>,
    header: Option<String>,
    options: Option<Vec<Option<String>>>,
}

/// What this machine itself was asked by a key.
#[derive(Debug, Default)]
struct Known {
    /// How it was asked last.
    last: Event,
    /// The labels that were offered, without marks, by their hashes.
    labels: BTreeMap<String, String>,
}

impl Known {
    /// Why `label` cannot be taken over for it, by the rules of who would write it; `None` where it can.
    fn obstacle(&self, label: &str, registry: &Registry) -> Option<&'static str> {
        let options = self.last.options.iter().flatten().flatten();
        let preference = Preference {
            answer: Some(label.to_owned()),
            question: Some(self.last.question.clone().unwrap_or_default()),
            header: self.last.header.clone(),
            options: Some(options.cloned().collect()),
            ..Preference::of(Policy::NeverAsk)
        };
        let key = self.last.question_key.as_deref().unwrap_or_default();
        let refused = check_preference(key, &preference, registry).is_err();
        refused.then_some("always asked here: one-way")
    }
}

/// `starters` as they are for this machine, by what its own log holds.
///
/// # Errors
/// Those of the log, of `config.toml` and of `registry.toml`.
pub(crate) fn for_this_machine(
    workspace: &Workspace,
    starters: Vec<Starter>,
) -> Result<Vec<Shown>, Failure> {
    let settings = settings(workspace)?;
    let registry = Registry::load(&workspace.environment.paths.registry_file());
    let registry = registry.map_err(Failure::conflict)?;
    let keys = starters.iter().map(|starter| starter.question_key.clone());
    let mut asked = asked(workspace, &keys.collect())?;
    let shown = starters.into_iter().map(|mut starter| {
        let at_least = voices(&starter).at_least(&settings);
        let known = asked.remove(&starter.question_key);
        let label = known
            .as_ref()
            .and_then(|known| known.labels.get(&starter.answer_hash));
        let obstacle = match (&known, label) {
            (None, _) => Some("never asked here"),
            (Some(_), None) => Some("answer never offered here"),
            (Some(known), Some(label)) => known.obstacle(label, &registry),
        };
        // What this machine was offered counts, not what others say that the hash stands for.
        if let Some(label) = label {
            starter.answer = Some(label.clone());
        }
        if let Some(key) = known.and_then(|known| known.last.question_key) {
            starter.question_key = key;
        }
        Shown {
            starter,
            at_least,
            obstacle: obstacle.map(str::to_owned),
        }
    });
    Ok(shown.collect())
}

/// What the log says of the questions that are published as `keys`, by these.
fn asked(
    workspace: &Workspace,
    keys: &BTreeSet<String>,
) -> Result<BTreeMap<String, Known>, Failure> {
    let mut asked: BTreeMap<String, Known> = BTreeMap::new();
    let log = workspace.environment.paths.events();
    read_events(&log, |events| -> Result<(), Failure> {
        for event in in_batches::<Event>(slice::from_ref(events))? {
            let key = match &event.question_key {
                Some(key) if event.kind.as_deref() == Some("asked") => key,
                _ => continue,
            };
            let published = published_key(&workspace.key, key, event.key_source.as_deref());
            if !keys.contains(&published) {
                continue;
            }
            let known = asked.entry(published).or_default();
            for label in event.options.iter().flatten().flatten() {
                let hash = label_hash(&workspace.key, label);
                known.labels.insert(hash, strip_mark(label).0.to_owned());
            }
            if known.last.ts <= event.ts {
                known.last = event;
            }
        }
        Ok(())
    })?;
    Ok(asked)
}
