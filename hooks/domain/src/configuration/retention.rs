//! The table `[retention]` of config.toml, which the command line reads and the hook passes over.

use std::path::Path;

use serde::{Deserialize, Deserializer};

use super::file::load;

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
    /// The table of the file `path`; the defaults where there is no such file or table.
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
        Word(Word),
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Never,
    }
    Ok(match Days::deserialize(deserializer)? {
        Days::Number(days) => Some(days),
        Days::Word(Word::Never) => None,
    })
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
