//! The store: a function of the log, kept up to date in place and computed again whenever in doubt.

pub(crate) mod columns;
mod feed;
mod open;
mod run;
mod segments;
mod view;
mod writer;

pub use open::{Reason, is_current, was_killed};
pub(crate) use open::{open, parse_zone, remove};
pub(crate) use segments::{
    Checkpoint, Work, forget as forget_checkpoints, goes_on, load as load_checkpoints,
    save as save_checkpoints,
};
pub(crate) use view::save_view;
pub use writer::{Summary, Writer};
pub(crate) use writer::{fill, sync_folder};
