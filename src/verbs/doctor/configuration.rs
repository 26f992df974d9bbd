//! Whether config.toml and registry.toml are understood, and whether deciding is on.

use std::path::Path;

use plantune_domain::config::{Config, is_disabled};

use super::Seen;
use super::check::{Findings, shortened, word};
use crate::away;
use crate::failure::Failure;
use crate::workspace::{Workspace, user_files};

/// Reads both files and the switches.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    let workspace = seen.workspace;
    let (config, registry, paths) = (workspace.config(), workspace.registry(), &workspace.paths);
    file("config", &paths.config_file(), config.as_ref().err(), found);
    file(
        "registry",
        &paths.registry_file(),
        registry.err().as_ref(),
        found,
    );
    if config.is_ok() {
        match workspace.zone() {
            Ok(zone) => found.ok("time_zone", zone.name()),
            Err(failure) => {
                found.failure("time_zone", &failure);
            }
        }
        // The hook has no use for these tables, so questions are answered all the same.
        let tables = [
            ("report", workspace.report_settings().err()),
            ("retention", user_files::retention(paths).err()),
            ("suggest", user_files::suggest(paths).err()),
        ];
        for (name, failure) in tables {
            if let Some(failure) = failure {
                found.failure(name, &failure);
            }
        }
    }
    let is_disabled = is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref());
    deciding(is_disabled, config.ok(), found);
    absence(workspace, found);
}

fn file(name: &'static str, path: &Path, problem: Option<&Failure>, found: &mut Findings) {
    match problem {
        None if path.exists() => found.ok(name, path.display().to_string()),
        None => found.ok(name, format!("no {}: the defaults hold", path.display())),
        Some(problem) => {
            let remedy = format!("correct {}; until then every question is asked", word(path));
            found
                .failed(name, shortened(problem.message()))
                .remedy(remedy);
        }
    }
}

/// Until when the person is away; nothing when they are not.
fn absence(workspace: &Workspace, found: &mut Findings) {
    const NAME: &str = "away";
    match (away::load(workspace), away::line(workspace)) {
        (Err(failure), _) => {
            let file = word(&workspace.paths.away_file());
            found
                .warning(NAME, shortened(failure.message()))
                .remedy(format!("it is not obeyed; remove {file} with `rm`"));
        }
        (Ok(_), Ok(Some(line))) => {
            found.note(NAME, line);
        }
        (Ok(Some(_)), _) => {
            found
                .note(
                    NAME,
                    "you are back, and have not seen yet what was answered meanwhile",
                )
                .remedy("run `plantune away off` to see it");
        }
        (Ok(None), _) => {}
    }
}

fn deciding(is_disabled: bool, config: Option<&Config>, found: &mut Findings) {
    const NAME: &str = "deciding";
    match config {
        _ if is_disabled => {
            found
                .note(
                    NAME,
                    "switched off by PLANTUNE_DISABLE; questions are logged all the same",
                )
                .remedy("run `unset PLANTUNE_DISABLE` to switch it on");
        }
        Some(config) if !config.enabled => {
            found
                .note(NAME, "switched off in config.toml; logging goes on")
                .remedy("take the line `enabled = false` out to switch it on");
        }
        Some(_) => found.ok(NAME, "on: preferences are obeyed"),
        None => {
            found.note(NAME, "off, because config.toml cannot be read");
        }
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::registry::Registry;

    use super::super::check::Status;
    use super::*;
    use crate::workspace::user_files::conflict;

    #[test]
    fn switches() {
        let off = Config {
            enabled: false,
            ..Config::default()
        };
        let on = Config::default();
        let decided = |disabled, config| {
            let mut found = Findings::default();
            deciding(disabled, config, &mut found);
            found.checks[0].status
        };
        assert_eq!(decided(false, Some(&on)), Status::Ok);
        for (disabled, config) in [(true, Some(&on)), (false, Some(&off)), (false, None)] {
            assert_eq!(decided(disabled, config), Status::Note);
        }
    }

    #[test]
    fn a_file_that_is_not_understood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry.toml");
        plantune_domain::atomic_file::replace(&path, b"[[question]]\nkey = 1\n", 0o600).unwrap();
        let problem = conflict(&Registry::load(&path).unwrap_err());
        let mut found = Findings::default();
        file("registry", &path, Some(&problem), &mut found);
        let check = &found.checks[0];
        assert_eq!(check.status, Status::Failed);
        assert!(check.message.contains("registry.toml") && check.message.contains("line 2"));
        assert!(check.remedy.as_deref().unwrap().starts_with("correct "));
    }
}
