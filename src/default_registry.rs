//! The registry.toml that `install` writes where there is none: an example, all of it comments.

use std::fs;
use std::io::{ErrorKind, Write as _};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::private_file;

use crate::failure::Failure;

/// The text of a new file: comments only.
const DEFAULT: &str = include_str!("default_registry.toml");

/// Writes the commented file; false, and nothing touched, when there is one of whatever kind.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn write(paths: &Paths) -> Result<bool, Failure> {
    let path = paths.registry_file();
    create_private_dir(paths.config())?;
    let mut file = match private_file::create_new(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    file.write_all(DEFAULT.as_bytes()).inspect_err(|_| {
        // Half a default is worse than none.
        let _ = fs::remove_file(&path);
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use plantune_domain::config::Reask;
    use plantune_domain::doors::Door;
    use plantune_domain::registry::Registry;

    use super::*;

    #[test]
    fn it_is_written_once_and_never_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::below(home.path().to_owned());
        let file = paths.registry_file();
        assert!(write(&paths).unwrap());
        let written = fs::read_to_string(&file).unwrap();
        assert!(
            written.lines().all(|line| line.starts_with('#')),
            "{written}"
        );
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/no/such/file", &file).unwrap();
        assert!(!write(&paths).unwrap(), "a link is left as it is");
    }

    #[test]
    fn the_default_says_nothing_and_its_examples_are_understood() {
        let registry = Registry::parse(DEFAULT).unwrap();
        assert_eq!(registry.rules_of("money").count(), 0);
        let examples: String = DEFAULT
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| line.starts_with("[[") || line.contains(" = "))
            .filter(|line| !line.contains('`') || line.contains("      #"))
            .map(|line| format!("{line}\n"))
            .collect();
        let registry = Registry::parse(&examples).unwrap();
        assert_eq!(registry.door_of("run-migration"), Some(Door::OneWay));
        assert_eq!(registry.reask_of("next-area"), Some(Reask::OncePerSession));
        let labels = ["Run it (Recommended)".to_owned(), "Skip for now".to_owned()];
        assert_eq!(
            registry.key_of("Shall I run the migration?", Some("migration"), &labels),
            Some("run-migration")
        );
        assert_eq!(
            registry.key_of("The budget is used up.", None, &[]),
            Some("money")
        );
    }
}
