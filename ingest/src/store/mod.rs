//! The store: a function of the log, kept up to date in place and computed again whenever in doubt.

mod log_reader;
mod open;
mod run;
mod segments;
mod table_function;
mod view;
mod writer;

pub use open::{Reason, is_current, was_killed};
pub(crate) use open::{failed, open, parse_zone, remove, remove_folder, sync_folder};
pub use run::Summary;
pub(crate) use segments::{
    Checkpoint, Work, forget as forget_checkpoints, goes_on, load as load_checkpoints,
    save as save_checkpoints,
};
pub(crate) use view::{quote, save_view};
pub use writer::Writer;
pub(crate) use writer::fill;
