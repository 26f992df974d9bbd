use super::super::settings::{repairs, switches_hooks_off};
use super::*;
use crate::claude_settings::editor;
use crate::verbs::doctor::check::{Finding, Status};

fn file(scope: SettingsScope, text: &str) -> ScopeFile {
    let found = editor::inspect(text).unwrap();
    ScopeFile {
        scope,
        name: format!("/{scope:?}.json"),
        hooks_off: switches_hooks_off(&serde_json::from_str(text).unwrap_or_default()),
        roots: Vec::new(),
        repairs: repairs(text, &found).unwrap(),
        found,
    }
}

fn judged(files: Vec<ScopeFile>) -> Vec<Finding> {
    findings(&Settings {
        files,
        ..Settings::default()
    })
}

fn findings(settings: &Settings) -> Vec<Finding> {
    let mut found = Findings::default();
    judge(settings, &mut found);
    found.checks
}

/// A program called as the hook, and the settings that `install` writes for it.
fn installed() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let hook = folder.path().join("plantune-hook");
    std::os::unix::fs::symlink("/bin/true", &hook).unwrap();
    let text = editor::install("", hook.to_str().unwrap()).unwrap().text;
    (folder, text)
}

/// The one finding about a user's settings that are `installed` with `from` made `to`.
fn only(from: &str, to: &str) -> Finding {
    let (_folder, text) = installed();
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text);
    let mut checks = judged(vec![file(SettingsScope::User, &changed)]);
    assert_eq!(checks.len(), 1, "{checks:?}");
    checks.remove(0)
}

#[test]
fn as_installed() {
    let (_folder, text) = installed();
    let checks = judged(vec![
        file(SettingsScope::User, &text),
        file(SettingsScope::Local, "{}"),
    ]);
    assert_eq!(checks.len(), 1);
    assert_eq!(checks[0].status, Status::Ok, "{checks:?}");
}

#[test]
fn nothing_registered() {
    let checks = judged(vec![file(SettingsScope::User, "")]);
    assert_eq!(checks[0].status, Status::Failed);
    assert_eq!(checks[0].remedy.as_deref(), Some("run `plantune install`"));
}

#[test]
fn what_can_be_wrong_in_one_file() {
    for (from, to, status, words) in [
        (
            "PostToolUseFailure",
            "Elsewhere",
            Status::Failed,
            "not registered for",
        ),
        (
            "PermissionRequest",
            "Elsewhere",
            Status::Warning,
            "not registered for PermissionRequest: prompts for permission are not logged",
        ),
        (
            "\"timeout\": 5",
            "\"timeout\": 5, \"async\": true",
            Status::Warning,
            "may run late, twice or in vain (update PreToolUse)",
        ),
        (
            "(AskUserQuestion|mcp__.*__AskUserQuestion)",
            "Bash",
            Status::Failed,
            "the hook is not registered for PreToolUse",
        ),
        (
            "{",
            "{\"disableAllHooks\": true,",
            Status::Failed,
            "switches all hooks off",
        ),
    ] {
        let (_folder, text) = installed();
        let changed = text.replacen(from, to, 1);
        let checks = judged(vec![file(SettingsScope::User, &changed)]);
        let found = checks.iter().find(|check| check.message.contains(words));
        assert_eq!(found.map(|check| check.status), Some(status), "{checks:?}");
    }
    let late = only("\"args\": [],", "");
    assert_eq!(late.remedy.as_deref(), Some("run `plantune install`"));
}

#[test]
fn a_program_that_is_gone() {
    let (folder, text) = installed();
    drop(folder);
    let checks = judged(vec![file(SettingsScope::Local, &text)]);
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert!(checks[0].message.contains("where there is no program"));
    assert_eq!(
        checks[0].remedy.as_deref(),
        Some("run `plantune install --scope local`")
    );
}

#[test]
fn by_a_plugin() {
    let (_folder, text) = installed();
    let plugin = |id: &str| Plugin {
        id: id.to_owned(),
        settings: "/user.json".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        hook: None,
    };
    let judged = |text: &str, plugins: &[&str]| {
        findings(&Settings {
            files: vec![file(SettingsScope::Local, text)],
            plugins: plugins.iter().map(|id| plugin(id)).collect(),
            ..Settings::default()
        })
    };
    let alone = judged("{}", &["plantune@a"]);
    assert_eq!((alone.len(), alone[0].status), (1, Status::Ok), "{alone:?}");
    let two = judged("{}", &["plantune@a", "plantune@b"]);
    assert_eq!((two.len(), two[0].status), (1, Status::Warning), "{two:?}");
    let both = judged(&text, &["plantune@a"]);
    assert_eq!((both.len(), both[0].status), (1, Status::Note), "{both:?}");
    assert!(
        both[0].message.ends_with("the plugin's keeps silent"),
        "{both:?}"
    );
    let remedy = both[0].remedy.as_deref().unwrap();
    assert!(
        remedy.contains("claude plugin disable plantune@a"),
        "{remedy}"
    );
    assert!(
        remedy.contains("plantune uninstall --scope local"),
        "{remedy}"
    );
    let late = text.replacen("\"timeout\": 5", "\"timeout\": 5, \"async\": true", 1);
    let late = judged(&late, &["plantune@a"]);
    let (status, message) = (late[1].status, &late[1].message);
    assert_eq!(status, Status::Warning, "{late:?}");
    assert!(message.contains("the plugin's acts where"), "{message}");
}

#[test]
fn a_plugin_of_another_version_is_named() {
    let plugin = |version: &str| Plugin {
        id: "plantune@a".to_owned(),
        settings: "/user.json".to_owned(),
        version: Some(version.to_owned()),
        hook: None,
    };
    let judged = |version| {
        findings(&Settings {
            plugins: vec![plugin(version)],
            ..Settings::default()
        })
    };
    assert_eq!(judged(env!("CARGO_PKG_VERSION")).len(), 1);
    let found = judged("0.0.1").remove(1);
    assert_eq!(found.status, Status::Note);
    let message = &found.message;
    assert!(message.contains("is version 0.0.1, this"), "{message}");
}

#[test]
fn two_at_once() {
    let (_folder, text) = installed();
    let checks = judged(vec![
        file(SettingsScope::User, &text),
        file(SettingsScope::Project, &text),
    ]);
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert_eq!(checks[0].status, Status::Warning);
    assert_eq!(
        checks[0].remedy.as_deref(),
        Some("run `plantune uninstall --scope project`")
    );
    let double = text.replacen("\"SessionStart\": [", "\"SessionStart\": [GROUP,", 1);
    let start = text.split("\"SessionStart\": [").nth(1).unwrap();
    let group = start.split("\n    ]").next().unwrap();
    let checks = judged(vec![file(
        SettingsScope::User,
        &double.replace("GROUP", group),
    )]);
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert!(checks[0].message.contains("(remove SessionStart)"));
}
