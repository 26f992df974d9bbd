//! `config.toml`: the switches and numbers a person may set. Unknown tables and keys are left to
//! the parts that know them.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

/// The configuration, defaults where the file is silent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// False switches deciding off; logging stays.
    pub enabled: bool,
    /// The IANA name of the time zone of reports; the system's when absent.
    pub time_zone: Option<String>,
    /// When a habit is proposed.
    pub suggest: Suggest,
}

/// The guards of a suggestion.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
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
    /// How many of the latest answers must all agree.
    pub recent_agreeing: u32,
    /// After how many days an answer weighs half.
    pub half_life_days: f64,
    /// What a wrong answer costs, in seconds of the person's time.
    pub wrong_answer_seconds: f64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            time_zone: None,
            suggest: Suggest::default(),
        }
    }
}

impl Default for Suggest {
    fn default() -> Self {
        Self {
            min_answers: 8,
            min_sessions: 4,
            min_days: 4,
            min_agreement: 0.8,
            credibility: 0.95,
            recent_agreeing: 5,
            // Measured on simulated habits: with 60 days, a question put twice a week keeps too
            // little of its evidence to pass the bound; with 120, nine of ten habits pass, and one
            // in a hundred of the leanings (the same answer three times of four).
            half_life_days: 120.0,
            wrong_answer_seconds: 120.0,
        }
    }
}

impl Config {
    /// The configuration in `path`; the defaults when there is no such file.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }
}
