//! What was found, as tables.

use std::collections::BTreeMap;

use plantune_domain::state::State;
use plantune_query::backtest::TrialRun;
use plantune_query::suggest::Level;

use crate::mixes::Kind;
use crate::naive::PolicyScore;
use crate::replayed::Replayed;
use crate::{Found, sum};

pub(crate) fn rows(name: &str, by_level: &[BTreeMap<Kind, Found>; 3], score: &Replayed) {
    println!(
        "\n| {name} | deserving, proposed rightly | undeserving, proposed | wrong answer | backtest: precision | coverage |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (index, &level) in Level::ALL.iter().enumerate() {
        let name = format!("{level:?} or more");
        row(&name, sum(&by_level[index]), Some(score.levels[index]));
    }
}

/// How trials ended, of questions that deserve to be answered and of others.
pub(crate) fn trials(score: &Replayed) {
    println!(
        "\n| trials | begun | on | stopped | on trial | askings until it was on: median, 90 %, most | until it was stopped | wrong answers each |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let is_deserving = |kind: &Kind| {
        use Kind::*;
        matches!(
            kind,
            HabitRecommended
                | HabitOverride
                | FollowMoving
                | PinMoving
                | OptionsMoving
                | Tidy
                | YesNo
                | TimeoutHeavy
        )
    };
    let kinds: Vec<Kind> = score.trials.keys().copied().collect();
    let groups = [
        (
            "deserving".to_owned(),
            kinds
                .iter()
                .copied()
                .filter(is_deserving)
                .collect::<Vec<_>>(),
        ),
        (
            "others".to_owned(),
            kinds
                .iter()
                .copied()
                .filter(|kind| !is_deserving(kind))
                .collect(),
        ),
    ];
    let single = kinds.iter().map(|kind| (format!("{kind:?}"), vec![*kind]));
    for (name, kinds) in groups.into_iter().chain(single) {
        let runs: Vec<TrialRun> = kinds
            .iter()
            .flat_map(|kind| score.trials.get(kind).into_iter().flatten().copied())
            .collect();
        let of = |state: State| -> Vec<u64> {
            let ended = runs.iter().filter(|run| run.state == state);
            let mut askings: Vec<u64> = ended.map(|run| run.askings).collect();
            askings.sort_unstable();
            askings
        };
        let at = |all: &[u64]| {
            let quantile = |share: f64| {
                all.get(((all.len() as f64 * share) as usize).min(all.len().saturating_sub(1)))
            };
            let quantile = |share| quantile(share).copied().unwrap_or_default();
            format!("{}, {}, {}", quantile(0.5), quantile(0.9), quantile(1.0))
        };
        let (on, stopped) = (of(State::On), of(State::Stopped));
        let wrong: u64 = runs.iter().map(|run| run.wrong).sum();
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {:.2} |",
            runs.len(),
            on.len(),
            stopped.len(),
            of(State::OnTrial).len(),
            at(&on),
            at(&stopped),
            wrong as f64 / runs.len().max(1) as f64
        );
    }
}

pub(crate) fn row(name: &str, found: Found, score: Option<PolicyScore>) {
    let backtest = score.map_or(String::from("| |"), |score| {
        let decided = score.correct + score.wrong;
        let (precision, coverage) = (score.precision(), score.coverage());
        format!("{precision:.4} of {decided} | {coverage:.4} |")
    });
    println!(
        "| {name} | {} of {} ({:.1}%) | {} of {} ({:.2}%) | {} | {backtest}",
        found.found,
        found.deserving,
        percent(found.found, found.deserving),
        found.undeserved,
        found.undeserving,
        percent(found.undeserved, found.undeserving),
        found.mistaken,
    );
}

pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
