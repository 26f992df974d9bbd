//! Families: which series of answers are one habit, though their questions never read the same twice.
//!
//! Marked and registered questions are habits of their own. Unmarked ones are put together by their
//! normalised option set first. A specific set ("More questions", "Next area") carries itself; a
//! general one (yes or no, approve or change, a word a label) needs the texts to agree on a template,
//! which is mined from them. A family of one text variant stays what it is, a fingerprint.

mod added;
mod grouping;
pub(crate) mod habit;
mod held;
mod name;
pub(crate) mod pooled;
mod template;
mod text;
mod words;

pub(crate) use self::added::more;
pub use self::grouping::{Family, Grouping, Habits, Logged, Name};
pub(crate) use self::habit::{
    GroupKey, Habit, MOST_OF_A_SET, alone, family_habits, groups, habits, keys_of, prepare, renamed,
};
pub use self::held::{Held, door_words};
pub use self::name::{QuestionNames, is_called};
pub use self::pooled::EVERYWHERE;
pub(crate) use self::template::{mine, shared};
pub use self::text::template_text;
pub use self::words::is_specific;
pub(crate) use self::words::says_something;
