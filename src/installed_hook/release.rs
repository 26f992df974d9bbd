//! Of which release a hook is.

use std::cmp::Ordering;
use std::fmt;
use std::fs;
use std::path::Path;

use plantune_domain::release::stated_in;

/// This plantune's version.
pub(crate) const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// The release of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// It states this version.
    Stated(String),
    /// It states none: it is older than hooks that do, or no hook of plantune's.
    Unstated,
    /// The file cannot be read.
    Unreadable,
}

impl Release {
    /// That of the program at `path`.
    pub(crate) fn of(path: &Path) -> Self {
        let Ok(bytes) = fs::read(path) else {
            return Self::Unreadable;
        };
        stated_in(&bytes).map_or(Self::Unstated, |version| Self::Stated(version.to_owned()))
    }

    /// How it stands to this plantune's; `None` where that is not known.
    pub(crate) fn order(&self) -> Option<Ordering> {
        match self {
            Self::Stated(version) => Some(compare(version, CURRENT)),
            Self::Unstated | Self::Unreadable => None,
        }
    }
}

/// In words that follow "is": `of release 0.1.0`.
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated(version) => write!(f, "of release {version}"),
            Self::Unstated => f.write_str("of a release that it does not state"),
            Self::Unreadable => f.write_str("not readable"),
        }
    }
}

/// The order of two versions as semantic versioning has it, as far as numbers and the presence of a
/// pre-release decide; else that of their texts. Build metadata does not count.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    parts(one).cmp(&parts(other))
}

/// The numbers of a version, whether it is no pre-release, and what is said of one.
fn parts(version: &str) -> (Vec<u64>, bool, &str) {
    let version = version.split('+').next().unwrap_or_default();
    let (numbers, early) = version.split_once('-').unwrap_or((version, ""));
    let numbers = numbers.split('.').map(|part| part.parse().unwrap_or(0));
    (numbers.collect(), !version.contains('-'), early)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers_and_an_early_one_comes_before() {
        let ordered = ["0.1.0", "0.2.0-rc.1", "0.2.0", "0.10.0", "1.0.0"];
        for (at, one) in ordered.iter().enumerate() {
            for (other_at, other) in ordered.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&other_at), "{one} {other}");
            }
        }
        assert_eq!(compare("1.0.0+linux", "1.0.0+mac"), Ordering::Equal);
    }
}
