//! The verbs, one file or folder each: the tree reads like `plantune --help`. What several of them
//! need lies in the folders beside this one, never in a verb.

pub(crate) mod away;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
#[cfg(feature = "fleet")]
pub(crate) mod fleet;
pub(crate) mod import;
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

/// The verbs that `--help` does not list: for scripts and other programs, and what is called once.
pub(crate) mod hidden {
    pub(crate) mod classify;
    pub(crate) mod completions;
    pub(crate) mod demo;
    pub(crate) mod gc;
    pub(crate) mod ingest;
    pub(crate) mod man;
    pub(crate) mod session_kind;
    pub(crate) mod statusline;
    pub(crate) mod version;
}
