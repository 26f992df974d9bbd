//! Pictures as SVG. All are drawn in units that are about CSS pixels on a phone, with one width, so that their
//! letters can be read there; colours come from classes of the style sheet.

pub(super) mod bars;
pub(super) mod heat;
pub(super) mod histogram;

use maud::{Markup, html};

/// The width of the large pictures.
pub(super) const WIDTH: f64 = 340.0;

/// A coordinate with one decimal.
pub(super) fn at(number: f64) -> String {
    format!("{number:.1}")
}

/// A picture of `size` (width, height) with a title that is read aloud.
pub(super) fn picture(size: (f64, f64), class: &str, title: &str, content: &Markup) -> Markup {
    html! {
        svg class=(class) viewBox=(format!("0 0 {} {}", size.0, size.1)) role="img" aria-label=(title) {
            title { (title) }
            (content)
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    /// As an element for the value at the JSON pointer `json`, with `words` for who points at it.
    pub(super) fn shows(self, class: &str, value: u64, json: &str, words: &str) -> Markup {
        html! {
            rect class=(class) x=(at(self.x)) y=(at(self.y)) width=(at(self.width)) height=(at(self.height))
                data-json=(json) data-value=(value) {
                title { (words) }
            }
        }
    }
}

/// A part of a bar: its colour, its value and place in the document, and words for who points at it.
pub(crate) struct Share {
    pub(crate) class: &'static str,
    pub(crate) value: u64,
    pub(crate) json: String,
    pub(crate) words: String,
}

/// A way in which something can end: its colour, its field in the JSON, and what it is called.
pub(super) type Outcome = (&'static str, &'static str, &'static str);

/// The shares of `outcomes`, by the `counts` of these; it stands at `json`, and `name` is said before it.
pub(super) fn shares(
    outcomes: &[Outcome],
    counts: impl IntoIterator<Item = u64>,
    name: &str,
    json: &str,
) -> Vec<Share> {
    let outcomes = outcomes.iter().zip(counts);
    let shares = outcomes.map(|((class, field, words), value)| Share {
        class,
        value,
        json: format!("{json}/{field}"),
        words: format!("{name}{value} {words}"),
    });
    shares.collect()
}

/// The legend: those of `outcomes` that there are in `bars`.
pub(super) fn legend<'b>(
    outcomes: &[Outcome],
    bars: &(impl Iterator<Item = &'b [Share]> + Clone),
) -> Markup {
    let is_there = |number: usize| {
        let mut shares = bars.clone().filter_map(|bar| bar.get(number));
        shares.any(|share| share.value > 0)
    };
    html! {
        ul.legend {
            @for (number, (class, _, words)) in outcomes.iter().enumerate() {
                @if is_there(number) { li { span class=(format!("key {class}")) {} (words) } }
            }
        }
    }
}

/// The end of an axis that holds `most`, and the step of its marks: two to five of them, at round numbers.
pub(super) fn axis(most: u64) -> (u64, u64) {
    // Nobody is asked more often, and nothing overflows.
    let most = most.min(1_000_000_000_000);
    let mut unit = 1;
    loop {
        for step in [1, 2, 5].map(|digit| digit * unit) {
            if most <= step * 4 {
                return (most.max(1).div_ceil(step) * step, step);
            }
        }
        unit *= 10;
    }
}

/// Lines across a chart from `left` to `width` at the steps of its [`axis`], each with its count.
pub(super) fn grid(
    (end, step): (u64, u64),
    (left, width): (f64, f64),
    y: &dyn Fn(u64) -> f64,
) -> Markup {
    html! {
        @for mark in (0..=end / step.max(1)).map(|mark| mark * step) {
            line class="grid" x1=(at(left)) x2=(at(width)) y1=(at(y(mark))) y2=(at(y(mark))) {}
            text class="axis" x=(at(left - 5.0)) y=(at(y(mark) + 3.5)) text-anchor="end" { (mark) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (most, end, step) in [
            (0, 1, 1),
            (1, 1, 1),
            (4, 4, 1),
            (5, 6, 2),
            (17, 20, 5),
            (54, 60, 20),
            (137, 150, 50),
            (1001, 1500, 500),
        ] {
            assert_eq!(axis(most), (end, step), "{most}");
        }
        assert_eq!(axis(u64::MAX).0, 1_000_000_000_000);
    }
}
