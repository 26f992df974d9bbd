//! What a backtest of a history says.

use std::collections::BTreeMap;

use plantune_domain::config::Suggest;
use plantune_domain::family;
use plantune_domain::registry::Registry;
use plantune_query::backtest::{Replay, TrialRun};

use crate::generator::{History, Truth};
use crate::mixes::Kind;
use crate::naive::PolicyScore;

/// What a backtest says: of all three levels, of each kind, and how trials ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replayed {
    pub(crate) levels: [PolicyScore; 3],
    pub(crate) by_kind: BTreeMap<Kind, [PolicyScore; 3]>,
    pub(crate) trials: BTreeMap<Kind, Vec<TrialRun>>,
}

impl Replayed {
    pub(crate) fn add(&mut self, other: Self) {
        let into = self.levels.iter_mut();
        into.zip(other.levels)
            .for_each(|(one, other)| one.add(other));
        for (kind, levels) in other.by_kind {
            let into = self.by_kind.entry(kind).or_default();
            into.iter_mut()
                .zip(levels)
                .for_each(|(one, other)| one.add(other));
        }
        for (kind, runs) in other.trials {
            self.trials.entry(kind).or_default().extend(runs);
        }
    }

    pub(crate) fn standing(&self) -> PolicyScore {
        self.levels[2]
    }
}

pub(crate) fn replayed(history: &History, settings: &Suggest) -> Replayed {
    let registry = Registry::default();
    let mut replay = Replay::new(settings, &registry, None);
    history
        .askings
        .iter()
        .cloned()
        .for_each(|asking| replay.take(asking));
    let mut total = Replayed::default();
    for key in replay.finish().by_key {
        let levels = key.by_level.levels().map(|(_, score)| PolicyScore {
            questions: score.questions,
            correct: score.correct,
            wrong: score.wrong,
        });
        let mut one = Replayed {
            levels,
            ..Replayed::default()
        };
        let of = |one: &String| *one == key.question_key || one.starts_with("fp-");
        let same_set = |truth: &&Truth| match key.key_source.as_str() {
            "marker" => truth.keys.contains(&key.question_key),
            _ => truth.sets.contains(&family::set_key(&key.options)) && truth.keys.iter().any(of),
        };
        if let Some(truth) = history.truths.iter().find(same_set) {
            one.by_kind.insert(truth.kind, levels);
            one.trials.insert(truth.kind, key.trials);
        }
        total.add(one);
    }
    total
}
