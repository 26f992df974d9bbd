//! The verbs, one file or folder each: the tree reads like `plantune --help`, with `classify`, `gc` and
//! `ingest`, which it does not list. What several of them need lies in the folders beside this one, never in a verb.

pub(crate) mod away;
pub(crate) mod classify;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
#[cfg(feature = "fleet")]
pub(crate) mod fleet;
pub(crate) mod gc;
pub(crate) mod import;
pub(crate) mod ingest;
pub(crate) mod install;
pub(crate) mod log;
#[cfg(not(feature = "fleet"))]
pub(crate) mod no_fleet;
pub(crate) mod overview;
pub(crate) mod prefs;
pub(crate) mod report;
pub(crate) mod sql;
pub(crate) mod suggest;
pub(crate) mod undo;
pub(crate) mod uninstall;

#[cfg(not(feature = "fleet"))]
pub(crate) use no_fleet as fleet;
