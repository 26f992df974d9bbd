//! What `doctor` reports on the modes of files, and on files that are not understood.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::home::installed;

#[test]
fn files_that_others_may_read_stay_as_they_are() {
    let world = installed();
    let segment = world.path("data/events/2026-11-19.jsonl");
    fs::set_permissions(&segment, fs::Permissions::from_mode(0o644)).unwrap();
    symlink("/etc", world.path("data/sessions")).unwrap();
    let before = world.everything("", &[]);
    let found = world.findings("data_folder");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0].2,
        format!("run `chmod -R go= {}`", segment.display())
    );
    assert!(found[1].1.ends_with("data/sessions is a symbolic link"));
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn files_that_are_not_understood() {
    let world = installed();
    world.put("data/config.toml", "enabled = maybe\n");
    world.put("data/registry.toml", "[[question]]\nkey = 1\n");
    let preferences = world.path("data/preferences.json");
    world.put(&preferences, "{\"version\":1,\"preferences\":{}}");
    fs::set_permissions(preferences, fs::Permissions::from_mode(0o666)).unwrap();
    for name in ["config", "registry", "preferences"] {
        let (status, message, remedy) = world.finding(name);
        assert_eq!(status, "failed", "{name}: {message}");
        assert!(!remedy.is_empty());
    }
    assert_eq!(world.finding("deciding").0, "note");
    world.put(
        "data/config.toml",
        "enabled = false\ntime_zone = \"Nowhere\"\n",
    );
    assert!(world.finding("deciding").1.contains("switched off"));
    let (status, message, _) = world.finding("time_zone");
    assert_eq!(status, "failed");
    assert!(message.contains("Nowhere"));
}
