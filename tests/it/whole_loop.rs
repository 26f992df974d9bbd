//! End to end in an empty home: install, a session, the report, a habit, its preference, and the
//! same question answered by the hook.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::files::SHOP;
use crate::world::{World, call_of, programs, question};

/// Runs the command that install registered for `event`, as Claude Code would.
fn hook(world: &World, event: &str, mut call: Value) -> Value {
    let settings: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    let program = settings["hooks"][event][0]["hooks"][0]["command"]
        .as_str()
        .unwrap();
    call["cwd"] = json!(world.project().join("src"));
    world.call(&mut world.start(program, &[]), event, call)
}

/// One question and what came back; `None` for a person who pressed Esc. The decision is
/// returned, and what it answered is given back like Claude Code does.
fn ask(world: &mut World, session: &str, question: Value, answer: Option<&str>) -> Value {
    world.calls += 1;
    let mut call = call_of(&format!("toolu_{}", world.calls), &[question]);
    call["session_id"] = json!(session);
    let decision = hook(world, "PreToolUse", call.clone());
    world.now += TimeDelta::seconds(20);
    let text = question_text(&call);
    let given = decision["hookSpecificOutput"]["updatedInput"]["answers"][&text].as_str();
    if let Some(answer) = given.or(answer) {
        call["tool_response"] =
            json!({"questions": call["tool_input"]["questions"], "answers": {text: answer}});
        let printed = hook(world, "PostToolUse", call);
        // What plantune answered is said to be no consent.
        let note = &printed["hookSpecificOutput"]["classifierContext"];
        assert_eq!(note.is_string(), given.is_some());
    }
    decision
}

fn question_text(call: &Value) -> String {
    call["tool_input"]["questions"][0]["question"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The topics that were changed, in turn.
const TOPICS: [&str; 5] = ["Billing", "Search", "Login", "Themes", "Charts"];

fn tests_question(topic: &str) -> Value {
    let text = format!("<plantune:test-scope> {topic} is changed. Which tests should run?");
    question(
        &text,
        "Tests",
        &["Affected tests (Recommended)", "Full suite"],
    )
}

fn one_way_question() -> Value {
    let text = "<plantune:drop-tables> Delete the old tables before migrating?";
    question(text, "Tables", &["Delete them (Recommended)", "Keep them"])
}

fn evidence(world: &World) -> Value {
    let found = world.json(&["suggest", "--json"]);
    let all = found["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .chain(found["rejected"].as_array().unwrap());
    let mine = all.filter(|entry| entry["question_key"] == "test-scope");
    mine.map(|entry| entry["evidence"]["answers"].clone())
        .next()
        .unwrap_or(Value::Null)
}

#[test]
fn from_install_to_an_answered_question() {
    let mut world = World::shop();
    let program = programs::hook();
    world.stdout_of(&["install", "--yes", "--hook-path", program.to_str().unwrap()]);

    // Four weeks: a habit, one question that is always answered the same way but cannot be taken
    // back, and a dismissal a week.
    for day in 0..24 {
        let session = format!("session-{day}");
        hook(
            &world,
            "SessionStart",
            json!({"session_id": session, "source": "startup"}),
        );
        assert_eq!(
            ask(
                &mut world,
                &session,
                tests_question(TOPICS[day % TOPICS.len()]),
                Some("Full suite")
            ),
            Value::Null
        );
        assert_eq!(
            ask(
                &mut world,
                &session,
                one_way_question(),
                Some("Delete them (Recommended)")
            ),
            Value::Null
        );
        if day % 7 == 0 {
            ask(
                &mut world,
                &session,
                json!({"question": format!("Is {day} fine?"), "options": []}),
                None,
            );
        }
        hook(
            &world,
            "SessionEnd",
            json!({"session_id": session, "reason": "other"}),
        );
        world.now += TimeDelta::hours(24) - TimeDelta::seconds(60);
    }

    let report = world.json(&["report", "--json", "--since", "2026-10-01"]);
    let totals = &report["totals"];
    assert_eq!(
        [
            &totals["questions"],
            &totals["asked"],
            &totals["answered"],
            &totals["dismissed"]
        ],
        [&json!(52), &json!(52), &json!(48), &json!(4)]
    );
    assert_eq!(
        (&totals["auto_decided"], &totals["failed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        (&totals["sessions"], &totals["calls"]),
        (&json!(24), &json!(52))
    );
    assert_eq!(totals["human_seconds"], json!(48.0 * 20.0));
    let habit = report["questions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["question_key"] == "test-scope")
        .unwrap();
    assert_eq!(
        (&habit["median_seconds"], &habit["top_answer"]),
        (&json!(20.0), &json!("Full suite"))
    );
    assert_eq!(
        (&habit["agreement"], &habit["project"]),
        (&json!(0.0), &json!(SHOP))
    );

    let proposed = world.json(&["suggest", "--json"]);
    let proposed: Vec<(&str, &str)> = proposed["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["question_key"].as_str().unwrap(),
                entry["answer"].as_str().unwrap_or("follow"),
            )
        })
        .collect();
    assert_eq!(
        proposed,
        [("test-scope", "Full suite")],
        "the habit, and nothing that cannot be taken back"
    );
    assert_eq!(evidence(&world), json!(24));

    world.stdout_of(&["suggest", "--apply", "--yes", "--answer", "Full suite"]);
    let decision = ask(
        &mut world,
        "session-later",
        tests_question("The filters"),
        None,
    );
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(
        output["updatedInput"]["questions"][0],
        tests_question("The filters")
    );
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"<plantune:test-scope> The filters is changed. Which tests should run?": "Full suite"})
    );
    // The label names its own act; what is new in the question is asked all the same.
    for (other, is_answered) in [
        ("The search layout", true),
        ("Payments, and so all of it", false),
        ("Production", false),
    ] {
        let question = tests_question(other);
        let decision = ask(&mut world, "session-later", question, None);
        let decision = decision.to_string();
        assert_eq!(decision.contains("Full suite"), is_answered, "{other}");
    }
    // The one-way question is asked as before, in the same session.
    assert_eq!(
        ask(
            &mut world,
            "session-later",
            one_way_question(),
            Some("Keep them")
        ),
        Value::Null
    );

    let report = world.json(&["report", "--json", "--since", "2026-10-01"]);
    assert_eq!(report["totals"]["auto_decided"], json!(2));
    assert_eq!(report["totals"]["answered"], json!(49));
    assert_eq!(report["totals"]["seconds_saved"], json!(40.0));
    // What the preference answered proves nothing.
    assert!([json!(24), Value::Null].contains(&evidence(&world)));
    let listed = world.json(&["prefs", "list", "--json"]);
    assert!(listed.to_string().contains("test-scope"), "{listed}");

    world.stdout_of(&["prefs", "clear", "test-scope", "--yes"]);
    assert_eq!(
        ask(
            &mut world,
            "session-later",
            tests_question("Billing"),
            Some("Full suite")
        ),
        Value::Null
    );
    assert_eq!(
        evidence(&world),
        json!(25),
        "asked again, and counted again"
    );
    world.stdout_of(&["uninstall", "--yes"]);
}
