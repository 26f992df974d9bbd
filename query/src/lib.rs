//! Reads the store: one `.sql` file a question, typed rows, and the statistics as pure functions.
//!
//! The store is opened read-only here; only the ingester writes it.

pub mod backtest;
pub mod evidence;
pub mod habits;
pub mod health;
pub mod permissions;
pub mod questions;
pub mod report;
mod request;
pub mod sql;
pub mod standing;
mod store;
pub mod suggest;

pub use store::{Named, Store, StoreError};
