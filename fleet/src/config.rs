//! `fleet.toml`: the lake, and what this machine pushes; and the organisation's key. An unknown key is a mistake.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{Args, ValueEnum};
use hmac::{Hmac, KeyInit as _, Mac as _};
use plantune::failure::Failure;
use plantune_domain::hash::to_hex;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::private_file;
use plantune_domain::text::wildcard;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// How much of the texts leaves the machine.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SharingLevel {
    /// No texts: keys, times and outcomes, and labels as keyed hashes.
    #[default]
    None,
    /// Also labels and the names in your registry, in clear.
    KeysAndLabels,
    /// Everything that is logged.
    Full,
}

/// How a project is named.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProjectNames {
    /// Only by its keyed hash.
    #[default]
    Hash,
    /// By its name and its hash.
    Name,
}

/// The configuration, as the file or the arguments of `init` have it.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FleetConfig {
    /// The lake: an absolute folder, or s3://bucket/folder
    #[arg(default_value_t, hide_default_value = true)]
    pub(crate) lake: String,
    /// The file with the organisation's key [default: fleet.key beside fleet.toml]
    #[arg(long, value_name = "FILE", value_parser = absolute, requires = "lake")]
    key_file: Option<PathBuf>,
    /// How much of the texts leaves this machine
    #[arg(long, value_enum, default_value_t, requires = "lake")]
    #[serde(default)]
    pub(crate) level: SharingLevel,
    /// How projects are named
    #[arg(long, value_enum, default_value_t, requires = "lake")]
    #[serde(default)]
    pub(crate) projects: ProjectNames,
    /// A project to leave out; * stands for anything
    #[arg(long, value_name = "KEY", requires = "lake")]
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    /// How many machines a group in a report must have.
    #[arg(skip = K)]
    #[serde(default = "default_k", skip_serializing)]
    pub(crate) k: u32,
}

/// The default of `k`.
const K: u32 = 5;

fn default_k() -> u32 {
    K
}

fn absolute(path: &str) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

impl FleetConfig {
    /// Where the file lies.
    pub(crate) fn path(paths: &Paths) -> PathBuf {
        paths.config().join("fleet.toml")
    }

    /// The configuration in the file; `None` without one.
    ///
    /// # Errors
    /// Conflict when it is not understood.
    pub(crate) fn find(paths: &Paths) -> Result<Option<Self>, Failure> {
        let path = Self::path(paths);
        let parsed = read_if_there(&path)?.map(|text| Self::parse(&text));
        parsed.transpose().map_err(|error| {
            Failure::conflict(format!("{}: {error}", path.display()))
                .hint("docs/fleet.md lists the keys; nothing was changed")
        })
    }

    /// The configuration in the file.
    ///
    /// # Errors
    /// As [`FleetConfig::find`], and when there is none.
    pub(crate) fn load(paths: &Paths) -> Result<Self, Failure> {
        Self::find(paths)?.ok_or_else(|| {
            Failure::failed(format!("there is no {}", Self::path(paths).display()))
                .hint("run `plantune fleet init LAKE`; nothing leaves before you agree")
        })
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// The fault in it, in words.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let bucket = config.lake.strip_prefix("s3://");
        let is_bucket = bucket.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
        match is_bucket || Path::new(&config.lake).is_absolute() {
            true if config.k == 0 => Err("k must be 1 or more".to_owned()),
            true => Ok(config),
            false => Err(format!(
                "lake: {:?} is not an absolute path or s3://bucket/folder",
                config.lake
            )),
        }
    }

    /// Where the organisation's key lies.
    pub(crate) fn key_path(&self, paths: &Paths) -> PathBuf {
        let file = self.key_file.as_deref();
        paths.config().join(file.unwrap_or(Path::new("fleet.key")))
    }

    /// True for a project of which nothing is pushed.
    pub(crate) fn excludes(&self, project: &str) -> bool {
        self.exclude.iter().any(|rule| wildcard(rule, project))
    }
}

/// The text of a file; `None` if there is none.
fn read_if_there(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read
            .map(Some)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display()))),
    }
}

/// The variable that holds the organisation's key; it wins over the file.
const VARIABLE: &str = "PLANTUNE_FLEET_KEY";

/// The organisation's key: it makes hashes that mean the same on all its machines, and nothing elsewhere.
pub(crate) struct OrganisationKey(Hmac<Sha256>);

impl OrganisationKey {
    /// The key from the variable, else from `file`; `None` when there is neither.
    ///
    /// # Errors
    /// Conflict when what is there is no key; those of the file system.
    pub(crate) fn find(file: &Path) -> Result<Option<Self>, Failure> {
        let set = env::var(VARIABLE).ok().filter(|text| !text.is_empty());
        let text = set.map_or_else(|| read_if_there(file), |text| Ok(Some(text)))?;
        let key = |text: String| {
            Self::parse(&text).ok_or_else(|| {
                let place = file.display();
                Failure::conflict(format!(
                    "{VARIABLE} or {place}: the key must be 64 hexadecimal digits"
                ))
                .hint("copy it again from another machine")
            })
        };
        text.map(key).transpose()
    }

    /// Writes a new key to `file`, which must not be there, readable by the person alone.
    ///
    /// # Errors
    /// The errors of the file system, and when it has no random bytes.
    pub(crate) fn make(file: &Path) -> Result<(), Failure> {
        file.parent().map_or(Ok(()), create_private_dir)?;
        let mut written = private_file::create_new(file)
            .map_err(|error| Failure::failed(format!("{}: {error}", file.display())))?;
        writeln!(written, "{}", random_hex::<32>()?)?;
        Ok(written.sync_all()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.trim();
        let is_key = digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let (first, second) = digits.split_at_checked(32).filter(|_| is_key)?;
        let half = |digits| u128::from_str_radix(digits, 16).map(u128::to_be_bytes).ok();
        Hmac::new_from_slice(&[half(first)?, half(second)?].concat())
            .ok()
            .map(Self)
    }

    /// The keyed hash of `text` as a `what`, 32 hexadecimal digits: the first half of HMAC-SHA256 (RFC 2104).
    pub(crate) fn hash(&self, what: &str, text: &str) -> String {
        let mut mac = self.0.clone();
        for part in [what.as_bytes(), &[0], text.as_bytes()] {
            mac.update(part);
        }
        format!("{:.32}", to_hex(&mac.finalize().into_bytes()))
    }
}

/// So many random bytes as hexadecimal digits.
///
/// # Errors
/// When the system has none.
pub(crate) fn random_hex<const N: usize>() -> Result<String, Failure> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(to_hex(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_understood_or_refused() {
        let config =
            FleetConfig::parse("lake = '/mnt/lake'\nexclude = ['github.com/me/*']").unwrap();
        assert_eq!(
            (config.level, config.projects),
            (SharingLevel::None, ProjectNames::Hash)
        );
        assert_eq!(config.k, 5);
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
            assert!(FleetConfig::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hashes_are_frozen() {
        // Lakes hold them: if this fails, every lake would be doubled.
        let key = OrganisationKey::parse(&"0f".repeat(32)).unwrap();
        assert_eq!(key.hash("label", "Yes"), "e09ca84b09bfc7551676406ed2a12eac");
        assert_ne!(key.hash("label", "Yes"), key.hash("project", "Yes"));
        let other = OrganisationKey::parse(&"0e".repeat(32)).unwrap();
        assert_ne!(key.hash("label", "Yes"), other.hash("label", "Yes"));
        for none in ["", "0f", &"0g".repeat(32), &"0f".repeat(33)] {
            assert!(OrganisationKey::parse(none).is_none(), "{none}");
        }
    }
}
