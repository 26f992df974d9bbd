//! Publishing: which events are due, as which rows, in which files.

pub(crate) mod due;
pub(crate) mod fields;
pub(crate) mod push;
pub(crate) mod rows;
