//! The preferences in force, and every way to change them.

pub(crate) mod called;
pub(crate) mod change;
pub(crate) mod change_lock;
pub(crate) mod event;
pub(crate) mod evidence;
pub(crate) mod files;
pub(crate) mod grown;
pub(crate) mod in_force;
pub(crate) mod marks;
pub(crate) mod nudges;
pub(crate) mod proposals;
pub(crate) mod renamed;
pub(crate) mod scope;
pub(crate) mod sentence;
pub(crate) mod standing;
pub(crate) mod stored;
pub(crate) mod writer;
