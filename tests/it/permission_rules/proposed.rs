//! What is proposed, and what it would have done.

use serde_json::json;

use super::log::{LOCAL, Log, local, rules};
use crate::world::folded;
use crate::world::layout::SHOP;

#[test]
fn proposals_in_json_and_on_the_terminal() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "git push origin main", 5)
        .written();
    world.put(local(&world), LOCAL);
    let found = rules(&world);
    assert_eq!(found["schema_version"], 1);
    let one = &found["permissions"][0];
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(one["rule"], "Bash(npm test)");
    assert_eq!(one["subject"], "npm test");
    assert_eq!((&one["prompts"], &one["refused"]), (&json!(12), &json!(0)));
    assert_eq!(
        (&one["level"], &one["settings"]),
        (&json!("standing"), &json!("local"))
    );
    assert_eq!(one["seconds_saved_per_week"], 140.0);
    assert_eq!(one["project"], SHOP);
    assert_eq!(one["mode"]["mode"], "default");
    assert!(
        one["also_allows"]
            .as_str()
            .unwrap()
            .contains("package.json"),
        "{one}"
    );
    assert_eq!(found["permissions_left"]["beyond"], 5);
    let push = &found["tighten"][0];
    assert_eq!(push["rule"], "Bash(git push *)");
    assert_eq!(
        (&push["used"], &push["never_used"]),
        (&json!(5), &json!(false))
    );
    assert_eq!(push["instead"], json!([]));
    assert_eq!(found["tighten"][1]["rule"], "mcp__x__y");

    let shown = folded(&world.stdout_of(&["suggest", "--permissions"]));
    for words in [
        "1 permission rule would spare you about 7 prompts a week",
        "1 Bash(npm test) 7 12/12",
        "5 reach beyond the project",
        "Your rules that allow more than needed",
        "Bash(git push *) 5 git push --force",
        "is not logged call by call",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let evidence = folded(&world.stdout_of(&["suggest", "Bash(npm test)", "--permissions"]));
    for words in [
        "You allowed 12 of 12 such prompts, in 12 sessions on 12 days",
        "(2 min 20 s of waiting)",
        "It also allows: ",
    ] {
        assert!(evidence.contains(words), "{words}: {evidence}");
    }
    assert!(
        !world
            .stdout_of(&["suggest", "--questions"])
            .contains("Bash(")
    );
    assert_eq!(
        world.json(&["suggest", "--questions", "--json"])["permissions"],
        json!([])
    );
}

#[test]
fn the_backtest_counts_what_rules_would_have_done() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "git push origin main", 5)
        .written();
    let found = world.json(&["suggest", "--backtest", "--json"]);
    let rules = &found["permissions"];
    assert_eq!(found["questions"], 0);
    assert_eq!(
        (&rules["prompts"], &rules["refused"]),
        (&json!(17), &json!(0))
    );
    let spared = rules["spared"].as_u64().unwrap();
    assert!((4..=6).contains(&spared), "{rules}");
    assert_eq!(rules["seconds_saved"], spared as f64 * 20.0);
    assert_eq!(
        (&rules["refused_allowed"], &rules["beyond_allowed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(rules["by_reach"][0]["spared"], spared);
    assert_eq!(
        (
            &rules["by_reach"][3]["reach"],
            &rules["by_reach"][3]["prompts"]
        ),
        (&json!("beyond"), &json!(5))
    );
    let shown = folded(&world.stdout_of(&["suggest", "--backtest"]));
    let words = format!("spared {spared} of 17 prompts");
    assert!(shown.contains(&words), "{shown}");
    let late = ["suggest", "--backtest", "--since", "2026-09-12", "--json"];
    assert_eq!(world.json(&late)["permissions"]["prompts"], 6);
}
