//! Prompts for permission: how many and how they were decided, what the person allowed every time, and which
//! rules of the host follow from it.
//!
//! [`propose::proposals`] and [`rules::tighten`] are pure: from prompts to rules. Nothing is applied here.
//! [`backtest::backtest`] replays the prompts with the rules that would have been proposed.

pub mod backtest;
pub mod evidence;
pub mod near_miss;
pub mod prompts;
mod proposal;
pub mod propose;
pub mod rules;
#[cfg(test)]
mod tests;
