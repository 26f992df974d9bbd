//! What must hold for any bytes, one file a target: each is a function that panics when it does
//! not. The tests of the crates that are checked include these files too, and run the seeds.

pub(crate) mod decoder;
pub(crate) mod hook;
pub(crate) mod parts;
pub(crate) mod permissions;
pub(crate) mod preferences;
pub(crate) mod project;
pub(crate) mod registry;
pub(crate) mod results;
pub(crate) mod segments;
pub(crate) mod settings;
pub(crate) mod stretched;
pub(crate) mod transcript;
