//! What stands out in a period: at most five statements, each true of at least five questions, more than what
//! chance would give, and worth the more the more of the person's time it is about.

mod burst;
mod chance;
mod choose;
mod facts;
mod finding;
#[cfg(test)]
mod tests;

use super::renamed::Renamed;

pub use finding::{Finding, LEAST_QUESTIONS, MOST, Question, Says};

use facts::LoggedFacts;

impl LoggedFacts {
    /// What stands out of them, what is worth most first. Questions are called as `renamed` says.
    pub(super) fn findings(self, renamed: &Renamed) -> Vec<Finding> {
        choose::findings(&self.called(renamed))
    }
}
