//! May this be answered? One agreement: what the person agreed to, and what is new in an asking.
//!
//! Read from top to bottom: [`text`] reads a text, [`act`] says what a label does, [`signs`] what makes something new
//! matter, [`agreement`] what was agreed to. `plantune-bench near` and `consent` measure it; the gate does not ask it yet.

pub mod act;
#[expect(clippy::module_inception, reason = "the folder is about it")]
pub mod agreement;
pub mod signs;
pub mod text;
