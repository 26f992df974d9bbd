//! May this be answered? One agreement: what the person agreed to, and what is new in an asking.
//!
//! Read from top to bottom: [`text`] reads a text, [`act`] says what a label does, [`signs`] what makes something new
//! matter, [`read`] all that is read of an asking, [`agreement`] what was agreed to; [`gate`] decides for a call, and for a proposal.

pub mod act;
#[expect(clippy::module_inception, reason = "the folder is about it")]
pub mod agreement;
pub mod gate;
pub mod read;
pub mod signs;
pub mod text;
