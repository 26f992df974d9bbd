//! Permission prompts: what the hook logs when the person is asked, what is read of the transcript about
//! how they decided, and what the report counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use serde_json::{Value, json};

use super::home::{AGENT, Home, PROJECT, Script, Turn, assert_fields, nobody};
use super::{claude_code, client};
use crate::shared::skipped;

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

// What tests about prompts for permission share: the client that says how they were decided, the command that is
// asked about, and what is to be found afterwards.

/// The command to ask for: the client lets nobody run it without a rule.
pub(crate) const TESTS: &str = "npm test";

/// The first version whose transcripts say for how long a call was allowed.
const WITH_DECISIONS: [u32; 3] = [2, 1, 315];

/// The first whose transcripts tell a refusal from a run that was broken off.
pub(crate) const WITH_BEFORE_RUN: [u32; 3] = [2, 1, 326];

/// How long the hook may take to log a prompt.
const LIMIT: Duration = Duration::from_secs(30);

/// The client, where its transcripts say how prompts were decided.
pub(crate) fn deciding_client() -> Option<PathBuf> {
    let client = claude_code();
    let version = version(&client);
    if version.as_slice() >= WITH_DECISIONS.as_slice() {
        return Some(client);
    }
    let why = format!("transcripts of {version:?} do not say how prompts were decided");
    skipped("claude_code::permissions", &why);
    None
}

/// The numbers of the client's version.
pub(crate) fn version(client: &Path) -> Vec<u32> {
    let said = Command::new(client).arg("--version").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let numbers = said.split(|c: char| !c.is_ascii_digit());
    numbers.map_while(|part| part.parse().ok()).collect()
}

impl Home {
    /// A home with the hook, and tests to run in the shop.
    pub(crate) fn with_tests(client: PathBuf) -> Self {
        let home = Self::installed(client);
        let package = json!({"name": "shop", "scripts": {"test": "node --test"}});
        home.put("shop/package.json", &package.to_string());
        home.program("npm", "#!/bin/sh\necho \"3 passing: $*\"\n");
        home
    }

    /// The events of one kind, the hook's and those read of transcripts.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        let mut events = self.log();
        events.retain(|event| event["kind"] == kind);
        events
    }

    /// Waits for as many prompts in the log as a person has seen: they decide later than the hook logs.
    fn logged(&self, prompts: usize) {
        let until = Instant::now() + LIMIT;
        while self.prompts_logged() < prompts {
            assert!(
                Instant::now() < until,
                "{prompts} prompts: {:?}",
                self.events()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A host's person who allows what they are asked for, once.
    pub(crate) fn allows(&self) -> impl FnMut(&Value) -> Value {
        let mut asked = self.prompts_logged();
        move |request| {
            asked += 1;
            self.logged(asked);
            json!({"behavior": "allow", "updatedInput": request["input"]})
        }
    }

    /// Checks that the report counts `wanted`, and nothing else.
    pub(crate) fn reports(&self, wanted: Value) -> Value {
        let report = self.done(&["report", "--json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let sums = report["permissions"].clone();
        for name in [
            "asked",
            "granted",
            "refused",
            "ambiguous",
            "open",
            "denied",
            "auto_calls",
            "asked_again",
            "unattended",
        ] {
            let wanted = wanted.get(name).cloned().unwrap_or(json!(0));
            assert_eq!(sums[name], wanted, "{name} of {sums}");
        }
        if sums["waits_known"] == 0 {
            assert_eq!(sums["seconds_waited"].to_string(), "0.0");
        }
        sums
    }

    /// The one prompt that was logged, and the one event of `kind` that says how it was decided.
    pub(crate) fn decision(&self, kind: &str) -> (Value, Value) {
        self.done(&["ingest"]);
        let (mut asked, mut decided) = (self.of_kind("permission_asked"), self.of_kind(kind));
        assert_eq!((asked.len(), decided.len()), (1, 1), "{:?}", self.log());
        let (asked, decided) = (asked.remove(0), decided.remove(0));
        for event in [&asked, &decided] {
            assert_fields(
                event,
                json!({
                    "tool_name": "Bash", "subject": TESTS, "reach": "reads", "input": TESTS,
                    "project": PROJECT, "session_id": asked["session_id"],
                    "input_digest": asked["input_digest"], "agent_id": asked["agent_id"],
                }),
            );
        }
        assert_fields(
            &asked,
            json!({"source": "hook", "suggestions": ["Bash(npm test *)"], "permission_mode": "default"}),
        );
        assert_fields(
            &decided,
            json!({
                "source": "import:claude-code", "asked_id": asked["id"], "ambiguous": false,
                "tool_use_id": "toolu_a",
            }),
        );
        (asked, decided)
    }
}

/// The model runs `command`.
pub(crate) fn bash(id: &str, command: &str) -> Turn {
    let input = json!({"command": command, "description": "Run the tests"});
    Turn::call(id, "Bash", input)
}

/// One command, and the last word.
pub(crate) fn one_command() -> Vec<Turn> {
    command("toolu_a")
}

/// The same by another id: no two calls have one.
pub(crate) fn command(id: &str) -> Vec<Turn> {
    vec![bash(id, TESTS), Turn::says("All done.")]
}

// From prompts that were allowed every time to a rule in the client's settings, and back.

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
        said.contains(&format!("From now on, Claude Code runs {RULE} in ")),
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
