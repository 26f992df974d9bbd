//! Whether the hook binary is there, starts, keeps quiet, decides, and is of this release, where it stays.

use std::path::{Path, PathBuf};

use plantune_settings::HOOK;
use plantune_settings::installed_hook::{InstalledHook, beside_us, has_same_bytes, our_hook};
use plantune_settings::programs::{
    LIMIT, ProbeHome, alive, in_path, is_executable, is_planted_answer, run, words,
};

use super::registration::Settings;
use super::{Findings, Seen, word};

/// How to get a hook that works.
const AGAIN: &str = "install plantune again, then run `plantune doctor --fix`";

/// One hook binary and how it was found.
#[derive(Debug)]
pub(super) struct FoundHook {
    pub(super) path: PathBuf,
    places: Vec<&'static str>,
    /// False for what only a project's settings name: an unknown repository must not get its
    /// program started by looking at it.
    pub(super) may_start: bool,
}

impl FoundHook {
    /// True when Claude Code calls it.
    pub(super) fn is_called(&self) -> bool {
        self.places.contains(&REGISTERED) || self.places.contains(&BY_PLUGIN)
    }
}

const REGISTERED: &str = "registered";

/// A plugin that carries no hook starts plantune's copy where there is one.
const BY_PLUGIN: &str = "called by the plugin";

/// The hook inside a plugin has the plugin's version, which is judged with its registration.
const IN_PLUGIN: &str = "in the plugin";

/// Tries every hook binary that can be found.
pub(super) fn check_hook(seen: &Seen<'_>, found: &mut Findings) {
    if seen.hooks.is_empty() {
        let message = format!("there is no {HOOK} beside plantune or in your PATH");
        found.failed(message).remedy(AGAIN);
    }
    seen.hooks.iter().for_each(|hook| judge(hook, found));
}

/// Whether the hooks that Claude Code calls are the one of this plantune.
pub(super) fn check_release(seen: &Seen<'_>, found: &mut Findings) {
    // If there is none beside plantune, another check says so.
    let Ok(ours) = our_hook() else {
        return;
    };
    for path in seen.called() {
        judge_release(path, has_same_bytes(&ours, path), found);
    }
}

/// Whether they lie where they stay.
pub(super) fn check_place(seen: &Seen<'_>, found: &mut Findings) {
    let installed = InstalledHook::of(&seen.session.paths).path();
    let elsewhere = seen.called().filter(|path| **path != installed);
    elsewhere.for_each(|path| judge_place(path, found));
}

impl Seen<'_> {
    /// The hooks that Claude Code calls. What only a project names is not ours to judge: it need not be a hook.
    fn called(&self) -> impl Iterator<Item = &PathBuf> {
        let called = |hook: &&FoundHook| hook.is_called() && hook.may_start;
        self.hooks.iter().filter(called).map(|hook| &hook.path)
    }
}

/// The binaries that there are, the registered ones first, each once.
pub(super) fn find(settings: &Settings, installed: &InstalledHook) -> Vec<FoundHook> {
    let mut found: Vec<FoundHook> = Vec::new();
    let mut add = |path: PathBuf, place, may_start| {
        if !path.is_file() {
            return;
        }
        // A copy is the same hook: what one does, the other does.
        let same = |known: &&mut FoundHook| has_same_bytes(&known.path, &path);
        match found.iter_mut().find(same) {
            Some(known) => {
                known.may_start |= may_start;
                if !known.places.contains(&place) {
                    known.places.push(place);
                }
            }
            None => found.push(FoundHook {
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
    if let Some(path) = in_path(HOOK) {
        add(path, "in PATH", true);
    }
    found
}

/// The finding about one binary: it works, or what it does not do.
fn judge(hook: &FoundHook, found: &mut Findings) {
    let shown = hook.path.display();
    let name = format!("{shown} ({})", hook.places.join(", "));
    if !is_executable(&hook.path) {
        found
            .failed(format!("{name} is not executable"))
            .remedy(format!("run `chmod 755 {}`", word(&hook.path)));
        return;
    }
    if !hook.may_start {
        let fact = "only this project's settings name it, so it wasn't tried";
        found.note(format!("{name}: {fact}"));
        return;
    }
    let home = match ProbeHome::new() {
        Ok(home) => home,
        Err(error) => {
            found
                .warning(format!("no temporary folder to try {name} in: {error}"))
                .remedy("set TMPDIR to a folder that you may write");
            return;
        }
    };
    if let Err(fact) = alive(&hook.path, &home) {
        found.failed(format!("{name} {fact}")).remedy(AGAIN);
        return;
    }
    let fact = match run(&mut home.command(&hook.path), &home.planted_call(), LIMIT) {
        Ok(ended) if ended.status.success() && is_planted_answer(&ended.stdout) => {
            let does = "starts, stays silent when it should, and answers by a preference";
            return found.ok(format!("{name}: {does}"));
        }
        Ok(_) => "doesn't answer a question as a preference says".to_owned(),
        Err(trouble) => words(&trouble),
    };
    let remedy = format!("it is broken, or from another version: {AGAIN}");
    found.failed(format!("{name} {fact}")).remedy(remedy);
}

/// The remedy that gets the hook of this release to its place.
const FIX: &str = "run `plantune doctor --fix`";

/// Folders of package managers that are emptied or replaced without a word.
const PASSING: [&str; 4] = ["_npx", "node_modules", "dlx", ".bun"];

/// The finding about a hook; `is_ours` if it is the one beside this plantune.
fn judge_release(path: &Path, is_ours: bool, found: &mut Findings) {
    if is_ours {
        found.ok(format!("up to date ({})", env!("CARGO_PKG_VERSION")));
        return;
    }
    let message = format!(
        "{} is not the hook of this plantune ({})",
        path.display(),
        env!("CARGO_PKG_VERSION")
    );
    found.warning(message).remedy(FIX);
}

/// The finding about a hook that is registered where `install` does not put it.
fn judge_place(path: &Path, found: &mut Findings) {
    let mut parts = path.iter();
    let shown = path.display();
    if parts.any(|part| PASSING.iter().any(|name| part == *name)) {
        let message = format!("{shown} is in a package manager's folder, which may disappear");
        found.warning(message).remedy(FIX);
        return;
    }
    let message = format!("{shown} is registered instead of plantune's own copy");
    let remedy = format!("to use a copy that plantune keeps up to date, {FIX}");
    found.note(message).remedy(remedy);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::Status;
    use std::fs;

    #[test]
    fn what_only_a_project_names_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let mut hook = FoundHook {
            path: "/bin/sh".into(),
            places: vec![REGISTERED],
            may_start: false,
        };
        let mut found = Findings::default();
        judge(&hook, &mut found);
        assert_eq!(found.checks[0].status, Status::Note, "{found:?}");
        hook.path = folder.path().join("plantune-hook");
        fs::File::create(&hook.path).unwrap();
        judge(&hook, &mut found);
        let remedy = found.checks[1].remedy.as_deref();
        assert!(remedy.unwrap().contains("chmod 755"));
    }

    #[test]
    fn a_place_that_does_not_last_is_a_warning() {
        for (path, status) in [
            ("/home/ann/.local/bin/plantune-hook", Status::Note),
            (
                "/home/ann/.npm/_npx/0a1b/node_modules/p/plantune-hook",
                Status::Warning,
            ),
            (
                "/usr/lib/node_modules/plantune/plantune-hook",
                Status::Warning,
            ),
        ] {
            let mut found = Findings::default();
            judge_place(Path::new(path), &mut found);
            assert_eq!(found.checks[0].status, status, "{path}");
        }
    }
}
