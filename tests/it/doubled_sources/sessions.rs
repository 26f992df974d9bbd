//! One transcript under two session ids: a resumed session begins with a copy of the earlier lines,
//! under its own id.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::totals;
use crate::shared::shared;
use crate::world::World;

const SAMPLE: &str = include_str!("../../../demo/sample-history.jsonl");

/// The lines of a transcript under another session id.
fn resumed(text: &str, id: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["sessionId"].is_string() {
            line["sessionId"] = id.into();
        }
        format!("{line}\n")
    });
    lines.collect()
}

fn import(world: &World) -> String {
    world.done(&["import", "claude-code"])
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_resumed_session_counts_what_it_adds() {
    let world = World::at("work");
    let folder = world.transcripts().join("-home-dev-shop");
    fs::create_dir_all(&folder).unwrap();
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let (first, last) = lines.split_at(lines.len() - 2);
    fs::write(folder.join("one.jsonl"), first.join("\n") + "\n").unwrap();
    import(&world);
    let before = totals(&world);
    assert!(before["questions"].as_u64().unwrap() > 100);
    // Resumed, and nothing was asked since; a name before the first, and one behind it.
    fs::write(
        folder.join("a.jsonl"),
        resumed(&first.join("\n"), "resumed-a"),
    )
    .unwrap();
    fs::write(
        folder.join("z.jsonl"),
        resumed(&first.join("\n"), "resumed-z"),
    )
    .unwrap();
    assert!(import(&world).contains("\n0 events are new, "));
    assert_eq!(totals(&world), before);
    // Resumed, and went on: one more call.
    let more = first.join("\n") + "\n" + &last.join("\n");
    fs::write(folder.join("z.jsonl"), resumed(&more, "resumed-z")).unwrap();
    assert!(import(&world).contains("\n2 events are new, "));
    let after = totals(&world);
    let calls = |totals: &Value| totals["calls"].as_u64().unwrap();
    assert_eq!(calls(&after), calls(&before) + 1);
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(totals(&world), after);
    // All at once, by somebody who installs plantune today.
    let fresh = World::at("work");
    fs::create_dir_all(fresh.transcripts().parent().unwrap()).unwrap();
    fs::rename(world.transcripts(), fresh.transcripts()).unwrap();
    import(&fresh);
    let fresh = totals(&fresh);
    for name in [
        "questions",
        "calls",
        "asked",
        "answered",
        "dismissed",
        "failed",
        "human_seconds",
    ] {
        assert_eq!(fresh[name], after[name], "{name}");
    }
}

/// Public transcripts, each of them resumed under another id.
#[test]
fn real_transcripts_resumed_count_once() {
    let test = "doubled_sources::sessions::real_transcripts_resumed_count_once";
    let Some(corpus) = shared(test, "corpus/transcripts") else {
        return;
    };
    let world = World::at("work");
    copy_below(&corpus, &world.transcripts());
    import(&world);
    let before = totals(&world);
    assert!(before["questions"].as_u64().unwrap() > 50, "{before}");
    for file in transcripts(&world.transcripts()) {
        let text = fs::read_to_string(&file).unwrap();
        let text: Vec<&str> = text
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok())
            .collect();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let copy = file.with_file_name(format!("{name}-resumed.jsonl"));
        fs::write(copy, resumed(&text.join("\n"), &format!("{name}-resumed"))).unwrap();
    }
    let said = import(&world);
    assert!(said.contains("\n0 events are new, "), "{said}");
    assert_eq!(totals(&world), before);
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(totals(&world), before);
}

fn copy_below(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_below(&entry.path(), &to);
        } else {
            fs::write(to, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(transcripts(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            found.push(path);
        }
    }
    found
}
