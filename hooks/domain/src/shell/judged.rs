//! What is found of the words of a command.

use crate::permissions::Reach;

/// A judgement about the words of a command.
pub(super) struct Judged {
    pub(super) reach: Reach,
    pub(super) reason: String,
    /// How many words are wrappers, program and subcommand.
    pub(super) fixed: usize,
    /// How many of them are wrappers.
    pub(super) wrapped: usize,
    /// True where it shows files and does nothing else.
    pub(super) only_shows: bool,
    pub(super) subject: String,
}

impl Judged {
    pub(super) fn raise(&mut self, reach: Reach, reason: impl FnOnce() -> String) {
        if reach > self.reach {
            self.reach = reach;
            self.reason = reason();
        }
    }

    pub(super) fn new(reach: Reach, reason: String, (subject, fixed): (String, usize)) -> Self {
        Self {
            reach,
            reason,
            fixed,
            wrapped: 0,
            only_shows: false,
            subject,
        }
    }
}
