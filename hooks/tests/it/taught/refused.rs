//! What nobody is taught, and who cannot teach.

use std::fs;

use serde_json::{Value, json};

use super::dialog::{TEXT, home, messages, next, preferences, result, teach, typed};
use crate::common::{Home, ask, question};

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
        ("CLAUDE_CODE_ENTRYPOINT", "sdk-ts"),
        ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
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
