//! Why what deserves to stand does not, and what stands that must not.

use std::collections::BTreeMap;

use plantune_domain::config::Suggest;
use plantune_query::suggest::Level;

use crate::generator::{History, history};
use crate::mixes::{Deserves, Mix};
use crate::{suggestions, truth_of};

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
            by_truth[at] = Some(match &rejected.held {
                Some(held) => format!("{} [{held}]", rejected.reason),
                None => rejected.reason.to_string(),
            });
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
