//! Whether config.toml and registry.toml are understood, and whether deciding is on.

use std::path::Path;

use plantune_domain::config::{Config, is_disabled};

use super::check::{Check, shortened, word};
use crate::away;
use crate::failure::Failure;
use crate::workspace::{Workspace, user_files};

/// Reads both files and the switches.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    let (config_file, registry_file) = (
        workspace.paths.config_file(),
        workspace.paths.registry_file(),
    );
    let (config, registry) = (workspace.config(), workspace.registry());
    let mut checks = vec![
        file("config", &config_file, config.as_ref().err()),
        file("registry", &registry_file, registry.as_ref().err()),
    ];
    if config.is_ok() {
        checks.push(match workspace.zone() {
            Ok(zone) => Check::ok("time_zone", zone.name()),
            Err(failure) => Check::from_failure("time_zone", &failure),
        });
        // The hook has no use for these tables, so questions are answered all the same.
        let tables = [
            ("report", workspace.report_settings().err()),
            ("retention", user_files::retention(&workspace.paths).err()),
            ("suggest", user_files::suggest(&workspace.paths).err()),
        ];
        for (name, failure) in tables {
            checks.extend(failure.map(|failure| Check::from_failure(name, &failure)));
        }
    }
    let disabled = is_disabled(std::env::var_os("PLANTUNE_DISABLE").as_deref());
    checks.push(deciding(disabled, config.ok()));
    checks.extend(absence(workspace));
    checks
}

fn file(name: &'static str, path: &Path, problem: Option<&Failure>) -> Check {
    match problem {
        None if path.exists() => Check::ok(name, path.display().to_string()),
        None => Check::ok(name, format!("no {}: the defaults hold", path.display())),
        Some(problem) => Check::failed(name, shortened(problem.message())).remedy(format!(
            "correct {}; until then every question is asked",
            word(path)
        )),
    }
}

/// Until when the person is away; nothing when they are not.
fn absence(workspace: &Workspace) -> Option<Check> {
    const NAME: &str = "away";
    match (away::load(workspace), away::line(workspace)) {
        (Err(failure), _) => Some(Check::warning(NAME, shortened(failure.message())).remedy(
            format!(
                "it is not obeyed; remove {} with `rm`",
                word(&workspace.paths.away_file())
            ),
        )),
        (Ok(_), Ok(Some(line))) => Some(Check::note(NAME, line)),
        (Ok(Some(_)), _) => Some(
            Check::note(
                NAME,
                "you are back, and have not seen yet what was answered meanwhile",
            )
            .remedy("run `plantune away off` to see it"),
        ),
        (Ok(None), _) => None,
    }
}

fn deciding(disabled: bool, config: Option<&Config>) -> Check {
    const NAME: &str = "deciding";
    match config {
        _ if disabled => Check::note(
            NAME,
            "switched off by PLANTUNE_DISABLE; questions are logged all the same",
        )
        .remedy("run `unset PLANTUNE_DISABLE` to switch it on"),
        Some(config) if !config.enabled => {
            Check::note(NAME, "switched off in config.toml; logging goes on")
                .remedy("take the line `enabled = false` out to switch it on")
        }
        Some(_) => Check::ok(NAME, "on: preferences are obeyed"),
        None => Check::note(NAME, "off, because config.toml cannot be read"),
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
        assert_eq!(deciding(false, Some(&on)).status, Status::Ok);
        for (disabled, config) in [(true, Some(&on)), (false, Some(&off)), (false, None)] {
            assert_eq!(deciding(disabled, config).status, Status::Note);
        }
    }

    #[test]
    fn a_file_that_is_not_understood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry.toml");
        plantune_domain::atomic_file::replace(&path, b"[[question]]\nkey = 1\n", 0o600).unwrap();
        let problem = conflict(&Registry::load(&path).unwrap_err());
        let check = file("registry", &path, Some(&problem));
        assert_eq!(check.status, Status::Failed);
        assert!(check.message.contains("registry.toml") && check.message.contains("line 2"));
        assert!(check.remedy.unwrap().starts_with("correct "));
    }
}
