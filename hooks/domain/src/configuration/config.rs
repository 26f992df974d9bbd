//! `config.toml`: the switches and numbers a person may set. An unknown key is a mistake: what a person
//! believes to have set must not be passed over.

use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::file::load;
pub use super::retention::Retention;
pub use super::suggest::Suggest;
use crate::preferences::AssistMode;
use crate::reask::Reask;
use crate::teach::Teach;

/// The configuration, defaults where the file is silent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// False switches deciding off; logging stays.
    pub enabled: bool,
    /// The share (0–1) of the calls that preferences could answer which is asked all
    /// the same; 0 for none.
    pub spot_check: f64,
    /// The IANA name of the time zone of reports; the system's when absent.
    pub time_zone: Option<String>,
    /// False switches off the summary at a turn's end.
    pub tell_at_stop: bool,
    /// True gives the model the standing preferences at a session's start.
    pub announce: bool,
    /// True lets an agent's session import transcripts, seal the log and compute the store again.
    pub maintenance_by_agents: bool,
    /// How much a question may be changed to show the person their usual answer, where a preference for
    /// assistance says so.
    pub assist: AssistLimit,
    /// What a person may teach in the dialog itself.
    pub teach: Teach,
    /// False switches off the hint at how to teach a habit.
    pub nudge: bool,
    /// Whether a person's answer holds for the rest of the session.
    pub reask: Option<Reask>,
    /// A program, and its arguments, that is asked where no preference decides; none when absent.
    pub reviewer: Option<Vec<String>>,
    /// How long it may take, in seconds: 1 to [`MOST_REVIEWER_SECONDS`].
    pub reviewer_seconds: u64,
    /// How often it is asked in one session, over all events.
    pub reviewer_per_session: u32,
    /// How long segments of the log are kept: [`Retention`] reads it. The hook has no use for this table and the
    /// next two, so nothing in them may switch deciding off.
    pub retention: IgnoredAny,
    /// When a habit is proposed: [`Suggest`] reads it.
    pub suggest: IgnoredAny,
    /// The settings of reports: [`crate::report_settings`] reads it.
    pub report: IgnoredAny,
}

/// The most that a preference for assistance may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssistLimit {
    /// Nothing.
    Off,
    /// Say so in the option's description.
    Note,
    /// And put the option first.
    First,
}

impl AssistLimit {
    /// The most that is shown; `None` for nothing.
    pub fn most(self) -> Option<AssistMode> {
        match self {
            Self::Off => None,
            Self::Note => Some(AssistMode::Note),
            Self::First => Some(AssistMode::First),
        }
    }
}

/// Claude Code stops the hook after five seconds; what it decided must be printed before.
pub const MOST_REVIEWER_SECONDS: u64 = 4;

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            spot_check: 0.05,
            time_zone: None,
            tell_at_stop: true,
            announce: false,
            maintenance_by_agents: false,
            assist: AssistLimit::First,
            teach: Teach::default(),
            nudge: true,
            reask: None,
            reviewer: None,
            reviewer_seconds: 3,
            reviewer_per_session: 10,
            retention: IgnoredAny,
            suggest: IgnoredAny,
            report: IgnoredAny,
        }
    }
}

/// Whether `PLANTUNE_DISABLE`, with this value, switches deciding off: all but an empty one and `0` do.
pub fn is_disabled(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

impl Config {
    /// The configuration in `path`; the defaults when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed
    /// ([`open_own`](crate::private_file::open_own)).
    pub fn load(path: &Path) -> Result<Self, String> {
        let config: Self = load(path)?;
        config
            .valid()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(config)
    }

    /// True when a person's answer holds for the rest of the session, unless a rule of the registry
    /// overrides it.
    pub fn reasks(&self) -> bool {
        self.reask == Some(Reask::OncePerSession)
    }

    fn valid(&self) -> Result<(), String> {
        let program = self.reviewer.as_ref().map(|words| words.first());
        if program.is_some_and(|program| !program.is_some_and(|path| is_program(path))) {
            return Err(
                "reviewer: the first word is a program in your PATH or an absolute path".to_owned(),
            );
        }
        if !(1..=MOST_REVIEWER_SECONDS).contains(&self.reviewer_seconds) {
            return Err(format!("reviewer_seconds: 1 to {MOST_REVIEWER_SECONDS}"));
        }
        Ok(())
    }
}

/// True for an absolute path, and for a name without any folder: a path from where the session
/// happens to be would let a repository bring its own reviewer.
fn is_program(path: &str) -> bool {
    !path.is_empty() && (!path.contains('/') || path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(text: &str, read: impl Fn(&Path) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        crate::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
        read(&path)
    }

    #[test]
    fn reask_and_reviewer_are_checked() {
        let read = |text: &str| with(text, Config::load);
        let config = read("reask = \"once_per_session\"\nreviewer = [\"/bin/x\", \"-\"]").unwrap();
        assert!(config.reasks() && config.reviewer.is_some());
        assert!(!read("reask = \"off\"").unwrap().reasks());
        for text in [
            "reask = \"always\"",
            "reviewer = []",
            "reviewer = [\"\"]",
            "reviewer = [\"./review\"]",
            "reviewer = \"review\"",
            "reviewer_seconds = 0",
            "reviewer_seconds = 60",
        ] {
            assert!(read(text).unwrap_err().contains("config.toml"), "{text}");
        }
    }

    #[test]
    fn invalid_retention_does_not_affect_the_hook() {
        for text in ["[retention]\ndrop_after_days = \"soon\"", "retention = 3"] {
            assert!(with(text, Retention::load).is_err(), "{text}");
            assert_eq!(with(text, Config::load), Ok(Config::default()));
        }
    }
}
