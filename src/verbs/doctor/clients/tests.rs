use super::*;
use crate::verbs::doctor::tests::{home, of, seen};
use plantune_reports::doctor::{Finding, Status};

fn file(scope: SettingsScope, text: &str) -> ScopeFile {
    ScopeFile::read(scope, format!("/{scope:?}.json"), text).unwrap()
}

fn judged(files: Vec<ScopeFile>) -> Vec<Finding> {
    findings(Callers {
        files,
        ..Callers::default()
    })
}

fn findings(callers: Callers) -> Vec<Finding> {
    let (_folder, session) = home(&[]);
    let mut seen = seen(&session);
    seen.callers = callers;
    of(registration, &seen)
}

/// A program called as the hook, and the settings that `install` writes for it.
fn installed() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let hook = folder.path().join("plantune-hook");
    std::os::unix::fs::symlink("/bin/true", &hook).unwrap();
    let registered = plantune_agents::claude_code::registration(None, "");
    let edited = edit(registered, "", hook.to_str().unwrap());
    (folder, edited.unwrap().text)
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
    assert_eq!(checks[0].status, Failed);
    assert_eq!(checks[0].remedy.as_deref(), Some("run `plantune install`"));
}

#[test]
fn what_can_be_wrong_in_one_file() {
    for (from, to, status, words) in [
        (
            "PostToolUseFailure",
            "Elsewhere",
            Failed,
            "not registered for",
        ),
        (
            "PermissionRequest",
            "Elsewhere",
            Warning,
            "not registered for PermissionRequest, so that is not logged",
        ),
        (
            "\"timeout\": 5",
            "\"timeout\": 5, \"async\": true",
            Warning,
            "may run late, twice or not at all (update PreToolUse)",
        ),
        (
            "(AskUserQuestion|mcp__.*__AskUserQuestion)",
            "Bash",
            Failed,
            "the hook is not registered for PreToolUse",
        ),
        (
            "{",
            "{\"disableAllHooks\": true,",
            Failed,
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
    assert!(checks[0].message.contains("which doesn't exist"));
    assert_eq!(
        checks[0].remedy.as_deref(),
        Some("run `plantune install --scope local`")
    );
}

#[test]
fn by_a_plugin() {
    let (_folder, text) = installed();
    let judged = |text: &str| {
        findings(Callers {
            files: vec![file(SettingsScope::Local, text)],
            plugins: vec![Plugin {
                id: "plantune@a".to_owned(),
                settings: "/user.json".to_owned(),
                hook: None,
            }],
            ..Callers::default()
        })
    };
    let alone = judged("{}");
    assert_eq!((alone.len(), alone[0].status), (1, Status::Ok), "{alone:?}");
    let both = judged(&text);
    assert_eq!((both.len(), both[0].status), (1, Note), "{both:?}");
    let message = &both[0].message;
    assert!(message.ends_with("the plugin's stays silent"), "{message}");
    let remedy = both[0].remedy.as_deref().unwrap();
    assert!(
        remedy.contains("claude plugin disable plantune@a"),
        "{remedy}"
    );
    let late = text.replacen("\"timeout\": 5", "\"timeout\": 5, \"async\": true", 1);
    let late = judged(&late);
    assert_eq!(late[0].status, Warning, "{late:?}");
    let message = &late[1].message;
    assert!(message.contains("the plugin's acts, because"), "{message}");
}

#[test]
fn two_at_once() {
    let (_folder, text) = installed();
    let checks = judged(vec![
        file(SettingsScope::User, &text),
        file(SettingsScope::Project, &text),
    ]);
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert_eq!(checks[0].status, Warning);
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

#[test]
fn folders_that_a_project_names_are_reported() {
    let text = r#"{"env": {"PLANTUNE_HOME": "/somewhere"}}"#;
    let (_folder, installed) = installed();
    for (scope, reported) in [(SettingsScope::User, 0), (SettingsScope::Project, 1)] {
        let files = vec![file(SettingsScope::Local, &installed), file(scope, text)];
        let found = judged(files).into_iter();
        let found = found.filter(|one| one.message.contains("sets PLANTUNE_HOME"));
        assert_eq!(found.count(), reported, "{scope:?}");
    }
}

#[test]
fn what_only_a_project_names_is_not_started() {
    let (_folder, session) = home(&[]);
    let mut seen = seen(&session);
    seen.hooks = vec![FoundHook {
        path: "/bin/sh".into(),
        places: vec![REGISTERED],
        may_start: false,
    }];
    let found = of(hook, &seen);
    assert_eq!(found.last().unwrap().status, Note, "{found:?}");
}

#[test]
fn which_versions_of_claude_code_are_new_enough() {
    for (printed, is_enough) in [
        ("2.1.197 (Claude Code)\n", Some(true)),
        ("2.1.101 (Claude Code)", Some(true)),
        ("notice: update\nClaude Code v3.0.0-beta.1", Some(true)),
        ("2.1.100 (Claude Code)", Some(false)),
        ("1.9.200 (Claude Code)", Some(false)),
        ("", None),
        ("2.1 (Claude Code)", None),
        ("\u{1b}[31mnot.a.version", None),
    ] {
        let found = version(printed).map(|found| numbers(found) >= numbers(OLDEST));
        assert_eq!(found, is_enough, "{printed}");
    }
}
