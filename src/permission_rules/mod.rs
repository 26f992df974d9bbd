//! Permission rules in the person's settings of Claude Code: those that are there, those that are proposed,
//! and writing what was accepted.

mod folder;
pub(crate) mod known;
pub(crate) mod proposals;
pub(crate) mod record;
pub(crate) mod writer;
