//! Whether the hook binary is there, starts, keeps quiet, and can decide.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::check::{Check, word};
use super::probe::{self, Home};
use super::process::{self, Trouble};
use super::registration::Settings;
use crate::claude_settings::hook_binary::{HOOK, beside_us, binary, in_path, is_executable};

/// How long the hook may take; Claude Code waits as long.
const LIMIT: Duration = Duration::from_secs(5);

/// One hook binary and how it was found.
#[derive(Debug)]
struct Found {
    path: PathBuf,
    places: Vec<&'static str>,
    /// False for what only a project's settings name: an unknown repository must not get its
    /// program started by looking at it.
    may_start: bool,
}

/// Checks every hook binary that can be found, and returns with the findings one that works: the
/// registered one, if it does.
pub(super) fn check(settings: &Settings) -> (Vec<Check>, Option<PathBuf>) {
    let found = find(settings);
    if found.is_empty() {
        let message = format!("there is no {HOOK} beside plantune, nor in your PATH");
        let check = Check::failed("hook_binary", message)
            .remedy("run `make install` in plantune's source, then `plantune install`");
        return (vec![check], None);
    }
    let mut checks = Vec::new();
    let mut working = None;
    for hook in &found {
        let (more, works) = check_one(hook);
        checks.extend(more);
        if works && working.is_none() {
            working = Some(hook.path.clone());
        }
    }
    checks.extend(differing_hooks(&found));
    (checks, working)
}

/// The binaries that there are, the registered ones first, each once.
fn find(settings: &Settings) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut add = |path: PathBuf, place, may_start| {
        if !path.is_file() {
            return;
        }
        let real = fs::canonicalize(&path).ok();
        let same = |known: &&mut Found| fs::canonicalize(&known.path).ok() == real;
        match found.iter_mut().find(same) {
            Some(known) => {
                known.may_start |= may_start;
                if !known.places.contains(&place) {
                    known.places.push(place);
                }
            }
            None => found.push(Found {
                path,
                places: vec![place],
                may_start,
            }),
        }
    };
    for (path, from_user) in settings.programs() {
        add(path, "registered", from_user);
    }
    for path in beside_us().unwrap_or_default() {
        add(path, "beside plantune", true);
    }
    if let Some(path) = in_path(binary(HOOK)) {
        add(path, "in PATH", true);
    }
    found
}

/// The findings about one binary, and whether it works.
fn check_one(hook: &Found) -> (Vec<Check>, bool) {
    let name = format!("{} ({})", hook.path.display(), hook.places.join(", "));
    if !is_executable(&hook.path) {
        let check = Check::failed("hook_binary", format!("{name} may not be run"))
            .remedy(format!("run `chmod 755 {}`", word(&hook.path)));
        return (vec![check], false);
    }
    if !hook.may_start {
        let message = format!("{name}: only this project's settings name it, so it is not tried");
        return (vec![Check::note("hook_binary", message)], false);
    }
    let there = Check::ok("hook_binary", name);
    let home = match Home::new(0) {
        Ok(home) => home,
        Err(error) => {
            let message = format!("no temporary folder to try it in: {error}");
            let untried = Check::warning("hook_alive", message)
                .remedy("set TMPDIR to a folder that you may write");
            return (vec![there, untried], false);
        }
    };
    let alive = alive(&hook.path, &home);
    if alive.is_err() {
        return (vec![there, either(alive)], false);
    }
    let decides = decides(&hook.path, &home);
    let works = decides.is_ok();
    (vec![there, either(alive), either(decides)], works)
}

fn either(result: Result<Check, Check>) -> Check {
    result.unwrap_or_else(|failed| failed)
}

/// A call that it has no opinion on: it must say nothing and exit with 0, whatever it is sent.
fn alive(hook: &Path, home: &Home) -> Result<Check, Check> {
    let failed = |fact: String| {
        Check::failed("hook_alive", format!("{} {fact}", hook.display()))
            .remedy("run `make install` in plantune's source, then `plantune install`")
    };
    let call = br#"{"hook_event_name":"Stop"}"#;
    match process::run(&mut home.command(hook), call, LIMIT) {
        Ok(ended) if !ended.status.success() => Err(failed(format!("ends with {}", ended.status))),
        Ok(ended) if !ended.stdout.is_empty() => Err(failed(
            "prints something where it has nothing to say".to_owned(),
        )),
        Ok(_) => Ok(Check::ok(
            "hook_alive",
            "starts, and is silent where it has nothing to say",
        )),
        Err(trouble) => Err(failed(words(&trouble))),
    }
}

/// A call that a planted preference answers.
fn decides(hook: &Path, home: &Home) -> Result<Check, Check> {
    let failed = |fact: String| {
        Check::failed("hook_decides", format!("{} {fact}", hook.display())).remedy(
            "it is of another version than this plantune, or broken: run `make install` in \
             plantune's source, then `plantune install`",
        )
    };
    match process::run(&mut home.command(hook), &home.planted_call(), LIMIT) {
        Ok(ended) if ended.status.success() && probe::is_planted_answer(&ended.stdout) => Ok(
            Check::ok("hook_decides", "answers a question by a preference"),
        ),
        Ok(_) => Err(failed(
            "does not answer a question as a preference says".to_owned(),
        )),
        Err(trouble) => Err(failed(words(&trouble))),
    }
}

fn words(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Io(error) => format!("cannot be started: {error}"),
        Trouble::TooSlow => format!("does not end within {} s", LIMIT.as_secs()),
    }
}

/// A registered hook that is not the one which came with this plantune.
fn differing_hooks(found: &[Found]) -> Option<Check> {
    let ours = found
        .iter()
        .find(|hook| hook.places.contains(&"beside plantune"))?;
    if ours.places.contains(&"registered") {
        return None;
    }
    let theirs = found
        .iter()
        .find(|hook| hook.places.contains(&"registered"))?;
    let message = format!(
        "{} is registered, not the one beside this plantune",
        theirs.path.display()
    );
    Some(
        Check::note("hook_binary", message)
            .remedy("run `plantune install` if the two are of different versions"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, places: &[&'static str]) -> Found {
        Found {
            path: path.into(),
            places: places.to_vec(),
            may_start: true,
        }
    }

    #[test]
    fn another_hook_than_ours_is_noted() {
        let same = [found("/a", &["registered", "beside plantune"])];
        assert_eq!(differing_hooks(&same), None);
        assert_eq!(differing_hooks(&[found("/a", &["beside plantune"])]), None);
        let other = [
            found("/a", &["registered"]),
            found("/b", &["beside plantune"]),
        ];
        assert!(
            differing_hooks(&other)
                .unwrap()
                .message
                .starts_with("/a is")
        );
    }

    #[test]
    fn what_only_a_project_names_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let mut hook = found("/bin/sh", &["registered"]);
        hook.may_start = false;
        let (checks, works) = check_one(&hook);
        assert!(!works && checks.len() == 1, "{checks:?}");
        hook.path = folder.path().join("plantune-hook");
        fs::File::create(&hook.path).unwrap();
        let (checks, _) = check_one(&hook);
        assert!(checks[0].remedy.as_deref().unwrap().contains("chmod 755"));
    }
}
