//! Rules for askers that many people use, and what gstack knew before plantune came.

use serde_json::{Value, json};

use crate::world::{World, call_of, question};

fn empty() -> World {
    World::at("shop")
        .without_plantune_home()
        .with("COLUMNS", "100")
}

/// The key and the door under which the hook logs a question.
fn asked(world: &World, id: &str, text: &str, labels: &[&str]) -> (Value, Value) {
    let call = call_of(id, &[question(text, "H", labels)]);
    assert_eq!(world.hook("PreToolUse", call), Value::Null);
    let last = world.events().pop().unwrap();
    (last["question_key"].clone(), last["door"].clone())
}

fn row(world: &World, key: &str) -> Value {
    let known = world.json(&["config", "questions", "--known", "--json"]);
    let mut rows = known["known"].as_array().unwrap().iter();
    rows.find(|row| row["question_key"] == key).unwrap().clone()
}

#[test]
fn rules_are_taken_over_one_by_one_after_asking() {
    let world = empty();
    let area = ["More questions", "Next area"];
    let (before, _) = asked(&world, "toolu_1", "More about tiles, or go on?", &area);
    assert!(before.as_str().unwrap().starts_with("fp-"));
    let known = row(&world, "gsd-next-area");
    assert_eq!(known["options"], json!(area));
    assert_eq!(
        (&known["kind"], &known["state"]),
        (&json!("go_on"), &json!("new"))
    );
    assert!(known["source"].as_str().unwrap().contains("get-shit-done"));
    assert_eq!(known["license"], "MIT");
    assert!(known["answer"].is_null());

    let take = [
        "config",
        "questions",
        "--known",
        "--register",
        "gsd-next-area",
    ];
    assert_eq!(world.run(&take).code, 4, "nobody is asked");
    let yes = [&take[..], &["--yes"]].concat();
    assert_eq!(world.run_in_session(&yes).code, 4);
    let added = world.done(&yes);
    assert!(
        added.contains("+options = [\"More questions\", \"Next area\"]"),
        "{added}"
    );
    let (after, door) = asked(&world, "toolu_2", "More about walls, or go on?", &area);
    assert_eq!((after, door), (json!("gsd-next-area"), json!("two-way")));
    assert_eq!(row(&world, "gsd-next-area")["state"], "taken over");
    assert_eq!(
        row(&world, "gsd-next-area")["asked"],
        2,
        "what was asked before counts"
    );
    assert!(world.done(&yes).contains("already"));
    // One of gstack's, known by its marker, and one-way.
    let (_, door) = asked(
        &world,
        "toolu_3",
        "<gstack-qid:cso-finding-fix> Fix it?",
        &["Yes", "No"],
    );
    assert_eq!(door, "two-way");
    world.done(&[
        "config",
        "questions",
        "--known",
        "--register",
        "cso-finding-fix",
        "--yes",
    ]);
    let (_, door) = asked(
        &world,
        "toolu_4",
        "<gstack-qid:cso-finding-fix> Fix it?",
        &["Yes", "No"],
    );
    assert_eq!(door, "one-way");
    let registry = "home/.config/plantune/registry.toml";
    let text = world.text(registry);
    assert_eq!(text.matches("[[question]]").count(), 2);
    // The person's own rule for a key stays.
    world.put(registry, text.replace("go_on", "architecture"));
    assert_eq!(row(&world, "gsd-next-area")["state"], "another rule");
    assert_eq!(world.run(&yes).code, 1);
    let list = world.done(&["config", "questions", "--known", "--asker", "gsd"]);
    assert!(
        list.contains("gsd-next-area: two-way, go_on, asked 2×, another rule"),
        "{list}"
    );
    assert!(!list.contains("cso-finding-fix"), "{list}");
}

#[test]
fn gstacks_log_is_imported_and_no_evidence() {
    let world = empty();
    let folder = world.path("home/.gstack/projects/dev-shop");
    let line = |day: u32, choice: &str, source: &str| {
        json!({
            "ts": format!("2026-10-{day:02}T10:00:00.000Z"), "skill": "ship", "source": source,
            "question_id": "ship-todos-create", "question_summary": "No TODOS.md: create one?",
            "category": "approval", "door_type": "two-way", "options_count": 2,
            "user_choice": choice, "recommended": "accept", "session_id": format!("s{day}"),
        })
    };
    let mut lines: Vec<String> = (1..=20)
        .map(|day| line(day, "accept", "hook").to_string())
        .collect();
    lines.push(line(21, "__unknown__", "hook").to_string());
    lines.push(line(22, "accept", "auto-decided").to_string());
    lines.push("{\"torn".to_owned());
    world.put(folder.join("question-log.jsonl"), lines.join("\n"));
    let preferences = json!({"ship-todos-create": "never-ask", "../x": "never-ask"});
    world.put(
        folder.join("question-preferences.json"),
        preferences.to_string(),
    );
    let text = world.done(&["import", "gstack"]);
    for words in [
        "22 questions in 1 log",
        "20  answered\n",
        "1  answered by gstack",
        "1  with an unknown answer",
        "1  line could not be read",
        "43 events are new, 0 were known; none of them is evidence",
        "  ship-todos-create: never-ask (gstack/dev-shop)\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("../x"), "{text}");
    assert!(
        world
            .done(&["import", "gstack"])
            .contains("0 events are new, 43 were known")
    );
    let report = world.json(&["report", "--since", "2026-10-01", "--json"]);
    let totals = &report["totals"];
    let count = |name: &str| totals[name].as_u64().unwrap();
    assert_eq!(
        (count("questions"), count("answered"), count("dismissed")),
        (22, 20, 1)
    );
    let suggested = world.json(&["suggest", "--json"]);
    assert_eq!(suggested["suggestions"], json!([]));
    assert_eq!(suggested["rejected"], json!([]), "none of it is evidence");
    assert_eq!(
        world.json(&["prefs", "list", "--json"])["preferences"],
        json!([])
    );
    assert_eq!(world.run_in_session(&["import", "gstack"]).code, 4);
}
