//! How fields stand in JSON.

use std::fmt::Display;

use serde::ser::Error;
use serde::{Serialize, Serializer};

/// A field as the text that it displays.
pub(crate) fn displayed<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// A field whose names stand in the order of the alphabet.
pub(crate) fn sorted<S: Serializer>(value: &impl Serialize, to: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(value).map_err(Error::custom)?;
    value.serialize(to)
}

/// A field in four decimals: what lies beyond differs by machine and says nothing.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields over so"
)]
pub(crate) fn rounded<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    four_decimals(*number).serialize(to)
}

/// `number` in four decimals.
pub(crate) fn four_decimals(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
