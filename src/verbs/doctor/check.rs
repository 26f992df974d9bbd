//! What the checks find.

use std::path::Path;

use plantune_reports::text::{clean, shell_word};
use serde::Serialize;

use crate::failure::Failure;

/// How grave it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// As it should be.
    Ok,
    /// Worth knowing.
    Note,
    /// Works, though not as well as it could.
    Warning,
    /// Does not work.
    Failed,
}

/// One finding. Several findings of one check have one name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    /// What was checked; stable, for scripts.
    pub(super) name: &'static str,
    pub(super) status: Status,
    /// What was found, in one line that is sanitized for a terminal.
    pub(super) message: String,
    /// What to do about it, one or more lines, likewise.
    pub(super) remedy: Option<String>,
}

/// What all checks found, in their order. Serialised, it is the document of `doctor --json`.
#[derive(Debug, Default, Serialize)]
pub(super) struct Findings {
    pub(super) checks: Vec<Finding>,
}

impl Findings {
    /// Adds a finding and returns it; `message` may hold untrusted text.
    pub(super) fn add(
        &mut self,
        name: &'static str,
        status: Status,
        message: impl AsRef<str>,
    ) -> &mut Finding {
        self.checks.push_mut(Finding {
            name,
            status,
            message: clean(message.as_ref()),
            remedy: None,
        })
    }

    pub(super) fn ok(&mut self, name: &'static str, message: impl AsRef<str>) {
        self.add(name, Status::Ok, message);
    }

    pub(super) fn note(&mut self, name: &'static str, message: impl AsRef<str>) -> &mut Finding {
        self.add(name, Status::Note, message)
    }

    pub(super) fn warning(&mut self, name: &'static str, message: impl AsRef<str>) -> &mut Finding {
        self.add(name, Status::Warning, message)
    }

    pub(super) fn failed(&mut self, name: &'static str, message: impl AsRef<str>) -> &mut Finding {
        self.add(name, Status::Failed, message)
    }

    /// Adds that the check failed, with what `failure` says.
    pub(super) fn failure(&mut self, name: &'static str, failure: &Failure) -> &mut Finding {
        let found = self.failed(name, failure.message());
        failure.hints().iter().fold(found, Finding::remedy)
    }
}

impl Finding {
    /// Adds a line of what to do.
    pub(super) fn remedy(&mut self, line: impl AsRef<str>) -> &mut Self {
        let line = clean(line.as_ref());
        self.remedy = Some(match self.remedy.take() {
            Some(lines) => format!("{lines}\n{line}"),
            None => line,
        });
        self
    }
}

/// `path` as a word of a shell command.
pub(super) fn word(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

/// The first and the last line of a message that draws its place in the file between them.
pub(super) fn shortened(message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next_back()) {
        (Some(first), Some(last)) => format!("{first}: {last}"),
        (Some(only), None) => only.to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_sanitized() {
        let mut found = Findings::default();
        found
            .failed("store", "a\u{1b}[31m\nb\u{202e}")
            .remedy("x\u{7}")
            .remedy("y");
        assert_eq!(found.checks[0].message, "a b");
        assert_eq!(found.checks[0].remedy.as_deref(), Some("x\ny"));
    }

    #[test]
    fn a_drawn_message_on_one_line() {
        let drawn = "/c.toml: TOML parse error at line 1, column 5\n  |\n1 | x = \n  |     ^\nstring values must be quoted\n";
        assert_eq!(
            shortened(drawn),
            "/c.toml: TOML parse error at line 1, column 5: string values must be quoted"
        );
        assert_eq!(shortened("one"), "one");
        assert_eq!(shortened(""), "");
    }
}
