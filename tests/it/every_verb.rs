//! Every verb in a home with an odd name.

use std::fs;

use serde_json::Value;

use crate::segments::day;
use crate::world::World;

/// Installs plantune and uses every verb once; how each ended, and what was counted.
fn use_every_verb(world: &mut World) -> Vec<String> {
    world.now = "2026-10-20T09:00:00Z".parse().unwrap();
    world.calls = 0;
    world.put(world.user(), "{\"model\": \"opus\"}\n");
    world.put("home/.codex/hooks.json", "{}\n");
    let called = r#"{"type": "assistant", "uuid": "u", "timestamp": "2026-10-19T08:00:00.000Z", "sessionId": "s", "cwd": "/w", "version": "2.1.34", "message": {"id": "m", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}]}}"#;
    world.put(
        world.transcripts().join("work/s.jsonl"),
        format!("{called}\n"),
    );
    for old in ["all.jsonl", "all.parquet", "page.html"] {
        let _ = fs::remove_file(world.path(old));
    }
    let mut found = Vec::new();
    let mut run = |world: &World, words: &[&str]| {
        let ran = world.run(words);
        found.push(format!(
            "{}: {}",
            world.without_root(&words.join(" ")),
            ran.code
        ));
        ran
    };
    run(world, &["install", "--yes", "--statusline", "--notify"]);
    for old in ["2026-08-01", "2026-08-02", "2026-10-19"] {
        day(&world.data(), old, 20);
    }
    for answer in ["List", "List", "Grid", "List"] {
        world.ask(answer);
    }
    let file = |name: &str| world.path(name).to_str().unwrap().to_owned();
    let [lines, parquet, page] = ["all.jsonl", "all.parquet", "page.html"].map(file);
    for words in [
        &["ingest"][..],
        &["report"],
        &["report", "--html", &page],
        &["report", "--prompts"],
        &["suggest", "--backtest"],
        &["log"],
        &["log", "layout"],
        &["gc"],
        &["restore-month"],
        &["ingest", "--rebuild"],
        &["sql", "SELECT count(*) FROM events"],
        &["export", "--jsonl", &lines],
        &["export", "--parquet", &parquet],
        &["export", "--parquet", &parquet, "--force"],
        &[
            "prefs",
            "set",
            "layout",
            "never-ask",
            "--answer",
            "List",
            "--yes",
        ],
        &["prefs", "list"],
    ] {
        run(world, words);
    }
    for _ in 0..3 {
        world.ask("List");
    }
    for words in [
        &["log", "--auto"][..],
        &["undo", "layout", "--yes"],
        &["import", "claude-code"],
        &["away", "10m", "--yes"],
        &["away", "off"],
        &["config"],
        &["config", "set", "report.away_after_minutes", "5"],
        &["debug", "completions", "bash"],
        &["install", "--rollback", "--yes"],
        &["install", "--yes"],
    ] {
        run(world, words);
    }
    let mut json = |words: &[&str]| -> Value {
        serde_json::from_str(&run(world, words).stdout).unwrap_or_default()
    };
    let (doctor, report) = (json(&["doctor", "--json"]), json(&["report", "--json"]));
    // The test makes folders that others may read.
    let checks = doctor["checks"].as_array().into_iter().flatten();
    for check in checks.filter(|check| check["name"] != "folders") {
        found.push(format!("{} {}", check["name"], check["status"]));
    }
    let written = fs::read_to_string(lines).unwrap_or_default();
    found.push(format!("{} lines", written.lines().count()));
    found.push(format!("{} questions", report["totals"]["questions"]));
    found
}

/// Characters that a shell, an address, SQL, JSON or a terminal reads differently.
const ODD: &str = "%20#c'd\"e f{h,i}$HOME`id`;&=!ünï日本\n(~";

#[test]
fn every_verb_works_in_a_home_of_any_name() {
    let process = std::process::id();
    let expected = use_every_verb(&mut World::called("plain"));
    for one in expected.iter().filter(|one| one.contains(": ")) {
        assert!(one.ends_with(": 0"), "{one}");
    }
    // DuckDB takes what follows a question mark for options, brackets and stars for patterns, and a backslash in a
    // pattern for a slash.
    let (with_options, with_backslash) = (format!("odd{process}?*[a]{ODD}"), format!("\\{ODD}"));
    for (name, has_own_home) in [(with_options, true), (with_backslash, false)] {
        let mut world = World::called(&name);
        if !has_own_home {
            world = world.without_plantune_home();
        }
        assert_eq!(use_every_verb(&mut world), expected, "{name}");
        let removed = world.done(&["uninstall", "--purge", "--yes"]);
        assert!(!world.data().exists(), "{removed}");
        assert_eq!(world.text(world.user()), "{\"model\": \"opus\"}\n");
    }
    // Where DuckDB would put its log and its temporary files.
    let beside = fs::read_dir(std::env::temp_dir()).unwrap();
    let names = beside.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let is_beside = |name: &String| name.starts_with(&format!("odd{process}."));
    assert_eq!(names.filter(is_beside).collect::<Vec<_>>(), [""; 0]);
}
