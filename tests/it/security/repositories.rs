//! What a repository brings along is refused.

use std::path::Path;

use serde_json::json;

use super::home::{LOOKS, history, outside, ran, world};
use crate::world::{World, run, unwrapped};

#[test]
fn folders_of_a_repository_are_refused() {
    let world = world();
    let brought = "home/repository/.plantune";
    world.put(format!("{brought}/config.toml"), "enabled = true\n");
    world.put(
        format!("{brought}/events/2026-11-12.jsonl"),
        history(|_| {}),
    );
    let settings = r#"{"env": {"PLANTUNE_HOME": "/somewhere"}}"#;
    world.put("home/repository/.claude/settings.json", settings);
    let run = |words: &[&str], home: &str| {
        let ran = run(world.command(words).env("PLANTUNE_HOME", world.path(home)));
        (ran.code, unwrapped(&ran.text()))
    };
    let before = outside(&world);
    for words in LOOKS.iter().copied().chain([
        &["prefs", "set", "k", "never-ask", "--yes"][..],
        &["ingest"],
        &["gc"],
        &["install", "--yes"],
    ]) {
        if words.first() == Some(&"doctor") {
            continue;
        }
        let (code, said) = run(words, brought);
        assert_eq!(code, 4, "{words:?}: {said}");
        assert!(said.contains(".plantune is refused: it lies in"), "{said}");
        assert!(said.contains("hint: unset PLANTUNE_HOME"), "{said}");
    }
    let (code, said) = run(&["doctor"], brought);
    assert_eq!(code, 1);
    assert!(said.contains("FAILED   roots: "), "{said}");
    assert!(
        said.contains("settings.json sets PLANTUNE_HOME for sessions here"),
        "{said}"
    );
    assert!(!said.contains("store:"), "{said}");
    assert!(outside(&world) == before, "something was written");
    assert_eq!(run(&["report"], "data").0, 0);
}

#[test]
fn a_repository_cannot_bring_preferences_along() {
    let world = world();
    world.put("data/events/2026-11-12.jsonl", history(|_| {}));
    let views = |world: &World| {
        let mut views = Vec::new();
        for words in &LOOKS[..8] {
            views.push(ran(world, words));
        }
        views
    };
    let before = views(&world);
    let preferences = json!({"version": 1, "preferences": {"which-way": {"preference": "never-ask", "answer": "Right"}}});
    let registry = "[[question]]\nkey = \"silenced\"\ntext = \"*\"\ndoor = \"two-way\"\n";
    for folder in [
        "",
        ".plantune/",
        "plantune/",
        ".config/plantune/",
        ".claude/",
        ".claude/plantune/",
        ".git/plantune/",
    ] {
        let at = format!("home/repository/{folder}");
        world.put(format!("{at}preferences.json"), preferences.to_string());
        world.put(format!("{at}registry.toml"), registry);
        world.put(format!("{at}config.toml"), "time_zone = \"Asia/Tokyo\"\n");
    }
    assert_eq!(views(&world), before);
    let said = world.stdout_of(&["prefs", "list"]);
    assert!(!said.contains("which-way"), "{said}");
    assert!(Path::new(&world.path("home/repository/preferences.json")).exists());
}
