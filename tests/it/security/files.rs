//! Files that others may write are ignored, and links are not written through.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use serde_json::{Value, json};

use super::home::{LOOKS, history, outside, ran, world};
use crate::world::folded;

#[test]
fn preferences_that_others_may_write_are_ignored_and_doctor_says_so() {
    let world = world();
    let standing = json!({"version": 1, "preferences": {"which-way": {"preference": "never-ask"}}});
    world.put("data/preferences.json", standing.to_string());
    let file = world.path("data/preferences.json");
    for mode in [0o620, 0o602, 0o666] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let (code, said) = ran(&world, &["doctor"]);
        assert_eq!(code, 1);
        assert!(said.contains("others may write it"), "{said}");
        assert!(said.contains("chmod 600"), "{said}");
        let (_, said) = ran(&world, &["prefs", "list"]);
        assert!(folded(&said).contains("others may write it"), "{said}");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(!ran(&world, &["doctor"]).1.contains("others may write it"));
}

#[test]
fn configuration_that_is_not_the_persons_is_ignored_and_doctor_says_so() {
    let text = "spot_check = 0\n";
    for (name, check) in [("config.toml", "config"), ("registry.toml", "registry")] {
        let world = world();
        let file = world.path("data").join(name);
        let failed = |why: &str| {
            let (code, said) = ran(&world, &["doctor"]);
            assert_eq!(code, 1);
            let line = said
                .lines()
                .find(|line| line.starts_with(&format!("FAILED   {check}:")));
            assert!(line.unwrap().contains(why), "{said}");
            assert_eq!(ran(&world, &["suggest"]).0, 3);
        };
        let text = if check == "config" { text } else { "" };
        world.put(format!("data/{name}"), text);
        assert_eq!(ran(&world, &["suggest"]).0, 0);
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
    let world = world();
    let secret = "a line that is no event\nanother\n";
    world.put("home/secret.txt", secret);
    world.put("elsewhere/2026-11-12.jsonl", history(|_| {}));
    fs::create_dir_all(world.path("data/events")).unwrap();
    let link = |to: &str, name: &str| {
        symlink(world.path(to), world.path("data").join(name)).unwrap();
    };
    link("home/secret.txt", "events/2026-11-10.jsonl");
    link("elsewhere/2026-11-12.jsonl", "events/2026-11-12.jsonl");
    link("home", "events/2026-11-13.jsonl");
    link("nowhere", "events/2026-11-14.jsonl");
    link("home", "sessions");
    let before = outside(&world);
    let report: Value = serde_json::from_str(&world.stdout_of(LOOKS[2])).unwrap();
    assert_eq!(
        report["totals"]["answered"], 12,
        "what a link leads to is read"
    );
    ran(&world, &["ingest", "--rebuild"]);
    ran(&world, &["doctor", "--fix"]);
    ran(&world, &["gc"]);
    let (_, said) = ran(&world, &["doctor"]);
    assert!(said.contains("is a symbolic link"), "{said}");
    assert!(outside(&world) == before, "a link was written through");
    for name in ["2026-11-10.jsonl", "2026-11-12.jsonl", "2026-11-13.jsonl"] {
        let link = world.path("data/events").join(name);
        assert!(link.is_symlink(), "{name} is still a link");
    }
}

/// What stands where a run writes the store is removed, and what it leads to is left alone.
#[test]
fn links_in_place_of_the_store() {
    let world = world();
    world.put("home/secret.txt", "no store");
    world.put("elsewhere/secret.txt", "nobody's");
    world.put("data/events/2026-11-12.jsonl", history(|_| {}));
    let data = world.path("data");
    let report = |made: &str| {
        let report: Value = serde_json::from_str(&world.stdout_of(LOOKS[2])).unwrap();
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
        let before = outside(&world);
        ran(&world, &["ingest"]);
        report(name);
        assert!(
            outside(&world) == before,
            "{name}: a link was written through"
        );
        assert!(!data.join(name).is_symlink(), "{name} -> {to}");
    }
}
