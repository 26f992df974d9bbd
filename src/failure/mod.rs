//! What can go wrong, as a person needs to hear it: the fact, the file or value, what to do next.

pub(crate) mod similar;
pub(crate) mod write_failure;

use std::error::Error;
use std::fmt;

/// What kind of failure it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The work could not be done (exit code 1).
    Failed,
    /// The store is damaged (exit code 1, if computing it again does not help).
    DamagedStore,
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
    /// What caused it, for its own causes; its text is in the message.
    source: Option<Box<dyn Error + Send + Sync>>,
    hints: Vec<String>,
}

impl Failure {
    /// A failure of `kind`; `message` starts in lower case and names the file or value.
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
            hints: Vec::new(),
        }
    }

    /// The person wrote what cannot be done.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// A file of the person's cannot be read, or is not what is expected.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// It would not be safe.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(Kind::Refused, message)
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

    /// What kind of failure it is.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
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
            Kind::Failed | Kind::DamagedStore => 1,
            Kind::Usage => 2,
            Kind::Conflict => 3,
            Kind::Refused => 4,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plantune: {}", self.message)?;
        let mut cause = self.source.as_ref().and_then(|error| error.source());
        while let Some(error) = cause {
            writeln!(f, "  caused by: {error}")?;
            cause = error.source();
        }
        self.hints
            .iter()
            .try_for_each(|hint| writeln!(f, "  hint: {hint}"))
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let failure = Self::failed(&error);
        Self {
            source: Some(Box::new(error)),
            ..failure
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Outer(std::io::Error);

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the store cannot be read")
        }
    }

    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn causes_and_hints_follow_the_message() {
        let failure = Failure::from(Outer(std::io::Error::other("damaged"))).hint("try again");
        assert_eq!(failure.exit_code(), 1);
        insta::assert_snapshot!(failure, @r"
        plantune: the store cannot be read
          caused by: damaged
          hint: try again
        ");
    }
}
