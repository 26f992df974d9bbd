//! Weeks as bars, stacked by how questions ended.

use maud::{Markup, html};
use plantune_query::report::Week;

use super::{Area, WIDTH, at, axis, picture};

/// How a question can end: its name in JSON and in words.
pub(crate) const OUTCOMES: [(&str, &str); 5] = [
    ("answered", "answered by you"),
    ("auto_decided", "without you"),
    ("dismissed", "dismissed"),
    ("failed", "failed"),
    ("open", "still open"),
];

/// A week as a bar.
#[derive(Clone, Debug)]
pub(crate) struct Bar<'a> {
    /// Its name, such as `2026-W47`.
    pub(crate) week: &'a str,
    /// Its counts in the order of [`OUTCOMES`].
    pub(crate) counts: [u64; 5],
}

impl<'a> From<&'a Week> for Bar<'a> {
    fn from(week: &'a Week) -> Self {
        let counts = [
            week.answered,
            week.auto_decided,
            week.dismissed,
            week.failed,
            week.open,
        ];
        Self {
            week: &week.week,
            counts,
        }
    }
}

/// The legend of `bars`: the outcomes that there are, in `words`.
pub(crate) fn legend(bars: &[Bar<'_>], words: [&str; 5]) -> Markup {
    let is_there = |number: usize| {
        let mut counts = bars.iter().filter_map(|bar| bar.counts.get(number));
        counts.any(|count| *count > 0)
    };
    html! {
        ul.legend {
            @for (number, (field, _)) in OUTCOMES.iter().enumerate() {
                @if is_there(number) {
                    li { span class=(format!("key of-{field}")) {} (words.get(number).copied().unwrap_or_default()) }
                }
            }
        }
    }
}

const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 24.0;

/// The weeks that stand in the list at the JSON pointer `json`, their outcomes in `words`.
pub(crate) fn weeks(bars: &[Bar<'_>], words: [&str; 5], json: &str) -> Markup {
    let sum = |bar: &Bar<'_>| bar.counts.iter().sum::<u64>();
    let most = bars.iter().map(sum).max().unwrap_or(0);
    let (end, step) = axis(most);
    let room = HEIGHT - TOP - BOTTOM;
    let y = |count: u64| TOP + room * (1.0 - count as f64 / end as f64);
    let slot = (WIDTH - LEFT) / bars.len().max(1) as f64;
    let marks = (0..=end / step.max(1)).map(|mark| mark * step);
    let content = html! {
        @for mark in marks {
            line class="grid" x1=(at(LEFT)) x2=(at(WIDTH)) y1=(at(y(mark))) y2=(at(y(mark))) {}
            text class="axis" x=(at(LEFT - 5.0)) y=(at(y(mark) + 3.5)) text-anchor="end" { (mark) }
        }
        @for (number, bar) in bars.iter().enumerate() {
            (stack(bar, words, &format!("{json}/{number}"), (LEFT + slot * number as f64, slot), &y))
        }
    };
    picture(
        (WIDTH, HEIGHT),
        "chart",
        "Questions a week, by how they ended",
        &content,
    )
}

/// A week's bar in the slot that begins at x, so wide.
fn stack(
    bar: &Bar<'_>,
    words: [&str; 5],
    json: &str,
    (x, slot): (f64, f64),
    y: &dyn Fn(u64) -> f64,
) -> Markup {
    let name = bar.week.rsplit('-').next().unwrap_or_default();
    let mut below = 0;
    let mut parts = Vec::new();
    for ((count, (field, _)), words) in bar.counts.into_iter().zip(OUTCOMES).zip(words) {
        if count > 0 {
            let area = Area {
                x: x + slot * 0.14,
                y: y(below + count),
                width: slot * 0.72,
                height: y(below) - y(below + count),
            };
            let json = format!("{json}/{field}");
            let words = format!("{}: {count} {words}", bar.week);
            parts.push(area.shows(&format!("of-{field}"), count, &json, &words));
        }
        below += count;
    }
    html! {
        @for part in parts { (part) }
        text class="axis" x=(at(x + slot / 2.0)) y=(at(HEIGHT - 8.0)) text-anchor="middle" { (name) }
    }
}
