//! Failures as a person needs to hear them: the fact, the file or value, what to do next.

use std::error::Error;
use std::path::Path;
use std::{fmt, io};

use plantune_agents::claude_code::CONFIG_DIR;
use plantune_domain::sanitize::block;
use plantune_reports::output;
use plantune_reports::text::{clean, one_line, shell_word};
use plantune_settings::SettingsError;

/// The kind of failure; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureClass {
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
pub struct Failure {
    kind: FailureClass,
    message: String,
    /// The error behind it, for the causes of that error; its own text is in the message.
    source: Option<Box<dyn Error + Send + Sync>>,
    hints: Vec<String>,
}

impl Failure {
    /// A failure of `kind`; `message` starts in lower case and names the file or value.
    pub(crate) fn new(kind: FailureClass, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
            hints: Vec::new(),
        }
    }

    /// The person wrote what cannot be done.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(FailureClass::Usage, message)
    }

    /// A file of the person cannot be read, or is not what is expected.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(FailureClass::Conflict, message)
    }

    /// It would not be safe.
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(FailureClass::Refused, message)
    }

    /// Work that could not be done.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(FailureClass::Failed, message.to_string())
    }

    /// The same failure with one more line of what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The kind of failure.
    pub(crate) fn kind(&self) -> FailureClass {
        self.kind
    }

    /// The fact, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The remedies, a line each.
    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// The exit code of this failure (1–4).
    pub(crate) fn exit_code(&self) -> u8 {
        match self.kind {
            FailureClass::Failed | FailureClass::DamagedStore => 1,
            FailureClass::Usage => 2,
            FailureClass::Conflict => 3,
            FailureClass::Refused => 4,
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
        let error: Box<dyn Error + Send + Sync> = Box::new(error);
        // An error about settings has its own exit code and hints, wherever `?` meets it.
        match error.downcast::<SettingsError>() {
            Ok(error) => of_settings(&error),
            Err(error) => {
                let failure = Self::failed(&error);
                Self {
                    source: Some(error),
                    ..failure
                }
            }
        }
    }
}

// "Did you mean …?", for what a person may mistype.

/// How alike two words must be, from 0 to 1 (Jaro-Winkler).
const ALIKE: f64 = 0.8;

/// How much of a word is shown, in characters.
const SHOWN: usize = 100;

/// The one of `known` that is most like `word`, if one is like it at all.
pub(crate) fn similar<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let rated = known
        .into_iter()
        .map(|one| (strsim::jaro_winkler(&word, &one.to_lowercase()), one));
    let alike = rated.filter(|(likeness, _)| *likeness >= ALIKE);
    alike
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, one)| one)
}

impl Failure {
    /// The same failure with a hint at the one of `known` that is like `word`, if there is one.
    pub(crate) fn did_you_mean<'k>(
        self,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Self {
        match similar(word, known) {
            Some(found) => self.hint(format!("did you mean {}?", one_line(found, SHOWN))),
            None => self,
        }
    }
}

/// A failure about a user's file that `error` names; it was left as it is.
pub(crate) fn conflict(error: &str) -> Failure {
    Failure::conflict(block(error.trim_end()))
        .hint("nothing was changed; repair the file or move it away, then try again")
}

// Why a file cannot be written, and what the person can do about it.

/// Why a file cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteFailure {
    /// The file system, or the person's share of it, is full.
    Full,
    /// The file would be longer than the process may make one.
    TooLong,
    /// The file system is mounted for reading only.
    ReadOnly,
    /// The person may not.
    Forbidden,
}

/// The kernel's messages, as DuckDB passes them on.
const MESSAGES: [(&str, WriteFailure); 6] = [
    ("No space left on device", WriteFailure::Full),
    ("Disk quota exceeded", WriteFailure::Full),
    ("File too large", WriteFailure::TooLong),
    ("Read-only file system", WriteFailure::ReadOnly),
    ("Permission denied", WriteFailure::Forbidden),
    ("Operation not permitted", WriteFailure::Forbidden),
];

impl WriteFailure {
    /// The write failure behind `error`, if it is one.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::WriteZero => Some(Self::Full),
            io::ErrorKind::FileTooLarge => Some(Self::TooLong),
            io::ErrorKind::ReadOnlyFilesystem => Some(Self::ReadOnly),
            io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => Self::in_message(&error.to_string()),
        }
    }

    /// The write failure that a message of DuckDB names, if it is one.
    pub(crate) fn in_message(message: &str) -> Option<Self> {
        let named = |(text, _): &&(&str, Self)| message.contains(text);
        MESSAGES.iter().find(named).map(|(_, failure)| *failure)
    }

    /// The failure to write `path`, with what to do; `kept` says what was not lost or changed.
    pub(crate) fn failure(self, path: &Path, kept: &str) -> Failure {
        let shown = clean(&path.to_string_lossy());
        let there = path.ancestors().find(|folder| folder.is_dir());
        let folder = shell_word(&there.unwrap_or(path).to_string_lossy());
        let (fact, remedy) = match self {
            Self::Full => (
                "no space is left on its file system",
                format!("make room (`df -h {folder}` shows how much is left), then try again"),
            ),
            Self::TooLong => (
                "it would be too long",
                "raise the limit (`ulimit -f` shows it), then try again".to_owned(),
            ),
            Self::ReadOnly => (
                "its file system is read-only",
                format!(
                    "mount it for writing (`findmnt -T {folder}` shows it), or set PLANTUNE_HOME \
                     to a folder elsewhere and run `plantune install`"
                ),
            ),
            Self::Forbidden => (
                "permission denied",
                format!("check who owns it (`ls -ld {folder}`), or run `plantune doctor`"),
            ),
        };
        Failure::failed(format!("can't write {shown}: {fact}"))
            .hint(kept)
            .hint(remedy)
    }
}

/// The failure to write `path`, whatever `error` is; `kept` says what was not lost or changed.
pub(crate) fn not_written(path: &Path, error: &io::Error, kept: &str) -> Failure {
    match WriteFailure::of(error) {
        Some(found) => found.failure(path, kept),
        None => Failure::failed(format!("{}: {error}", clean(&path.to_string_lossy()))).hint(kept),
    }
}

/// Why a file was not written: refused (exit code 4) for a file that is not ours and for a link; usage for a
/// folder or device; failed where the file system refused.
#[expect(
    clippy::needless_pass_by_value,
    reason = "so that it can be handed to map_err"
)]
pub(crate) fn unwritten(error: output::OutputError) -> Failure {
    let kind = match &error {
        output::OutputError::NoFile(_) => FailureClass::Usage,
        output::OutputError::Link(_) | output::OutputError::NotOurs(_) => FailureClass::Refused,
        output::OutputError::Io(path, error) => match WriteFailure::of(error) {
            Some(why) => return why.failure(path, "nothing was changed"),
            None => FailureClass::Failed,
        },
    };
    Failure::new(kind, error.to_string()).hint(error.remedy())
}

/// Why `path` could not be written.
pub(crate) fn unwritten_to(path: &Path, error: io::Error) -> Failure {
    unwritten(output::OutputError::Io(path.to_owned(), error))
}

// Why settings were not read or changed.

/// `error` for the person, with what to do next.
fn of_settings(error: &SettingsError) -> Failure {
    use SettingsError as E;
    let kind = match error {
        E::Text(..) | E::Unreadable(..) | E::NotUtf8(..) | E::ChangedMeanwhile(_) => {
            FailureClass::Conflict
        }
        E::NotOurs(_) | E::Journal(..) | E::Backup(..) => FailureClass::Conflict,
        E::LeadsOut(_) | E::NoProject(_) => FailureClass::Refused,
        E::AreUsers | E::Unnamable(_) | E::PathNotUtf8(_) => FailureClass::Usage,
        _ => FailureClass::Failed,
    };
    // A line each.
    let hints = match error {
        E::Text(_, problem) => &format!("{}\nthe file was not changed", problem.hint()),
        E::Unreadable(..) => "the file was not changed",
        E::NotUtf8(..) => "the file was not changed\nsave it as UTF-8, then run this again",
        E::NotOurs(_) => "move it away, then run this again",
        E::Journal(..) => {
            "it records plantune's changes to your settings; if you move it away, a change cannot be rolled back"
        }
        E::Backup(..) => "nothing was changed; `plantune uninstall` takes out plantune's entries",
        E::LeadsOut(_) => "nothing was changed; --settings user writes your own settings instead",
        E::NoProject(_) => "--settings user writes the rule into your own settings instead",
        E::AreUsers => "use --scope user",
        E::Unnamable(_) => {
            "leave out --guard, or keep plantune's files in a folder with plain letters in its path"
        }
        E::PathNotUtf8(_) => "install plantune to another folder",
        E::NotWritten(_, error) if may_be_made_elsewhere(error) => {
            "if another program makes this file (home-manager, a dotfiles tool), add the entries that --dry-run \
             shows there"
        }
        E::NotRecorded(..) => {
            "the settings were changed; only the record for --rollback is missing"
        }
        E::NoHome => &format!("set {CONFIG_DIR}, or use --scope local"),
        E::Busy => "finish that one, then run this again",
        E::NoAgent(title) => &format!("start {title} once, then run this again"),
        E::NoHook(_) => {
            "install plantune again (from its source: `make install`), or give --hook-path"
        }
        E::NotCopied(..) => {
            "make that a folder you may write to, or register another hook with --hook-path"
        }
        E::BrokenCopy(folder, _) => &format!(
            "nothing was changed; if `findmnt -T {}` shows noexec, no program can run from that folder\n\
             then set PLANTUNE_HOME to another folder, or register a hook elsewhere with --hook-path PATH",
            shell_word(&folder.to_string_lossy())
        ),
        E::ChangedMeanwhile(_) | E::NotWritten(..) | E::NoFolder | E::Io(_) => "",
    };
    let failure = Failure::new(kind, error.to_string());
    hints.lines().fold(failure, Failure::hint)
}

/// True where the person may not write what another program may make for them.
fn may_be_made_elsewhere(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Outer(io::Error);

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
        let failure = Failure::from(Outer(io::Error::other("damaged"))).hint("try again");
        assert_eq!(failure.exit_code(), 1);
        insta::assert_snapshot!(failure, @r"
        plantune: the store cannot be read
          caused by: damaged
          hint: try again
        ");
    }

    #[test]
    fn a_slip_is_recognized_and_another_word_is_not() {
        let known = ["test-scope", "next-area", "Full suite"];
        assert_eq!(similar("test-scpoe", known), Some("test-scope"));
        assert_eq!(similar("full suit", known), Some("Full suite"));
        assert_eq!(similar("deploy", known), None);
        assert_eq!(similar("", known), None);
    }

    #[test]
    fn kernel_errors_and_duckdb_messages() {
        for (number, expected) in [
            (28, Some(WriteFailure::Full)),
            (122, Some(WriteFailure::Full)),
            (27, Some(WriteFailure::TooLong)),
            (30, Some(WriteFailure::ReadOnly)),
            (13, Some(WriteFailure::Forbidden)),
            (1, Some(WriteFailure::Forbidden)),
            (2, None),
        ] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(WriteFailure::of(&error), expected, "{error}");
            let passed_on = format!("IO Error: Could not write file \"/x\": {error}");
            assert_eq!(WriteFailure::in_message(&passed_on), expected, "{error}");
        }
    }

    #[test]
    fn hints_say_what_to_do() {
        let failure = WriteFailure::Full.failure(
            Path::new("/no/such \u{1b}[31mfolder/f"),
            "nothing was changed",
        );
        insta::assert_snapshot!(failure, @r"
        plantune: can't write /no/such folder/f: no space is left on its file system
          hint: nothing was changed
          hint: make room (`df -h /` shows how much is left), then try again
        ");
    }
}
