//! Projections: what reports need of all events, computed once and kept in the lake: a row a question, a row a
//! prompt, and the keys that are never starters. Files that never change; the manifest that makes them one is put last.

mod find;
pub(crate) mod manifest;
pub(crate) mod removal;
mod table;
pub(crate) mod write;

pub(crate) use find::{Projection, find, with_newest};
pub(crate) use manifest::row_count;
pub(crate) use table::{FOLDER, Table};
