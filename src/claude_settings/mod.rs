//! How plantune's hook is registered with Claude Code: its settings files, plugins and permission rules.

pub(crate) mod editor;
pub(crate) mod file;
pub(crate) mod guard;
pub(crate) mod hook_binary;
pub(crate) mod plugins;
pub(crate) mod scope;
