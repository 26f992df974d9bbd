//! Prompts for permission: what one is about, what makes two the same, and how far a call reaches.

mod own;
mod prefix;
mod reach;
mod request;
mod rule;
mod tools;

pub use crate::shell::{Line, SimpleCommand, judge, parts};
pub use own::{About, OwnReach, OwnReaches};
pub use prefix::{folder_is_safe, host_is_safe, prefix_danger};
pub use reach::Reach;
pub use request::{
    Described, describe, describe_with, digest, event_id, input_in_history, main_field,
};
pub use rule::{
    Rule, allows, covers_command, exact_rule, goes_elsewhere, is_never_asked, matches,
    narrowest_rules,
};
