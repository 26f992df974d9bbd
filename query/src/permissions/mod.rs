//! Prompts for permission: how many and how they were decided, what the person allowed every time, and which
//! rules of the host follow from it.
//!
//! [`propose::proposals`] and [`tighten::tighten`] are pure: from prompts to rules. Nothing is applied here.
//! [`backtest::backtest`] replays the prompts with the rules that would have been proposed.

mod also;
pub mod although;
pub mod backtest;
pub mod evidence;
mod forms;
mod history;
pub mod matching;
mod parts;
pub mod prompts;
mod proposal;
pub mod propose;
#[cfg(test)]
mod tests;
pub mod tighten;
pub mod worth;
