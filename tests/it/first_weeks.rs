//! The first weeks: from transcripts through `import` to `suggest`, at its two levels, for one project and
//! for all of them.

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::preferences::{Level, Policy};
use serde_json::{Value, json};

use crate::world::World;

/// One asking of a history.
struct Asking {
    text: String,
    options: Vec<&'static str>,
    answer: &'static str,
    /// The session, a day each, and how many minutes into it.
    session: i64,
    minute: i64,
    folder: &'static str,
    skill: Option<&'static str>,
}

const AREA: [&str; 2] = ["More questions", "Next area"];

/// Fifteen askings of five sessions on five days, about something else each time: all answered with the
/// next area but the ninth, which was typed.
fn next_area() -> Vec<Asking> {
    let topics = [
        "navigation",
        "typography",
        "captions",
        "footers",
        "greetings",
        "spacing",
        "colours",
        "icons",
        "headings",
        "margins",
        "tooltips",
        "avatars",
        "badges",
        "banners",
        "menus",
    ];
    let asking = |(index, topic): (i64, &&str)| Asking {
        text: format!("More questions about {topic}, or move to the next area?"),
        options: AREA.to_vec(),
        answer: match index {
            8 => "if you feel you have everything you need",
            _ => "Next area",
        },
        session: index / 3,
        minute: 3 * (index % 3),
        folder: "/home/dev/shop",
        skill: None,
    };
    (0..).zip(&topics).map(asking).collect()
}

/// Five askings on five days, the last one answered with something added.
fn todo() -> Vec<Asking> {
    let asking = |index: i64| Asking {
        text: "What would you like to do with this todo?".to_owned(),
        options: vec!["Work on it now", "Defer it", "Rewrite it"],
        answer: match index {
            4 => "yes work on it now, but you can keep the wording as it is",
            _ => "Work on it now",
        },
        session: index,
        minute: 30,
        folder: "/home/dev/shop",
        skill: None,
    };
    (0..5).map(asking).collect()
}

/// The two lines of a transcript for `asking`.
fn lines(number: usize, asking: &Asking) -> String {
    let start: DateTime<Utc> = "2026-10-20T09:00:00Z".parse().unwrap();
    let at = start + TimeDelta::days(asking.session) + TimeDelta::minutes(asking.minute);
    let option = |label: &&str| json!({"label": label, "description": ""});
    let options: Vec<Value> = asking.options.iter().map(option).collect();
    let questions = json!([{"question": asking.text, "header": "Next", "options": options,
        "multiSelect": false}]);
    let call = format!("toolu_{number}");
    let asked = json!({"role": "assistant", "content": [{"type": "tool_use", "id": call,
        "name": "AskUserQuestion", "input": {"questions": questions}}]});
    let back = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call,
        "content": "…"}]});
    let line = |seconds: i64, kind: &str, message: &Value| {
        let mut line = json!({
            "isSidechain": false, "userType": "external", "entrypoint": "cli", "version": "2.1.330",
            "cwd": asking.folder, "sessionId": format!("session-{}-{}", asking.folder, asking.session),
            "uuid": format!("{number}-{kind}"), "type": kind, "message": message,
            "timestamp": (at + TimeDelta::seconds(seconds)).to_rfc3339(),
        });
        if let Some(skill) = asking.skill {
            line["attributionSkill"] = json!(skill);
        }
        line
    };
    let mut back = line(23, "user", &back);
    back["toolUseResult"] = json!({"questions": questions, "answers": {&asking.text: asking.answer},
        "annotations": {}});
    format!("{}\n{back}\n", line(0, "assistant", &asked))
}

/// A person with this history.
fn person(history: &[Asking]) -> World {
    let world = World::new();
    let mut by_session: std::collections::BTreeMap<(&str, i64), String> = Default::default();
    for (number, asking) in history.iter().enumerate() {
        let session = by_session
            .entry((asking.folder, asking.session))
            .or_default();
        session.push_str(&lines(number, asking));
    }
    for (number, text) in by_session.values().enumerate() {
        world.put(format!("transcripts/{number}.jsonl"), text);
    }
    let transcripts = world.path("transcripts");
    let ran = world.run(&["import", "claude-code", transcripts.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    world
}

fn json_of(world: &World, words: &[&str]) -> Value {
    let ran = world.run(words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn suggestions(world: &World) -> Vec<Value> {
    let found = json_of(world, &["suggest", "--json"]);
    found["suggestions"].as_array().unwrap().clone()
}

/// The level of the only proposal for `history`, and what it lacks for more.
fn level(history: &[Asking]) -> (Option<String>, String) {
    let found = suggestions(&person(history));
    assert!(found.len() < 2, "{found:?}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    found.first().map_or((None, String::new()), |one| {
        (Some(text(&one["level"])), text(&one["lacks"]))
    })
}

#[test]
#[ignore = "takes long: make test-long"]
fn next_area_is_on_trial_from_the_second_session_unless_one_of_the_latest_differs() {
    let history = next_area();
    // The first three are of one session, and the ninth is typed.
    for (count, is_tried) in [
        (3, false),
        (4, true),
        (8, true),
        (9, false),
        (13, false),
        (14, true),
    ] {
        let (level, lacks) = level(&history[..count]);
        assert_eq!(
            level.as_deref() == Some("trial"),
            is_tried,
            "{count}: {lacks}"
        );
    }
    let world = person(&history);
    let found = suggestions(&world);
    let one = &found[0];
    assert_eq!((found.len(), &one["level"]), (1, &json!("trial")), "{one}");
    assert_eq!(
        (&one["answer"], &one["scope"]),
        (&json!("Next area"), &json!("project"))
    );
    assert_eq!(
        (&one["kind"], &one["wrong_answer_seconds"]),
        (&json!("go_on"), &json!(30.0))
    );
    assert_eq!(
        (&one["evidence"]["answers"], &one["evidence"]["agreed"]),
        (&json!(15), &json!(14))
    );
    // What it would answer is a form with a place for the topic.
    assert_eq!(one["covers"].as_array().unwrap().len(), 1, "{one}");
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    let key = one["question_key"].as_str().unwrap();
    let path = world.paths().project_preferences("/home/dev/shop");
    let file = plantune_domain::preferences::PreferenceFile::load(&path)
        .unwrap()
        .unwrap();
    let preference = &file.preferences[key];
    assert_eq!(
        (
            preference.preference,
            preference.level,
            preference.answer.as_deref()
        ),
        (Policy::NeverAsk, Some(Level::Trial), Some("Next area"))
    );
    // A trial is not proposed again.
    assert_eq!(suggestions(&world), Vec::<Value>::new());
    let backtest = json_of(&world, &["suggest", "--backtest", "--json"]);
    let levels = &backtest["by_level"];
    assert_eq!(levels["trial"]["questions"], 15);
    assert_eq!(levels["standing"]["auto_decided"], 0);
}

#[test]
fn work_on_it_now_is_tried_and_no_more_once_something_is_added() {
    let history = todo();
    assert_eq!(level(&history[..2]).0, None);
    assert_eq!(level(&history[..4]).0.as_deref(), Some("trial"));
    assert_ne!(level(&history).0.as_deref(), Some("trial"));
}

#[test]
fn evening_of_thirty_makes_no_habit() {
    let mut history = Vec::new();
    for round in 0..2 {
        for mut asking in next_area() {
            asking.answer = "Next area";
            asking.minute = 5 * asking.session + asking.minute + 100 * round;
            asking.session = 0;
            history.push(asking);
        }
    }
    assert_eq!(level(&history).0, None);
}

#[test]
fn what_projects_agree_on_is_proposed_for_everywhere() {
    let folders = ["/home/dev/a", "/home/dev/b", "/home/dev/c", "/home/dev/d"];
    let mut history = Vec::new();
    for (index, mut asking) in (0..).zip(next_area().into_iter().take(12)) {
        asking.answer = "Next area";
        asking.folder = folders[index % 4];
        asking.session = i64::try_from(index).unwrap();
        history.push(asking);
    }
    let world = person(&history);
    let found = suggestions(&world);
    assert_eq!(
        (found.len(), &found[0]["scope"]),
        (1, &json!("global")),
        "{found:?}"
    );
    assert_eq!(found[0]["level"], "trial");
    assert_eq!(
        (&found[0]["project"], &found[0]["projects"]),
        (&Value::Null, &json!(folders))
    );
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    let key = found[0]["question_key"].as_str().unwrap();
    assert_eq!(
        world.preference(key, true).unwrap().level,
        Some(Level::Trial)
    );
    assert_eq!(suggestions(&world), Vec::<Value>::new());
    // Where one differs, each has its own.
    for asking in history.iter_mut().filter(|one| one.folder == folders[1]) {
        asking.answer = "More questions";
    }
    let found = suggestions(&person(&history));
    assert!(
        found.iter().all(|one| one["scope"] == "project"),
        "{found:?}"
    );
    assert!(found.iter().all(|one| one["level"] == "trial"), "{found:?}");
}
