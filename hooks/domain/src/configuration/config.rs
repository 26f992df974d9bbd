//! `config.toml`: the switches and numbers a person may set. An unknown key is a mistake: what a person
//! believes to have set must not be passed over.

use std::ffi::OsStr;
use std::path::Path;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};

use crate::named::named_enum;
use crate::private_file;

/// The configuration, defaults if the file is silent.
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
    /// False has nothing taught in the dialog itself, and no habit pointed out with how to teach it.
    pub teach: bool,
    /// Whether a person's answer holds for the rest of the session.
    pub reask: Option<Reask>,
    /// A program, and its arguments, that is asked where no preference decides; none when absent.
    pub reviewer: Option<Vec<String>>,
    /// How long segments of the log are kept: [`Retention`] reads it. The hook has no use for this table and the
    /// next two, so nothing in them may switch deciding off.
    pub retention: IgnoredAny,
    /// When a habit is proposed: [`Suggest`] reads it.
    pub suggest: IgnoredAny,
    /// The settings of reports: [`crate::report_settings`] reads it.
    pub report: IgnoredAny,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            spot_check: 0.06,
            time_zone: None,
            tell_at_stop: true,
            announce: false,
            maintenance_by_agents: false,
            teach: true,
            reask: None,
            reviewer: None,
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

    /// The configuration in `text`, with all tables understood: for a file that is about to be written.
    ///
    /// # Errors
    /// A message about the first value that is not valid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let problem = |error: toml::de::Error| error.to_string();
        let config: Self = toml::from_str(text).map_err(problem)?;
        config.valid()?;
        toml::from_str::<SuggestFile>(text).map_err(problem)?;
        toml::from_str::<RetentionFile>(text).map_err(problem)?;
        toml::from_str::<ReportFile>(text)
            .map_err(problem)?
            .report
            .valid()?;
        Ok(config)
    }

    /// True when a person's answer holds for the rest of the session, unless a rule of the registry
    /// overrides it.
    pub fn reasks(&self) -> bool {
        self.reask == Some(Reask::OncePerSession)
    }

    fn valid(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.spot_check) {
            return Err(format!(
                "spot_check is {}; it takes a share from 0 to 1",
                self.spot_check
            ));
        }
        let program = self.reviewer.as_ref().map(|words| words.first());
        if program.is_some_and(|program| !program.is_some_and(|path| is_program(path))) {
            return Err(
                "reviewer: the first word is a program in your PATH or an absolute path".to_owned(),
            );
        }
        Ok(())
    }
}

/// True for an absolute path, and for a name without any folder: a path from where the session
/// happens to be would let a repository bring its own reviewer.
fn is_program(path: &str) -> bool {
    !path.is_empty() && (!path.contains('/') || path.starts_with('/'))
}

// A file that a person wrote, as it lies on disk.

/// The longest file that is read, in bytes.
pub const LONGEST: u64 = 1024 * 1024;

/// The settings in the TOML file in `path`; the defaults without one.
///
/// # Errors
/// A message that names the file, when it cannot be read or understood, or is not to be obeyed
/// ([`private_file::open_own`]).
pub(super) fn load<T: Default + DeserializeOwned>(path: &Path) -> Result<T, String> {
    let problem = |error: String| format!("{}: {error}", path.display());
    match private_file::read_own(path, LONGEST).map_err(problem)? {
        Some(text) => toml::from_str(&text).map_err(|error| problem(error.to_string())),
        None => Ok(T::default()),
    }
}

// The table `[suggest]` of config.toml, which the command line reads and the hook passes over.

/// The guards of a suggestion. A person sets two of them; the others were chosen on made-up people whose habits are known
/// (docs/development/agreement.md).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "SuggestTable")]
pub struct Suggest {
    /// The least number of a person's answers.
    pub min_answers: u32,
    /// The least number of distinct sessions.
    pub min_sessions: u32,
    /// The least number of distinct days.
    pub min_days: u32,
    /// The least lower bound of the agreement's posterior (0–1).
    pub min_agreement: f64,
    /// The credibility of that bound (0–1).
    pub credibility: f64,
    /// The same for a question that was never answered otherwise.
    pub credibility_unbroken: f64,
    /// How many of the latest answers must all agree.
    pub recent_agreeing: u32,
    /// After how many days an answer weighs half.
    pub half_life_days: f64,
    /// The least number of agreeing answers before a question is answered on trial.
    pub trial_answers: u32,
    /// The least number of distinct sessions of these, and of distinct days.
    pub trial_sessions: u32,
    /// The least lower bound of the agreement's posterior for a trial (0–1).
    pub trial_agreement: f64,
    /// The credibility of that bound (0–1).
    pub trial_credibility: f64,
    /// False keeps every project to itself.
    pub across_projects: bool,
    /// The cost of a wrong answer, in seconds of the person's time.
    pub wrong_answer_seconds: WrongAnswerSeconds,
}

impl Default for Suggest {
    fn default() -> Self {
        Self {
            // A low bound that is nearly certain distinguishes habits with an exception from leanings (the same answer three
            // times of four) better than a high one that is less so.
            min_answers: 8,
            min_sessions: 4,
            min_days: 4,
            min_agreement: 0.74,
            credibility: 0.99,
            credibility_unbroken: 0.95,
            recent_agreeing: 2,
            half_life_days: 180.0,
            trial_answers: 6,
            trial_sessions: 3,
            trial_agreement: 0.68,
            trial_credibility: 0.9,
            across_projects: true,
            wrong_answer_seconds: WrongAnswerSeconds::default(),
        }
    }
}

/// The table as it is written.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SuggestTable {
    across_projects: bool,
    wrong_answer_seconds: Option<f64>,
}

impl Default for SuggestTable {
    fn default() -> Self {
        Self {
            across_projects: true,
            wrong_answer_seconds: None,
        }
    }
}

impl From<SuggestTable> for Suggest {
    fn from(table: SuggestTable) -> Self {
        let seconds = table.wrong_answer_seconds.map(WrongAnswerSeconds::all);
        Self {
            across_projects: table.across_projects,
            wrong_answer_seconds: seconds.unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The whole file, the other tables apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SuggestFile {
    suggest: Suggest,
}

impl Suggest {
    /// The table of the file `path`; the defaults if there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed
    /// ([`crate::private_file::open_own`]).
    pub fn load(path: &Path) -> Result<Self, String> {
        Ok(load::<SuggestFile>(path)?.suggest)
    }
}

// The table `[retention]` of config.toml, which the command line reads and the hook passes over.

/// How long segments of the log are kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// After how many days a segment is sealed; never when `None`.
    #[serde(deserialize_with = "days")]
    pub seal_after_days: Option<u32>,
    /// After how many days a segment is removed; never when `None`.
    #[serde(deserialize_with = "days")]
    pub drop_after_days: Option<u32>,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            seal_after_days: Some(14),
            drop_after_days: None,
        }
    }
}

/// The whole file, the other tables apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RetentionFile {
    retention: Retention,
}

impl Retention {
    /// The table of the file `path`; the defaults if there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed
    /// ([`crate::private_file::open_own`]).
    pub fn load(path: &Path) -> Result<Self, String> {
        Ok(load::<RetentionFile>(path)?.retention)
    }
}

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "neither a number of days nor \"never\"")]
    enum Days {
        Number(u32),
        Word(Never),
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Never {
        Never,
    }
    Ok(match Days::deserialize(deserializer)? {
        Days::Number(days) => Some(days),
        Days::Word(Never::Never) => None,
    })
}

// The table `[report]` of config.toml, which the command line reads and the hook passes over.

/// The most minutes that an answer may take: a day.
const MOST_MINUTES: u32 = 24 * 60;

/// The settings of reports, and of what is estimated from the same times.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSettings {
    /// After how many minutes without an answer the person is held to be away: 1 to a day's.
    pub away_after_minutes: u32,
}

impl Default for ReportSettings {
    fn default() -> Self {
        Self {
            away_after_minutes: 10,
        }
    }
}

/// The whole file, the other tables apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReportFile {
    report: ReportSettings,
}

impl ReportSettings {
    /// The table of the file `path`; the defaults if there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, is not to be obeyed
    /// ([`crate::private_file::open_own`]), or holds a number out of bounds.
    pub fn load(path: &Path) -> Result<Self, String> {
        let settings = load::<ReportFile>(path)?.report;
        settings
            .valid()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(settings)
    }

    fn valid(&self) -> Result<(), String> {
        let minutes = self.away_after_minutes;
        if !(1..=MOST_MINUTES).contains(&minutes) {
            return Err(format!(
                "[report] away_after_minutes is {minutes}; it takes 1 to {MOST_MINUTES} minutes (a day)"
            ));
        }
        Ok(())
    }

    /// The same in seconds.
    pub fn away_after_seconds(&self) -> f64 {
        f64::from(self.away_after_minutes) * 60.0
    }
}

// What `reask` means in `config.toml` and in a rule of `registry.toml`.

named_enum! {
    /// Whether an answer of the person holds for the rest of the session.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Reask {
        /// It does: the question is asked once a session.
        OncePerSession = "once_per_session",
        /// It does not.
        Off = "off",
    }
}

// What a wrong answer costs, by the kind of question.

named_enum! {
    /// The kind of a question, which decides what a wrong answer costs.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum QuestionKind {
        /// Whether to go on, and with what: noticed at once, and said again in a sentence.
        GoOn = "go_on",
        /// The extent of a piece of work, and its name.
        Scope = "scope",
        /// The thing that is written or built.
        Content = "content",
        /// A decision that much is built upon.
        Architecture = "architecture",
    }
}

/// The time it takes to notice and undo a wrong answer, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswerSeconds {
    /// Of [`QuestionKind::GoOn`].
    pub go_on: f64,
    /// Of [`QuestionKind::Scope`].
    pub scope: f64,
    /// Of [`QuestionKind::Content`].
    pub content: f64,
    /// Of [`QuestionKind::Architecture`].
    pub architecture: f64,
}

impl Default for WrongAnswerSeconds {
    fn default() -> Self {
        Self {
            go_on: 30.0,
            scope: 60.0,
            content: 120.0,
            architecture: 300.0,
        }
    }
}

impl WrongAnswerSeconds {
    /// The same seconds for every kind.
    pub fn all(seconds: f64) -> Self {
        Self {
            go_on: seconds,
            scope: seconds,
            content: seconds,
            architecture: seconds,
        }
    }

    /// The seconds of `kind`.
    pub fn of(&self, kind: QuestionKind) -> f64 {
        match kind {
            QuestionKind::GoOn => self.go_on,
            QuestionKind::Scope => self.scope,
            QuestionKind::Content => self.content,
            QuestionKind::Architecture => self.architecture,
        }
    }
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
            "reviewer_seconds = 3",
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

#[cfg(test)]
mod retention_tests {
    use super::*;

    #[test]
    fn retention_in_days() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let read = |text: &str| {
            crate::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
            let retention = Retention::load(&path);
            retention.map(|found| (found.seal_after_days, found.drop_after_days))
        };
        assert_eq!(read("enabled = false").unwrap(), (Some(14), None));
        let both = "[retention]\nseal_after_days = \"never\"\ndrop_after_days = 400";
        assert_eq!(read(both).unwrap(), (None, Some(400)));
        for wrong in ["-1", "\"soon\"", "1.5", "true"] {
            let error = read(&format!("[retention]\ndrop_after_days = {wrong}")).unwrap_err();
            assert!(
                error.contains("drop_after_days") && error.contains("never"),
                "{error}"
            );
        }
        let missing = Retention::load(Path::new("/no/such/file"));
        assert_eq!(missing, Ok(Retention::default()));
    }
}

#[cfg(test)]
mod report_settings_tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn minutes_within_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let read = |text: &str| {
            crate::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
            let settings = ReportSettings::load(&path);
            settings.map(|found| found.away_after_minutes)
        };
        assert_eq!(
            read("enabled = false\n[suggest]\nacross_projects = false"),
            Ok(10)
        );
        assert_eq!(read("[report]"), Ok(10));
        for minutes in [1, 45, 1440] {
            let text = format!("[report]\naway_after_minutes = {minutes}");
            assert_eq!(read(&text), Ok(minutes));
        }
        for wrong in ["0", "1441", "-1", "2.5", "\"ten\"", "true"] {
            let error = read(&format!("[report]\naway_after_minutes = {wrong}")).unwrap_err();
            assert!(error.contains("config.toml"), "{error}");
            assert!(error.contains("away_after_minutes"), "{error}");
        }
        assert!(read("[report]\naway_minutes = 3").is_err());
        assert_eq!(
            ReportSettings::load(Path::new("/no/such/file")),
            Ok(ReportSettings::default())
        );
    }

    #[test]
    fn the_hook_lets_any_such_table_stand() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        for text in [
            "[report]\naway_after_minutes = 30",
            "[report]\naway_after_minutes = \"soon\"\nnext = [1, { a = 2 }]",
            "report = 3",
        ] {
            crate::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
            assert_eq!(Config::load(&path), Ok(Config::default()), "{text}");
        }
    }
}

#[cfg(test)]
mod suggest_tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_as_it_was_chosen() {
        let read = |text: &str| toml::from_str::<Suggest>(text);
        assert_eq!(read("").unwrap(), Suggest::default());
        let set = read("across_projects = false\nwrong_answer_seconds = 90").unwrap();
        let expected = Suggest {
            across_projects: false,
            wrong_answer_seconds: WrongAnswerSeconds::all(90.0),
            ..Suggest::default()
        };
        assert_eq!(set, expected);
        for wrong in ["wrong_answer_seconds = \"long\"", "min_answers = 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
