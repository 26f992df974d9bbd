//! An organisation's report: its document, and its formats. The page is in [`crate::html`], the table for
//! spreadsheets in [`crate::csv`].

mod document;
mod markdown;
mod parts;
mod starters;
mod terminal;

pub use document::{
    Advice, Document, Figures, LakeState, Period, PromptFigures, SkippedFile, TopAnswer,
};
pub use markdown::markdown;
pub use parts::{answer_in_short, computed, moment, since};
pub(crate) use parts::{answer_name, answer_of, group_name};
pub use starters::{Shown, Starter, Starters};
pub use terminal::show;
