//! What a person teaches in the dialog: what is written, what is said, and who cannot teach.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use common::bound::{described, previewed};
use common::{Home, ask, given_for, question, scenario_of, with_text};
use plantune_domain::project::project_key;
use serde_json::{Value, json};

const TEXT: &str = "<plantune:k> Next step?";
const LABELS: &[&str] = &["More questions (Recommended)", "Next area"];

fn next() -> Value {
    let question = question("k", "Next step?", LABELS);
    described(&question, &["stay in this area", "go on"])
}

fn home() -> Home {
    let home = Home::new();
    home.configure("spot_check = 0\n");
    home
}

/// The call `id` as it comes back with `response`.
fn result(home: &Home, id: &str, question: &Value, response: &Value) -> Value {
    let mut call = ask(id, home.path(), std::slice::from_ref(question));
    call["hook_event_name"] = json!("PostToolUse");
    call["tool_response"] = response.clone();
    call
}

fn typed(text: &str) -> Value {
    json!({"answers": {TEXT: text}})
}

/// The messages to user and model; both empty where nothing is printed.
fn messages(home: &Home, call: &Value) -> (String, String) {
    let printed = home.call(call);
    if printed.is_empty() {
        return Default::default();
    }
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let output = &printed["hookSpecificOutput"];
    assert!(output.is_null() || output["hookEventName"] == "PostToolUse");
    (
        text(&printed["systemMessage"]),
        text(&output["additionalContext"]),
    )
}

/// The preferences of the project; null without a file.
fn preferences(home: &Home) -> Value {
    let path = home.paths().project_preferences(&project_key(home.path()));
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str::<Value>(&text).unwrap()["preferences"].clone(),
        Err(_) => Value::Null,
    }
}

fn teach(home: &Home, text: &str) -> (String, String) {
    let call = result(home, "toolu_1", &next(), &typed(text));
    messages(home, &call)
}

#[test]
fn a_typed_label_is_the_answer_and_stands_on_trial() {
    let home = home();
    home.call(&ask("toolu_1", home.path(), &[next()]));
    let (user, model) = teach(&home, "always: Next area");
    let project = project_key(home.path());
    assert!(
        user.contains("\"Next step?\" is answered with \"Next area\" from now on, on trial"),
        "{user}"
    );
    assert!(
        user.contains(&format!("plantune prefs clear k --project {project}")),
        "{user}"
    );
    assert!(model.contains("means the option \"Next area\""), "{model}");
    assert!(model.contains("no permission for anything else"), "{model}");

    let entry = &preferences(&home)["k"];
    for (name, value) in [
        ("preference", json!("never-ask")),
        ("answer", json!("Next area")),
        ("level", json!("trial")),
        ("question", json!("Next step?")),
        ("options", json!(LABELS)),
        ("tool", json!("AskUserQuestion")),
        ("set_by", json!("dialog")),
    ] {
        assert_eq!(entry[name], value, "{name}");
    }
    assert_eq!(entry["binding"].as_array().unwrap().len(), 1);
    let events = home.events();
    let (answered, changed) = (&events[1], &events[2]);
    assert_eq!(answered["kind"], "answered");
    assert_eq!(answered["answer"], json!(["Next area"]));
    assert_eq!(answered["free_text"], "always: Next area");
    assert_eq!(answered["followed_recommendation"], false);
    assert_eq!(changed["kind"], "preference_changed");
    assert_eq!(
        (&changed["source"], &changed["reason"]),
        (&json!("dialog"), &json!("dialog"))
    );
    assert_eq!(changed["question_key"], "k");
    assert_eq!(changed["answer"], json!(["Next area"]));
    assert_eq!(changed["level"], "trial");
    assert!(
        changed["detail"]
            .as_str()
            .unwrap()
            .contains("always: Next area")
    );

    // From then on it answers, but for its checks, and what was not seen is asked.
    let answers = (2..32).filter(|number| {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next()]));
        said.contains("\"permissionDecision\":\"allow\"") && said.contains("on trial")
    });
    assert!((10..28).contains(&answers.count()));
    let other = described(&next(), &["stay", "push to production"]);
    assert_eq!(home.call(&ask("toolu_99", home.path(), &[other])), "");
}

#[test]
fn a_hook_registered_twice_teaches_once() {
    let home = home();
    let (first, model) = teach(&home, "always: Next area");
    assert!(!first.is_empty());
    let again = teach(&home, "always: Next area");
    assert_eq!(again, (String::new(), model));
    let changes = home.events();
    let changes = changes
        .iter()
        .filter(|event| event["kind"] == "preference_changed");
    assert_eq!(changes.count(), 1);
}

#[test]
fn a_note_beside_a_label_teaches() {
    let home = home();
    let shown = previewed(&next(), &["+--+", "a\nb"]);
    let response = json!({
        "answers": {TEXT: "Next area"}, "annotations": {TEXT: {"notes": "always", "preview": "a\nb"}},
    });
    let (user, _) = messages(&home, &result(&home, "toolu_1", &shown, &response));
    assert!(user.contains("on trial"), "{user}");
    let events = home.events();
    assert_eq!(events[0]["answer"], json!(["Next area"]));
    assert_eq!(events[0]["notes"], "always");
    let entry = &preferences(&home)["k"];
    assert_eq!(entry["level"], "trial");
    assert_ne!(entry["binding"][0]["previews"], json!([]));
}

#[test]
fn always_ask_is_written_and_chooses_nothing() {
    let home = home();
    let (user, model) = teach(&home, "Always ask");
    assert!(user.contains("is always asked from now on"), "{user}");
    assert!(model.contains("not answered yet"), "{model}");
    assert_eq!(preferences(&home)["k"]["preference"], "always-ask");
    assert_eq!(home.events()[0]["answer"], json!([]));
    home.call(&ask("toolu_2", home.path(), &[next()]));
    assert_eq!(
        home.question_events().pop().unwrap()["ask_reason"],
        "always_ask"
    );
    // And the reverse, as the last word counts.
    let (user, _) = messages(
        &home,
        &result(&home, "toolu_3", &next(), &typed("always: Next area")),
    );
    assert!(user.contains("on trial"), "{user}");
    let (user, model) = messages(
        &home,
        &result(&home, "toolu_4", &next(), &typed("always ask: Next area")),
    );
    assert!(user.contains("is always asked"), "{user}");
    assert!(model.contains("\"Next area\""), "{model}");
    assert_eq!(preferences(&home)["k"]["preference"], "always-ask");
}

#[test]
fn captured_dialogs_teach() {
    for (name, teaches) in [
        ("q3-other-always", true),
        ("q6-always-additional-context", true),
        ("q3-preview-with-note", true),
        ("q5-sdk-note-always", true),
        ("q5-sdk-response-freeform", true),
        ("q5-sdk-nodecision-changed", false),
    ] {
        let home = home();
        let calls = scenario_of("2.1.330", name);
        let printed: Vec<String> = calls.iter().map(|call| home.call(call)).collect();
        let said = printed.concat();
        assert_eq!(said.contains("on trial"), teaches, "{name}: {said}");
        let answered = home.question_events();
        let answered = answered
            .iter()
            .find(|event| event["kind"] == "answered")
            .unwrap();
        assert_eq!(answered["answer"].as_array().unwrap().len(), 1, "{name}");
        let changed = home
            .events()
            .into_iter()
            .filter(|event| event["source"] == "dialog");
        assert_eq!(changed.count(), usize::from(teaches), "{name}");
    }
}

#[test]
fn one_way_and_unclear_questions_are_not_taught() {
    for (question, answer, why) in [
        (
            question(
                "k",
                "What about the old tables?",
                &["Drop them", "Keep them"],
            ),
            "always: Drop them",
            "cannot be taken back",
        ),
        (
            question("k", "Delete the production database?", &["Yes", "No"]),
            "always: No",
            "cannot be taken back",
        ),
        (
            question("x-split-2", "Create it?", &["Yes", "No"]),
            "always: Yes",
            "split question",
        ),
        (
            question("k", "Which?", &["a1", "al"]),
            "always: a1",
            "unclear",
        ),
    ] {
        let home = home();
        let text = question["question"].as_str().unwrap();
        let response = json!({"answers": {text: answer}});
        let (user, model) = messages(&home, &result(&home, "toolu_1", &question, &response));
        assert!(
            user.contains("nothing was set") && user.contains(why),
            "{answer}: {user}"
        );
        assert!(model.contains("means the option"), "{model}");
        assert_eq!(preferences(&home), Value::Null);
        assert_eq!(home.events().len(), 1, "{answer}");
        // Always asking is always possible.
        let response = json!({"answers": {text: "always ask"}});
        messages(&home, &result(&home, "toolu_2", &question, &response));
        assert!(!preferences(&home).is_null());
    }
}

#[test]
fn labels_are_taken_to_the_letter() {
    let home = home();
    for text in [
        "always: next area",
        "always: Next",
        "always: Next area, and more",
    ] {
        let (user, model) = teach(&home, text);
        assert!(user.contains("nothing was set"), "{user}");
        assert_eq!(model, "");
    }
    for text in ["always", "Next area always", "please: Next area"] {
        assert_eq!(teach(&home, text), Default::default(), "{text}");
    }
    let mut several = next();
    several["multiSelect"] = json!(true);
    let call = result(&home, "toolu_1", &several, &typed("always: Next area"));
    assert!(messages(&home, &call).0.contains("nothing was set"));
    assert_eq!(preferences(&home), Value::Null);
    assert!(
        home.events()
            .iter()
            .all(|event| event["answer"] == json!([]))
    );
}

#[test]
fn only_the_person_teaches_and_only_in_the_dialog() {
    let nothing = |home: &Home, call: &Value| {
        assert_eq!(messages(home, call), Default::default(), "{call}");
        assert_eq!(preferences(home), Value::Null, "{call}");
        assert!(
            home.events()
                .iter()
                .all(|event| event["kind"] != "preference_changed")
        );
    };
    let home = home();
    let plain = result(&home, "toolu_1", &next(), &typed("always: Next area"));
    let mut of_agent = plain.clone();
    of_agent["agent_id"] = json!("a1");
    nothing(&home, &of_agent);
    let mut of_server = plain.clone();
    of_server["tool_name"] = json!("mcp__conductor__AskUserQuestion");
    nothing(&home, &of_server);
    let mut without_id = plain.clone();
    without_id["tool_use_id"] = Value::Null;
    nothing(&home, &without_id);
    // The model answered itself, in the call.
    let mut asked = ask("toolu_2", home.path(), &[next()]);
    asked["tool_input"]["answers"] = json!({TEXT: "always: Next area"});
    home.call(&asked);
    nothing(
        &home,
        &result(&home, "toolu_2", &next(), &typed("always: Next area")),
    );
    for (name, value) in [
        ("PLANTUNE_HEADLESS", "1"),
        ("PLANTUNE_DISABLE", "1"),
        ("OPENCLAW_SESSION", "1"),
    ] {
        let home = self::home().with(name, value);
        nothing(
            &home,
            &result(&home, "toolu_1", &next(), &typed("always: Next area")),
        );
    }
    for text in ["enabled = false\n", "[teach]\nenabled = false\n", "broken"] {
        let home = Home::new();
        home.configure(text);
        nothing(
            &home,
            &result(&home, "toolu_1", &next(), &typed("always: Next area")),
        );
    }
}

#[test]
fn nothing_is_written_into_folders_that_are_refused() {
    // plantune's folder lies in the repository that the session runs in.
    let home = home();
    fs::create_dir_all(home.path().join(".git")).unwrap();
    assert_eq!(teach(&home, "always: Next area"), Default::default());
    assert!(!home.plantune().join("projects").exists());
}

#[test]
fn words_of_the_configuration_replace_the_built_in_ones() {
    let home = Home::new();
    home.configure("[teach]\nalways = [\"altijd\"]\n");
    assert_eq!(teach(&home, "always: Next area"), Default::default());
    assert!(teach(&home, "altijd: Next area").0.contains("on trial"));
}

#[test]
fn a_file_that_cannot_be_read_is_left_as_it_is() {
    for text in [
        "{\"version\": 1, \"preferences\": {\"k\": ",
        "{\"version\": 2, \"preferences\": {}}",
        "{\"version\":1,\"preferences\":{\"a\":{\"preference\":\"always-ask\"},\"a\":{\"preference\":\"always-ask\"}}}",
    ] {
        let home = home();
        let path = home.paths().project_preferences(&project_key(home.path()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let (user, _) = teach(&home, "always: Next area");
        assert!(user.contains("nothing was set"), "{user}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        let changed = home
            .events()
            .into_iter()
            .filter(|event| event["kind"] == "preference_changed");
        assert_eq!(changed.count(), 0);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
    let home = home();
    let path = home.paths().project_preferences(&project_key(home.path()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"version\": 1, \"preferences\": {}}").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(
        teach(&home, "always: Next area")
            .0
            .contains("others may write it")
    );
}

#[test]
fn what_else_stands_in_the_file_stays() {
    let home = home();
    let path = home.paths().project_preferences(&project_key(home.path()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = json!({
        "version": 1, "later": {"x": 1},
        "preferences": {"k": {"preference": "always-ask", "new": 7}, "z": {"preference": "always-ask"}},
    });
    fs::write(&path, text.to_string()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    teach(&home, "always: Next area");
    let after: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(after["later"], json!({"x": 1}));
    assert_eq!(after["preferences"]["z"], text["preferences"]["z"]);
    assert_eq!(after["preferences"]["k"]["new"], 7);
    assert_eq!(after["preferences"]["k"]["preference"], "never-ask");
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn another_writer_is_not_waited_for() {
    let home = home();
    fs::create_dir_all(home.plantune()).unwrap();
    let folder = fs::File::open(home.plantune()).unwrap();
    folder.lock().unwrap();
    let (user, _) = teach(&home, "always: Next area");
    assert!(user.contains("another plantune command"), "{user}");
    assert_eq!(preferences(&home), Value::Null);
    folder.unlock().unwrap();
    assert!(
        messages(
            &home,
            &result(&home, "toolu_2", &next(), &typed("always: Next area"))
        )
        .0
        .contains("on trial")
    );
}

#[test]
fn preferences_that_stand_are_respected() {
    let home = home();
    home.prefer(None, &json!({"k": {"preference": "always-ask"}}));
    let (user, _) = teach(&home, "always: Next area");
    assert!(user.contains("plantune prefs clear k --global"), "{user}");
    assert_eq!(preferences(&home), Value::Null);
    // One that stands and says the same is not put on trial again.
    let entry = given_for(
        &next(),
        json!({"preference": "never-ask", "answer": "Next area"}),
    );
    home.prefer(None, &json!({"k": entry}));
    let (user, _) = teach(&home, "always: Next area");
    assert!(user.contains("is answered so already"), "{user}");
    assert_eq!(preferences(&home), Value::Null);
    // One for other ways of asking the same is not lost.
    let other = described(&next(), &["another", "description"]);
    let mut entry = given_for(
        &other,
        json!({"preference": "never-ask", "answer": "Next area"}),
    );
    entry["binding"] = json!([common::bound::form(&other)]);
    let project = project_key(home.path());
    home.prefer(None, &json!({}));
    home.prefer(Some(&project), &json!({"k": entry}));
    let (user, _) = teach(&home, "always: Next area");
    assert!(user.contains("plantune prefs show k"), "{user}");
    assert_eq!(preferences(&home)["k"], entry);
    // A check of a trial that is answered so begins it again, and does not end it.
    let mut entry = given_for(
        &next(),
        json!({"preference": "never-ask", "answer": "Next area"}),
    );
    entry["level"] = json!("trial");
    home.prefer(Some(&project), &json!({"k": entry}));
    let asked = (10..60).find(|number| {
        home.call(&ask(&format!("toolu_{number}"), home.path(), &[next()]))
            .is_empty()
    });
    let id = format!("toolu_{}", asked.unwrap());
    let (user, _) = messages(
        &home,
        &result(&home, &id, &next(), &typed("always: Next area")),
    );
    assert!(
        user.contains("on trial") && !user.contains("ended"),
        "{user}"
    );
    let answers = (100..130).filter(|number| {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next()]));
        !said.is_empty()
    });
    assert!(answers.count() > 5);
}

#[test]
fn unmarked_questions_are_taught_by_their_fingerprint() {
    let home = home();
    let plain = with_text("Next \u{1b}[31mstep?", LABELS);
    let text = plain["question"].as_str().unwrap();
    let response = json!({"answers": {text: "always: Next area"}});
    let (user, _) = messages(&home, &result(&home, "toolu_1", &plain, &response));
    assert!(
        user.contains("plantune prefs clear fp-") && !user.contains('\u{1b}'),
        "{user}"
    );
    let answers = (2..32).filter(|number| {
        let call = ask(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&plain),
        );
        !home.call(&call).is_empty()
    });
    assert!(answers.count() > 5);
}
