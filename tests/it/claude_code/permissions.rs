//! Prompts for permission: what the hook logs when the person is asked, what is read of the transcript about
//! how they decided, and what the report counts.

use serde_json::{Value, json};

use super::client;
use super::home::{Home, assert_fields};
use super::prompts::{TESTS, WITH_BEFORE_RUN, bash, deciding_client, one_command, version};
use super::server::{AGENT, Script, Turn};

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn allowed_once() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    home.on_terminal(one_command(), |person| {
        person.prompt(1);
        person.press("1");
        person.written("All done.");
    });
    let (asked, granted) = home.decision("permission_granted");
    assert_eq!(asked["session_kind"], "interactive");
    // How long they took is not known: the result comes after the run.
    assert_fields(&granted, json!({"grant": "once", "waited_seconds": null}));
    let sums = home.reports(json!({"asked": 1, "granted": 1}));
    assert_fields(
        &sums["by_subject"][0],
        json!({"subject": TESTS, "reach": "reads", "asked": 1, "granted": 1}),
    );
    assert_eq!(sums["approvals_known_since"], granted["ts"]);
    // Reading all transcripts adds no decision.
    home.done(&["import", "claude-code"]);
    home.reports(json!({"asked": 1, "granted": 1}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn allowed_always_is_not_asked_again() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let mut script = one_command();
    script.insert(1, bash("toolu_b", "npm test -- --ci"));
    home.on_terminal(script, |person| {
        person.prompt(1);
        person.press("2");
        person.written("All done.");
    });
    let (_, granted) = home.decision("permission_granted");
    assert_fields(&granted, json!({"grant": "always"}));
    // The second command ran unasked, which is read beside the decision.
    let sums = home.reports(json!({"asked": 1, "granted": 1, "auto_calls": 1}));
    assert_eq!(sums["by_subject"][0]["subject"], TESTS);
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn refused_with_escape() {
    let Some(client) = deciding_client() else {
        return;
    };
    let is_clear = version(&client).as_slice() >= WITH_BEFORE_RUN.as_slice();
    let home = Home::with_tests(client);
    // The model is not asked again.
    home.on_terminal(vec![bash("toolu_a", TESTS)], |person| {
        person.prompt(1);
        person.press("\x1b");
        person.written("toolDenialKind");
    });
    let (_, refused) = home.decision("permission_refused");
    let reason = if is_clear { "rejected" } else { "unclear" };
    assert_fields(&refused, json!({"reason": reason, "free_text": null}));
    let sums = home.reports(json!({"asked": 1, "refused": 1}));
    if !is_clear {
        assert_eq!(refused["waited_seconds"], Value::Null);
        return;
    }
    // A refusal comes at once, so the wait is known: the half second that they looked, at least.
    let waited = refused["waited_seconds"].as_f64().unwrap();
    assert!((0.4..90.0).contains(&waited), "{waited}");
    assert_eq!(sums["waits_known"], 1);
    assert_eq!(sums["seconds_waited"], waited);
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn refused_with_words() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    home.on_terminal(one_command(), |person| {
        person.prompt(1);
        // From the first choice up is the last one, which is No.
        person.press("\x1b[A");
        person.press("\t");
        person.press("use pnpm instead");
        person.press("\r");
        person.written("All done.");
    });
    let (_, refused) = home.decision("permission_refused");
    assert_fields(
        &refused,
        json!({"reason": "feedback", "free_text": "use pnpm instead"}),
    );
    home.reports(json!({"asked": 1, "refused": 1}));
    let whole = home.done(&["report", "--prompts", "--json"]);
    assert!(whole.contains("use pnpm instead"), "{whole}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn refused_by_a_host_is_refused() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let mut allows = home.allows();
    home.session(one_command(), |request| {
        allows(request);
        json!({"behavior": "deny", "message": "not now"})
    });
    let (_, refused) = home.decision("permission_refused");
    assert_fields(&refused, json!({"reason": "rejected"}));
    home.reports(json!({"asked": 1, "refused": 1}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_sub_agents_command() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let task = json!({
        "description": "Run tests", "prompt": format!("{AGENT} run the tests"),
        "subagent_type": "general-purpose",
    });
    // It works beside the session, which is told of its end.
    let script = Script {
        turns: vec![
            Turn::call("toolu_agent", "Agent", task),
            Turn::says("Started."),
            Turn::says("All done."),
        ],
        agent: vec![bash("toolu_a", TESTS), Turn::says("They pass.")],
        verdict: None,
    };
    home.on_terminal(script, |person| {
        person.prompt(1);
        person.press("1");
        person.written("All done.");
    });
    let (asked, granted) = home.decision("permission_granted");
    assert!(asked["agent_id"].is_string(), "{asked}");
    assert_fields(&granted, json!({"grant": "once"}));
    // The call that started it ran without anybody being asked.
    home.reports(json!({"asked": 1, "granted": 1, "auto_calls": 1}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn nobody_is_there_to_be_asked() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let mut client = home.claude();
    client.env("CI", "true");
    let session = client::print(client, one_command());
    assert!(session.result_of("toolu_a").contains("requires approval"));
    let (asked, refused) = home.decision("permission_refused");
    assert_eq!(asked["session_kind"], "headless");
    assert_fields(&refused, json!({"reason": "nobody"}));
    home.reports(json!({"asked": 1, "refused": 1, "unattended": 1}));
    let found = home.done(&["suggest", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["permissions"], json!([]));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn two_identical_reads_at_once_cannot_be_told_apart() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    home.put("notes/plan.txt", "the plan\n");
    let plan = json!({"file_path": home.path("notes/plan.txt")});
    let read = |id: &str| Turn::call(id, "Read", plan.clone()).0;
    let script = vec![
        Turn([read("toolu_a"), read("toolu_b")].concat()),
        Turn::says("All done."),
    ];
    let mut allows = home.allows();
    home.session(script, |request| {
        let allowed = allows(request);
        match request["tool_use_id"] == "toolu_a" {
            true => allowed,
            false => json!({"behavior": "deny", "message": "once is enough"}),
        }
    });
    home.done(&["ingest"]);
    assert_eq!(home.prompts_logged(), 2);
    let decided = [
        home.of_kind("permission_granted"),
        home.of_kind("permission_refused"),
    ];
    for (events, id) in decided.iter().zip(["toolu_a", "toolu_b"]) {
        assert_eq!(events.len(), 1, "{:?}", home.log());
        assert_fields(
            &events[0],
            json!({
                "tool_name": "Read", "tool_use_id": id, "ambiguous": true, "waited_seconds": null,
                "input": plan["file_path"],
            }),
        );
    }
    let sums = home.reports(json!({"asked": 2, "ambiguous": 2}));
    assert_eq!(sums["by_subject"][0]["ambiguous"], 2);
    let found = home.done(&["suggest", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["permissions"], json!([]));
}
