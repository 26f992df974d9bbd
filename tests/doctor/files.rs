//! What `doctor` reports on the modes of files, and on files that are not understood.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::world::{World, write};

#[test]
fn files_that_others_may_read_stay_as_they_are() {
    let world = World::installed();
    let segment = world.at("data/events/2026-11-19.jsonl");
    fs::set_permissions(&segment, fs::Permissions::from_mode(0o644)).unwrap();
    symlink("/etc", world.at("data/sessions")).unwrap();
    let before = world.everything();
    let found = world.findings("data_folder");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].2, format!("run `chmod 600 {}`", segment.display()));
    assert!(found[1].1.ends_with("data/sessions is a symbolic link"));
    assert_eq!(world.everything(), before);
}

#[test]
fn files_that_are_not_understood() {
    let world = World::installed();
    write(&world.at("data/config.toml"), "enabled = maybe\n", 0o600);
    write(
        &world.at("data/registry.toml"),
        "[[question]]\nkey = 1\n",
        0o600,
    );
    write(
        &world.at("data/preferences.json"),
        "{\"version\":1,\"preferences\":{}}",
        0o666,
    );
    for name in ["config", "registry", "preferences"] {
        let (status, message, remedy) = world.finding(name);
        assert_eq!(status, "failed", "{name}: {message}");
        assert!(!remedy.is_empty());
    }
    assert_eq!(world.finding("deciding").0, "note");
    write(
        &world.at("data/config.toml"),
        "enabled = false\ntime_zone = \"Nowhere\"\n",
        0o600,
    );
    assert!(world.finding("deciding").1.contains("switched off"));
    let (status, message, _) = world.finding("time_zone");
    assert_eq!(status, "failed");
    assert!(message.contains("Nowhere"));
}
