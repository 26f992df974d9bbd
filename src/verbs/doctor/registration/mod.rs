//! Whether Claude Code calls the hook: once for each event, and nobody else for questions.

mod judge;
mod settings;

pub(super) use judge::check;
pub(super) use settings::{Settings, conflicting_hooks, read};
