//! Files that others may write are ignored, and links are not written through.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use serde_json::{Value, json};

use crate::world::{LOOKS, World, history};

#[test]
fn preferences_that_others_may_write_are_ignored_and_doctor_says_so() {
    let world = World::new();
    let standing = json!({"version": 1, "preferences": {"which-way": {"preference": "never-ask"}}});
    world.put("home/plantune/preferences.json", &standing.to_string());
    let file = world.path("home/plantune/preferences.json");
    for mode in [0o620, 0o602, 0o666] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let (code, said) = world.run(&["doctor"]);
        assert_eq!(code, 1);
        assert!(said.contains("others may write it"), "{said}");
        assert!(said.contains("chmod 600"), "{said}");
        let (_, said) = world.run(&["prefs", "list"]);
        assert!(said.contains("others may write it"), "{said}");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(!world.run(&["doctor"]).1.contains("others may write it"));
}

#[test]
fn configuration_that_is_not_the_persons_is_ignored_and_doctor_says_so() {
    let text = "spot_check = 0\n";
    for (name, check) in [("config.toml", "config"), ("registry.toml", "registry")] {
        let world = World::new();
        let file = world.path("home/plantune").join(name);
        let failed = |why: &str| {
            let (code, said) = world.run(&["doctor"]);
            assert_eq!(code, 1);
            let line = said
                .lines()
                .find(|line| line.starts_with(&format!("FAILED   {check}:")));
            assert!(line.unwrap().contains(why), "{said}");
            assert_eq!(world.run(&["suggest"]).0, 3);
        };
        let text = if check == "config" { text } else { "" };
        world.put(&format!("home/plantune/{name}"), text);
        assert_eq!(world.run(&["suggest"]).0, 0);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        failed("others may write it");
        fs::remove_file(&file).unwrap();
        world.put("home/elsewhere.toml", text);
        symlink(world.path("home/elsewhere.toml"), &file).unwrap();
        failed("a link out of its folder");
        fs::remove_file(&file).unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(&file)
                .status()
                .unwrap()
                .success()
        );
        failed("no ordinary file");
    }
}

#[test]
fn links_in_the_data_are_read_at_most_and_never_written_through() {
    let world = World::new();
    let secret = "a line that is no event\nanother\n";
    world.put("home/secret.txt", secret);
    world.put("elsewhere/2026-11-12.jsonl", &history(|_| {}));
    fs::create_dir_all(world.path("home/plantune/events")).unwrap();
    let link = |to: &str, name: &str| {
        symlink(world.path(to), world.path("home/plantune").join(name)).unwrap();
    };
    link("home/secret.txt", "events/2026-11-10.jsonl");
    link("elsewhere/2026-11-12.jsonl", "events/2026-11-12.jsonl");
    link("home", "events/2026-11-13.jsonl");
    link("nowhere", "events/2026-11-14.jsonl");
    link("home", "sessions");
    let before = world.outside();
    let report: Value = serde_json::from_str(&world.text(LOOKS[2])).unwrap();
    assert_eq!(
        report["totals"]["answered"], 12,
        "what a link leads to is read"
    );
    world.run(&["ingest", "--rebuild"]);
    world.run(&["quarantine", "retry"]);
    world.run(&["gc"]);
    let (_, said) = world.run(&["doctor"]);
    assert!(said.contains("is a symbolic link"), "{said}");
    assert!(world.outside() == before, "a link was written through");
    for name in ["2026-11-10.jsonl", "2026-11-12.jsonl", "2026-11-13.jsonl"] {
        let link = world.path("home/plantune/events").join(name);
        assert!(link.is_symlink(), "{name} is still a link");
    }
}

/// What stands where a run writes the store is removed, and what it leads to is left alone.
#[test]
fn links_in_place_of_the_store() {
    let world = World::new();
    world.put("home/secret.txt", "no store");
    world.put("elsewhere/secret.txt", "nobody's");
    world.put("home/plantune/events/2026-11-12.jsonl", &history(|_| {}));
    let data = world.path("home/plantune");
    let report = |made: &str| {
        let report: Value = serde_json::from_str(&world.text(LOOKS[2])).unwrap();
        assert_eq!(report["totals"]["answered"], 12, "{made}");
    };
    for (name, to) in [
        ("plantune.duckdb", "home/secret.txt"),
        ("plantune.duckdb", "nowhere"),
        ("plantune.duckdb.new", "home/secret.txt"),
        ("plantune.duckdb.new", "nowhere"),
        ("plantune.duckdb.new.wal", "home/secret.txt"),
        ("plantune.duckdb.tmp", "elsewhere"),
        ("plantune.duckdb.wal", "home/secret.txt"),
    ] {
        let _ = fs::remove_file(data.join(name));
        symlink(world.path(to), data.join(name)).unwrap();
        let before = world.outside();
        world.run(&["ingest"]);
        report(name);
        assert!(
            world.outside() == before,
            "{name}: a link was written through"
        );
        assert!(!data.join(name).is_symlink(), "{name} -> {to}");
    }
}
