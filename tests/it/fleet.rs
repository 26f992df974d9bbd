//! `plantune fleet`: the other program is found and given its words, or it is said how to get it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::{self, PLANTUNE, World};

/// `plantune` in a folder of its own, in which nothing else is installed.
fn alone(folder: &Path) -> PathBuf {
    let program = folder.join("plantune");
    fs::hard_link(PLANTUNE, &program).unwrap();
    program
}

/// A program that says with which words it was called, and ends with 4.
fn install(folder: &Path, name: &str) {
    let program = folder.join("plantune-fleet");
    let script = format!("#!/bin/sh\necho {name}: \"$@\"\nexit 4\n");
    plantune_domain::atomic_file::replace(&program, script.as_bytes(), 0o755).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run(program: &Path, path: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command
        .args(words)
        .env_clear()
        .env("HOME", path)
        .env("PATH", path);
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    command.output().unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

#[test]
fn it_becomes_the_program_beside_it_or_in_path() {
    let (beside, path) = (folder(), folder());
    let program = alone(beside.path());
    let output = run(&program, path.path(), &["fleet", "report"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("plantune-fleet is not installed") && said.contains("make fleet-install"),
        "{said}"
    );
    for (place, name) in [(&path, "in path"), (&beside, "beside")] {
        install(place.path(), name);
        for words in [
            &["fleet", "report", "--json", "--week", "2026-W46"][..],
            &["fleet", "--help"],
        ] {
            let output = run(&program, path.path(), words);
            let expected = format!("{name}: {}\n", words.get(1..).unwrap_or_default().join(" "));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
            assert_eq!(output.status.code(), Some(4));
        }
    }
}

/// A world in which `layout-grid` was asked once, and what others answer to it: what the other program prints.
struct Fleet {
    world: World,
    /// Both programs, and what the other one prints and records.
    programs: TempDir,
}

impl Fleet {
    fn new(starter: &Value) -> Self {
        let programs = folder();
        let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let fleet = Self {
            world: World::at("work")
                .on("2026-11-22T12:00:00Z")
                .with("LD_LIBRARY_PATH", libraries),
            programs,
        };
        alone(fleet.programs.path());
        let asked = json!({
            "v": 1, "id": "00112233445566778899aabbccddeeff", "ts": "2026-11-19T10:00:00.000Z",
            "kind": "asked", "session_id": "s", "session_kind": "interactive", "project": "github.com/o/shop",
            "cwd": "/home/o/shop", "source": "hook", "tool_name": "AskUserQuestion", "tool_use_id": "toolu_1",
            "question_index": 0, "question_count": 1, "question_key": "layout-grid", "key_source": "marker",
            "question": "Which layout?", "header": "Layout", "options": ["Grid (Recommended)", "List"],
            "descriptions": ["in columns", "in rows"], "recommended": "Grid", "multi_select": false,
            "door": "two-way",
        });
        let world = &fleet.world;
        world.put("data/events/2026-11-19.jsonl", format!("{asked}\n"));
        let document = json!({
            "schema_version": 1, "k": 5, "period": {"start": "2026-05-26", "end": "2026-11-22", "time_zone": "UTC"},
            "starters": [starter],
        });
        world.put("work/starters.json", document.to_string());
        let script = "#!/bin/sh\necho \"$@\" >>called\nwhile read -r line || [ -n \"$line\" ]; do echo \"$line\"; \
                      done <starters.json\n";
        world.put_program(fleet.programs.path().join("plantune-fleet"), script);
        fleet
    }

    fn run(&self, words: &[&str], in_agents_session: bool) -> (i32, String) {
        let mut command = self
            .world
            .start(self.programs.path().join("plantune"), words);
        if in_agents_session {
            command.env("CLAUDECODE", "1");
        }
        let ran = world::run(&mut command);
        (ran.code, ran.text())
    }

    /// The global preference for `layout-grid`.
    fn preference(&self) -> Option<Value> {
        let file = fs::read(self.world.paths().global_preferences()).ok()?;
        let file: Value = serde_json::from_slice(&file).unwrap();
        Some(file["preferences"]["layout-grid"].clone())
    }

    fn called(&self) -> String {
        fs::read_to_string(self.world.path("work/called")).unwrap_or_default()
    }
}

fn starter() -> Value {
    json!({
        "question_key": "layout-grid", "label": null, "answer_hash": "0f", "answer": "Grid", "agreeing": 7,
        "machines": 8, "times": 40, "answers": 44, "at_least": 0.691_234, "obstacle": null,
    })
}

const ADOPT: [&str; 5] = ["fleet", "adopt", "layout-grid", "--global", "--yes"];

#[test]
fn what_others_answer_becomes_a_preference_on_trial_for_what_was_seen_here() {
    let fleet = Fleet::new(&starter());
    let (code, said) = fleet.run(&ADOPT, true);
    assert!(code == 4 && said.contains("an agent's session"), "{said}");
    let (code, said) = fleet.run(&ADOPT[..4], false);
    assert!(code == 4 && said.contains("and --yes"), "{said}");
    assert_eq!((fleet.preference(), fleet.called().as_str()), (None, ""));

    let (code, said) = fleet.run(&ADOPT, false);
    assert_eq!(code, 0, "{said}");
    assert_eq!(fleet.called(), "adopt --json -- layout-grid\n");
    assert!(
        said.contains("7 of 8 machines answer so, 40 of 44 answers"),
        "{said}"
    );
    assert!(said.contains("you:      never answered it"), "{said}");
    let preference = fleet.preference().unwrap();
    for (name, expected) in [
        ("preference", json!("never-ask")),
        ("answer", json!("Grid")),
        ("level", json!("trial")),
        ("set_by", json!("fleet")),
        ("question", json!("Which layout?")),
        ("options", json!(["Grid (Recommended)", "List"])),
        (
            "binding",
            json!([{"text": "Which layout?", "header": "Layout", "descriptions": ["in columns", "in rows"]}]),
        ),
        (
            "evidence",
            json!({
                "agreeing": 7, "machines": 8, "times": 40, "answers": 44, "at_least": 0.691, "since": "2026-05-26",
            }),
        ),
    ] {
        assert_eq!(preference[name], expected, "{name}");
    }
    let (_, listed) = fleet.run(&["prefs", "list"], false);
    assert!(
        listed.contains("trial, \"Grid\" (set today by fleet)"),
        "{listed}"
    );
    let (_, why) = fleet.run(&["log", "layout-grid", "--json"], false);
    assert!(why.contains("fleet adopt"), "{why}");
    // What stands is not replaced, and goes as any preference does.
    let (code, said) = fleet.run(&ADOPT, false);
    assert!(
        code == 4 && said.contains("you have a preference for layout-grid"),
        "{said}"
    );
    let (code, _) = fleet.run(
        &["prefs", "clear", "layout-grid", "--global", "--yes"],
        false,
    );
    assert_eq!((code, fleet.preference()), (0, Some(Value::Null)));
}

#[test]
fn what_cannot_be_taken_over_is_not_and_the_reason_is_said() {
    for (field, value, expected, words) in [
        (
            "obstacle",
            json!("never asked here"),
            1,
            "cannot be taken over: never asked here",
        ),
        (
            "answer",
            json!("Table"),
            2,
            "\"Table\" is not one of the options",
        ),
        (
            "question_key",
            json!("layout-else"),
            1,
            "layout-else: never asked here",
        ),
        ("question_key", json!("layout-split-one"), 4, "always asked"),
    ] {
        let mut starter = starter();
        starter[field] = value;
        let fleet = Fleet::new(&starter);
        let (code, said) = fleet.run(&ADOPT, false);
        assert!(code == expected && said.contains(words), "{code} {said}");
        assert_eq!(fleet.preference(), None, "{said}");
    }
    // What only shows is the other program's.
    let fleet = Fleet::new(&starter());
    for words in [
        &["fleet", "adopt"][..],
        &["fleet", "adopt", "layout-grid", "--json"],
    ] {
        let (code, said) = fleet.run(words, true);
        assert!(code == 0 && said.contains("\"starters\""), "{said}");
    }
    assert_eq!(fleet.called(), "adopt\nadopt layout-grid --json\n");
}
