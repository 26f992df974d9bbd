//! Prompts for permission: what one is about, what makes two the same, and how far a call reaches.

mod entry;
mod mask;
mod operand;
mod own;
mod part;
mod prefix;
mod reach;
mod request;
mod rule;
mod special;
mod subject;
mod table;
mod tools;

pub use mask::{MASK, masked};
pub use own::{About, OwnReach, OwnReaches};
pub use part::{SimpleCommand, parts};
pub use prefix::{Unsafe, folder_is_safe, host_is_safe, prefix_is_safe};
pub use reach::Reach;
pub use request::{Described, describe, describe_with, digest, event_id, main_field};
pub use rule::{
    Rule, allows, covers_command, exact_rule, goes_elsewhere, is_never_asked, matches,
    narrowest_rules,
};
