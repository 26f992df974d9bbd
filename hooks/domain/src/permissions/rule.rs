//! Permission rules as the host writes them: `Bash(npm test *)`, `WebFetch(domain:docs.rs)`, `Read`.

mod matching;
mod narrow;
mod path;
mod wildcard;
mod written;

pub use matching::{allows, covers_command, is_never_asked, matches};
pub use narrow::{exact_rule, goes_elsewhere, narrowest_rules};
pub use wildcard::wildcard;
pub use written::Rule;

#[cfg(test)]
mod tests;
