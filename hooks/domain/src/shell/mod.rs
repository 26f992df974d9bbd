//! The judge of shell commands: which programs a line starts, how far each reaches, and why.
//!
//! A pure function of text: nothing is looked up, run or expanded, and nothing unknown counts as harmless. [`parse`]
//! reads the line, `programs.tsv` has the facts about programs, [`call`] judges one call by them, and [`judge`] the
//! line.

mod call;
mod judge;
mod languages;
mod lead;
mod operands;
mod parse;
mod programs;

pub(crate) use self::judge::subject_of_line;
pub use self::judge::{JudgedLine, SimpleCommand, judge, parts};
pub(crate) use self::languages::sql_writes;
pub use self::operands::OUTSIDE;
pub(crate) use self::operands::is_secret;
pub(crate) use self::programs::{is_program, with_any_arguments};

#[cfg(test)]
mod programs_tests;
#[cfg(test)]
mod second_parser_tests;
#[cfg(test)]
mod tests;
