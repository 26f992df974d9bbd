//! Seconds as they are shown.

/// `seconds`, rounded to the millisecond. The sum of nothing is negative zero, which is not shown.
pub(crate) fn to_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0 + 0.0
}
