//! `fleet.toml`: the lake, and what this machine publishes. An unknown key is a mistake.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use plantune_domain::paths::Paths;
use plantune_domain::text::wildcard;
use serde::{Deserialize, Serialize};

use super::key::read_if_there;
use crate::failure::Failure;

/// How much of the texts leaves the machine.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Level {
    /// No text: keys, times, outcomes; labels as keyed hashes.
    #[default]
    None,
    /// Labels, and the names that rules of the registry give, in clear as well.
    KeysAndLabels,
    /// All fields of the events.
    Full,
}

/// How a project is named.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProjectNames {
    /// By its keyed hash alone.
    #[default]
    Hash,
    /// By its name, beside the hash.
    Name,
}

/// The configuration, defaults where the file is silent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// A folder (absolute), or `s3://bucket/folder`.
    pub(super) lake: String,
    /// Of an S3-compatible store that is not Amazon's.
    pub(super) endpoint: Option<String>,
    /// Of S3; `AWS_REGION` when absent.
    pub(super) region: Option<String>,
    /// The file that holds the organisation's key, absolute or beside this file.
    #[serde(default = "key_file")]
    pub(super) key_file: PathBuf,
    /// How much of the texts leaves the machine.
    #[serde(default)]
    pub(super) level: Level,
    /// How projects are named.
    #[serde(default)]
    pub(super) projects: ProjectNames,
    /// Projects of which nothing is published: keys, in which `*` stands for anything.
    #[serde(default)]
    pub(super) exclude: Vec<String>,
    /// How long after a UTC day's end its events are published.
    #[serde(default = "grace_hours")]
    pub(super) grace_hours: u32,
    /// Of a group of fewer machines reports show nothing.
    #[serde(default = "k")]
    pub(super) k: u32,
    /// After how many minutes without an answer a person is held to be away.
    #[serde(default = "away_after_minutes")]
    pub(super) away_after_minutes: u32,
}

fn key_file() -> PathBuf {
    PathBuf::from("fleet.key")
}

fn grace_hours() -> u32 {
    6
}

fn k() -> u32 {
    5
}

fn away_after_minutes() -> u32 {
    10
}

impl Config {
    /// Where the file lies.
    pub(super) fn path(paths: &Paths) -> PathBuf {
        paths.config().join("fleet.toml")
    }

    /// The file's; `None` without one.
    ///
    /// # Errors
    /// Conflict when it is not understood.
    pub(super) fn find(paths: &Paths) -> Result<Option<Self>, Failure> {
        let path = Self::path(paths);
        let parsed = read_if_there(&path)?.map(|text| Self::parse(&text));
        parsed.transpose().map_err(|error| {
            Failure::conflict(format!("{}: {error}", path.display()))
                .hint("docs/fleet.md lists the keys; nothing was changed")
        })
    }

    /// The file's.
    ///
    /// # Errors
    /// As [`Config::find`], and when there is none.
    pub(super) fn load(paths: &Paths) -> Result<Self, Failure> {
        Self::find(paths)?.ok_or_else(|| {
            Failure::failed(format!("there is no {}", Self::path(paths).display()))
                .hint("`plantune fleet init LAKE` sets it up, and asks before anything leaves")
        })
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        if !(1..=24 * 60).contains(&config.away_after_minutes) {
            return Err("away_after_minutes: 1 to 1440".to_owned());
        }
        if config.k == 0 {
            return Err("k: a group has at least one machine".to_owned());
        }
        let bucket = config.lake.strip_prefix("s3://");
        let is_bucket = bucket.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
        if !is_bucket && !Path::new(&config.lake).is_absolute() {
            let lake = &config.lake;
            return Err(format!(
                "lake: {lake:?} is neither an absolute folder nor s3://bucket/folder"
            ));
        }
        Ok(config)
    }

    /// Where the organisation's key lies.
    pub(super) fn key_path(&self, paths: &Paths) -> PathBuf {
        paths.config().join(&self.key_file)
    }

    /// True for a project of which nothing is published.
    pub(super) fn excludes(&self, project: &str) -> bool {
        let mut rules = self.exclude.iter();
        rules.any(|rule| wildcard(rule, project))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_understood_or_refused() {
        let config = Config::parse("lake = '/mnt/lake'\nexclude = ['github.com/me/*']").unwrap();
        assert_eq!(
            (config.level, config.projects),
            (Level::None, ProjectNames::Hash)
        );
        assert_eq!((config.k, config.grace_hours), (5, 6));
        assert!(config.excludes("github.com/me/notes") && !config.excludes("github.com/us/notes"));
        for wrong in [
            "lake = '/mnt/lake'\nlevle = 'full'",
            "lake = 'lake'",
            "lake = 's3://'",
            "lake = '/l'\nk = 0",
            "lake = '/l'\nlevel = 'all'",
            "lake = '/l'\nkey = '0f'",
            "lake = '/l'\ntoken = 'x'",
            "",
        ] {
            assert!(Config::parse(wrong).is_err(), "{wrong}");
        }
    }
}
