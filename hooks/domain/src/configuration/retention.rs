//! The table `[retention]` of config.toml, which the command line reads and the hook passes over.

use std::fmt;
use std::path::Path;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use super::file::load;

/// How long segments of the log are kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Retention {
    /// After how many days a segment is sealed; never when `None`.
    pub seal_after_days: Option<u32>,
    /// After how many days a segment is removed; never when `None`.
    pub drop_after_days: Option<u32>,
}

/// The table as it is written; what is missing is `None`.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    #[serde(deserialize_with = "days")]
    seal_after_days: Option<Option<u32>>,
    /// What the first versions called it.
    #[serde(deserialize_with = "days")]
    compress_after_days: Option<Option<u32>>,
    #[serde(deserialize_with = "days")]
    drop_after_days: Option<Option<u32>>,
}

impl From<Written> for Retention {
    fn from(written: Written) -> Self {
        let default = Self::default();
        let seal = written.seal_after_days.or(written.compress_after_days);
        Self {
            seal_after_days: seal.unwrap_or(default.seal_after_days),
            drop_after_days: written.drop_after_days.unwrap_or(default.drop_after_days),
        }
    }
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
struct File {
    retention: Retention,
}

impl Retention {
    /// The table of the file `path`; the defaults where there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, or is not to be obeyed
    /// ([`crate::private_file::open_own`]).
    pub fn load(path: &Path) -> Result<Self, String> {
        Ok(load::<File>(path)?.retention)
    }
}

/// A number of days, or `"never"`.
fn days<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u32>>, D::Error> {
    struct Days;
    impl Visitor<'_> for Days {
        type Value = Option<u32>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number of days, or \"never\"")
        }

        fn visit_i64<E: de::Error>(self, days: i64) -> Result<Self::Value, E> {
            let unexpected = |_| E::invalid_value(de::Unexpected::Signed(days), &self);
            u32::try_from(days).map(Some).map_err(unexpected)
        }

        fn visit_str<E: de::Error>(self, word: &str) -> Result<Self::Value, E> {
            match word {
                "never" => Ok(None),
                _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
            }
        }
    }
    deserializer.deserialize_any(Days).map(Some)
}

#[cfg(test)]
mod tests {
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
        let old = "[retention]\ncompress_after_days = \"never\"";
        assert_eq!(read(old).unwrap(), (None, None));
        let both_names = "[retention]\ncompress_after_days = \"never\"\nseal_after_days = 3";
        assert_eq!(read(both_names).unwrap(), (Some(3), None));
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
