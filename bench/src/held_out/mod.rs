//! How good the proposals are for made-up people whose habits are known, and beside a simple rule.
//!
//! ```text
//! cargo run --release -p plantune-bench -- held_out [FROM..TO] [--sweep | --why] [NAME=VALUE …] [STORE.duckdb …]
//! ```
//! `--why` lists, by kind, the habits that deserve to stand and do not, and those that stand and must not.
//! `FROM..TO` are the seeds, `NAME=VALUE` sets a number of [`Suggest`], and with stores their histories
//! are replayed instead. The defaults were chosen on the seeds 0..200. docs/development/agreement.md reports
//! the seeds 3300..3308.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantune_domain::preferences::Level;
use plantune_domain::registry::Registry;
use plantune_query::backtest::askings;
use plantune_query::evidence::KeyEvidence;
use plantune_query::habits::EVERYWHERE;
use plantune_query::suggest::Suggest;
use plantune_query::suggest::{Inputs, LastAsked, PriorDecision, Suggestions, evaluate};

use self::generator::{History, history};
use self::mixes::{Deserves, Kind, MIXES, Mix, OFTEN, POOLED};
use self::scores::{
    Found, HeldOutScore, Replayed, Which, percent, replayed, row, rows, sum, trials,
};

mod generator;
mod mixes;
mod scores;

/// Runs the measurements that `words` name and prints them.
pub(crate) fn measure(words: impl Iterator<Item = String>) {
    let mut settings = Suggest::default();
    let mut seeds = 3000..3100;
    let (mut sweep, mut why) = (false, false);
    let mut stores = Vec::new();
    let mut mixes = MIXES;
    for word in words {
        if word == "--sweep" {
            sweep = true;
        } else if word == "--why" {
            why = true;
        } else if word == "--projects" {
            mixes = POOLED;
        } else if word == "--often" {
            mixes = OFTEN;
        } else if word.ends_with(".duckdb") {
            stores.push(word);
        } else if let Some((from, to)) = word.split_once("..") {
            seeds = from.parse().unwrap()..to.parse().unwrap();
        } else if let Some((name, value)) = word.split_once('=') {
            set(&mut settings, name, value.parse().unwrap());
        } else {
            panic!("unknown word {word}");
        }
    }
    if sweep {
        return try_settings(seeds);
    }
    if why {
        return print(&settings, seeds, mixes);
    }
    if stores.is_empty() {
        report(&settings, seeds, mixes);
    } else {
        of_stores(&settings, &stores);
    }
}

/// The histories in `stores`, beside the rule.
fn of_stores(settings: &Suggest, stores: &[String]) {
    let mut ours = HeldOutScore::default();
    let rules = rules();
    let mut naive = vec![HeldOutScore::default(); rules.len()];
    for path in stores {
        let store = plantune_query::Store::open(path.as_ref()).unwrap();
        let mut all = Vec::new();
        askings(&store, None, |asking| all.push(asking)).unwrap();
        let history = History {
            askings: all,
            truths: Vec::new(),
        };
        ours.add(replayed(&history, settings).standing());
        for ((which, least), naive) in rules.iter().zip(&mut naive) {
            naive.add(scores::replay(&history.askings, *least, *which));
        }
    }
    compared(ours, &rules, &naive);
}

fn rules() -> Vec<(Which, usize)> {
    [Which::Latest, Which::All]
        .into_iter()
        .flat_map(|which| [3, 4, 5, 6, 7, 8, 10, 12, 15, 20].map(|least| (which, least)))
        .collect()
}

fn compared(ours: HeldOutScore, rules: &[(Which, usize)], naive: &[HeldOutScore]) {
    println!("\n| rule | precision | coverage |\n| --- | ---: | ---: |");
    println!(
        "| plantune | {:.4} | {:.4} |",
        ours.precision(),
        ours.coverage()
    );
    for ((which, least), score) in rules.iter().zip(naive) {
        let (precision, coverage) = (score.precision(), score.coverage());
        println!("| {which:?} {least} the same | {precision:.4} | {coverage:.4} |");
    }
}

fn set(settings: &mut Suggest, name: &str, value: f64) {
    match name {
        "min_answers" => settings.min_answers = value as u32,
        "min_sessions" => settings.min_sessions = value as u32,
        "min_days" => settings.min_days = value as u32,
        "min_agreement" => settings.min_agreement = value,
        "credibility" => settings.credibility = value,
        "credibility_unbroken" => settings.credibility_unbroken = value,
        "recent_agreeing" => settings.recent_agreeing = value as u32,
        "half_life_days" => settings.half_life_days = value,
        "wrong_answer_seconds" => settings.wrong_answer_seconds = Some(value),
        "trial_answers" => settings.trial_answers = value as u32,
        "trial_sessions" => settings.trial_sessions = value as u32,
        "trial_agreement" => settings.trial_agreement = value,
        "trial_credibility" => settings.trial_credibility = value,
        "across_projects" => settings.across_projects = value > 0.0,
        _ => panic!("no setting {name}"),
    }
}

fn suggestions(history: &History, settings: &Suggest) -> Suggestions {
    let mut series: BTreeMap<(&str, &str), KeyEvidence> = BTreeMap::new();
    for asking in history
        .askings
        .iter()
        .filter(|one| one.answered_at.is_some())
    {
        let answer = &asking.answer;
        let one = series
            .entry((&asking.project, &answer.question_key))
            .or_insert_with(|| KeyEvidence {
                project: asking.project.clone(),
                question_key: answer.question_key.clone(),
                key_source: asking.key_source.clone(),
                recent_askings: 4,
                ..KeyEvidence::default()
            });
        one.answers.push(Arc::clone(answer));
    }
    let inputs = Inputs {
        settings,
        registry: &Registry::default(),
        in_force: &|_, _| PriorDecision::None,
        hindsight: None,
        now: "2026-11-20T10:00:00Z".parse().unwrap(),
    };
    evaluate(series.into_values().collect(), &inputs)
}

/// Which of the truths `asked` is of.
fn truth_of(history: &History, asked: &LastAsked) -> Option<usize> {
    let mut truths = history.truths.iter();
    truths.position(|truth| truth.keys.contains(&asked.question_key))
}

/// The scores of the proposals of `level` and beyond at the end of `history`.
fn found(
    history: &History,
    proposed: &Suggestions,
    level: Level,
    by_kind: &mut BTreeMap<Kind, Found>,
) {
    let mut right = vec![false; history.truths.len()];
    let mut proposed_at = vec![false; history.truths.len()];
    for proposal in proposed.suggestions.iter().filter(|one| one.level >= level) {
        let asked = &proposal.asked;
        let at = truth_of(history, asked).expect("a proposal of nothing that was asked");
        let truth = &history.truths[at];
        let counted = by_kind.entry(truth.kind).or_default();
        let is_right = match (&proposal.answer, &truth.answer) {
            (None, None) => true,
            (Some(one), Some(other)) => one == other,
            _ => false,
        };
        match truth.deserves {
            // Many projects, one question.
            Deserves::No if proposed_at[at] => {}
            Deserves::No => counted.undeserved += 1,
            Deserves::Yes if is_right => right[at] = true,
            Deserves::Yes => counted.mistaken += 1,
            Deserves::Either if truth.kind == Kind::PerProject => {
                counted.mistaken += u64::from(asked.project == EVERYWHERE);
            }
            Deserves::Either => {
                counted.mistaken += u64::from(truth.old.is_some() && proposal.answer == truth.old);
            }
        }
        proposed_at[at] = true;
    }
    for (truth, right) in history.truths.iter().zip(right) {
        let counted = by_kind.entry(truth.kind).or_default();
        match truth.deserves {
            Deserves::Yes if truth.answered >= 15 => {
                counted.deserving += 1;
                counted.found += u64::from(right);
            }
            Deserves::No => counted.undeserving += 1,
            _ => {}
        }
    }
}

fn report(settings: &Suggest, seeds: std::ops::Range<u64>, mixes: &[Mix]) {
    println!("{settings:?}\nseeds {seeds:?}\n");
    let mut kinds: [BTreeMap<Kind, Found>; 2] = Default::default();
    let mut total = Replayed::default();
    let rules = rules();
    let mut naive = vec![HeldOutScore::default(); rules.len()];
    for mix in mixes {
        let mut of_mix: [BTreeMap<Kind, Found>; 2] = Default::default();
        let mut score = Replayed::default();
        for seed in seeds.clone() {
            let history = history(mix, seed);
            let proposed = suggestions(&history, settings);
            for (&level, of_mix) in Level::ALL.iter().zip(&mut of_mix) {
                found(&history, &proposed, level, of_mix);
            }
            score.add(replayed(&history, settings));
            for ((which, least), naive) in rules.iter().zip(&mut naive) {
                naive.add(scores::replay(&history.askings, *least, *which));
            }
        }
        rows(mix.name, &of_mix, &score);
        total.add(score);
        for (kinds, of_mix) in kinds.iter_mut().zip(of_mix) {
            for (kind, one) in of_mix {
                kinds.entry(kind).or_default().add(one);
            }
        }
    }
    rows("all", &kinds, &total);
    for (index, &level) in Level::ALL.iter().enumerate() {
        println!("\n{level:?}, by kind");
        for (kind, one) in &kinds[index] {
            let score = total.by_kind.get(kind).map(|levels| levels[index]);
            row(&format!("{kind:?}"), *one, score);
        }
    }
    trials(&total);
    compared(total.standing(), &rules, &naive);
}

/// Every combination of some settings, a line each, without the backtest, which takes longer. A
/// history is in order when at least 85 % of what deserves a proposal is proposed rightly, and nothing
/// else is.
fn try_settings(seeds: std::ops::Range<u64>) {
    let histories: Vec<(&str, History)> = MIXES
        .iter()
        .flat_map(|mix| seeds.clone().map(|seed| (mix.name, history(mix, seed))))
        .collect();
    println!("agreement credibility recent half-life: found% lean% mistaken, histories in order %");
    for recent_agreeing in [2] {
        for half_life_days in [180.0] {
            for (credibility, min_agreement, credibility_unbroken, min_answers) in [
                (0.99, 0.74, 0.99, 7),
                (0.99, 0.74, 0.95, 7),
                (0.99, 0.74, 0.95, 8),
                (0.99, 0.74, 0.95, 9),
                (0.99, 0.74, 0.95, 10),
                (0.99, 0.74, 0.95, 12),
            ] {
                let settings = Suggest {
                    recent_agreeing,
                    half_life_days,
                    credibility,
                    credibility_unbroken,
                    min_answers,
                    min_agreement,
                    ..Suggest::default()
                };
                let mut kinds: BTreeMap<Kind, Found> = BTreeMap::new();
                let mut in_order: BTreeMap<&str, u64> = BTreeMap::new();
                for (mix, history) in &histories {
                    let mut of_history = BTreeMap::new();
                    let proposed = suggestions(history, &settings);
                    found(history, &proposed, Level::Standing, &mut of_history);
                    let all = sum(&of_history);
                    let is_enough = all.found * 100 >= all.deserving * 85;
                    *in_order.entry(mix).or_default() +=
                        u64::from(is_enough && all.undeserved == 0 && all.mistaken == 0);
                    for (kind, one) in of_history {
                        kinds.entry(kind).or_default().add(one);
                    }
                }
                let lean = kinds.get(&Kind::Lean).copied().unwrap_or_default();
                let all = sum(&kinds);
                let count = seeds.end - seeds.start;
                let in_order = in_order
                    .into_iter()
                    .map(|(mix, ok)| format!("{mix} {:.0}", percent(ok, count)));
                println!(
                    "{min_agreement} {credibility} {credibility_unbroken} {min_answers} {recent_agreeing} {half_life_days}: {:.1} {:.2} {}, {}",
                    percent(all.found, all.deserving),
                    percent(lean.undeserved, lean.undeserving),
                    all.mistaken,
                    in_order.collect::<Vec<_>>().join(", ")
                );
            }
        }
    }
}

/// A line for each kind and reason, with how often and a text of the last; then a line for each proposal to stand
/// that is undeserved.
pub(crate) fn print(settings: &Suggest, seeds: std::ops::Range<u64>, mixes: &[Mix]) {
    let mut missed: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for mix in mixes {
        for seed in seeds.clone() {
            let history = history(mix, seed);
            for (why, example) in of_history(&history, settings) {
                let (times, last) = missed.entry(why).or_default();
                (*times, *last) = (*times + 1, format!("{} {seed}: {example}", mix.name));
            }
        }
    }
    for (why, (times, example)) in missed {
        println!("{times:5} {why} ({example})");
    }
}

fn of_history(history: &History, settings: &Suggest) -> Vec<(String, String)> {
    let found = suggestions(history, settings);
    let mut by_truth: Vec<Option<String>> = vec![None; history.truths.len()];
    let mut lines = Vec::new();
    for rejected in &found.rejected {
        if let Some(at) = truth_of(history, &rejected.asked) {
            by_truth[at] = Some(rejected.reason.to_string());
        }
    }
    for one in &found.suggestions {
        let Some(at) = truth_of(history, &one.asked) else {
            continue;
        };
        let truth = &history.truths[at];
        let is_right = one.answer == truth.answer;
        let lacks = one
            .lacks
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let why = match one.level {
            Level::Standing if is_right => String::new(),
            level if is_right => format!("{level:?}: {lacks}"),
            level => format!("{level:?} with another answer: {lacks}"),
        };
        // Of several the one that goes furthest.
        if by_truth[at].as_deref() != Some("") {
            by_truth[at] = Some(why);
        }
        if one.level == Level::Standing && truth.deserves == Deserves::No {
            let why = format!("UNDESERVED {:?}", truth.kind);
            let evidence = &one.evidence;
            let text = format!(
                "{} of {}, {}",
                evidence.agreed, evidence.answers, one.asked.question
            );
            lines.push((why, text));
        }
    }
    for (truth, why) in history.truths.iter().zip(by_truth) {
        if truth.deserves == Deserves::Yes && truth.answered >= 15 {
            let why = why.unwrap_or_else(|| "no habit".to_owned());
            if !why.is_empty() {
                let why = format!("{:?}, {}: {why}", truth.kind, truth.wording);
                lines.push((why, format!("{:?}", truth.answer)));
            }
        }
    }
    lines
}
