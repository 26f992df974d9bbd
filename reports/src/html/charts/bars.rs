//! Parts of a period as bars, stacked.

use maud::{Markup, html};

use super::{Area, Share, WIDTH, at, axis, grid, picture};

/// A part of a period as a bar.
pub(crate) struct Bar {
    /// What stands below it, where there is room.
    pub(crate) label: String,
    /// What it is made of, from the bottom.
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
