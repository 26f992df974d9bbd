//! The rule to beat: so many answers, all the same.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDateTime;
use plantune_domain::family;
use plantune_domain::recommended::strip_mark;
use plantune_query::backtest::Asking;

/// The score of the rule, counted as a backtest counts: of what the person answered, how much was
/// answered for them, and how much of that rightly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PolicyScore {
    pub(crate) questions: u64,
    pub(crate) correct: u64,
    pub(crate) wrong: u64,
}

/// Which of a question's answers must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The latest so many.
    Latest,
    /// All there are, at least so many.
    All,
}

/// Replays `askings`, which are in the order of time. The rule is given the questions' keys, the
/// option sets of unmarked ones, and the doors: it answers no one-way question either.
pub(crate) fn replay(askings: &[Asking], least: usize, which: Which) -> PolicyScore {
    let mut score = PolicyScore::default();
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
        let key = match asking.key_source.as_str() {
            "fingerprint" => family::set_key(&answer.options),
            _ => answer.question_key.clone(),
        };
        let key = format!("{} {key}", asking.project);
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

impl PolicyScore {
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
