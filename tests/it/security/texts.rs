//! Hostile texts and ids are shown, and do nothing.

use plantune_domain::sanitize::is_dangerous;
use serde_json::{Value, json};

use super::home::{HOSTILE, LOOKS, history, outside, ran, world};

/// Panics where `text` could steer a terminal or mislead a reader.
fn assert_harmless(words: &[&str], text: &str) {
    let steers = |c: char| is_dangerous(c) && c != '\n';
    let found: Vec<_> = text.chars().filter(|c| steers(*c)).collect();
    assert!(found.is_empty(), "{words:?}: {found:?} in {text}");
}

#[test]
fn hostile_texts_are_shown_and_do_nothing() {
    let world = world();
    let hostile = history(|event| {
        for name in ["question", "header", "project", "cwd", "entrypoint"] {
            event[name] = json!(format!("{name} {HOSTILE}"));
        }
        event["options"] = json!([format!("Left {HOSTILE}"), "Right"]);
        if event["kind"] == "answered" {
            event["answer"] = json!([format!("Left {HOSTILE}")]);
            event["notes"] = json!(HOSTILE);
        }
    });
    world.put("data/events/2026-11-12.jsonl", &hostile);
    let standing = json!({"version": 1, "preferences": {"which-way": {
        "preference": "never-ask", "answer": HOSTILE, "question": HOSTILE, "header": HOSTILE,
        "options": [HOSTILE, "Right"], "set_by": HOSTILE, "set_at": HOSTILE,
    }}});
    world.put("data/preferences.json", standing.to_string());
    let before = outside(&world);
    for words in LOOKS {
        let (_, text) = ran(&world, words);
        assert_harmless(words, &text);
        if words.contains(&"--json") {
            serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{words:?}: {text}"));
        }
    }
    assert!(outside(&world) == before, "something was written outside");
    let (_, report) = ran(&world, LOOKS[0]);
    assert!(
        report.contains("question <script>"),
        "it is the hostile one: {report}"
    );
}

#[test]
fn hostile_texts_are_no_markup_in_markdown() {
    let world = world();
    let hostile = history(|event| {
        event["question"] = json!(HOSTILE);
        event["project"] = json!(HOSTILE);
        if event["kind"] == "answered" {
            event["answer"] = json!([HOSTILE]);
        }
    });
    world.put("data/events/2026-11-12.jsonl", &hostile);
    let markdown = world.stdout_of(LOOKS[1]);
    assert!(!markdown.contains("<script"), "{markdown}");
    for markup in ["](javascript", "](http", "`code`"] {
        let raw = markdown
            .match_indices(markup)
            .any(|(at, _)| !markdown[..at].ends_with('\\'));
        assert!(!raw, "{markup} in {markdown}");
    }
    let headings = markdown.lines().filter(|line| line.starts_with("# "));
    assert!(
        !headings.into_iter().any(|line| line.contains("Ignore")),
        "{markdown}"
    );
    // A pipe in a cell makes no cell: the rows of a table are as wide as its head.
    let cells = |line: &str| {
        line.replace("\\\\", "")
            .replace("\\|", "")
            .matches('|')
            .count()
    };
    let mut width = None;
    for line in markdown.lines() {
        width = if line.starts_with('|') {
            let known = width.unwrap_or_else(|| cells(line));
            assert_eq!(cells(line), known, "{line}");
            Some(known)
        } else {
            None
        };
    }
}

#[test]
fn ids_are_no_paths_whatever_they_hold() {
    let long = "x".repeat(20_000);
    let ids = ["../../x", "/etc/passwd", "", "a\u{0}b", HOSTILE, &long];
    let world = world();
    // Each on one day, and six days later as the question's key as well.
    let hostile = history(|event| {
        let day: usize = event["ts"].as_str().unwrap()[8..10].parse().unwrap();
        let id = ids[day % ids.len()];
        for name in ["session_id", "tool_use_id", "project", "agent_id"] {
            event[name] = json!(id);
        }
        if day > ids.len() {
            event["question_key"] = json!(id);
        }
    });
    world.put("data/events/2026-11-12.jsonl", &hostile);
    let before = outside(&world);
    for words in LOOKS {
        let (code, text) = ran(&world, words);
        assert_harmless(words, &text);
        assert!(code <= 1, "{words:?}: {text}");
    }
    assert!(outside(&world) == before, "an id led outside");
}

#[test]
fn ids_on_the_command_line_are_no_paths() {
    let world = world();
    world.put("data/events/2026-11-12.jsonl", history(|_| {}));
    let before = outside(&world);
    for id in [
        "../../x",
        "/etc/passwd",
        "",
        HOSTILE.trim_end_matches(['\u{0}', '\t']),
        &"x".repeat(20_000),
    ] {
        let id = id.replace('\u{0}', "");
        for words in [
            &["prefs", "set", &id, "never-ask", "--global", "--yes"][..],
            &["prefs", "clear", &id, "--global", "--yes"],
            &[
                "prefs",
                "set",
                "which-way",
                "always-ask",
                "--project",
                &id,
                "--yes",
            ],
            &["report", "--project", &id],
            &["suggest", "--project", &id],
        ] {
            let (_, text) = ran(&world, words);
            assert_harmless(words, &text);
        }
    }
    assert!(outside(&world) == before, "something was written outside");
}
