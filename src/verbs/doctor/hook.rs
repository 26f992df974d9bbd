//! Whether the hook binary is there, starts, keeps quiet, and can decide.

use std::path::PathBuf;

use super::check::{Findings, word};
use super::registration::Settings;
use super::{Seen, latency, release};
use crate::claude_settings::hook_binary::{HOOK, beside_us};
use crate::installed_hook::alive::{self, LIMIT, words};
use crate::installed_hook::probe::{self, Home};
use crate::installed_hook::{InstalledHook, has_same_bytes, process};
use crate::programs::{binary, in_path, is_executable};

/// How to get a hook that works.
const AGAIN: &str = "install plantune again, then run `plantune doctor --fix`";

/// One hook binary and how it was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    places: Vec<&'static str>,
    /// False for what only a project's settings name: an unknown repository must not get its
    /// program started by looking at it.
    pub(super) may_start: bool,
}

impl Found {
    /// True when Claude Code calls it.
    pub(super) fn is_called(&self) -> bool {
        self.places.contains(&REGISTERED) || self.places.contains(&BY_PLUGIN)
    }
}

const REGISTERED: &str = "registered";

/// A plugin that carries no hook starts plantune's copy where there is one.
const BY_PLUGIN: &str = "called by the plugin";

/// What a plugin carries is of the plugin's version, which is judged with its registration.
const IN_PLUGIN: &str = "in the plugin";

/// Checks every hook binary that can be found, and measures one that works: the registered one, if it does.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    let installed = InstalledHook::of(&seen.workspace.paths);
    let hooks = find(&seen.settings, &installed);
    if hooks.is_empty() {
        let message = format!("there is no {HOOK} beside plantune, nor in your PATH");
        found.failed("hook_binary", message).remedy(AGAIN);
    }
    let working: Vec<&Found> = hooks.iter().filter(|hook| works(hook, found)).collect();
    // What only a project names is not ours to judge: it need not be a hook.
    let called = hooks
        .iter()
        .filter(|hook| hook.is_called() && hook.may_start);
    release::check(&installed, called.map(|hook| &hook.path), found);
    if let Some(first) = working.first() {
        latency::check(&first.path, found);
    }
}

/// The binaries that there are, the registered ones first, each once.
fn find(settings: &Settings, installed: &InstalledHook) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut add = |path: PathBuf, place, may_start| {
        if !path.is_file() {
            return;
        }
        // A copy is the same hook: what one does, the other does.
        let same = |known: &&mut Found| has_same_bytes(&known.path, &path);
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
        add(path, REGISTERED, from_user);
    }
    for plugin in settings.plugins() {
        match &plugin.hook {
            Some(carried) => add(carried.clone(), IN_PLUGIN, true),
            None => add(installed.path(), BY_PLUGIN, true),
        }
    }
    for path in beside_us().unwrap_or_default() {
        add(path, "beside plantune", true);
    }
    if let Some(path) = in_path(binary(HOOK)) {
        add(path, "in PATH", true);
    }
    found
}

/// Whether one binary works, with the findings about it.
fn works(hook: &Found, found: &mut Findings) -> bool {
    let shown = hook.path.display();
    let name = format!("{shown} ({})", hook.places.join(", "));
    if !is_executable(&hook.path) {
        found
            .failed("hook_binary", format!("{name} may not be run"))
            .remedy(format!("run `chmod 755 {}`", word(&hook.path)));
        return false;
    }
    if !hook.may_start {
        let fact = "only this project's settings name it, so it is not tried";
        found.note("hook_binary", format!("{name}: {fact}"));
        return false;
    }
    found.ok("hook_binary", name);
    let home = match Home::new(0) {
        Ok(home) => home,
        Err(error) => {
            found
                .warning(
                    "hook_alive",
                    format!("no temporary folder to try it in: {error}"),
                )
                .remedy("set TMPDIR to a folder that you may write");
            return false;
        }
    };
    if let Err(fact) = alive::alive(&hook.path, &home) {
        found
            .failed("hook_alive", format!("{shown} {fact}"))
            .remedy(AGAIN);
        return false;
    }
    found.ok(
        "hook_alive",
        "starts, and is silent where it has nothing to say",
    );
    let fact = match process::run(&mut home.command(&hook.path), &home.planted_call(), LIMIT) {
        Ok(ended) if ended.status.success() && probe::is_planted_answer(&ended.stdout) => {
            found.ok("hook_decides", "answers a question by a preference");
            return true;
        }
        Ok(_) => "does not answer a question as a preference says".to_owned(),
        Err(trouble) => words(&trouble),
    };
    let remedy = format!("it is of another version than this plantune, or broken: {AGAIN}");
    found
        .failed("hook_decides", format!("{shown} {fact}"))
        .remedy(remedy);
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_only_a_project_names_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let mut hook = Found {
            path: "/bin/sh".into(),
            places: vec![REGISTERED],
            may_start: false,
        };
        let mut found = Findings::default();
        assert!(
            !works(&hook, &mut found) && found.checks.len() == 1,
            "{found:?}"
        );
        hook.path = folder.path().join("plantune-hook");
        fs::File::create(&hook.path).unwrap();
        works(&hook, &mut found);
        let remedy = found.checks[1].remedy.as_deref();
        assert!(remedy.unwrap().contains("chmod 755"));
    }
}
