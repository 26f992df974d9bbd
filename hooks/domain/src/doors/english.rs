//! The words of the English rules.

pub(super) mod actions;
pub(super) mod dealings;
pub(super) mod lists;
pub(super) mod phrases;
pub(super) mod proposals;
