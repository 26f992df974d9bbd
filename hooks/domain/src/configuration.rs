//! What the person configures: `config.toml` and `registry.toml`.

pub mod config;
mod pattern;
pub mod reask;
pub mod registry;
