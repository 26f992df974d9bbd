//! Proposed rules, and what they would have done.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::written::{APPLY, LOCAL, Log, Prompt, local, rules};
use crate::world::files::SHOP;
use crate::world::person::run_with_person;
use crate::world::{World, folded};

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
        "Permission rules: the agent no longer asks for these calls. Saves 7 prompts a week (2 min).",
        "# handle rule allowed asked project 1 ",
        " Bash(npm test) 12 of 12 7 a week",
        "5 reach beyond the project",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // Their own rules stand with the prompts, and not beside every proposal.
    let prompts = folded(&world.stdout_of(&["report", "--prompts"]));
    for words in [
        "Your rules that allow more than you need",
        "Bash(git push *) 5 git push --force",
        "Your rules that no prompt needed",
        "They may still be in use",
        "does not log the calls that a rule allows",
    ] {
        assert!(prompts.contains(words), "{words}: {prompts}");
        for suggest in [
            &["suggest"][..],
            &["suggest", "--all"],
            &["suggest", "--permissions"],
        ] {
            let shown = folded(&world.stdout_of(suggest));
            assert!(!shown.contains(words), "{suggest:?}: {words}: {shown}");
        }
    }
    let redacted = folded(&world.stdout_of(&["report", "--prompts", "--redact"]));
    assert!(!redacted.contains("git push --force"), "{redacted}");
    let evidence = folded(&world.stdout_of(&["suggest", "Bash(npm test)", "--permissions"]));
    for words in [
        "You allowed 12 of 12 of these prompts, in 12 sessions on 12 days",
        "They cost you 2 min 20 s a week.",
        "The rule covers ",
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

/// `npm test` was refused twice, and allowed a hundred times since.
#[test]
fn what_was_refused_twice_is_never_proposed() {
    let history = |refusals: i64| {
        let mut log = Log::new();
        let shop = log.world.project();
        for number in 0..refusals {
            log.add(&Prompt {
                tool: "Bash",
                input: "npm test",
                number,
                granted: false,
                cwd: &shop,
                project: SHOP,
                session_kind: "interactive",
                mode: "default",
            });
        }
        let mut world = log.allowed("Bash", "npm test", 100).written();
        world.later(60 * 24 * 60);
        rules(&world)
    };
    assert_eq!(proposed(&history(1)), ["Bash(npm test)"]);
    let refused = history(2);
    assert_eq!(proposed(&refused), [""; 0]);
    assert_eq!(refused["permissions_left"]["refused"], 102);
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
    let words = format!("saved {spared} of 17 prompts");
    assert!(shown.contains(&words), "{shown}");
    let late = ["suggest", "--backtest", "--since", "2026-09-12", "--json"];
    assert_eq!(world.json(&late)["permissions"]["prompts"], 6);
}

// Asked although a rule seems to cover it.

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
        "Asked, although a rule seems to cover it",
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
        explained.contains("Why your rule did not apply Bash(npm test) in"),
        "{explained}"
    );
    let explained = world.json(&["log", id, "--json"]);
    assert_eq!(explained["prompts"][0]["although"]["cause"], "redirection");
    let plain = world.json(&["report", "npm test", "--json"]);
    assert_eq!(plain["subjects"][0]["although"][0]["cause"], "unknown");
}

#[test]
fn a_rule_is_not_to_blame_for_what_came_before_it() {
    // A rule that was accepted 49 days after the first prompt, and two prompts about a line that it seems to cover.
    let with_prompts_after = |days| {
        let mut log = Log::new().allowed("Bash", "npm test", 12);
        log.count = days;
        let world = log.allowed("Bash", "npm test && npm run lint", 2).written();
        world.stdout_of(&["suggest", "Bash(npm test)", "--apply", "--yes"]);
        assert!(world.text(local(&world)).contains("\"Bash(npm test)\""));
        world
    };
    let blamed = |world: &World| {
        let line = "npm test && npm run lint";
        let document = world.json(&["report", line, "--json"]);
        document["subjects"][0]["although"] != json!([])
    };
    let before = with_prompts_after(40);
    assert!(!blamed(&before));
    assert!(blamed(&with_prompts_after(80)));
    // One that nobody knows the age of may have been there.
    fs::remove_dir_all(before.data().join("installed")).unwrap();
    assert!(blamed(&before));
}

#[test]
fn a_removed_file_is_described_by_what_it_held() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    world.stdout_of(APPLY);
    assert!(local(&world).exists());
    let said = folded(&world.stdout_of(&["uninstall", "--yes"]));
    assert!(
        said.contains("settings.local.json, which held only the permission rule plantune added."),
        "{said}"
    );
    assert!(!local(&world).exists() && !said.contains("hook"), "{said}");
}

// A person at a terminal, who is asked.

#[test]
fn the_person_is_asked_and_may_say_no() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    let ask = ["suggest", "--permissions", "--apply"];
    let say = |word| folded(&run_with_person(&mut world.command(&ask), &[word]).stdout);
    let no = say("n");
    assert!(
        no.contains("without asking you.") && no.contains("Not set"),
        "{no}"
    );
    assert!(!local(&world).exists());
    let yes = say("y");
    assert!(yes.contains("Set."), "{yes}");
    assert!(world.text(local(&world)).contains("Bash(npm test)"));
}

#[test]
fn each_rule_is_asked_about_and_taken_back_by_itself() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    world.put(local(&world), LOCAL);
    let output = run_with_person(
        &mut world.command(&["suggest", "--apply"]),
        &["d", "y", "y"],
    );
    assert_eq!(output.code, 0, "{output:?}");
    let said = folded(&output.stdout);
    assert!(
        said.contains("From now on, Claude Code runs Bash(npm test) in "),
        "{said}"
    );
    assert!(
        said.contains("+++ ") && said.contains("It covers "),
        "{said}"
    );
    assert_eq!(world.last_change()["reason"], "suggest rule");
    assert_ne!(world.text(local(&world)), LOCAL);
    // The last one first: its backup is the file that the other one left.
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    world.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(world.text(local(&world)), LOCAL);
}

// What is not written: for agents, into broken files, of hostile texts, into folders that are gone.

#[test]
fn agents_and_broken_files_change_nothing() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    let agent = world.run_in_session(APPLY);
    assert_eq!(agent.code, 4, "{}", agent.stderr);
    assert!(!local(&world).exists());
    // Nobody to ask.
    assert_eq!(world.run(&["suggest", "--permissions", "--apply"]).code, 4);

    for broken in [
        "{\"permissions\": ",
        "[]",
        "{\"permissions\":{\"allow\":{}}}",
        "\u{0}",
    ] {
        world.put(local(&world), broken);
        let shown = folded(&world.stdout_of(&["suggest", "--permissions"]));
        assert!(shown.contains("cannot read its rules"), "{shown}");
        assert!(!rules(&world)["notes"].as_array().unwrap().is_empty());
        let applied = world.run(APPLY);
        assert_eq!(applied.code, 3, "{}", applied.stderr);
        assert_eq!(world.text(local(&world)), broken);
    }
    // Neither is what a link of the project leads to.
    fs::remove_file(local(&world)).unwrap();
    let elsewhere = world.path("elsewhere.json");
    fs::write(&elsewhere, "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, local(&world)).unwrap();
    assert_eq!(world.run(APPLY).code, 4);
    assert_eq!(world.text(&elsewhere), "{}");
}

#[test]
fn hostile_texts_neither_reach_the_settings_nor_the_terminal() {
    let world = Log::new()
        .allowed("Bash", "npm test \u{1b}]0;x\u{7}", 12)
        .allowed("Bash", "npm test\nrm -rf ~", 12)
        .allowed("Bash", "npm test \\*", 12)
        .allowed("mcp__x__get\u{1b}[2J", "", 12)
        .allowed("mcp__x__get_*", "", 12)
        .written();
    world.put(
        local(&world),
        "{\"permissions\":{\"allow\":[\"Bash(*\u{9b}31m \\u001b[2J)\",\"Bash(\\u202e*)\"]}}",
    );
    let before = world.text(local(&world));
    assert_eq!(rules(&world)["permissions"], json!([]));
    let shown = world.stdout_of(&["suggest", "--permissions"]);
    assert!(
        !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{shown:?}"
    );
    world.stdout_of(APPLY);
    assert_eq!(world.text(local(&world)), before);
}

#[test]
fn a_folder_that_is_gone_is_not_written_to() {
    let mut log = Log::new();
    let gone = log.world.path("gone");
    for _ in 0..12 {
        log.add(&Prompt {
            tool: "Bash",
            input: "npm test",
            number: log.count,
            granted: true,
            cwd: &gone,
            project: "example.org/dev/gone",
            session_kind: "interactive",
            mode: "default",
        });
    }
    let world = log.written();
    assert_eq!(rules(&world)["permissions"][0]["rule"], "Bash(npm test)");
    let applied = world.run(APPLY);
    assert_eq!(applied.code, 4, "{}", applied.stderr);
    assert!(!gone.exists());
}

// What is not proposed, and what a proposal must say.

fn proposed(found: &Value) -> Vec<&str> {
    let rules = found["permissions"].as_array().unwrap().iter();
    rules.map(|one| one["rule"].as_str().unwrap()).collect()
}

#[test]
fn what_nobody_knows_is_typed() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "mytool build 3", 12)
        .allowed("mcp__figma__get_frame", "", 12)
        .allowed("mcp__tracker__create_issue", "", 12)
        .written();
    let found = rules(&world);
    let consents = found["permissions"].as_array().unwrap().iter();
    let consents: BTreeMap<&str, &str> = consents
        .map(|one| ["rule", "consent"].map(|name| one[name].as_str().unwrap()))
        .map(|[rule, consent]| (rule, consent))
        .collect();
    let expected = [
        ("Bash(mytool build 3)", "type"),
        ("Bash(npm test)", "yes"),
        ("mcp__figma__get_frame", "yes"),
        ("mcp__tracker__create_issue", "type"),
    ];
    assert_eq!(consents, BTreeMap::from(expected));
    let listed = folded(&world.stdout_of(&["suggest", "--permissions"]));
    assert!(listed.contains("type its name"), "{listed}");
    let said = folded(&world.stdout_of(&["suggest", "--permissions", "--apply", "--yes"]));
    assert!(
        said.contains("Not set: these do something, or are not known"),
        "{said}"
    );
    let settings = world.text(local(&world));
    assert!(
        settings.contains("npm test") && settings.contains("get_frame"),
        "{settings}"
    );
    assert!(
        !settings.contains("mytool") && !settings.contains("tracker"),
        "{settings}"
    );
    let typed = [
        "suggest",
        "--permissions",
        "--apply",
        "--yes",
        "--answer",
        "mytool",
    ];
    world.stdout_of(&typed);
    let settings = world.text(local(&world));
    assert!(
        settings.contains("mytool build 3") && !settings.contains("tracker"),
        "{settings}"
    );
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
    let words = "plantune does not know what this does.";
    assert!(
        one["also_allows"].as_str().unwrap().ends_with(words),
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
        assert!(shown.contains("12 do not come up in the mode"), "{shown}");
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
fn a_command_behind_cd_counts_as_the_command() {
    let world = Log::new()
        .allowed("Bash", "cd packages/api && npm test", 12)
        .allowed("Bash", "cd vendor/evil && npm test", 12)
        .written();
    let found = rules(&world);
    assert_eq!(proposed(&found), ["Bash(npm test)"]);
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
    for words in ["runs what it finds in package.json", "In every project"] {
        assert!(also.contains(words), "{also}");
    }
}
