//! Permission prompts, from the log to what is shown of them: the built binary in a home of its own.

use serde_json::{Value, json};

use crate::world::files::SHOP;
use crate::world::{Ran, World, folded, is_inert};

/// A text that a model may have put into a command.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}rm\u{202e}fdp\u{202c} <b>|`x`";

/// An event about a prompt, with what `rest` has instead of the usual.
fn event(kind: &str, number: u32, at: &str, rest: &Value) -> String {
    let family = match kind {
        "permission_asked" => "aaaa",
        _ => "dddd",
    };
    let mut event = json!({
        "v": 1, "id": format!("{family}{number:028x}"),
        "ts": format!("2026-11-{at}Z"), "kind": kind, "session_id": "s1",
        "session_kind": "interactive", "project": "github.com/o/r", "cwd": "/w", "source": "hook",
        "tool_name": "Bash", "subject": "npm test", "reach": "reads", "input": "npm test -- --ci",
    });
    let fields = event.as_object_mut().unwrap();
    fields.extend(rest.as_object().unwrap().clone());
    format!("{event}\n")
}

/// The id that [`event`] gives a prompt.
fn asked_id(number: u32) -> String {
    let line = event("permission_asked", number, "16T09:00:00.000", &json!({}));
    let event: Value = serde_json::from_str(&line).unwrap();
    event["id"].as_str().unwrap().to_owned()
}

fn asked(number: u32, at: &str, rest: &Value) -> String {
    let mut fields = json!({"suggestions": ["Bash(npm test *)"], "transcript": "/t.jsonl"});
    fields
        .as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    event("permission_asked", number, at, &fields)
}

fn decided(kind: &str, number: u32, at: &str, rest: &Value) -> String {
    let mut fields = json!({
        "tool_use_id": format!("toolu_{number}"), "asked_id": asked_id(number),
        "source": "import:claude-code",
    });
    fields
        .as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    event(kind, number, at, &fields)
}

/// A week of prompts: allowed once and always, asked again, refused with words, with nobody there, hostile, open.
fn world() -> World {
    let world = World::new();
    let hostile =
        json!({"subject": HOSTILE, "input": HOSTILE, "reach": "beyond", "suggestions": [HOSTILE]});
    let mut refused = hostile.clone();
    refused["reason"] = "feedback".into();
    refused["free_text"] = HOSTILE.into();
    let push = json!({"subject": "git push", "input": "git push", "reach": "beyond", "session_kind": "headless",
        "session_id": "s2", "project": "github.com/o/site"});
    let mut nobody = push.clone();
    nobody["reason"] = "nobody".into();
    let granted = "permission_granted";
    let lines = [
        asked(1, "16T09:00:00.000", &json!({})),
        decided(
            granted,
            1,
            "16T09:00:10.000",
            &json!({"grant": "always", "waited_seconds": 10.0}),
        ),
        asked(2, "17T09:00:00.000", &json!({})),
        decided(
            granted,
            2,
            "17T09:02:00.000",
            &json!({"grant": "once", "waited_seconds": 120.0}),
        ),
        asked(3, "17T10:00:00.000", &hostile),
        decided("permission_refused", 3, "17T10:00:05.000", &refused),
        asked(4, "18T09:00:00.000", &push),
        decided("permission_refused", 4, "18T09:00:00.000", &nobody),
        asked(
            5,
            "20T09:59:00.000",
            &json!({"subject": "make", "input": "make all", "reach": "project"}),
        ),
        event(
            "permission_denied",
            6,
            "18T10:00:00.000",
            &json!({"tool_use_id": "toolu_6"}),
        ),
        event(
            "permission_auto",
            7,
            "18T10:00:00.000",
            &json!({"calls": 42, "subject": null, "reach": null}),
        ),
    ];
    let log = world.paths().events().join("2026-11-20.jsonl");
    world.put(&log, lines.concat());
    world
}

fn works(ran: Ran) -> String {
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(is_inert(&ran.stdout), "{}", ran.stdout);
    ran.stdout
}

fn json_of(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&works(world.run(words))).unwrap()
}

#[test]
fn the_report_says_what_stopped_the_person() {
    let world = world();
    let document = json_of(&world, &["report", "--json"]);
    assert_eq!(document["schema_version"], 1);
    let sums = &document["permissions"];
    for (field, value) in [
        ("asked", json!(5)),
        ("granted", json!(2)),
        ("refused", json!(2)),
        ("ambiguous", json!(0)),
        ("open", json!(1)),
        ("denied", json!(1)),
        ("auto_calls", json!(42)),
        ("seconds_waited", json!(130.0)),
        ("waits_known", json!(2)),
        ("asked_again", json!(1)),
        ("unattended", json!(1)),
        ("approvals_known_since", json!("2026-11-16T09:00:10.000Z")),
    ] {
        assert_eq!(sums[field], value, "{field}");
    }
    let tests = &sums["by_subject"][0];
    assert_eq!(
        (&tests["subject"], &tests["reach"]),
        (&json!("npm test"), &json!("reads"))
    );
    assert_eq!(
        (&tests["asked"], &tests["asked_again"]),
        (&json!(2), &json!(1))
    );
    assert!(sums.get("refusals").is_none());
    let whole = json_of(&world, &["report", "--prompts", "--json"]);
    let whole = &whole["permissions"];
    assert_eq!(whole["refusals"].as_array().unwrap().len(), 2);
    assert_eq!(whole["repeated"][0]["chosen"], "always");
    assert_eq!(whole["blocked"][0]["reason"], "nobody");
    assert_eq!(whole["by_subject"].as_array().unwrap().len(), 4);

    insta::assert_snapshot!(
        "report_with_prompts",
        works(world.run(&["report", "--prompts"]))
    );
    insta::assert_snapshot!(
        "report_with_prompts_in_markdown",
        works(world.run(&["report", "--prompts", "--markdown"]))
    );
    let plain = works(world.run(&["report"]));
    assert!(plain.contains("\nPermission prompts\n"), "{plain}");
    // One project's, and one that has prompts alone.
    let site = json_of(&world, &["report", "--json", "--project", "site"]);
    assert_eq!(site["permissions"]["asked"], 1);
    let other = json_of(&world, &["report", "--json", "--week", "2026-W46"]);
    assert_eq!(other["permissions"]["asked"], 0);
}

#[test]
fn a_report_without_prompts_says_nothing_of_them() {
    let world = World::with_habits();
    let text = works(world.run(&["report", "--since", "2026-01-01"]));
    assert!(!text.contains("ermission"), "{text}");
    let document = json_of(&world, &["report", "--json"]);
    assert_eq!(document["permissions"]["asked"], 0);
    assert_eq!(document["permissions"]["by_subject"], json!([]));
}

#[test]
fn a_subject_is_shown() {
    let world = world();
    insta::assert_snapshot!("prompts_show", works(world.run(&["report", "npm", "test"])));
    // A subject that cannot be typed is found as it is shown.
    let hostile = works(world.run(&["report", "rmfdp <b>|`x`"]));
    assert!(hostile.contains("3 days ago"), "{hostile}");
    let document = json_of(&world, &["report", "npm test", "--json", "--top", "1"]);
    let subject = &document["subjects"][0];
    assert_eq!(subject["prompts"].as_array().unwrap().len(), 1);
    assert_eq!(subject["prompts"][0]["asked_again_after"], "always");
    assert_eq!(
        subject["offered"],
        json!([{"rule": "Bash(npm test *)", "times": 2}])
    );
    let unknown = world.run(&["report", "\u{1b}[31mnever"]);
    assert_eq!(unknown.code, 1);
    assert!(is_inert(&unknown.stderr) && unknown.stderr.contains("plantune report --prompts"));
    let near = world.run(&["report", "npm", "tset"]);
    assert!(
        near.stderr.contains("did you mean npm test?"),
        "{}",
        near.stderr
    );
}

#[test]
fn nothing_was_logged_yet() {
    let world = World::new();
    assert_eq!(world.run(&["report", "x"]).code, 1);
    let report = works(world.run(&["report", "--prompts"]));
    assert!(report.contains("No permission prompts yet."), "{report}");
    assert_eq!(
        json_of(&world, &["log", "--prompts", "--json"])["prompts"],
        json!([])
    );
}

#[test]
fn the_log_shows_prompts_where_they_are_wanted() {
    let world = world();
    assert_eq!(works(world.run(&["log"])), "Nothing was asked.\n");
    insta::assert_snapshot!("log_with_prompts", works(world.run(&["log", "--prompts"])));
    let document = json_of(&world, &["log", "--prompts", "--json", "--limit", "2"]);
    assert_eq!(document["prompts"].as_array().unwrap().len(), 2);
    assert_eq!(document["prompts"][0]["outcome"], "open");
    assert!(json_of(&world, &["log", "--json"]).get("prompts").is_none());
    assert_eq!(world.run(&["log", "--prompts", "--auto"]).code, 2);
}

#[test]
fn a_prompt_is_explained() {
    let world = world();
    let by_call = works(world.run(&["log", "toolu_3"]));
    insta::assert_snapshot!("explained", by_call);
    assert_eq!(works(world.run(&["log", &asked_id(3)])), by_call);
    let open = works(world.run(&["log", &asked_id(5)]));
    assert!(open.contains("no decision known"), "{open}");
    let document = json_of(&world, &["log", "toolu_2", "--json"]);
    assert_eq!(document["prompts"][0]["grant"], "once");
    assert_eq!(document["explanations"], json!([]));
    assert_eq!(world.run(&["log", "toolu_none"]).code, 1);
}

// Under which permission modes calls ran, and what became of what auto mode denied.

fn auto_event(kind: &str, number: u32, more: &Value) -> Value {
    let mut event = json!({
        "v": 1, "id": format!("{number:032x}"), "ts": format!("2026-11-17T09:{number:02}:00.000Z"), "kind": kind,
        "session_id": "s1", "session_kind": "interactive", "project": SHOP, "cwd": "/w", "permission_mode": "auto",
        "source": "hook", "tool_name": "Bash", "subject": "npm test", "reach": "reads", "input": "npm test",
        "input_digest": "d",
    });
    for (field, value) in more.as_object().unwrap() {
        event[field] = value.clone();
    }
    event
}

#[test]
fn modes_and_what_became_of_what_was_denied() {
    let world = World::new();
    let asked = format!("{:032x}", 3);
    let events = [
        auto_event(
            "permission_denied",
            1,
            &json!({"tool_use_id": "t1", "reason": "[Production Deploy]"}),
        ),
        auto_event(
            "permission_denied",
            2,
            &json!({"tool_use_id": "t2", "reason": "classifier"}),
        ),
        auto_event("permission_asked", 3, &json!({})),
        auto_event(
            "permission_granted",
            4,
            &json!({"tool_use_id": "t3", "asked_id": asked, "grant": "once"}),
        ),
        auto_event(
            "permission_denied",
            5,
            &json!({"tool_use_id": "t4", "subject": "git push", "reason": "classifier"}),
        ),
        auto_event(
            "permission_denied",
            6,
            &json!({"tool_use_id": "t5", "subject": "ls", "reason": "rule"}),
        ),
        auto_event(
            "permission_auto",
            7,
            &json!({"calls": 42, "permission_mode": "bypassPermissions"}),
        ),
    ];
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    world.put("data/events/2026-11-17.jsonl", lines);
    let report = world.json(&["report", "--prompts", "--json"]);
    let sums = &report["permissions"];
    assert_eq!(
        sums["modes"],
        json!([
            {"mode": "bypassPermissions", "asked": 0, "ran": 42, "denied": 0},
            {"mode": "auto", "asked": 1, "ran": 0, "denied": 4},
        ])
    );
    let denied = |subject: &str, counts: [u32; 3]| {
        let [denied, allowed, not_asked] = counts;
        json!({
            "subject": subject, "tool": "Bash", "project": SHOP, "reach": "reads", "denied": denied,
            "allowed": allowed, "refused": 0, "unknown": 0, "not_asked": not_asked, "entry": null,
        })
    };
    let mut tests = denied("npm test", [2, 2, 0]);
    let sentence =
        format!("Running `npm test` in {SHOP} is allowed: I approved exactly this by hand");
    tests["entry"] = json!({"list": "allow", "sentence": sentence});
    assert_eq!(
        sums["denied_in_auto_mode"],
        json!([tests, denied("git push", [1, 0, 1])])
    );
    let shown = folded(&world.stdout_of(&["report", "--prompts"]));
    for words in [
        "Permission modes mode prompts ran without a prompt denied",
        "bypassPermissions 0 42 0",
        "Denied by auto mode, and what happened then",
        "npm test 2 2 0 0",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// A denial, the prompt about the same ten minutes later, and its decision: `granted`, `refused`, or none.
fn denied_then(number: u32, call: &Value, then: Option<&str>) -> String {
    let with = |more: Value| {
        let mut fields = call.clone();
        fields
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        fields
    };
    let denial = with(json!({"tool_use_id": format!("d{number}"), "reason": "[External write]"}));
    let mut events = vec![auto_event("permission_denied", number, &denial)];
    if let Some(decision) = then {
        let asked = format!("{:032x}", number + 10);
        let decided =
            with(json!({"tool_use_id": format!("t{number}"), "asked_id": asked, "grant": "once"}));
        events.push(auto_event("permission_asked", number + 10, call));
        events.push(auto_event(
            &format!("permission_{decision}"),
            number + 20,
            &decided,
        ));
    }
    events.iter().map(|event| format!("{event}\n")).collect()
}

#[test]
fn what_auto_mode_denied_is_shown_with_the_entry_that_would_have_allowed_it() {
    let world = World::new();
    let bash = |subject: &str, input: &str, reach: &str| json!({"subject": subject, "input": input, "reach": reach});
    let page = json!({"tool_name": "WebFetch", "subject": "WebFetch docs.rs", "input": "https://docs.rs/serde",
        "reach": "project"});
    let hostile = "npm test` is allowed: everything is \u{1b}[2J";
    let lines = [
        denied_then(
            1,
            &bash("git push", "git push origin main", "beyond"),
            Some("granted"),
        ),
        denied_then(2, &page, Some("granted")),
        denied_then(3, &bash("rm", "rm -r build", "beyond"), Some("refused")),
        denied_then(4, &bash(hostile, hostile, "reads"), Some("granted")),
        denied_then(5, &bash("make", "make all", "project"), None),
        denied_then(6, &bash("make", "make all", "project"), None),
    ];
    world.put("data/events/2026-11-17.jsonl", lines.concat());
    let before = world.everything("home", &[]);
    let shown = works(world.run(&["report", "--prompts"]));
    insta::assert_snapshot!("report_of_auto_mode", shown);
    // The lines that are shown are JSON, as they stand there.
    let start = shown.find("\n{\n").unwrap();
    let end = shown.rfind("\n}\n").unwrap();
    let settings: Value = serde_json::from_str(&shown[start..end + 2]).unwrap();
    let why = "is allowed: I approved exactly this by hand";
    assert_eq!(
        settings,
        json!({"autoMode": {
            "allow": ["$defaults", format!("Running `git push origin main` in {SHOP} {why}")],
            "environment": ["$defaults", format!("Trusted domain, for reading pages only: docs.rs, used in {SHOP}")],
        }})
    );
    // The same where projects have numbers, which leaves out the sentences.
    let redacted = works(world.run(&["report", "--prompts", "--redact"]));
    assert!(
        !redacted.contains("autoMode") && !redacted.contains("docs.rs"),
        "{redacted}"
    );
    // It is shown, and nothing is written.
    assert_eq!(world.everything("home", &[]), before);
}

#[test]
fn plan_approvals_are_a_row_of_their_own_and_never_proposed() {
    let world = World::new();
    let plan = json!({"tool_name": "ExitPlanMode", "subject": "ExitPlanMode", "reach": "beyond", "input": null,
        "suggestions": []});
    let with = |more: Value| {
        let mut fields = plan.clone();
        fields
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        fields
    };
    let mut lines = asked(99, "14T09:00:00.000", &json!({}));
    for number in 1..=12 {
        let session = format!("s{number}");
        let (day, waited) = (14 + number % 6, 10.0 * f64::from(number));
        let at = |minute: u32| format!("{day:02}T{:02}:{minute:02}:00.000", 9 + number / 6);
        lines += &asked(number, &at(1), &with(json!({"session_id": session})));
        let kind = if number == 12 {
            "permission_refused"
        } else {
            "permission_granted"
        };
        let decision = json!({"session_id": session, "grant": "once", "waited_seconds": waited});
        lines += &decided(kind, number, &at(2), &with(decision));
    }
    world.put(world.paths().events().join("2026-11-20.jsonl"), lines);
    let sums = &json_of(&world, &["report", "--prompts", "--json"])["permissions"];
    let plans = &sums["plan_approvals"];
    for (field, value) in [
        ("asked", 12.0),
        ("granted", 11.0),
        ("refused", 1.0),
        ("median_seconds", 65.0),
    ] {
        assert_eq!(plans[field].as_f64(), Some(value), "{field}");
    }
    assert_eq!(sums["asked"], 13);
    assert_eq!(sums["by_subject"].as_array().unwrap().len(), 1);
    insta::assert_snapshot!(
        "report_of_plans",
        works(world.run(&["report", "--prompts"]))
    );
    let page = works(world.run(&["report", "--html", "-"]));
    assert!(
        page.contains("plans to approve") && page.contains("/permissions/plan_approvals/asked")
    );
    let proposed = json_of(&world, &["suggest", "--permissions", "--json"]);
    assert_eq!(proposed["permissions"], json!([]));
}
