//! Small pictures of one question: how often it came up, and its answers' shares.

use maud::{Markup, html};
use plantune_query::report::AnswerCount;

use super::{Area, Share, picture};
use crate::text::clean;

const HEIGHT: f64 = 30.0;
const WIDTH: f64 = 240.0;

/// How many answers have a part of their own; the others share one.
pub(crate) const NAMED: usize = 3;

/// How often a question came up, part by part of the period; `json` is its place in the document.
pub(crate) fn over_time(counts: &[u64], names: &[String], json: &str) -> Markup {
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let slot = WIDTH / counts.len().max(1) as f64;
    let gap = (slot * 0.15).min(1.5);
    let content = html! {
        @for (number, times) in counts.iter().enumerate() {
            @let height = if *times > 0 { ((HEIGHT - 2.0) * *times as f64 / most as f64).max(2.0) } else { 1.0 };
            @let area = Area {
                x: slot * number as f64 + gap, y: HEIGHT - height, width: slot - 2.0 * gap, height,
            };
            @let class = if *times > 0 { "of-answered" } else { "of-none" };
            @let name = names.get(number).map_or("", String::as_str);
            (area.shows(class, *times, &format!("{json}/over_time/{number}"), &format!("{name}: {times}")))
        }
    };
    picture(
        (WIDTH, HEIGHT),
        "spark",
        "How often it came up over time",
        &content,
    )
}

/// The answers of a question, the most frequent first, as parts of one bar.
pub(crate) fn answers(answers: &[AnswerCount], json: &str) -> Markup {
    let share = |(number, answer): (usize, &AnswerCount)| Share {
        class: class(number),
        value: answer.times,
        json: format!("{json}/answers/{number}/times"),
        words: format!("{}: {}", clean(&answer.answer), answer.times),
    };
    let shares: Vec<Share> = answers.iter().enumerate().map(share).collect();
    let all = answers.iter().map(|answer| answer.times).sum();
    stacked(&shares, all, "The shares of your answers")
}

/// One bar of `shares`, of which `whole` would fill the width.
pub(crate) fn stacked(shares: &[Share], whole: u64, title: &str) -> Markup {
    let unit = WIDTH / whole.max(1) as f64;
    let mut x = 0.0;
    let mut parts = Vec::new();
    for share in shares.iter().filter(|share| share.value > 0) {
        let width = unit * share.value as f64;
        let area = Area {
            x,
            y: 0.0,
            width,
            height: 14.0,
        };
        parts.push(area.shows(share.class, share.value, &share.json, &share.words));
        x += width;
    }
    let content = html! { @for part in parts { (part) } };
    picture((WIDTH, 14.0), "shares", title, &content)
}

/// The colour of an answer by its place.
pub(crate) fn class(number: usize) -> &'static str {
    const CLASSES: [&str; NAMED] = ["share-1", "share-2", "share-3"];
    CLASSES.get(number).copied().unwrap_or("share-other")
}
