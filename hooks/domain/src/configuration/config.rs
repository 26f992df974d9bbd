//! `config.toml`: the switches and numbers a person may set. An unknown key is an error, because the person believes
//! that it has an effect.

use std::ffi::OsStr;
use std::path::Path;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer as TomlDeserializer, ValueDeserializer};

use crate::named::named_enum;
use crate::private_file;

/// The longest file that is read, in bytes.
pub const LONGEST: u64 = 1024 * 1024;

/// The configuration. What the file does not set has its default.
///
/// The hook has no use for the tables, so a mistake in one must not switch deciding off. A table with a mistake is an
/// `Err` that says what is wrong, for the verb that needs the table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// False switches deciding off; logging stays.
    pub enabled: bool,
    /// Of the calls that preferences could answer, the share (0–1) that the person is asked as a check.
    pub spot_check: f64,
    /// The IANA name of the time zone of reports; the system's when absent.
    pub time_zone: Option<String>,
    /// False switches off the summary at a turn's end.
    pub tell_at_stop: bool,
    /// True gives the model the standing preferences at a session's start.
    pub announce: bool,
    /// True lets an agent's session import transcripts, seal the log and compute the store again.
    pub maintenance_by_agents: bool,
    /// False switches off setting preferences in the dialog, and pointing out habits.
    pub teach: bool,
    /// Whether a person's answer holds for the rest of the session.
    pub reask: Option<Reask>,
    /// A program and its arguments, which is asked if no preference decides.
    pub reviewer: Option<Vec<String>>,
    /// How long segments of the log are kept.
    #[serde(deserialize_with = "read_later")]
    pub retention: Result<Retention, String>,
    /// When a habit is proposed.
    #[serde(deserialize_with = "read_later")]
    pub suggest: Result<SuggestSettings, String>,
    /// The settings of reports.
    #[serde(deserialize_with = "read_later")]
    pub report: Result<ReportSettings, String>,
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
            retention: Ok(Retention::default()),
            suggest: Ok(SuggestSettings::default()),
            report: Ok(ReportSettings::default()),
        }
    }
}

impl Config {
    /// The configuration in `path`; the defaults when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, if it cannot be read or parsed, or must be ignored ([`private_file::open_own`]).
    pub fn load(path: &Path) -> Result<Self, String> {
        let named = |error: String| format!("{}: {error}", path.display());
        match private_file::read_own(path, LONGEST).map_err(named)? {
            Some(text) => Self::parse(&text, path),
            None => Ok(Self::default()),
        }
    }

    /// The configuration in `text`, which `path` holds or will hold.
    ///
    /// # Errors
    /// A message that names `path`, about the first value outside the tables that is not valid.
    pub fn parse(text: &str, path: &Path) -> Result<Self, String> {
        let named = |error: String| format!("{}: {error}", path.display());
        let placed = |mut error: toml::de::Error| {
            error.set_input(Some(text));
            named(error.to_string())
        };
        let root = DeTable::parse(text).map_err(placed)?;
        let table = |name: &str| root.get_ref().get(name).cloned();
        let tables = ["retention", "suggest", "report"].map(table);
        let config = Self::deserialize(TomlDeserializer::from(root)).map_err(placed)?;
        config.valid().map_err(named)?;
        let [retention, suggest, report] = tables;
        let report = read_table(report).map_err(placed);
        Ok(Self {
            retention: read_table(retention).map_err(placed),
            suggest: read_table(suggest).map_err(placed),
            report: report.and_then(|table: ReportSettings| table.valid().map_err(named)),
            ..config
        })
    }

    /// This configuration, if no table has a mistake. A file that is about to be written must have none.
    ///
    /// # Errors
    /// The message about the first table with a mistake.
    pub fn whole(self) -> Result<Self, String> {
        self.suggest.as_ref().map_err(Clone::clone)?;
        self.retention.as_ref().map_err(Clone::clone)?;
        self.report.as_ref().map_err(Clone::clone)?;
        Ok(self)
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

/// Skips a table, which [`Config::parse`] reads separately.
fn read_later<'de, T: Default, D: Deserializer<'de>>(
    table: D,
) -> Result<Result<T, String>, D::Error> {
    IgnoredAny::deserialize(table).map(|_| Ok(T::default()))
}

/// The settings in a table; the defaults without one.
fn read_table<T: Default + DeserializeOwned>(
    table: Option<Spanned<DeValue<'_>>>,
) -> Result<T, toml::de::Error> {
    match table {
        Some(table) => T::deserialize(ValueDeserializer::from(table)),
        None => Ok(T::default()),
    }
}

/// True for an absolute path, and for a name without any folder. A relative path would let a repository bring its own
/// reviewer.
fn is_program(path: &str) -> bool {
    !path.is_empty() && (!path.contains('/') || path.starts_with('/'))
}

/// Whether `PLANTUNE_DISABLE`, with this value, switches deciding off: all but an empty one and `0` do.
pub fn is_disabled(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

/// The table `[suggest]`: when a habit is proposed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SuggestSettings {
    /// False keeps every project to itself.
    pub across_projects: bool,
    /// The cost of a wrong answer, in seconds of the person's time; by the kind of question when absent.
    pub wrong_answer_seconds: Option<f64>,
}

impl Default for SuggestSettings {
    fn default() -> Self {
        Self {
            across_projects: true,
            wrong_answer_seconds: None,
        }
    }
}

/// The table `[retention]`: how long segments of the log are kept.
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

fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "neither a number of days nor \"never\"")]
    enum DaysOrNever {
        Days(u32),
        Never(Never),
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Never {
        Never,
    }
    Ok(match DaysOrNever::deserialize(deserializer)? {
        DaysOrNever::Days(days) => Some(days),
        DaysOrNever::Never(Never::Never) => None,
    })
}

/// The most minutes that an answer may take: a day.
const MOST_MINUTES: u32 = 24 * 60;

/// The table `[report]`: the settings of reports, and of what is estimated from the same times.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSettings {
    /// After how many minutes without an answer the person counts as away, from 1 to 1440 (a day).
    pub away_after_minutes: u32,
}

impl Default for ReportSettings {
    fn default() -> Self {
        Self {
            away_after_minutes: 10,
        }
    }
}

impl ReportSettings {
    fn valid(self) -> Result<Self, String> {
        let minutes = self.away_after_minutes;
        if !(1..=MOST_MINUTES).contains(&minutes) {
            return Err(format!(
                "[report] away_after_minutes is {minutes}; it takes 1 to {MOST_MINUTES} minutes (a day)"
            ));
        }
        Ok(self)
    }

    /// The same in seconds.
    pub fn away_after_seconds(&self) -> f64 {
        f64::from(self.away_after_minutes) * 60.0
    }
}

// Values that `config.toml` shares with the rules of `registry.toml`.

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

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/c/config.toml";

    fn read(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new(PATH))
    }

    #[test]
    fn without_a_file_the_defaults_hold() {
        let missing = Config::load(Path::new("/no/such/file"));
        assert_eq!(missing, Ok(Config::default()));
        for empty in ["", "[report]", "[suggest]\n[retention]"] {
            assert_eq!(read(empty), Ok(Config::default()), "{empty}");
        }
    }

    #[test]
    fn reask_and_reviewer_are_checked() {
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
    fn a_mistake_in_a_table_affects_that_table_alone() {
        let text =
            "enabled = false\n[report]\naway_after_minutes = \"soon\"\nnext = [1, { a = 2 }]";
        let config = read(text).unwrap();
        let error = config.report.clone().unwrap_err();
        assert!(
            error.starts_with("/c/config.toml: ") && error.contains("line 3, column 22"),
            "{error}"
        );
        let expected = Config {
            enabled: false,
            report: Err(error),
            ..Config::default()
        };
        assert_eq!(config, expected);
        assert!(config.whole().is_err());
        for text in ["[retention]\ndrop_after_days = \"soon\"", "retention = 3"] {
            let config = read(text).unwrap();
            assert!(config.retention.is_err(), "{text}");
            let rest = Config {
                retention: Ok(Retention::default()),
                ..config
            };
            assert_eq!(rest, Config::default());
        }
    }

    #[test]
    fn retention_in_days() {
        let read = |text: &str| {
            let retention = read(text).unwrap().retention;
            retention.map(|found| (found.seal_after_days, found.drop_after_days))
        };
        let both = "[retention]\nseal_after_days = \"never\"\ndrop_after_days = 400";
        assert_eq!(read(both).unwrap(), (None, Some(400)));
        for wrong in ["-1", "\"soon\"", "1.5", "true"] {
            let error = read(&format!("[retention]\ndrop_after_days = {wrong}")).unwrap_err();
            assert!(
                error.contains("drop_after_days") && error.contains("never"),
                "{error}"
            );
        }
    }

    #[test]
    fn minutes_within_a_day() {
        let read = |text: &str| {
            let settings = read(text).unwrap().report;
            settings.map(|found| found.away_after_minutes)
        };
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
    }

    #[test]
    fn two_settings_of_proposals() {
        let read = |text: &str| read(text).unwrap().suggest;
        let set = read("[suggest]\nacross_projects = false\nwrong_answer_seconds = 90").unwrap();
        let expected = SuggestSettings {
            across_projects: false,
            wrong_answer_seconds: Some(90.0),
        };
        assert_eq!(set, expected);
        for wrong in ["wrong_answer_seconds = \"long\"", "min_answers = 3"] {
            assert!(read(&format!("[suggest]\n{wrong}")).is_err(), "{wrong}");
        }
    }
}
