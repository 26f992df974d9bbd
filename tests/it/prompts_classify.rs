//! `plantune classify`: the built binary, as scripts call it.

use std::fs::File;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Ran, World, run};

fn classified(words: &[&str]) -> Value {
    classified_in(&World::at("shop"), words)
}

fn classified_in(world: &World, words: &[&str]) -> Value {
    world.json(&[&["classify"], words].concat())
}

#[test]
fn one_command() {
    assert_eq!(
        classified(&["NODE_ENV=test npm test"]),
        json!({
            "schema_version": 1,
            "tool": "Bash",
            "subject": "npm test",
            "reach": "reads",
            "reason": "",
            "parts": [{
                "command": "NODE_ENV=test npm test",
                "subject": "npm test",
                "reach": "reads",
                "reason": "",
                "rule": "Bash(NODE_ENV=test npm test)",
            }],
            "rule": "Bash(NODE_ENV=test npm test)",
            "rules": ["Bash(NODE_ENV=test npm test)"],
        })
    );
}

#[test]
fn a_list_is_as_dangerous_as_its_worst_command() {
    let list = classified(&["cd src && npm test && git push --force origin main"]);
    assert_eq!(list["subject"], "npm test && git push --force");
    assert_eq!(list["reach"], "beyond");
    assert_eq!(list["rule"], Value::Null);
    let reaches: Vec<&Value> = list["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["reach"])
        .collect();
    assert_eq!(reaches, ["reads", "reads", "beyond"]);
    let two = classified(&["npm test && npm run lint:fix"]);
    assert_eq!(two["reach"], "project");
    assert_eq!(two["rule"], Value::Null);
    assert_eq!(
        two["rules"],
        json!(["Bash(npm test)", "Bash(npm run lint:fix)"])
    );
}

#[test]
fn what_is_not_understood_is_a_subject_by_itself() {
    let one = classified(&["f() { a; }"]);
    let other = classified(&["f() { a; } "]);
    assert_eq!(one["reach"], "beyond");
    assert_eq!(one["parts"], json!([]));
    assert_eq!(one["rule"], Value::Null);
    assert!(one["subject"].as_str().unwrap().starts_with("f() { a; } #"));
    assert_ne!(one["subject"], other["subject"]);
}

#[test]
fn other_tools() {
    for (tool, text, subject, reach, rule) in [
        (
            "Edit",
            "src/lib.rs",
            "Edit src/",
            "project",
            json!("Edit(/src/**)"),
        ),
        (
            "Read",
            "../notes/a.md",
            "Read ../notes/",
            "beyond",
            Value::Null,
        ),
        ("Read", "/etc/hosts", "Read /etc/", "beyond", Value::Null),
        (
            "WebFetch",
            "https://docs.rs/serde",
            "WebFetch docs.rs",
            "project",
            json!("WebFetch(domain:docs.rs)"),
        ),
        (
            "mcp__tracker__create_issue",
            "",
            "mcp__tracker__create_issue",
            "unknown",
            json!("mcp__tracker__create_issue"),
        ),
        (
            "mcp__tracker__delete_issue",
            "",
            "mcp__tracker__delete_issue",
            "beyond",
            Value::Null,
        ),
        ("Unheard", "", "Unheard", "beyond", Value::Null),
    ] {
        let found = classified(&[text, "--tool", tool]);
        assert_eq!(found["subject"], subject);
        assert_eq!(found["reach"], reach, "{tool} {text}");
        assert_eq!(found["rule"], rule, "{tool} {text}");
    }
}

#[test]
fn reaches_of_the_persons_own() {
    let world = World::at("shop");
    let registry = "[[permission]]\ncommand = \"npm run smoke-shop\"\nreach = \"reads\"\nreason = \"reads only\"\n";
    world.put("data/registry.toml", registry);
    let lowered = classified_in(&world, &["npm run smoke-shop"]);
    assert_eq!(lowered["reach"], "reads");
    assert_eq!(lowered["reason"], "registry: reads only");
    let raised = classified_in(&world, &["npm run smoke-shop --prefix /x"]);
    assert_eq!(raised["reach"], "beyond");
}

fn from_lines(world: &World, lines: &str) -> (Ran, Vec<Value>) {
    world.put("commands.jsonl", lines);
    let input = File::open(world.path("commands.jsonl")).unwrap();
    let ran = run(world.command(&["classify", "--stdin"]).stdin(input));
    let verdicts = ran.stdout.lines();
    let verdicts = verdicts.map(|line| serde_json::from_str(line).unwrap());
    let verdicts = verdicts.collect();
    (ran, verdicts)
}

#[test]
fn many_commands_in_lines_of_json() {
    let world = World::at("shop");
    let (ran, verdicts) = from_lines(
        &world,
        "{\"command\": \"npm test\", \"folder\": \"/home/dev/shop\", \"id\": 7}\n\"git push --force\"\n\
         {\"command\": \"cat /srv/x/a.txt\", \"cwd\": \"/srv/x\"}\n\"printf '\\u001b[2J'\"",
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(verdicts.len(), 4);
    assert_eq!(verdicts[0], classified_in(&world, &["npm test"]));
    assert_eq!(verdicts[1]["subject"], "git push --force");
    assert_eq!(verdicts[1]["reach"], "beyond");
    assert!(!ran.stdout.contains('\u{1b}'));
}

#[test]
fn a_bad_line_is_named_and_the_others_are_judged() {
    let world = World::at("shop");
    let long = format!("\"{}\"\n", "x".repeat(1 << 20));
    let (ran, verdicts) = from_lines(
        &world,
        &format!(
            "npm test\n\n{{\"command\": 5}}\n{{\"command\": \"ls\", \"folder\": \"src\"}}\n{long}\"npm test\"\n"
        ),
    );
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("5 of 6 lines"), "{}", ran.stderr);
    let errors: Vec<(u64, bool)> = verdicts[..5]
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["error"].is_string()))
        .collect();
    assert_eq!(errors, [1, 2, 3, 4, 5].map(|line| (line, true)));
    assert_eq!(verdicts[5]["reach"], "reads");
}

/// A release build judges many thousands in a second; this one is a fraction as quick, on a machine at work.
#[test]
fn a_thousand_commands_take_no_time() {
    let lines = "\"cd src && NODE_ENV=test npm test -- --ci 2>&1 | tail -20\"\n".repeat(1000);
    let start = Instant::now();
    let (ran, verdicts) = from_lines(&World::at("shop"), &lines);
    assert_eq!((ran.code, verdicts.len()), (0, 1000));
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn a_command_or_standard_input() {
    let world = World::at("shop");
    for words in [&["classify"][..], &["classify", "ls", "--stdin"]] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
}
