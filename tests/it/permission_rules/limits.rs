//! What is not proposed, and what a proposal must say.

use serde_json::{Value, json};

use super::log::{Log, Prompt, local, rules};
use crate::world::folded;
use crate::world::layout::SHOP;
use crate::world::person::run_with_person;

fn proposed(found: &Value) -> Vec<&str> {
    let rules = found["permissions"].as_array().unwrap().iter();
    rules.map(|one| one["rule"].as_str().unwrap()).collect()
}

fn in_mode(mode: &str) -> Log {
    let mut log = Log::new();
    let shop = log.world.project();
    for number in 0..12 {
        log.add(&Prompt {
            tool: "Bash",
            input: "npm test",
            number,
            granted: true,
            cwd: &shop,
            project: SHOP,
            session_kind: "interactive",
            mode,
        });
    }
    log
}

#[test]
fn what_nobody_knows_needs_more_evidence_and_says_so() {
    let with = |times: u32| {
        let world = Log::new()
            .allowed("Bash", "npm run smoke-shop", times)
            .written();
        let own = "[[permission]]\ncommand = \"npm run smoke-shop\"\nreach = \"unknown\"\n";
        world.put("data/registry.toml", own);
        world
    };
    assert_eq!(proposed(&rules(&with(8))), Vec::<&str>::new());
    let world = with(9);
    let found = rules(&world);
    assert_eq!(proposed(&found), ["Bash(npm run smoke-shop)"]);
    let one = &found["permissions"][0];
    assert_eq!(
        (&one["reach"], &one["level"]),
        (&json!("unknown"), &json!("trial"))
    );
    let words = "plantune does not know what this does";
    assert!(
        one["also_allows"].as_str().unwrap().starts_with(words),
        "{one}"
    );
    let shown = folded(&world.stdout_of(&["suggest", "1", "--permissions"]));
    assert!(shown.contains(words), "{shown}");
    let mut asks = world.command(&["suggest", "--permissions", "--apply"]);
    let asked = folded(&run_with_person(&mut asks, &["n"]).stdout);
    assert!(asked.contains(words), "{asked}");
}

#[test]
fn nothing_is_proposed_where_nobody_is_asked() {
    for mode in ["bypassPermissions", "dontAsk"] {
        let world = in_mode(mode).written();
        let found = rules(&world);
        assert_eq!(proposed(&found), Vec::<&str>::new(), "{mode}");
        assert_eq!(found["permissions_left"]["mode"], 12, "{found}");
        let shown = folded(&world.stdout_of(&["suggest", "--permissions"]));
        assert!(
            shown.contains("12 are not asked about in the mode"),
            "{shown}"
        );
    }
    // Claude Code runs these by itself.
    let world = Log::new()
        .allowed("Bash", "git status", 12)
        .allowed("Bash", "cat README.md | grep shop", 12)
        .written();
    assert_eq!(proposed(&rules(&world)), Vec::<&str>::new());
    // A rule of the person's allows it already.
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    world.put(
        local(&world),
        "{\"permissions\": {\"allow\": [\"Bash(npm test:*)\"]}}",
    );
    assert_eq!(proposed(&rules(&world)), Vec::<&str>::new());
}

#[test]
fn what_was_allowed_in_another_folder_is_not_proposed_for_this_one() {
    let world = Log::new()
        .allowed("Bash", "cd packages/api && npm test", 12)
        .allowed("Bash", "cd vendor/evil && npm test", 12)
        .written();
    let found = rules(&world);
    assert_eq!(proposed(&found), Vec::<&str>::new());
    assert_eq!(found["permissions_left"]["no_rule"], 12);
    assert_eq!(found["permissions_left"]["beyond"], 12);
}

#[test]
fn a_folders_rule_says_what_it_takes_in() {
    let edited = || {
        let mut log = Log::new();
        let shop = log.world.project();
        for number in 0..24 {
            let path = shop.join(format!("src/{}.rs", number % 12));
            log.add(&Prompt {
                tool: "Edit",
                input: path.to_str().unwrap(),
                number,
                granted: true,
                cwd: &shop,
                project: SHOP,
                session_kind: "interactive",
                mode: "default",
            });
        }
        log.written()
    };
    let world = edited();
    world.put("shop/src/0.rs", "");
    world.put("shop/src/api/1.rs", "");
    let found = rules(&world);
    assert_eq!(proposed(&found), ["Edit(/src/**)"]);
    let also = found["permissions"][0]["also_allows"].as_str().unwrap();
    assert!(
        also.contains("2 files today, among them 0.rs, api/1.rs"),
        "{also}"
    );
    for sensitive in [".env", "deploy.yml", "api/Dockerfile"] {
        let world = edited();
        world.put(format!("shop/src/{sensitive}"), "");
        assert_eq!(proposed(&rules(&world)), Vec::<&str>::new(), "{sensitive}");
    }
}

#[test]
fn what_decides_a_command_is_named_for_every_project_too() {
    let mut log = Log::new().allowed("Bash", "npm ci", 8);
    let shop = log.world.project();
    for number in 8..16 {
        log.add(&Prompt {
            tool: "Bash",
            input: "npm ci",
            number,
            granted: true,
            cwd: &shop,
            project: "github.com/acme/site",
            session_kind: "interactive",
            mode: "default",
        });
    }
    let found = rules(&log.written());
    assert_eq!(proposed(&found), ["Bash(npm ci)"], "{found}");
    let one = &found["permissions"][0];
    assert_eq!(one["settings"], "user");
    let also = one["also_allows"].as_str().unwrap();
    for words in ["is said by package.json", "In every project"] {
        assert!(also.contains(words), "{also}");
    }
}
