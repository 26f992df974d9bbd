//! Which file, and which state of it.

/// What tells a file, and each of its states, from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The file: the number of its file system, and its own there.
    pub file: (u64, u64),
    /// When its content was last changed: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// When anything of it was last changed, as the system alone can set it.
    pub changed: (i64, i64),
}
