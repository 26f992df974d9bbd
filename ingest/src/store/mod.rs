//! The store: a function of the log, kept up to date in place and computed again whenever in doubt.

mod apply;
pub(crate) mod columns;
mod feed;
mod known;
mod open;
mod scratch;
mod segments;
mod table_function;
pub(crate) mod temporary;
mod view;
mod writer;

pub(crate) use known::EventKey;
pub(crate) use open::open;
pub use open::{Reason, is_current, was_killed};
pub(crate) use scratch::Scratch;
pub(crate) use segments::{
    Checkpoint, goes_on, load as load_checkpoints, save as save_checkpoints,
};
pub(crate) use view::save_view;
pub(crate) use writer::sync_folder;
pub use writer::{Summary, Writer};
