//! Projections: what reports need of all events, computed once and kept in the lake: a row a question, a row a
//! prompt, and the keys that are never starters. Files that never change; the manifest that makes them one is put last.

mod find;
mod manifest;
pub(crate) mod removal;
pub(crate) mod write;

pub(crate) use find::{Projection, Tried, find, with_newest};
pub(crate) use manifest::TableFile;

/// Below which projections lie.
pub(crate) const FOLDER: &str = "projections/v1";

/// A projection's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Questions,
    Prompts,
    Barred,
}

impl Table {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Questions, Self::Prompts, Self::Barred];

    /// What it is called, by engines and in the lake.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Questions => "questions",
            Self::Prompts => "prompts",
            Self::Barred => "barred",
        }
    }
}

/// How many rows of `table` are in `files`.
pub(crate) fn rows(files: &[TableFile], table: Table) -> u64 {
    let files = files.iter().filter(|file| file.table() == Some(table));
    files.map(|file| file.rows).sum()
}
