//! No secret is in any file of the data folder: of what the hook is called with, and of what is imported.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use plantune_domain::secrets::masked;
use serde_json::{Value, json};

use crate::world::{World, call_of, question};

const CASES: &str = include_str!("../../hooks/domain/tests/secrets/cases.jsonl");

/// The texts with their secrets: every third, which is what a test has time for.
fn cases() -> Vec<(String, Vec<String>)> {
    let list = CASES.replace('¦', "");
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap().to_owned();
        let secrets = case["secrets"].as_array().unwrap().iter();
        let secrets = secrets.map(|secret| secret.as_str().unwrap().to_owned());
        let found = masked(&text);
        let secrets = secrets.filter(|secret| !found.contains(secret.as_str()));
        (text.clone(), secrets.collect())
    };
    let with_secrets = list.lines().filter(|line| line.contains("\"secrets\""));
    with_secrets.step_by(3).map(case).collect()
}

/// Every file below `folder`, as text.
fn files(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        all.push_str(&path.to_string_lossy());
        match path.is_dir() {
            true => files(&path, all),
            false => all.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap())),
        }
    }
}

/// All values of the store: its file is compressed.
fn values(world: &World) -> String {
    let store = duckdb::Connection::open(world.paths().store()).unwrap();
    let names = "SELECT table_name FROM information_schema.tables";
    let mut statement = store.prepare(names).unwrap();
    let tables = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    let mut all = String::new();
    for table in tables.map(Result::unwrap) {
        rows(&store, &format!("query_table('{table}')"), &mut all);
    }
    all
}

/// All values of the sealed segments, which are compressed, too.
fn sealed(world: &World) -> String {
    let mut all = String::new();
    let connection = duckdb::Connection::open_in_memory().unwrap();
    let files = world.data().join("events").join("**/*.parquet");
    rows(
        &connection,
        &format!("read_parquet('{}')", files.display()),
        &mut all,
    );
    all
}

/// Adds all values of `table`, unless it cannot be read like one.
fn rows(connection: &duckdb::Connection, table: &str, all: &mut String) {
    let sql = format!("SELECT columns(*)::VARCHAR FROM {table}");
    let Ok(mut statement) = connection.prepare(&sql) else {
        return;
    };
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let mut at = 0;
        while let Ok(value) = row.get::<_, Option<String>>(at) {
            all.push_str(&value.unwrap_or_default());
            all.push('\n');
            at += 1;
        }
    }
}

/// A transcript of a question that was answered with `typed`, and of a command that was refused with it.
fn transcript(world: &World, index: usize, text: &str, asked: &Value) -> String {
    let line = |kind: &str, content: Value, beside: Value| {
        let mut line = json!({"type": kind, "sessionId": "t", "cwd": world.project(), "version": "2.1.330",
            "timestamp": "2026-11-20T10:00:09.000Z", "message": {"role": kind, "content": [content]}});
        for (name, value) in beside.as_object().unwrap() {
            line[name] = value.clone();
        }
        format!("{line}\n")
    };
    let (question, command) = (format!("q{index}"), format!("c{index}"));
    let use_of = |id: &str, name: &str, input: &Value| {
        let content = json!({"type": "tool_use", "id": id, "name": name, "input": input});
        line("assistant", content, json!({}))
    };
    let answers = json!({"questions": asked["questions"],
        "answers": {asked["questions"][0]["question"].as_str().unwrap(): text}});
    let result = |id: &str, beside: Value| {
        let content = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": id == command});
        line("user", content, beside)
    };
    let decision = json!({"permissionDecision": {"decision": "reject", "source": "user_reject"}, "userFeedback": text});
    [
        use_of(&question, "AskUserQuestion", asked),
        result(&question, json!({"toolUseResult": answers})),
        use_of(&command, "Bash", &json!({"command": text})),
        result(&command, decision),
    ]
    .concat()
}

#[test]
fn no_secret_is_in_any_file() {
    let world = World::at("work");
    let cases = cases();
    let mut lines = String::new();
    for (index, (text, _)) in cases.iter().enumerate() {
        let ask = json!({"tool_name": "Bash", "tool_input": {"command": text, "description": text},
            "permission_suggestions": [{"type": "addRules", "behavior": "allow", "destination": "session",
                "rules": [{"toolName": "Bash", "ruleContent": text}]}]});
        world.hook("PermissionRequest", ask);
        let mut asked = question(&format!("Run this?\n{text}"), "Run", &[text, "No"]);
        asked["options"][1]["description"] = text.as_str().into();
        asked["options"][1]["preview"] = text.as_str().into();
        let mut call = call_of(&format!("toolu_{index}"), &[asked]);
        lines += &transcript(&world, index, text, &call["tool_input"]);
        if index % 3 == 0 {
            world.hook("PreToolUse", call.clone());
            let sent = call["tool_input"]["questions"][0]["question"].clone();
            let answers = json!({sent.as_str().unwrap(): text});
            let notes = json!({sent.as_str().unwrap(): {"notes": text}});
            call["tool_response"] = json!({"questions": call["tool_input"]["questions"],
                "answers": answers, "annotations": notes});
            world.hook("PostToolUse", call);
        }
    }
    world.put(world.path("t.jsonl"), lines);
    let imported = world.path("t.jsonl");
    world.done(&["import", "claude-code", imported.to_str().unwrap()]);
    world.done(&["report", "--json"]);
    let mut all = values(&world);
    files(&world.data(), &mut all);
    // Months later all of it is sealed.
    let gc = world
        .command(&["gc"])
        .env("PLANTUNE_NOW", "2027-06-01T10:00:00Z")
        .output()
        .unwrap();
    assert!(gc.status.success(), "{gc:?}");
    let sealed = sealed(&world);
    for all in [&all, &sealed] {
        assert!(all.matches("permission_refused").count() >= cases.len());
    }
    all += &sealed;
    let secrets = cases
        .iter()
        .flat_map(|(text, secrets)| secrets.iter().map(move |secret| (secret, text)));
    let (secrets, texts): (Vec<&String>, Vec<&String>) = secrets.unzip();
    // All of them at once: one after the other takes half a minute.
    let search = aho_corasick::AhoCorasick::new(&secrets).unwrap();
    let left: BTreeSet<String> = search
        .find_overlapping_iter(&all)
        .filter(|found| is_told(&all, found.range()))
        .map(|found| (secrets[found.pattern()], texts[found.pattern()]))
        .map(|(secret, text)| format!("{secret}: {text}"))
        .collect();
    assert_eq!(left, BTreeSet::new());
}

/// True if the secret at `range` of `all` was written there. A few digits stand by chance in the digests and offsets:
/// what could be a piece of one counts only by itself, and a PIN or a part of a UUID not at all. The suite of masking
/// has those.
fn is_told(all: &str, range: Range<usize>) -> bool {
    let secret = &all[range.clone()];
    if !secret.chars().all(|c| c.is_ascii_hexdigit()) || secret.len() >= 10 {
        return true;
    }
    let before = all[..range.start].chars().next_back();
    let after = all[range.end..].chars().next();
    let mut beside = [before, after].into_iter().flatten();
    secret.len() >= 6 && !beside.any(|c| c.is_ascii_alphanumeric())
}

/// Who sees a question by the hook and who reads it later find one question, and the agent gets its own label.
#[test]
fn a_question_with_a_secret_is_one() {
    let world = World::at("work");
    // No check comes between.
    world.put(world.paths().config_file(), "spot_check = 0\n");
    let secret = "Kestrel47Moss";
    let labels = [&format!("Layout with password={secret}"), "Skip"];
    let asked = question(
        &format!("Which layout has password={secret}?"),
        "Start",
        &labels.map(|label| label as &str),
    );
    let call = call_of("toolu_1", &[asked]);
    assert!(world.hook("PreToolUse", call.clone()).is_null());
    let key = world.events()[0]["question_key"]
        .as_str()
        .unwrap()
        .to_owned();
    let line = json!({"type": "assistant", "sessionId": "s", "cwd": world.project(), "timestamp": "2026-11-20T10:00:00.100Z",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_2", "name": "AskUserQuestion",
            "input": call["tool_input"]}]}});
    world.put(world.path("s.jsonl"), format!("{line}\n"));
    let imported = world.path("s.jsonl");
    world.done(&["import", "claude-code", imported.to_str().unwrap()]);
    let mut log = String::new();
    files(&world.data().join("events"), &mut log);
    assert_eq!(
        log.matches(&format!("\"question_key\":\"{key}\"")).count(),
        2,
        "{log}"
    );
    let first = &world.events()[0];
    assert_eq!(first["options"][0], "Layout with password=MASKED");
    world.done(&[
        "prefs",
        "set",
        &key,
        "never-ask",
        "--answer",
        "Layout with password=MASKED",
        "--yes",
    ]);
    let answered = world.hook(
        "PreToolUse",
        call_of("toolu_3", &[call["tool_input"]["questions"][0].clone()]),
    );
    let answers = &answered["hookSpecificOutput"]["updatedInput"]["answers"];
    let text = format!("Which layout has password={secret}?");
    assert_eq!(answers[&text], labels[0], "{answered}");
    let mut all = values(&world);
    files(&world.data(), &mut all);
    assert!(!all.contains(secret));
}
