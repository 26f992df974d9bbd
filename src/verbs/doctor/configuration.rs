//! Whether config.toml and registry.toml are understood, and whether deciding is on.

use std::path::Path;

use plantune_domain::config::Config;
use plantune_domain::registry::Registry;

use super::check::{Check, shortened, word};
use crate::workspace::context::Context;
use crate::workspace::time_zone;

/// Reads both files and the switches.
pub(super) fn check(context: &Context) -> Vec<Check> {
    let (config_file, registry_file) = (context.paths.config_file(), context.paths.registry_file());
    let config = Config::load(&config_file);
    let registry = Registry::load(&registry_file).map(drop);
    let mut checks = vec![file(
        "config",
        &config_file,
        config.as_ref().map(drop),
        "until then every question is put to you",
    )];
    let meanwhile = "until then the hook neither logs nor answers any question";
    checks.push(file(
        "registry",
        &registry_file,
        registry.as_ref().map(drop),
        meanwhile,
    ));
    if let Ok(config) = &config {
        checks.push(match time_zone::resolve(config) {
            Ok(zone) => Check::ok("time_zone", zone.name()),
            Err(failure) => Check::from_failure("time_zone", &failure),
        });
    }
    let disabled = std::env::var("PLANTUNE_DISABLE").is_ok_and(|value| value == "1");
    checks.push(deciding(disabled, config.ok().as_ref()));
    checks
}

fn file(name: &'static str, path: &Path, read: Result<(), &String>, meanwhile: &str) -> Check {
    match read {
        Ok(()) if path.exists() => Check::ok(name, path.display().to_string()),
        Ok(()) => Check::ok(name, format!("no {}: the defaults hold", path.display())),
        Err(message) => Check::failed(name, shortened(message))
            .remedy(format!("correct {}; {meanwhile}", word(path))),
    }
}

fn deciding(disabled: bool, config: Option<&Config>) -> Check {
    const NAME: &str = "deciding";
    match config {
        _ if disabled => Check::note(NAME, "switched off by PLANTUNE_DISABLE; logging goes on")
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
    use super::super::check::Status;
    use super::*;

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
        let read = Registry::load(&path).map(drop);
        let check = file(
            "registry",
            &path,
            read.as_ref().map(drop),
            "until then nothing works",
        );
        assert_eq!(check.status, Status::Failed);
        assert!(check.message.contains("registry.toml") && check.message.contains("line 2"));
        assert!(check.remedy.unwrap().starts_with("correct "));
    }
}
