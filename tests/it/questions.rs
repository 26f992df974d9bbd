//! Questions known by their options, rules for them and the backtest: the built binary on a history of its own.

use std::fs;

use serde_json::{Value, json};

use crate::world::{World, is_inert};

const AREAS: [&str; 2] = ["More questions", "Next area"];

const TOPICS: [&str; 10] = [
    "login", "billing", "search", "charts", "tables", "forms", "icons", "menus", "filters", "lists",
];

/// A transcript of a session a day: `count` times the same options under a new text and header, and
/// "Next area" chosen; one question by marker; and one with a text that a terminal would obey.
fn transcript(world: &World, count: usize) {
    let mut lines = Vec::new();
    for number in 0..count {
        let topic = TOPICS[number % TOPICS.len()];
        let text = match number % 3 {
            0 => format!("Enough of {topic} number {number}?"),
            1 => format!("What about {topic} now, \u{1b}[31mshall we go on?"),
            _ => format!("{topic}: anything else that I should know"),
        };
        let day = number / 28 + 9;
        let at = format!("2026-{day:02}-{:02}T10:00", number % 28 + 1);
        lines.push(asked(number, &at, &text, topic, &AREAS));
        lines.push(answered(number, &at, &text, "Next area"));
    }
    let path = world.path("transcripts/one.jsonl");
    world.put(&path, lines.concat());
    let ran = world.run(&[
        "import",
        "claude-code",
        world.path("transcripts").to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

fn line(number: usize, at: &str, rest: &Value) -> String {
    let mut line = json!({
        "isSidechain": false, "userType": "external", "entrypoint": "cli", "cwd": "/home/dev/shop",
        "sessionId": format!("session-{number}"), "version": "2.1.197", "uuid": format!("{number}-{at}"),
        "timestamp": at,
    });
    line.as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    format!("{line}\n")
}

fn asked(number: usize, at: &str, text: &str, header: &str, options: &[&str]) -> String {
    let options: Vec<Value> = options
        .iter()
        .map(|label| json!({"label": label, "description": ""}))
        .collect();
    let questions =
        json!([{"question": text, "header": header, "options": options, "multiSelect": false}]);
    let block = json!({
        "type": "tool_use", "id": format!("toolu_{number}"), "name": "AskUserQuestion",
        "input": {"questions": questions}
    });
    let message = json!({"role": "assistant", "content": [block]});
    line(
        number,
        &format!("{at}:00.000Z"),
        &json!({"type": "assistant", "message": message}),
    )
}

fn answered(number: usize, at: &str, text: &str, label: &str) -> String {
    let block =
        json!({"type": "tool_result", "tool_use_id": format!("toolu_{number}"), "content": "…"});
    let message = json!({"role": "user", "content": [block]});
    let result = json!({"answers": {text: label}, "annotations": {}});
    let rest = json!({"type": "user", "message": message, "toolUseResult": result});
    line(number, &format!("{at}:40.000Z"), &rest)
}

fn json_of(world: &World, words: &[&str]) -> Value {
    let ran = world.run(words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
    assert!(is_inert(&ran.stdout));
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["schema_version"], 1);
    document
}

#[test]
fn a_question_of_many_texts_is_listed_shown_proposed_and_applied() {
    let world = World::new();
    transcript(&world, 30);
    let listed = json_of(
        &world,
        &["report", "--all", "--json", "--since", "2026-01-01"],
    );
    assert_eq!(listed["questions"].as_array().unwrap().len(), 1);
    let question = &listed["questions"][0];
    assert_eq!(
        (&question["key_source"], &question["asked"]),
        (&json!("options"), &json!(30))
    );
    let key = question["question_key"].as_str().unwrap();

    let shown = json_of(&world, &["report", key, "--json"]);
    let askings = shown["questions"][0]["askings"].as_array().unwrap();
    assert_eq!(askings.len(), 30);
    assert!(
        askings
            .iter()
            .all(|one| one["answer"] == json!(["Next area"]))
    );
    // It has one name, which each verb shows and takes; the key is for scripts.
    let name = question["name"].as_str().unwrap();
    assert_eq!(name, "any question with \"More questions\", \"Next area\"");
    for words in [
        &["report", name][..],
        &["report", key],
        &["report", "--all", "--since", "2026-01-01"],
        &["suggest", name],
        &["suggest", "any question with \"More…"],
    ] {
        let ran = world.run(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
        let is_named = folded(&ran.stdout).contains(name) && !ran.stdout.contains(key);
        assert!(is_inert(&ran.stdout) && is_named, "{}", ran.stdout);
    }
    assert!(world.run(&["log", name]).stdout.starts_with(key));
    let unknown = world.run(&["report", "no-such-key"]);
    assert_eq!(unknown.code, 1);

    let found = json_of(&world, &["suggest", "--json"]);
    assert_eq!(found["suggestions"][0]["question_key"], key);
    assert_eq!(found["suggestions"][0]["answer"], "Next area");
    let ran = world.run(&["suggest", "--apply", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let file = world.paths().project_preferences("/home/dev/shop");
    let written: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(
        written["preferences"][key]["agreement"]["options"],
        json!(["more questions", "next area"])
    );
    let texts = written["preferences"][key]["agreement"]["texts"].as_array();
    assert_eq!(texts.unwrap().len(), 30);
    assert_eq!(written["preferences"][key]["key_source"], "options");
    assert_eq!(
        json_of(&world, &["suggest", "--json"])["suggestions"],
        json!([])
    );
    let noted = world.findings("preferences").into_iter();
    assert_eq!(noted.filter(|one| one.0 == "note").count(), 0);
    assert_eq!(written["preferences"][key]["name"], name);
    for words in [
        &["prefs", "list"][..],
        &["prefs", "show", name],
        &["prefs", "clear", name, "--yes"],
    ] {
        let ran = world.run(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
        let is_named = folded(&ran.stdout).contains(name) && !ran.stdout.contains(key);
        assert!(is_inert(&ran.stdout) && is_named, "{}", ran.stdout);
    }
    let set = world.run(&["prefs", "set", name, "--answer", "Next area", "--yes"]);
    assert!(folded(&set.stdout).contains(name), "{set:?}");
    let undo = world.run(&["undo", name, "--yes"]);
    assert_eq!(undo.code, 0, "{undo:?}");
    assert!(!undo.stdout.contains(key), "{undo:?}");
    // Nothing was recommended that it could follow.
    let set = world.run(&["prefs", "set", name, "--yes"]);
    let said = folded(&set.stdout);
    assert!(
        said.contains("none of the options was recommended"),
        "{set:?}"
    );
}

#[test]
fn a_rule_takes_the_history_with_it() {
    let world = World::new();
    transcript(&world, 30);
    world.put(world.paths().registry_file(), RULE);
    let found = json_of(&world, &["suggest", "--json"]);
    assert_eq!(found["suggestions"][0]["question_key"], "next");
    assert_eq!(found["suggestions"][0]["key_source"], "registry");
    assert_eq!(found["suggestions"][0]["evidence"]["answers"], 30);
    let listed = json_of(
        &world,
        &["report", "--all", "--json", "--since", "2026-01-01"],
    );
    assert_eq!(listed["questions"][0]["question_key"], "next");
}

/// Two more askings of the question, a day each, after `count` of them; answered with `label`.
fn two_more(world: &World, count: usize, label: &str) {
    let mut lines = Vec::new();
    for number in count..count + 2 {
        let (at, text) = (
            format!("2026-11-{:02}T10:00", number - count + 10),
            format!("Enough of icons number {number}?"),
        );
        lines.push(asked(number, &at, &text, "icons", &AREAS));
        lines.push(answered(number, &at, &text, label));
    }
    let path = world.path("transcripts/two.jsonl");
    world.put(&path, lines.concat());
    let folder = world.path("transcripts");
    let ran = world.run(&["import", "claude-code", folder.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

const RULE: &str = "[[question]]\nkey = \"next\"\noptions = [\"More questions\", \"Next area\"]\n";

#[test]
fn a_rule_over_a_preference_says_that_it_is_not_obeyed() {
    let world = World::new();
    transcript(&world, 30);
    let found = json_of(&world, &["suggest", "--json"]);
    let key = found["suggestions"][0]["question_key"].as_str().unwrap();
    let name = found["suggestions"][0]["name"].as_str().unwrap();
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    world.put(world.paths().registry_file(), RULE);
    let place = "--project /home/dev/shop";
    let set = format!("`plantune prefs set next never-ask --answer 'Next area' {place}`");
    let clear = format!("`plantune prefs clear '{name}' {place}`");
    // By then it is too late to set it under its old name.
    let words = [
        "prefs",
        "set",
        key,
        "never-ask",
        "--project",
        "/home/dev/shop",
        "--yes",
    ];
    let refused = world.run(&words);
    assert_eq!(refused.code, 2, "{refused:?}");
    for words in [&["prefs", "list"][..], &["log", key]] {
        let ran = world.run(words);
        assert_eq!(ran.code, 0, "{ran:?}");
        let said = folded(&ran.stdout);
        assert!(
            said.contains("a rule in registry.toml gives these questions the key next"),
            "{said}"
        );
        assert!(said.contains(&set) && said.contains(&clear), "{said}");
        let wide = |line: &&str| line.chars().count() > 80;
        assert_eq!(ran.stdout.lines().filter(wide).collect::<Vec<_>>(), [""; 0]);
    }
    let listed = json_of(&world, &["prefs", "list", "--json"]);
    let inert = listed["preferences"][0]["inert"].as_str().unwrap();
    assert_eq!(
        inert,
        "a rule in registry.toml gives these questions the key next"
    );
    let doctor = world.run(&["doctor"]);
    assert!(
        folded(&doctor.stdout)
            .contains("not obeyed, a rule in registry.toml gives these questions the key next"),
        "{}",
        doctor.stdout
    );
    let report = json_of(&world, &["report", "--json"]);
    assert_eq!(report["standing_preferences"], json!([]));
}

#[test]
fn what_a_rule_names_is_known_by_what_was_answered_before() {
    let world = World::new();
    transcript(&world, 30);
    world.put(world.paths().registry_file(), RULE);
    let set = |label| {
        let place = ["--project", "/home/dev/shop", "--yes"];
        let words = [
            &["prefs", "set", "next", "never-ask", "--answer", label][..],
            &place,
        ]
        .concat();
        world.run(&words)
    };
    assert_eq!(set("Nonsense").code, 2);
    assert_eq!(set("next area").code, 0);
    let noted = world.findings("preferences").into_iter();
    assert_eq!(noted.filter(|one| one.0 == "note").count(), 0);
    let clear = [
        "prefs",
        "clear",
        "next",
        "--project",
        "/home/dev/shop",
        "--yes",
    ];
    assert_eq!(world.run(&clear).code, 0);
    assert_eq!(
        json_of(&world, &["suggest", "--json"])["suggestions"][0]["question_key"],
        "next"
    );
    // Two answers under the rule's name are few, and two that disagree all the same.
    two_more(&world, 30, "More questions");
    let found = json_of(&world, &["suggest", "--json"]);
    assert_eq!(found["suggestions"], json!([]), "{found}");
    assert_eq!(found["rejected"][0]["evidence"]["answers"], 32);
}

#[test]
fn a_question_of_many_texts_is_explained_by_its_key_and_by_a_call_of_it() {
    let world = World::new();
    transcript(&world, 30);
    let found = json_of(&world, &["suggest", "--json"]);
    let key = found["suggestions"][0]["question_key"].as_str().unwrap();
    let explained = world.run(&["log", key, "--json"]).stdout;
    let one = &serde_json::from_str::<Value>(&explained).unwrap()["explanations"][0];
    assert_eq!(one["question_key"], key);
    assert_eq!(one["decisions"].as_array().unwrap().len(), 3);
    assert_eq!(
        one["answers"],
        json!([{"answer": "Next area", "times": 30}])
    );
    assert_eq!(one["judgements"][0]["proposed"], true);
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    let said = world.run(&["log", "toolu_3"]).stdout;
    assert!(said.contains("  on, \"Next area\", in shop"), "{said}");
    assert!(said.contains("recognised by its options"), "{said}");
    assert!(
        said.contains("You gave \"Next area\" 30 of 30 times"),
        "{said}"
    );
    // A file that cannot be read answers nothing, and is not nothing.
    world.put(world.paths().project_preferences("/home/dev/shop"), "{");
    let said = world.run(&["log", key]).stdout;
    assert!(
        said.contains("  ignored:") && !said.contains("none, so you are asked"),
        "{said}"
    );
}

/// Long lines are wrapped, so white space does not count.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_backtest_replays_what_was_answered() {
    let world = World::new();
    let nothing = json_of(&world, &["suggest", "--backtest", "--json"]);
    assert_eq!(
        (&nothing["questions"], &nothing["precision"]),
        (&json!(0), &Value::Null)
    );
    transcript(&world, 30);
    let found = json_of(&world, &["suggest", "--backtest", "--json"]);
    assert_eq!(
        (&found["questions"], &found["wrong"]),
        (&json!(30), &json!(0))
    );
    // From the first weeks on all of it is answered on trial, and most of it automatically.
    let tried = &found["by_level"]["trial"]["auto_decided"];
    assert!((10..30).contains(&tried.as_u64().unwrap()), "{found}");
    let decided = found["auto_decided"].as_u64().unwrap();
    assert!((10..25).contains(&decided), "{found}");
    assert_eq!(
        found["seconds_saved"].as_f64().unwrap(),
        decided as f64 * 40.0
    );
    assert_eq!(found["by_key"][0]["auto_decided"], found["auto_decided"]);
    let late = json_of(
        &world,
        &["suggest", "--backtest", "--since", "2026-10-01", "--json"],
    );
    assert_eq!(
        (&late["questions"], &late["auto_decided"], &late["wrong"]),
        (&json!(2), &json!(2), &json!(0))
    );
    let text = world.run(&["suggest", "--backtest"]);
    assert!(
        is_inert(&text.stdout) && text.stdout.contains("In brackets:"),
        "{}",
        text.stdout
    );
    assert_eq!(
        world
            .run(&["suggest", "--backtest", "--since", "someday"])
            .code,
        2
    );
    assert_eq!(world.run(&["suggest", "--since", "2026-10-01"]).code, 2);
    assert_eq!(world.run(&["suggest", "--backtest", "--apply"]).code, 2);
}

#[test]
fn what_was_asked_once_is_a_line_and_what_has_many_texts_is_a_row() {
    let world = World::new();
    let colours = asked(
        99,
        "2026-09-02T11:00",
        "Which colour?",
        "Colour",
        &["Red", "Blue"],
    );
    world.put("transcripts/other.jsonl", &colours);
    transcript(&world, 6);
    let report = ["report", "--since", "2026-01-01"];
    let document = json_of(&world, &[&report[..], &["--json"]].concat());
    assert_eq!(document["asked_once"], 1);
    let question = &document["questions"][0];
    assert_eq!(
        (&question["key_source"], &question["asked"]),
        (&json!("options"), &json!(6))
    );
    assert_eq!(
        question["name"],
        "any question with \"More questions\", \"Next area\""
    );
    let said = folded(&world.run(&report).stdout);
    assert!(
        said.contains(
            "1 question came up only once. `plantune report --since 2026-01-01 --until 2026-11-20 --all` lists it."
        )
            && !said.contains("Which colour?"),
        "{said}"
    );
    let said = world.run(&[&report[..], &["--all"]].concat()).stdout;
    assert!(
        said.contains("Which colour?") && !said.contains("only once"),
        "{said}"
    );
}
