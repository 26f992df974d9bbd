//! The table `[report]` of config.toml, which the command line reads and the hook passes over.

use std::path::Path;

use serde::Deserialize;

use super::file::load;

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
    /// The table of the file `path`; the defaults where there is no such file or table.
    ///
    /// # Errors
    /// A message that names the file, when it cannot be read or understood, is not to be obeyed
    /// ([`crate::private_file::open_own`]), or holds a number out of bounds.
    pub fn load(path: &Path) -> Result<Self, String> {
        let settings = load::<ReportFile>(path)?.report;
        let minutes = settings.away_after_minutes;
        if !(1..=MOST_MINUTES).contains(&minutes) {
            return Err(format!(
                "{}: [report] away_after_minutes is {minutes}; it is 1 to {MOST_MINUTES} minutes (a day)",
                path.display()
            ));
        }
        Ok(settings)
    }

    /// The same in seconds.
    pub fn away_after_seconds(&self) -> f64 {
        f64::from(self.away_after_minutes) * 60.0
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(read("enabled = false\n[suggest]\nmin_days = 3"), Ok(10));
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
