//! Stacked bars: the parts of a period, and small ones of one question.

use maud::{Markup, html};
use plantune_query::report::AnswerCount;

use super::{Area, Share, WIDTH, at, axis, grid, picture};
use crate::text::clean;

/// A part of a period as a bar.
pub(crate) struct Bar {
    /// The label below it, where there is room.
    pub(crate) label: String,
    /// The shares, from the bottom.
    pub(crate) shares: Vec<Share>,
}

const LEFT: f64 = 34.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 20.0;

/// About how wide a label is, in units for a letter.
const LETTER: f64 = 6.0;

/// A picture of `bars` that is so wide and high, all on one scale.
pub(crate) fn chart(bars: &[Bar], (width, height): (f64, f64), title: &str) -> Markup {
    let sum = |bar: &Bar| bar.shares.iter().map(|share| share.value).sum::<u64>();
    let most = bars.iter().map(sum).max().unwrap_or(0);
    let (end, step) = axis(most);
    let y = |count: u64| TOP + (height - TOP - BOTTOM) * (1.0 - count as f64 / end as f64);
    let slot = (width - LEFT) / bars.len().max(1) as f64;
    // As many labels as stand side by side, evenly.
    let longest = bars
        .iter()
        .map(|bar| bar.label.chars().count())
        .max()
        .unwrap_or(1);
    let every = ((longest as f64 + 2.0) * LETTER / slot).ceil().max(1.0) as usize;
    let content = html! {
        (grid((end, step), (LEFT, width), &y))
        @for (number, bar) in bars.iter().enumerate() {
            @let x = LEFT + slot * number as f64;
            (stack(bar, (x, slot), &y))
            @if number % every == 0 {
                text class="axis" x=(at(x + slot / 2.0)) y=(at(height - 5.0)) text-anchor="middle" { (bar.label) }
            }
        }
    };
    let class = if width > WIDTH { "wide" } else { "chart" };
    picture((width, height), class, title, &content)
}

/// The width of a picture that has a section for itself.
pub(crate) const WIDE: f64 = 2.0 * WIDTH;

/// A bar in the slot that begins at x, so wide.
fn stack(bar: &Bar, (x, slot): (f64, f64), y: &dyn Fn(u64) -> f64) -> Markup {
    let mut below = 0;
    let mut parts = Vec::new();
    for share in bar.shares.iter().filter(|share| share.value > 0) {
        let area = Area {
            x: x + slot * 0.14,
            y: y(below + share.value),
            width: slot * 0.72,
            height: y(below) - y(below + share.value),
        };
        parts.push(area.shows(share.class, share.value, &share.json, &share.words));
        below += share.value;
    }
    html! { @for part in parts { (part) } }
}

const SMALL_HEIGHT: f64 = 30.0;
const SMALL_WIDTH: f64 = 240.0;

/// How many answers have a part of their own; the others share one.
pub(crate) const NAMED: usize = 3;

/// How often a question came up, part by part of the period; `json` is its place in the document.
pub(crate) fn over_time(counts: &[u64], names: &[String], json: &str) -> Markup {
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let slot = SMALL_WIDTH / counts.len().max(1) as f64;
    let gap = (slot * 0.15).min(1.5);
    let content = html! {
        @for (number, times) in counts.iter().enumerate() {
            @let height = if *times > 0 { ((SMALL_HEIGHT - 2.0) * *times as f64 / most as f64).max(2.0) } else { 1.0 };
            @let area = Area {
                x: slot * number as f64 + gap, y: SMALL_HEIGHT - height, width: slot - 2.0 * gap, height,
            };
            @let class = if *times > 0 { "of-answered" } else { "of-none" };
            @let name = names.get(number).map_or("", String::as_str);
            (area.shows(class, *times, &format!("{json}/over_time/{number}"), &format!("{name}: {times}")))
        }
    };
    picture(
        (SMALL_WIDTH, SMALL_HEIGHT),
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
    let unit = SMALL_WIDTH / whole.max(1) as f64;
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
    picture((SMALL_WIDTH, 14.0), "shares", title, &content)
}

/// The colour of an answer by its place.
pub(crate) fn class(number: usize) -> &'static str {
    const CLASSES: [&str; NAMED] = ["share-1", "share-2", "share-3"];
    CLASSES.get(number).copied().unwrap_or("share-other")
}
