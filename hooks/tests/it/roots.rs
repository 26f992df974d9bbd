//! A repository can set the variables that name plantune's folders, through the `env` of its
//! `.claude/settings.json`. What it brings is not obeyed, and nothing is written there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use crate::common::{HOOK, OPTIONS, alone, ask, printed, question};
use crate::skipped::skipped;
use serde_json::{Value, json};

const NEVER: &str = r#"{"version":1,"preferences":{"k":{"preference":"never-ask",
    "question":"Create one?","options":["Create it","Skip"]}}}"#;

/// A person's home, and a repository that brings a configuration with a reviewer in `root`.
struct World {
    top: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        for folder in ["home", "repository/.git", "repository/src"] {
            fs::create_dir_all(top.path().join(folder)).unwrap();
        }
        let world = Self { top };
        fs::write(world.at("repository/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    /// Puts a preference, and a reviewer that leaves a trace, in the folder `root`.
    fn configure(&self, root: &str) {
        let (root, trace) = (self.at(root), self.at("started"));
        fs::create_dir_all(&root).unwrap();
        let script = format!("touch {}; echo '{{}}'", trace.display());
        let reviewer = json!(["/bin/sh", "-c", script]);
        let config = format!("spot_check = 0\nannounce = true\nreviewer = {reviewer}\n");
        for (name, text) in [
            ("config.toml", config.as_str()),
            ("preferences.json", NEVER),
        ] {
            plantune_domain::atomic_file::replace(&root.join(name), text.as_bytes(), 0o600)
                .unwrap();
        }
    }

    /// What the hook prints for two questions and a session's start, with these variables; `HOME`
    /// is the person's unless it is among them.
    fn printed(&self, cwd: &str, variables: &[(&str, &str)]) -> String {
        let cwd = self.at(cwd);
        let start = json!({"session_id": "s", "cwd": cwd, "hook_event_name": "SessionStart"});
        let calls = ["k", "other"].map(|key| {
            let question = question(key, "Create one?", OPTIONS);
            ask(&format!("toolu_{key}"), &cwd, &[question])
        });
        let calls = calls.iter().chain([&start]);
        calls.map(|call| self.call(call, &cwd, variables)).collect()
    }

    fn call(&self, call: &Value, cwd: &Path, variables: &[(&str, &str)]) -> String {
        let mut hook = alone(HOOK);
        hook.env("HOME", self.at("home"))
            .envs(variables.iter().map(|(name, path)| (name, self.at(path))))
            .current_dir(cwd);
        printed(&mut hook, call.to_string().as_bytes())
    }

    /// The events in the default log.
    fn logged(&self) -> Vec<Value> {
        let segment = self.at("home/.local/share/plantune/events/2026-11-20.jsonl");
        let text = fs::read_to_string(segment).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Asserts that everything is asked, that nothing was written but the log, and that the log says
    /// `why`.
    fn assert_refused(&self, cwd: &str, variables: &[(&str, &str)], why: &str) {
        let before = self.files();
        assert_eq!(self.printed(cwd, variables), "", "{variables:?}");
        assert!(
            !self.at("started").exists(),
            "{variables:?}: a reviewer ran"
        );
        assert_eq!(self.files(), before, "{variables:?}");
        let events = self.logged();
        let asked = events.iter().filter(|event| event["kind"] == "asked");
        for event in asked.clone() {
            assert_eq!(event["ask_reason"], "disabled");
            assert_eq!(event["reason"], "roots_refused");
        }
        assert_eq!(asked.count(), 2);
        let mut errors = events.iter().filter(|event| event["kind"] == "hook_error");
        let error = errors.next().unwrap()["error"].as_str().unwrap();
        assert!(
            error.contains("is refused") && error.contains(why),
            "{error}"
        );
    }

    /// Every file outside the default data folder, with its content.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.top.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path == self.at("home/.local") {
                    continue;
                }
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path.clone());
                }
                found.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
        found
    }
}

#[test]
fn roots_in_the_repository_are_refused() {
    for (root, variable, value) in [
        (
            "repository/.plantune",
            "PLANTUNE_HOME",
            "repository/.plantune",
        ),
        ("repository", "PLANTUNE_HOME", "repository"),
        ("repository/x/plantune", "XDG_CONFIG_HOME", "repository/x"),
        ("repository/x/plantune", "XDG_DATA_HOME", "repository/x"),
        ("elsewhere", "PLANTUNE_HOME", "repository/link"),
        ("repository/.plantune", "PLANTUNE_HOME", "link/.plantune"),
    ] {
        let world = World::new();
        world.configure(root);
        symlink(world.at("elsewhere"), world.at("repository/link")).unwrap();
        symlink(world.at("repository"), world.at("link")).unwrap();
        for cwd in ["repository", "repository/src"] {
            let _ = fs::remove_dir_all(world.at("home/.local"));
            world.assert_refused(cwd, &[(variable, value)], "working tree");
        }
    }
}

#[test]
fn home_in_the_repository_is_refused() {
    let world = World::new();
    world.configure("repository/.config/plantune");
    let before = world.files();
    assert_eq!(world.printed("repository", &[("HOME", "repository")]), "");
    // No folder is left that could be trusted: nothing is logged either.
    assert_eq!(world.files(), before);
}

#[test]
fn roots_in_the_main_worktree_are_refused() {
    let world = World::new();
    world.configure("repository/.plantune");
    let git_dir = world.at("repository/.git/worktrees/linked");
    fs::create_dir_all(&git_dir).unwrap();
    fs::create_dir_all(world.at("linked")).unwrap();
    fs::write(git_dir.join("HEAD"), "ref: refs/heads/x\n").unwrap();
    fs::write(git_dir.join("commondir"), "../..\n").unwrap();
    let link = format!("gitdir: {}\n", git_dir.display());
    fs::write(world.at("linked/.git"), link).unwrap();
    let variables = [("PLANTUNE_HOME", "repository/.plantune")];
    world.assert_refused("linked", &variables, "working tree");
}

#[test]
fn roots_in_another_worktree_are_refused() {
    // Claude Code's own worktrees lie in the repository; people's lie beside it.
    for cwd in ["repository", "second"] {
        let world = World::new();
        world.configure("linked/home/.plantune");
        fs::create_dir_all(world.at("repository/.git")).unwrap();
        fs::write(world.at("repository/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        for name in ["linked", "second"] {
            let git_dir = world.at(&format!("repository/.git/worktrees/{name}"));
            fs::create_dir_all(&git_dir).unwrap();
            fs::create_dir_all(world.at(name)).unwrap();
            fs::write(git_dir.join("HEAD"), "ref: refs/heads/x\n").unwrap();
            fs::write(git_dir.join("commondir"), "../..\n").unwrap();
            let link = format!("gitdir: {}\n", git_dir.display());
            fs::write(world.at(name).join(".git"), link).unwrap();
        }
        let variables = [("PLANTUNE_HOME", "linked/home/.plantune")];
        world.assert_refused(cwd, &variables, "working tree");
    }
}

#[test]
fn roots_in_the_folder_of_the_session_are_refused() {
    // Without git: an archive that was unpacked.
    let world = World::new();
    world.configure("archive/.plantune");
    fs::create_dir_all(world.at("archive/src")).unwrap();
    let variables = [
        ("PLANTUNE_HOME", "archive/.plantune"),
        ("CLAUDE_PROJECT_DIR", "archive"),
    ];
    world.assert_refused("archive/src", &variables, "working tree");
    fs::create_dir_all(world.at("archive/.claude")).unwrap();
    fs::write(world.at("archive/.claude/settings.json"), "{}").unwrap();
    fs::remove_dir_all(world.at("home/.local")).unwrap();
    world.assert_refused("archive", &variables[..1], "working tree");
}

#[test]
fn roots_that_others_may_write_are_refused() {
    let world = World::new();
    world.configure("roots");
    let root = world.at("roots");
    let variables = [("PLANTUNE_HOME", "roots")];
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    world.assert_refused(
        "repository",
        &variables,
        "everybody may write to it (mode 777)",
    );
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
    if chown(&root, Some(65_533), None).is_ok() {
        fs::remove_dir_all(world.at("home/.local")).unwrap();
        world.assert_refused("repository", &variables, "another user (65533)");
        chown(&root, Some(0), None).unwrap();
    } else {
        skipped(
            "roots::roots_that_others_may_write_are_refused",
            "root, who alone gives folders away (the folder of another user)",
        );
    }
    assert!(
        world
            .printed("repository", &variables)
            .contains("\"allow\"")
    );
    assert!(world.at("started").exists());
}

#[test]
fn other_roots_are_obeyed() {
    let world = World::new();
    world.configure("roots/plantune");
    for variables in [
        [("PLANTUNE_HOME", "roots/plantune"), ("A", "a")],
        [("XDG_CONFIG_HOME", "roots"), ("XDG_DATA_HOME", "roots")],
    ] {
        let printed = world.printed("repository/src", &variables);
        assert!(printed.contains("\"allow\""), "{variables:?}: {printed}");
    }
}
