//! What a shell command may change: nothing, only what a build makes, or more.
//!
//! A pure function on text: nothing is looked up, run or expanded. It is conservative: what it does
//! not know, and what it cannot read, has an effect.

mod class;
mod clients;
mod programs;
mod rows;
mod runners;
mod shell;
mod sql;
mod tables;
mod wrappers;

pub use class::Class;
pub(crate) use shell::{Join, Simple, Word, read};
pub(crate) use sql::writes as sql_writes;
pub(crate) use tables::is_program;

/// The class of a shell command line: that of the worst of its programs, those in substitutions,
/// wrappers (`env`, `xargs`, `sh -c`, `find -exec` …) and behind pipes included.
///
/// An empty line, or one of comments alone, has an effect: there is nothing that was understood.
pub fn classify(line: &str) -> Class {
    programs::classify_at(line, 0)
}

#[cfg(test)]
mod tests;
