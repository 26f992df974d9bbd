//! What can go wrong, as a person needs to hear it: the fact, the file or value, what to do next.

pub(crate) mod write_failure;

use std::fmt;
use std::process::ExitCode;

/// What kind of failure it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The work could not be done (exit code 1).
    Failed,
    /// The arguments do not fit (exit code 2).
    Usage,
    /// A file of the user's is unreadable or in conflict, and was left as it is (exit code 3).
    Conflict,
    /// Not done because it would not be safe (exit code 4).
    Refused,
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
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// Work that could not be done.
    pub(crate) fn failed(message: impl fmt::Display) -> Self {
        Self::new(Kind::Failed, message.to_string())
    }

    /// The same failure with one more line of what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// What went wrong, in one line.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// What to do next, a line each.
    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// The exit code of this failure (1–4).
    pub(crate) fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Failed => 1,
            Kind::Usage => 2,
            Kind::Conflict => 3,
            Kind::Refused => 4,
        }
    }

    /// Prints the failure to standard error and returns its exit code.
    pub(crate) fn report(&self) -> ExitCode {
        eprint!("{self}");
        ExitCode::from(self.exit_code())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plantune: {}", self.message)?;
        self.hints
            .iter()
            .try_for_each(|hint| writeln!(f, "  hint: {hint}"))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::failed(error)
    }
}
