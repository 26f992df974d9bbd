//! Permission rules as the host writes them: `Bash(npm test *)`, `WebFetch(domain:docs.rs)`, `Read`.

mod matching;
mod narrow;
mod path;
mod written;

pub use matching::{allows, covers_command, is_never_asked, matches};
pub use narrow::{exact_rule, goes_elsewhere, narrowest_rules};
pub use written::Rule;

#[cfg(test)]
mod tests;

/// How a rule is read where the host's reading is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Only what is certain counts.
    Certain,
    /// All that is possible counts.
    Possible,
}
