//! The preferences in force, and every way to change them.

pub(crate) mod files;
pub(crate) mod proposals;
pub(crate) mod renamed;
pub(crate) mod scope;
pub(crate) mod writer;
