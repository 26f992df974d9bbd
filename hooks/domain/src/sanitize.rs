//! Text from outside, made safe to show. Questions and labels are written by a model, projects and
//! paths by whoever made the repository.
//!
//! One list says which characters are dangerous ([`is_dangerous`]); each place that text is shown in
//! has a rendering, and no dangerous character survives in any of them.

mod characters;
mod formats;
mod terminal;
#[cfg(test)]
mod tests;

pub use characters::is_dangerous;
pub use formats::{csv_cell, html, json, markdown, shell_word};
pub use terminal::{block, line, visible};
