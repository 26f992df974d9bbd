//! What a shell command may change: nothing, only what a build makes, or more.
//!
//! A pure function on text: nothing is looked up, run or expanded. It is conservative: what it does
//! not know, and what it cannot read, has an effect.

mod clients;
mod programs;
mod rows;
mod runners;
mod shell;
mod sql;
mod tables;
mod wrappers;

pub(crate) use shell::{Join, Simple, Word, read};
pub(crate) use sql::writes as sql_writes;
pub(crate) use tables::is_program;

/// A longer line is not judged, in bytes.
const LONGEST: usize = 4096;

/// What a command may change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing: it only shows.
    ReadOnly,
    /// Only what can be made again or is under version control here: builds, tests, formatters, linters,
    /// dependencies of this project, new commits.
    Local,
    /// Anything else, and why.
    Effect(String),
}

impl Class {
    fn effect(reason: impl Into<String>) -> Self {
        Self::Effect(reason.into())
    }
}

/// The class of a shell command line: that of the worst of its programs, those in substitutions,
/// wrappers (`env`, `xargs`, `sh -c`, `find -exec` …) and behind pipes included.
///
/// An empty line, or one of comments alone, has an effect: there is nothing that was understood.
pub fn classify(line: &str) -> Class {
    classify_at(line, 0)
}

/// As [`classify`], at a depth of `sh -c` inside `sh -c`.
fn classify_at(line: &str, depth: usize) -> Class {
    /// Shells within shells that are still read.
    const DEEPEST: usize = 3;
    if line.len() > LONGEST || depth > DEEPEST {
        return Class::effect("too long to judge");
    }
    let programs = shell::parse(line).filter(|programs| !programs.is_empty());
    let Some(programs) = programs else {
        return Class::effect("not understood");
    };
    let classes = programs.iter().map(|simple| programs::class(simple, depth));
    classes.max().unwrap_or(Class::ReadOnly)
}

#[cfg(test)]
mod tests;
