//! Files of the configuration that others may have had a hand in are not obeyed: every question is
//! asked, and no reviewer is started.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::Command;

use crate::common::{Home, OPTIONS, ask, create_one, question};
use crate::skipped::skipped;
use serde_json::json;

/// A home with a preference, a reviewer that leaves a trace when it is started, and a registry.
fn home() -> Home {
    let home = Home::new();
    let trace = home.path().join("started");
    let script = format!("touch {}; echo '{{}}'", trace.display());
    let reviewer = json!(["/bin/sh", "-c", script]);
    home.configure(&format!("spot_check = 0\nreviewer = {reviewer}\n"));
    home.never_ask(&[create_one()]);
    let registry = "[[question]]\nkey = \"named\"\ntext = \"Create two?\"\n";
    let path = home.paths().registry_file();
    plantune_domain::atomic_file::replace(&path, registry.as_bytes(), 0o600).unwrap();
    home
}

/// Replaces a file by something that is not to be obeyed; false where that cannot be set up.
type Spoil = fn(&Path) -> bool;

const SPOILS: [(Spoil, &str); 6] = [
    (
        |path| fs::set_permissions(path, fs::Permissions::from_mode(0o666)).is_ok(),
        "others may write it (mode 666",
    ),
    (
        |path| chown(path, Some(65_533), None).is_ok(),
        "others may write it (mode 600, owner 65533",
    ),
    (
        |path| {
            let _ = fs::remove_file(path);
            Command::new("mkfifo").arg(path).status().unwrap().success()
        },
        "no ordinary file",
    ),
    (
        |path| {
            let _ = fs::remove_file(path);
            fs::create_dir(path).is_ok()
        },
        "no ordinary file",
    ),
    (
        |path| {
            let elsewhere = path.parent().unwrap().parent().unwrap().join("elsewhere");
            fs::rename(path, &elsewhere).unwrap();
            symlink(elsewhere, path).is_ok()
        },
        "a link out of its folder",
    ),
    (
        |path| {
            let file = fs::OpenOptions::new().append(true).open(path).unwrap();
            file.set_len(64 * 1024 * 1024).is_ok()
        },
        "too long",
    ),
];

#[test]
fn files_that_others_may_write_are_not_obeyed() {
    for (name, because) in [
        ("config.toml", "configuration_unreadable"),
        ("registry.toml", "registry_unreadable"),
        ("preferences.json", "preferences_unreadable"),
    ] {
        for (spoil, why) in SPOILS {
            let home = home();
            if !spoil(&home.plantune().join(name)) {
                skipped(
                    "own_files::files_that_others_may_write_are_not_obeyed",
                    &format!("root, who alone gives files away ({name}: {why})"),
                );
                continue;
            }
            for (id, key) in [("toolu_1", "k"), ("toolu_2", "other")] {
                let call = ask(id, home.path(), &[question(key, "Create one?", OPTIONS)]);
                assert_eq!(home.call(&call), "", "{name}: {why}");
            }
            assert!(!home.path().join("started").exists(), "{name}: {why}");
            let asked = &home.question_events()[0];
            assert_eq!(asked["kind"], "asked");
            assert_eq!(asked["reason"], because, "{name}: {why}");
            let errors = home.events_of("hook_error");
            let error = errors[0]["error"].as_str().unwrap();
            assert!(error.contains(name) && error.contains(why), "{error}");
        }
    }
}

#[test]
fn own_files_are_obeyed() {
    let home = home();
    let call = |id, key| ask(id, home.path(), &[question(key, "Create one?", OPTIONS)]);
    assert!(home.call(&call("toolu_1", "k")).contains("\"allow\""));
    assert_eq!(home.call(&call("toolu_2", "other")), "");
    assert!(home.path().join("started").exists());
}
