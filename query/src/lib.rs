//! Reads the store: one `.sql` file a question, typed rows, and the statistics as pure functions.
//!
//! The store is opened read-only here; only the ingester writes it.

mod a_week;
mod asker;
pub mod backtest;
pub mod binding;
pub mod decisions;
pub mod evidence;
pub mod export;
pub mod families;
pub mod fleet;
pub mod grown;
pub mod health;
pub mod known;
mod memo;
pub mod page;
mod period;
pub mod permissions;
pub mod quarantine;
pub mod questions;
pub mod report;
mod rows;
mod seconds;
pub mod seen;
pub mod sql;
pub mod standing;
mod store;
pub mod suggest;
pub mod versions;

pub use store::{Error, Store};
