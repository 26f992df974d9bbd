//! Text from outside, made safe to show. Questions and labels are written by a model, projects and
//! paths by whoever made the repository.
//!
//! [`is_dangerous`] is the one list of dangerous characters; each place where text is shown
//! has a rendering, and no dangerous character survives in any of them.

mod characters;
mod formats;
mod terminal;
#[cfg(test)]
mod tests;

pub use characters::is_dangerous;
pub use formats::{html, json, markdown, shell_word, spreadsheet_text};
pub use terminal::{block, line, visible};
