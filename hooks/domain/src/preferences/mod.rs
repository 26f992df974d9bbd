//! Preferences: what the person decided about a question, per project or everywhere.
//!
//! The CLI reads and writes whole files as [`PreferenceFile`]; the hook, which runs while a person
//! waits, goes through [`lookup()`].

pub mod change_lock;
mod file;
mod finding;
mod lookup;
mod preference;
#[cfg(test)]
mod tests;

pub use file::{PreferenceFile, read};
pub use finding::entries;
pub use lookup::lookup;
pub use preference::{AssistMode, Coverage, Differs, Level, Policy, Preference, Scope, VERSION};
