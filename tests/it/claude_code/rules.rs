//! From prompts that were allowed every time to a rule in the client's settings, and back.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use serde_json::{Value, json};

use super::home::{Home, nobody};
use super::prompts::{TESTS, command, deciding_client};

const RULE: &str = "Bash(npm test)";

/// Where the rule is written.
const SETTINGS: &str = "shop/.claude/settings.local.json";

impl Home {
    /// Moves everything that was logged a day into the past; the store is computed again.
    fn a_day_passes(&self) {
        for segment in self.segments() {
            let text = fs::read_to_string(&segment).unwrap();
            let lines: String = text
                .lines()
                .map(|line| {
                    let mut event: Value = serde_json::from_str(line).unwrap();
                    let ts: DateTime<Utc> = event["ts"].as_str().unwrap().parse().unwrap();
                    event["ts"] = json!(timestamp(ts - TimeDelta::days(1)));
                    format!("{event}\n")
                })
                .collect();
            fs::write(segment, lines).unwrap();
        }
    }

    fn rules(&self) -> Value {
        let found = self.done(&["suggest", "--permissions", "--json"]);
        serde_json::from_str::<Value>(&found).unwrap()["permissions"].clone()
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_was_allowed_every_time_is_proposed_written_obeyed_and_taken_back() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    // A day, a session, a prompt; the same person says yes each time.
    for day in 1..=6 {
        assert_eq!(home.rules(), json!([]), "after {} prompts", day - 1);
        let script = command(&format!("toolu_{day}"));
        let session = home.session(script, home.allows());
        assert_eq!(session.asked.len(), 1);
        home.done(&["ingest"]);
        assert_eq!(home.of_kind("permission_granted").len(), day);
        home.a_day_passes();
    }
    let rules = home.rules();
    assert_eq!(rules.as_array().unwrap().len(), 1, "{rules}");
    let rule = &rules[0];
    for (name, value) in [
        ("rule", json!(RULE)),
        ("subject", json!(TESTS)),
        ("reach", json!("reads")),
        ("prompts", json!(6)),
        ("refused", json!(0)),
        ("level", json!("trial")),
        ("settings", json!("local")),
    ] {
        assert_eq!(rule[name], value, "{name} of {rule}");
    }

    assert!(!home.path(SETTINGS).exists());
    let said = home.done(&["suggest", "--apply", "--yes", "--only", RULE]);
    assert!(
        said.contains(&format!(
            "From now on Claude Code runs {RULE} without asking you"
        )),
        "{said}"
    );
    let settings = fs::read_to_string(home.path(SETTINGS)).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings, json!({"permissions": {"allow": [RULE]}}));

    // The client obeys: nobody is asked, and nothing is logged of it.
    let before = home.prompts_logged();
    let session = home.session(command("toolu_ruled"), nobody);
    assert!(session.result_of("toolu_ruled").contains("3 passing"));
    assert_eq!(home.prompts_logged(), before);

    let said = home.done(&["undo", RULE, "--yes"]);
    assert!(
        said.contains(&format!("Claude Code asks again before {RULE}")),
        "{said}"
    );
    assert!(!home.path(SETTINGS).exists());
    let session = home.session(command("toolu_again"), home.allows());
    assert_eq!(session.asked.len(), 1);
    assert_eq!(home.prompts_logged(), before + 1);
}
