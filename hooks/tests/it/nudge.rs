//! The hint at how to teach a habit: once a question, once a day, and only where it is one.

use std::fs;

use crate::common::{Home, after, ask, json_of, pinned, question};
use plantune_domain::project::project_key;
use plantune_domain::teach::{folder, habits_file};
use serde_json::{Value, json};

const HABIT_LABELS: &[&str] = &["More questions", "Next area"];

fn next_habit(key: &str) -> Value {
    question(key, "Next step?", HABIT_LABELS)
}

/// A home where `report` has found that these questions are always answered with `Next area`.
fn home_with_habits(keys: &[&str]) -> Home {
    let home = Home::new();
    let habit =
        |key: &&str| json!({"key": key, "times": 8, "preference": pinned(&next_habit(key), "Next area")});
    let habits: Value = keys.iter().map(habit).collect();
    let file = habits_file(&home.paths(), &project_key(home.path()));
    fs::create_dir_all(folder(&home.paths())).unwrap();
    fs::write(file, habits.to_string()).unwrap();
    home
}

fn answer(home: &Home, id: &str, question: &Value, answer: &str) -> String {
    let call = ask(id, home.path(), std::slice::from_ref(question));
    home.call(&call);
    let response = json!({"answers": {question["question"].as_str().unwrap(): answer}});
    home.call(&after(call, response))
}

#[test]
fn a_habit_is_pointed_out_once_and_one_a_day() {
    let home = home_with_habits(&["k", "z"]);
    assert_eq!(answer(&home, "toolu_1", &next_habit("k"), "More questions"), "");
    assert_eq!(answer(&home, "toolu_2", &next_habit("k"), "something typed"), "");
    assert_eq!(answer(&home, "toolu_3", &next_habit("other"), "Next area"), "");
    let said = answer(&home, "toolu_4", &next_habit("k"), "Next area");
    assert_eq!(
        json_of(&said),
        json!({"systemMessage": "plantune: you have answered this \"Next area\" at least 9 times. To have it \
            answered for you: plantune suggest --apply --only k, or type \"always: Next area\" next time"})
    );
    for (id, key) in [("toolu_4", "k"), ("toolu_5", "k"), ("toolu_6", "z")] {
        assert_eq!(answer(&home, id, &next_habit(key), "Next area"), "", "{key}");
    }
    // The next day it is the other one's turn, and never again the first one's.
    fs::remove_file(folder(&home.paths()).join("2026-11-20.day")).unwrap();
    assert_eq!(answer(&home, "toolu_7", &next_habit("k"), "Next area"), "");
    assert!(answer(&home, "toolu_8", &next_habit("z"), "Next area").contains("--only z"));
}

#[test]
fn nothing_is_pointed_out_elsewhere() {
    let quiet = |home: &Home, call: &Value| {
        assert_eq!(home.call(call), "", "{call}");
        assert_eq!(fs::read_dir(folder(&home.paths())).unwrap().count(), 1);
    };
    let result = |home: &Home| {
        let call = ask("toolu_1", home.path(), &[next_habit("k")]);
        after(
            call,
            json!({"answers": {"<plantune:k> Next step?": "Next area"}}),
        )
    };
    let home = home_with_habits(&["k"]);
    let mut of_agent = result(&home);
    of_agent["agent_id"] = json!("a1");
    quiet(&home, &of_agent);
    let mut of_server = result(&home);
    of_server["tool_name"] = json!("mcp__conductor__AskUserQuestion");
    quiet(&home, &of_server);
    for text in ["nudge = false\n", "enabled = false\n"] {
        home.configure(text);
        quiet(&home, &result(&home));
    }
    for name in ["PLANTUNE_HEADLESS", "PLANTUNE_DISABLE"] {
        let home = self::home_with_habits(&["k"]).with(name, "1");
        quiet(&home, &result(&home));
    }
    // Set meanwhile: what is asked is a check.
    let home = self::home_with_habits(&["k"]);
    home.prefer(None, &json!({"k": pinned(&next_habit("k"), "Next area")}));
    quiet(&home, &result(&home));
    // A file that is none.
    let home = self::home_with_habits(&["k"]);
    let file = habits_file(&home.paths(), &project_key(home.path()));
    fs::write(file, "[{\"key\":").unwrap();
    quiet(&home, &result(&home));
}
