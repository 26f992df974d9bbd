//! Pictures on one line: a proposal's evidence as an interval, and a preference's spot checks over time.

use chrono::NaiveDate;
use maud::{Markup, html};
use plantune_query::standing::Checked;

use super::{at, picture};
use crate::report::Proposal;

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 26.0;
const MIDDLE: f64 = 10.0;
const MARGIN: f64 = 6.0;

/// Shares from none to all, the interval in which the true one lies, the expected one, and that of the answers
/// themselves.
pub(crate) fn interval(proposal: &Proposal) -> Markup {
    let x = |share: f64| MARGIN + (WIDTH - 2.0 * MARGIN) * share.clamp(0.0, 1.0);
    let of_answers = proposal.evidence.agreed as f64 / proposal.evidence.answers.max(1) as f64;
    let content = html! {
        line class="grid" x1=(at(x(0.0))) x2=(at(x(1.0))) y1=(at(MIDDLE)) y2=(at(MIDDLE)) {}
        @for (share, words) in [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] {
            line class="grid" x1=(at(x(share))) x2=(at(x(share))) y1=(at(MIDDLE - 4.0)) y2=(at(MIDDLE + 4.0)) {}
            @let anchor = if share < 0.25 { "start" } else if share > 0.75 { "end" } else { "middle" };
            text class="axis" x=(at(x(share))) y=(at(HEIGHT - 1.0)) text-anchor=(anchor) { (words) }
        }
        line class="interval" x1=(at(x(proposal.confidence))) x2=(at(x(1.0))) y1=(at(MIDDLE)) y2=(at(MIDDLE)) {}
        @if let Some(expected) = proposal.expected {
            line class="mark" x1=(at(x(expected))) x2=(at(x(expected))) y1=(at(MIDDLE - 8.0)) y2=(at(MIDDLE + 6.0)) {}
        }
        circle class="dot" cx=(at(x(of_answers))) cy=(at(MIDDLE)) r="3.5" {}
    };
    picture(
        (WIDTH, HEIGHT),
        "strip",
        "The share of askings that it would get right, at least",
        &content,
    )
}

/// The spot checks between `start` and `end`: a dot where the person agreed, a cross where they did not.
pub(crate) fn checks(checks: &[Checked], start: NaiveDate, end: NaiveDate) -> Markup {
    let days = (end - start).num_days().max(1) as f64;
    let x = |day: NaiveDate| {
        let share = (day - start).num_days() as f64 / days;
        MARGIN + (WIDTH - 2.0 * MARGIN) * share.clamp(0.0, 1.0)
    };
    let content = html! {
        line class="grid" x1=(at(MARGIN)) x2=(at(WIDTH - MARGIN)) y1=(at(MIDDLE)) y2=(at(MIDDLE)) {}
        @for check in checks {
            @let x = x(check.day);
            @if check.agreed {
                circle class="agreed" cx=(at(x)) cy=(at(MIDDLE)) r="4" { title { (check.day) ": agreed" } }
            } @else {
                path class="differed" d=(format!("M{} {}l8 8m0 -8l-8 8", at(x - 4.0), at(MIDDLE - 4.0))) {
                    title { (check.day) ": differed" }
                }
            }
        }
        text class="axis" x=(at(MARGIN)) y=(at(HEIGHT - 1.0)) { (start) }
        text class="axis" x=(at(WIDTH - MARGIN)) y=(at(HEIGHT - 1.0)) text-anchor="end" { (end) }
    };
    picture((WIDTH, HEIGHT), "strip", "Spot checks over time", &content)
}
