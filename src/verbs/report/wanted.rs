//! What `plantune report WHAT` is asked for.

/// What is to be shown, and how.
pub(super) struct Wanted {
    /// As it was typed.
    pub(super) what: String,
    pub(super) project: Option<String>,
    pub(super) json: bool,
    /// How many prompts a terminal gets.
    pub(super) top: Option<u32>,
}
