//! Answering times on a logarithmic scale.

use maud::{Markup, html};
use plantune_query::page::{AnsweringTimes, TimeBin};

use super::{Area, WIDTH, at, axis, grid, picture};
use crate::humanize::duration;

const HEIGHT: f64 = 158.0;
const LEFT: f64 = 34.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 22.0;

/// `15 s – 30 s`.
pub(crate) fn span(bin: &TimeBin) -> String {
    match bin.to {
        Some(to) => format!("{} – {}", duration(bin.from), duration(to)),
        None => format!("{} and more", duration(bin.from)),
    }
}

/// How many answers took how long; the bounds about double, so that the scale is logarithmic. From `away_after`
/// seconds on the person was away: that is marked.
pub(crate) fn answering(times: &AnsweringTimes, away_after: f64) -> Markup {
    let bins = &times.bins;
    let (end, step) = axis(bins.iter().map(|bin| bin.answers).max().unwrap_or(0));
    let y = |count: u64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - count as f64 / end as f64);
    let slot = (WIDTH - LEFT) / bins.len().max(1) as f64;
    let x = |number: usize| LEFT + slot * number as f64;
    let content = html! {
        (grid((end, step), (LEFT, WIDTH), &y))
        @for (number, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.answers > 0) {
            @let area = Area { x: x(number) + 1.0, y: y(bin.answers), width: slot - 2.0, height: y(0) - y(bin.answers) };
            (area.shows(
                "of-answered", bin.answers, &format!("/answering_times/bins/{number}/answers"),
                &format!("{}: {}", span(bin), bin.answers),
            ))
        }
        // Every third bound: they are longer than a bar is wide.
        @for (number, bin) in bins.iter().enumerate().filter(|(number, _)| number % 3 == 1) {
            line class="grid" x1=(at(x(number))) x2=(at(x(number))) y1=(at(y(0))) y2=(at(y(0) + 4.0)) {}
            text class="axis" x=(at(x(number))) y=(at(y(0) + 15.0)) text-anchor="middle" { (duration_mark(bin.from)) }
        }
        @if let Some(bound) = position(bins, away_after).filter(|_| times.away_answers > 0) {
            @let x = LEFT + slot * bound;
            line class="mark" x1=(at(x)) x2=(at(x)) y1=(at(TOP + 8.0)) y2=(at(y(0))) {}
            text class="axis" x=(at(x + 4.0)) y=(at(TOP + 10.0)) text-anchor="start" { "you were away" }
        }
        @if let Some(median) = times.median_seconds.and_then(|median| position(bins, median)) {
            @let x = LEFT + slot * median;
            line class="mark" x1=(at(x)) x2=(at(x)) y1=(at(TOP - 4.0)) y2=(at(y(0))) {}
            @let is_left = median < bins.len() as f64 / 2.0;
            text class="axis" x=(at(if is_left { x + 4.0 } else { x - 4.0 })) y="10" text-anchor=(if is_left { "start" } else { "end" }) { "median" }
        }
    };
    picture(
        (WIDTH, HEIGHT),
        "chart",
        "How long your answers took, on a logarithmic scale",
        &content,
    )
}

/// A bound without what it does not need: `1 h`, and not `1 h 00 min`.
fn duration_mark(seconds: f64) -> String {
    duration(seconds).replace("\u{a0}00\u{a0}min", "")
}

/// Where `seconds` lies among `bins`, in bins from the left: by its logarithm within its own.
fn position(bins: &[TimeBin], seconds: f64) -> Option<f64> {
    let number = bins.iter().rposition(|bin| seconds >= bin.from)?;
    let bin = bins.get(number)?;
    let within = match bin.to {
        Some(to) if bin.from > 0.0 => (seconds / bin.from).ln() / (to / bin.from).ln(),
        Some(to) => seconds / to,
        None => 0.5,
    };
    Some(number as f64 + within.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lie_by_their_logarithm() {
        let bin = |from, to| TimeBin {
            from,
            to,
            answers: 0,
        };
        let bins = [bin(0.0, Some(1.0)), bin(1.0, Some(4.0)), bin(4.0, None)];
        for (seconds, place) in [(0.5, 0.5), (1.0, 1.0), (2.0, 1.5), (4.0, 2.5), (1e9, 2.5)] {
            let found = position(&bins, seconds).unwrap();
            assert!((found - place).abs() < 1e-9, "{seconds}: {found}");
        }
        assert_eq!(position(&bins, -1.0), None);
    }
}
