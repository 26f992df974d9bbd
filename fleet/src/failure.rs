//! What can go wrong, as a person needs to hear it: the fact, the file or value, what to do next.

use std::fmt;
use std::process::ExitCode;

use plantune_domain::sanitize;

/// What kind of failure it is; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The work could not be done.
    Failed = 1,
    /// The arguments do not fit.
    Usage = 2,
    /// A file of the person's or of the lake is unreadable or in conflict, and was left as it is.
    Conflict = 3,
    /// Not done because it would not be safe.
    Refused = 4,
}

/// A failure with its remedies.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    hints: Vec<String>,
}

impl Failure {
    /// A failure of `kind`; `message` starts in lower case and names the file or value.
    pub(crate) fn new(kind: Kind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            hints: Vec::new(),
        }
    }

    /// Work that could not be done.
    pub(crate) fn failed(message: impl fmt::Display) -> Self {
        Self::new(Kind::Failed, message)
    }

    /// Something that is in conflict.
    pub(crate) fn conflict(message: impl fmt::Display) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// Arguments that do not fit.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// What would not be safe.
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self::new(Kind::Refused, message)
    }

    /// The same with one more line of what to do next.
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }

    /// The same, with what it is about in front.
    pub(crate) fn about(mut self, what: impl fmt::Display) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// The fact, in one line.
    pub(crate) fn message(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// True when memory or a disk was full, so that what was read is not to blame.
    pub(crate) fn lacks_room(&self) -> bool {
        ["Out of Memory Error", "No space left", "Could not write"]
            .iter()
            .any(|words| self.message.contains(words))
    }

    /// Prints it to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        eprint!("{}", sanitize::block(&self.to_string()));
        ExitCode::from(self.kind as u8)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plantune fleet: {}", self.message)?;
        let mut hints = self.hints.iter();
        hints.try_for_each(|hint| writeln!(f, "  hint: {hint}"))
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let failure = Self::failed(error);
        match failure.lacks_room() {
            true => failure.hint(
                "more memory is needed, or more room on the disk of the temporary folder (TMPDIR); --memory 4GB \
                 says how much memory may be used",
            ),
            false => failure,
        }
    }
}
