//! Numbers on the page, each with its place in `report --json`.

use maud::{Markup, html};

use crate::amount::{a_week, duration, percent};

/// A count that stands at the JSON pointer `at`.
pub(super) fn count(number: u64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (number) } }
}

/// A time in seconds.
pub(super) fn seconds(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (duration(number)) } }
}

/// A time in seconds that may not be known.
pub(super) fn known_seconds(number: Option<f64>, at: &str) -> Markup {
    number.map_or_else(none, |number| seconds(number, at))
}

/// How often in a week.
pub(super) fn weekly(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (a_week(number)) } }
}

/// A share (0–1).
pub(super) fn share(number: f64, at: &str) -> Markup {
    html! { data value=(number) data-json=(at) { (percent(number)) } }
}

/// What stands where a number is not known.
pub(super) fn none() -> Markup {
    html! { "–" }
}
