//! Copies of the settings from before each change; none is ever overwritten.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_domain::{paths, private_file};

/// Copies that one second can hold.
const MOST_A_SECOND: u32 = 1000;

/// Writes `text`, the content of `path`, to a new file in `folder`, and returns its path.
///
/// # Errors
/// Those of the file system.
pub(super) fn write(
    folder: &Path,
    path: &Path,
    text: &str,
    now: DateTime<Utc>,
) -> io::Result<PathBuf> {
    paths::create_private_dir(folder)?;
    let stamp = now.format("%Y%m%dT%H%M%SZ");
    for copy in 1..MOST_A_SECOND {
        let mut name = prefix(path);
        // `~` sorts behind every letter and digit, and so a second copy behind the first.
        name.push(if copy == 1 {
            stamp.to_string()
        } else {
            format!("{stamp}~{copy:03}")
        });
        let backup = folder.join(name);
        match private_file::create_new(&backup) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(backup);
            }
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "too many backups in one second",
    ))
}

/// The backups of `path` in `folder`; none when the folder cannot be read.
pub(super) fn newest_first(folder: &Path, path: &Path) -> Vec<PathBuf> {
    let prefix = prefix(path);
    let ours = |name: &OsString| {
        name.as_encoded_bytes()
            .strip_prefix(prefix.as_encoded_bytes())
            .is_some()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name())
        .filter(ours)
        .collect();
    names.sort();
    names
        .into_iter()
        .rev()
        .map(|name| folder.join(name))
        .collect()
}

fn prefix(path: &Path) -> OsString {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".plantune-backup-");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_overwrites_and_sorts() {
        let folder = tempfile::tempdir().unwrap();
        let path = Path::new("/x/settings.json");
        let now = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        let write = |text, at| write(folder.path(), path, text, now(at)).unwrap();
        let first = write("1", "2026-11-20T10:00:00Z");
        write("2", "2026-11-20T10:00:00Z");
        write("3", "2026-11-20T10:00:00Z");
        write("4", "2026-11-20T10:00:01Z");
        assert_eq!(
            first,
            folder
                .path()
                .join("settings.json.plantune-backup-20261120T100000Z")
        );
        let texts: Vec<_> = newest_first(folder.path(), path)
            .iter()
            .map(|path| fs::read_to_string(path).unwrap())
            .collect();
        assert_eq!(texts, ["4", "3", "2", "1"]);
        assert!(newest_first(folder.path(), Path::new("/x/settings.local.json")).is_empty());
    }
}
