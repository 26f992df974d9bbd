//! Asked although a rule seems to cover it.

use serde_json::json;

use super::log::{Log, local};
use crate::world::folded;

#[test]
fn why_it_is_asked_although_a_rule_seems_to_cover_it() {
    let mut log = Log::new().allowed("Bash", "npm test > out.txt", 2).allowed(
        "Bash",
        "npm test && npm run lint",
        3,
    );
    // In the last four weeks, which `doctor` looks at.
    log.count = 75;
    let world = log
        .allowed("Bash", "npm test --watch", 2)
        .allowed("Bash", "npm test", 1)
        .written();
    world.put(
        local(&world),
        "{\"permissions\": {\"allow\": [\"Bash(npm test)\"]}}",
    );
    let shown = folded(&world.stdout_of(&["report", "npm test && npm run lint"]));
    for words in [
        "Asked although a rule seems to cover it",
        "3 × Bash(npm test) in",
        "every command of a line needs a rule, and `npm run lint` has none. It would take Bash(npm run lint).",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let document = world.json(&["report", "npm test > out.txt", "--json"]);
    let although = &document["subjects"][0]["although"][0];
    assert_eq!(
        (&although["cause"], &although["prompts"], &although["rules"]),
        (&json!("redirection"), &json!(2), &json!([]))
    );
    let id = document["subjects"][0]["prompts"][0]["id"]
        .as_str()
        .unwrap();
    let explained = folded(&world.stdout_of(&["log", id]));
    assert!(
        explained.contains("Why a rule of yours did not spare you Bash(npm test) in"),
        "{explained}"
    );
    let explained = world.json(&["log", id, "--json"]);
    assert_eq!(explained["prompts"][0]["although"]["cause"], "redirection");
    let plain = world.json(&["report", "npm test", "--json"]);
    assert_eq!(plain["subjects"][0]["although"], json!([]));
    let doctor = folded(&world.run(&["doctor"]).stdout);
    for words in [
        "2 prompts of the last four weeks came although a rule of yours seems to cover them",
        "`npm test --watch` has more. It would take Bash(npm test --watch).",
    ] {
        assert!(doctor.contains(words), "{words}: {doctor}");
    }
}
