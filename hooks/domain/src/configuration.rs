//! What the person configures: `config.toml` and `registry.toml`.

pub mod config;
pub mod cost;
mod file;
mod pattern;
pub mod reask;
pub mod registry;
pub mod report_settings;
mod retention;
mod suggest;
