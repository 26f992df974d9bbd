//! Doors: questions whose answer cannot be taken back (`one-way`) are always asked.
//!
//! Rules of verbs × objects, the full product of word lists, are matched against the question, its
//! header and the option that would be chosen. They only add `one-way` and never remove it, and more
//! text never makes fewer of them match. What they cover, and what they match wrongly: `docs/doors.md`.

mod entries;
mod lists;
mod matching;
mod tokens;

use crate::named::named_enum;

pub use matching::{Finding, Matched, find};

named_enum! {
    /// Whether an answer can be taken back.
    pub enum Door {
        /// Destructive, security, consent, payment, publication: always asked.
        OneWay = "one-way",
        /// Anything else.
        TwoWay = "two-way",
    }
}

/// Why `texts` make a one-way question, or `None` when no rule matches.
///
/// `texts` are the question, its header and the option that would be chosen: a verb in one and its
/// object in another are a pair, because "Delete them" answers "What about the old tables?".
pub fn one_way_reason(texts: &[&str]) -> Option<String> {
    find(texts).map(|finding| finding.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pair_across_two_texts() {
        let found = find(&["What about the old tables?", "", "Drop them"]).unwrap();
        assert_eq!(found.reason, "pair: drop × table");
        let places: Vec<(usize, &str)> = found
            .matched
            .iter()
            .map(|matched| (matched.text, matched.word.as_str()))
            .collect();
        assert_eq!(places, [(2, "drop"), (0, "tables")]);
        // A verb that only changes needs its object beside it, or stands for a whole answer.
        assert!(find(&["Should users see results?", "", "Change the layout"]).is_none());
        assert!(find(&["The schema differs.", "", "Change it"]).is_some());
    }

    #[test]
    fn every_form_of_a_verb_and_every_plural() {
        for verb in [
            "delete",
            "deletes",
            "deleted",
            "deleting",
            "deletion of",
            "DELETE",
            "drop",
            "dropped",
            "dropping",
            "drops",
            "purges",
            "wiping",
            "erasure of",
            "removal of",
            "removing",
        ] {
            for object in [
                "table",
                "tables",
                "Branches",
                "API keys",
                "repositories",
                "old_rows",
            ] {
                let text = format!("{verb} the remaining {object}?");
                assert!(find(&[&text]).is_some(), "{text}");
            }
        }
        for text in [
            "delete-user-data",
            "drop_tables",
            "dropTables()",
            "DROP-TABLE",
            "deleteusers",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }

    #[test]
    fn screen_elements_are_two_way() {
        for text in [
            "Delete button position?",
            "delete-button",
            "Reset password page layout?",
        ] {
            assert!(find(&[text]).is_none(), "{text}");
        }
        for text in [
            "Delete the button and all user data?",
            "Delete page views data?",
            "Publish landing page?",
            "Reset production page?",
        ] {
            assert!(find(&[text]).is_some(), "{text}");
        }
    }
}
