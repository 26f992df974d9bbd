//! The file of preferences: what stands in it stays.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use plantune_domain::project::project_key;
use serde_json::{Value, json};

use super::dialog::{home, messages, next, preferences, result, teach, typed};
use crate::common::bound::{described, form};
use crate::common::{ask, given_for};

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
        .contains("one in three")
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
    entry["binding"] = json!([form(&other)]);
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
        user.contains("one in three") && !user.contains("ended"),
        "{user}"
    );
    let answers = (100..130).filter(|number| {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next()]));
        !said.is_empty()
    });
    assert!(answers.count() > 5);
}
