//! `plantune prompts classify`: the built binary, as scripts call it.

use serde_json::{Value, json};

use crate::world::World;

fn classified(words: &[&str]) -> Value {
    classified_in(&World::at("shop"), words)
}

fn classified_in(world: &World, words: &[&str]) -> Value {
    world.json(&[&["prompts", "classify"], words].concat())
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
    let one = classified(&["echo $(date)"]);
    let other = classified(&["echo $(date) "]);
    assert_eq!(one["reach"], "beyond");
    assert_eq!(one["parts"], json!([]));
    assert_eq!(one["rule"], Value::Null);
    assert!(
        one["subject"]
            .as_str()
            .unwrap()
            .starts_with("echo $(date) #")
    );
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
            "project",
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
