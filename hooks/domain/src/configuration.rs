//! What the person configures: `config.toml` and `registry.toml`.

pub mod config;
pub mod reask;
pub mod registry;
