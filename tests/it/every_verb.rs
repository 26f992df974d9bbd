//! Every verb in a home that is odd: by its name, or because links lie where plantune writes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

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

#[test]
#[ignore = "takes long: make test-long"]
fn nothing_is_written_through_a_link() {
    let mut world = World::called("linked");
    let expected = use_every_verb(&mut world);
    let found = world.everything("data", &[]).into_keys();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    // The test itself writes the old days.
    let days = ["2026-08-01.jsonl", "2026-08-02.jsonl", "2026-10-19.jsonl"];
    let files = found.filter(|path| path.is_file() && !days.contains(&&*name(path)));
    // What is replaced as a whole becomes plantune's own. To the rest nothing is added, so that some verbs fail.
    let is_replaced = |path: &PathBuf| {
        let others = [
            "install.lock",
            "config.toml",
            "registry.toml",
            "preferences.json",
        ];
        let folders = ["events", "installed"].map(|folder| world.data().join(folder));
        !others.contains(&&*name(path)) && !folders.iter().any(|folder| path.starts_with(folder))
    };
    let (replaced, others): (Vec<_>, Vec<_>) = files.partition(is_replaced);
    let both = [&replaced, &others].into_iter();
    for (files, is_there) in both.flat_map(|files| [(files, true), (files, false)]) {
        fs::remove_dir_all(world.data()).unwrap();
        let target = |number: usize| world.path(&format!("theirs/{number}"));
        for (number, path) in files.iter().enumerate() {
            world.put(target(number), "theirs");
            if !is_there {
                fs::remove_file(target(number)).unwrap();
            }
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(target(number), path).unwrap();
        }
        let folder = world.path("theirs");
        let found = use_every_verb(&mut world);
        for (number, path) in files.iter().enumerate() {
            let text = fs::read_to_string(folder.join(number.to_string())).ok();
            let expected = is_there.then_some("theirs");
            assert_eq!(text.as_deref(), expected, "{}", path.display());
        }
        if files == &replaced {
            assert_eq!(found, expected);
            for name in ["status-line.json", "names.json", "transcripts.json"] {
                let path = world.data().join("summaries").join(name);
                assert!(path.symlink_metadata().unwrap().is_file(), "{name}");
            }
        }
    }
}
