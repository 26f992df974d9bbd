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

/// The counts of a week in the order of [`OUTCOMES`].
pub(crate) fn counts(week: &Week) -> [u64; 5] {
    [
        week.answered,
        week.auto_decided,
        week.dismissed,
        week.failed,
        week.open,
    ]
}

const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 24.0;

/// The weeks of the trend.
pub(crate) fn weeks(trend: &[Week]) -> Markup {
    let most = trend.iter().map(|week| week.questions).max().unwrap_or(0);
    let (end, step) = axis(most);
    let room = HEIGHT - TOP - BOTTOM;
    let y = |count: u64| TOP + room * (1.0 - count as f64 / end as f64);
    let slot = (WIDTH - LEFT) / trend.len().max(1) as f64;
    let marks = (0..=end / step.max(1)).map(|mark| mark * step);
    let content = html! {
        @for mark in marks {
            line class="grid" x1=(at(LEFT)) x2=(at(WIDTH)) y1=(at(y(mark))) y2=(at(y(mark))) {}
            text class="axis" x=(at(LEFT - 5.0)) y=(at(y(mark) + 3.5)) text-anchor="end" { (mark) }
        }
        @for (number, week) in trend.iter().enumerate() {
            (stack(number, week, LEFT + slot * number as f64, slot, &y))
        }
    };
    picture(
        (WIDTH, HEIGHT),
        "chart",
        "Questions a week, by how they ended",
        &content,
    )
}

fn stack(number: usize, week: &Week, x: f64, slot: f64, y: &dyn Fn(u64) -> f64) -> Markup {
    let name = week.week.rsplit('-').next().unwrap_or_default();
    let mut below = 0;
    let mut parts = Vec::new();
    for (count, (field, words)) in counts(week).into_iter().zip(OUTCOMES) {
        if count > 0 {
            let area = Area {
                x: x + slot * 0.14,
                y: y(below + count),
                width: slot * 0.72,
                height: y(below) - y(below + count),
            };
            let json = format!("/trend/{number}/{field}");
            let words = format!("{}: {count} {words}", week.week);
            parts.push(area.shows(&format!("of-{field}"), count, &json, &words));
        }
        below += count;
    }
    html! {
        @for part in parts { (part) }
        text class="axis" x=(at(x + slot / 2.0)) y=(at(HEIGHT - 8.0)) text-anchor="middle" { (name) }
    }
}
