//! The scores of a history: by a backtest, and by the rule to beat, so many answers, all the same; and their tables.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDateTime;
use plantune_domain::preferences::Level;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_query::backtest::{PastAsking, Replay, TrialRun};
use plantune_query::suggest::Suggest;

use super::generator::{History, Truth};
use super::mixes::Kind;

/// The score of the rule, counted as a backtest counts: of what the person answered, how much was
/// answered for them, and how much of that rightly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeldOutScore {
    pub(crate) questions: u64,
    pub(crate) correct: u64,
    pub(crate) wrong: u64,
}

/// Which of a question's answers must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The latest answers, this many.
    Latest,
    /// All answers, at least this many.
    All,
}

/// Replays `askings`, which are in the order of time. The rule is given the questions' keys
/// and the doors: it answers no one-way question either.
pub(crate) fn replay(askings: &[PastAsking], least: usize, which: Which) -> HeldOutScore {
    let mut score = HeldOutScore::default();
    let mut known: HashMap<String, Vec<String>> = HashMap::new();
    let mut waiting: BTreeMap<(NaiveDateTime, usize), (String, String)> = BTreeMap::new();
    for (index, asking) in askings.iter().enumerate() {
        let answer = &asking.answer;
        while let Some(first) = waiting
            .first_entry()
            .filter(|first| first.key().0 < answer.at)
        {
            let (key, said) = first.remove();
            known.entry(key).or_default().push(said);
        }
        let Some(answered_at) = asking.answered_at else {
            continue;
        };
        score.questions += 1;
        let key = format!("{} {}", asking.project, answer.question_key);
        let said = match answer.labels.as_slice() {
            // What was noted beside a label, no rule would have said.
            [label] if !answer.said_more => strip_mark(label).0.to_owned(),
            _ => format!("typed {index}"),
        };
        let before = known.get(&key).map(Vec::as_slice).unwrap_or_default();
        let looked_at = match which {
            Which::Latest => &before[before.len().saturating_sub(least)..],
            Which::All => before,
        };
        let would_say = looked_at.first().filter(|first| {
            looked_at.len() >= least
                && looked_at.iter().all(|other| other == *first)
                && answer.one_way.is_none()
                && answer
                    .options
                    .iter()
                    .any(|label| strip_mark(label).0 == **first)
        });
        if let Some(would_say) = would_say {
            if *would_say == said {
                score.correct += 1;
            } else {
                score.wrong += 1;
            }
        }
        waiting.insert((answered_at, index), (key, said));
    }
    score
}

impl HeldOutScore {
    pub(crate) fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.correct += other.correct;
        self.wrong += other.wrong;
    }

    pub(crate) fn precision(self) -> f64 {
        self.correct as f64 / (self.correct + self.wrong).max(1) as f64
    }

    pub(crate) fn coverage(self) -> f64 {
        (self.correct + self.wrong) as f64 / self.questions.max(1) as f64
    }
}

/// The result of a backtest: of both levels, of each kind, and how trials ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replayed {
    pub(crate) levels: [HeldOutScore; 2],
    pub(crate) by_kind: BTreeMap<Kind, [HeldOutScore; 2]>,
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

    pub(crate) fn standing(&self) -> HeldOutScore {
        self.levels[1]
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
        let levels = key.by_level.levels().map(|(_, score)| HeldOutScore {
            questions: score.questions,
            correct: score.correct,
            wrong: score.wrong,
        });
        let mut one = Replayed {
            levels,
            ..Replayed::default()
        };
        let is_of = |truth: &&Truth| truth.keys.contains(&key.question_key);
        if let Some(truth) = history.truths.iter().find(is_of) {
            one.by_kind.insert(truth.kind, levels);
            one.trials.insert(truth.kind, key.trials);
        }
        total.add(one);
    }
    total
}

/// The scores of the proposals at the end of the histories.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// Questions that deserve a proposal, answered at least fifteen times.
    pub(crate) deserving: u64,
    /// How many of these were proposed with the right answer.
    pub(crate) found: u64,
    /// Proposals for questions that deserve none.
    pub(crate) undeserved: u64,
    pub(crate) undeserving: u64,
    /// Proposals with a wrong answer, that of before a drift included.
    pub(crate) mistaken: u64,
}

pub(crate) fn sum(by_kind: &BTreeMap<Kind, Found>) -> Found {
    let mut sum = Found::default();
    by_kind.values().for_each(|one| sum.add(*one));
    sum
}

impl Found {
    pub(crate) fn add(&mut self, other: Self) {
        self.deserving += other.deserving;
        self.found += other.found;
        self.undeserved += other.undeserved;
        self.undeserving += other.undeserving;
        self.mistaken += other.mistaken;
    }
}

pub(crate) fn rows(name: &str, by_level: &[BTreeMap<Kind, Found>; 2], score: &Replayed) {
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

pub(crate) fn row(name: &str, found: Found, score: Option<HeldOutScore>) {
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
