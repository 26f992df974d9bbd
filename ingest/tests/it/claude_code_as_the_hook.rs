//! The hook's events for a call and those that the importer reads from the transcript must be
//! the same events, so that importing what the hook already logged changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::TimeDelta;
use plantune_hooks::handle;
use plantune_ingest::Summary;
use serde_json::{Value, json};

use crate::home::{Home, import, ingest, json_lines, now, scenario, scenarios, store};
use crate::shared::shared;

const NOW: &str = "2026-11-20T10:00:00.000Z";

/// A home with a hook and with transcripts.
struct World(Home);

impl World {
    fn new() -> Self {
        Self(Home::new())
    }

    /// A home whose owner never wants to be asked about a missing TODOS.md.
    fn with_preference() -> Self {
        let home = Self::new();
        let preferences = r#"{"version": 1, "preferences": {"ship-todos-create": {"preference": "never-ask",
                "question": "No TODOS.md found. Create one?", "options": ["Create it (Recommended)", "Skip"], "binding": [
                {"text": "No TODOS.md found. Create one?", "descriptions": ["makes a skeleton", "no file"]}]}}}"#;
        let path = home.0.paths().global_preferences();
        store(&path, preferences.as_bytes());
        home
    }

    fn hear(&self, call: &Value) -> Option<String> {
        handle(call.to_string().as_bytes(), &self.0.environment(now()))
    }

    /// The question events the hook logged.
    fn logged(&self) -> Vec<Value> {
        let mut events = json_lines(&self.0.segment("2026-11-20.jsonl"));
        events.retain(|event| event["tool_use_id"].is_string());
        events
    }

    /// The question events of a transcript of `lines`.
    fn imported(&self, lines: &[Value]) -> Vec<Value> {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let path = self.0.path().join("t.jsonl");
        store(&path, text.join("\n").as_bytes());
        import(&path).0
    }
}

fn line(call: &Value, kind: &str, more: &Value) -> Value {
    let mut line = json!({
        "type": kind, "uuid": "u", "timestamp": NOW, "sessionId": call["session_id"],
        "cwd": call["cwd"], "entrypoint": "cli", "isSidechain": false,
    });
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line
}

fn prompt(call: &Value) -> Value {
    let message = json!({"role": "user", "content": "please begin"});
    line(
        call,
        "user",
        &json!({"message": message, "permissionMode": call["permission_mode"]}),
    )
}

fn asked(call: &Value) -> Value {
    let block = json!({"type": "tool_use", "id": call["tool_use_id"], "name": call["tool_name"],
        "input": call["tool_input"]});
    line(
        call,
        "assistant",
        &json!({"message": {"role": "assistant", "content": [block]}}),
    )
}

fn result(call: &Value, id: &Value, content: &Value, error: bool, returned: &Value) -> Value {
    let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": content});
    if error {
        block["is_error"] = json!(true);
    }
    let message = json!({"role": "user", "content": [block]});
    line(
        call,
        "user",
        &json!({"message": message, "toolUseResult": returned}),
    )
}

/// The transcript that Claude Code writes while it makes these hook calls.
fn transcript(calls: &[Value]) -> Vec<Value> {
    let mut lines: Vec<Value> = Vec::new();
    for call in calls {
        match call["hook_event_name"].as_str().unwrap() {
            "UserPromptSubmit" => lines.push(prompt(call)),
            "PreToolUse" => lines.push(asked(call)),
            "PostToolBatch" => {
                let tool_call = &call["tool_calls"][0];
                let (id, content) = (&tool_call["tool_use_id"], &tool_call["tool_response"]);
                let after = calls.iter().find(|other| {
                    other["hook_event_name"] == "PostToolUse" && other["tool_use_id"] == *id
                });
                lines.push(match after {
                    Some(after) => result(call, id, content, false, &after["tool_response"]),
                    None => {
                        let error = json!(format!("Error: {}", content.as_str().unwrap()));
                        result(call, id, content, true, &error)
                    }
                });
            }
            _ => {}
        }
    }
    lines
}

/// An event without what only one of the two can know.
fn comparable(event: &Value) -> Value {
    let mut event = event.clone();
    for field in ["source", "preference", "preference_scope", "level"] {
        event.as_object_mut().unwrap().remove(field);
    }
    event
}

fn assert_all_imported(logged: &[Value], imported: &[Value], scenario: &Path) {
    assert!(!logged.is_empty(), "{}", scenario.display());
    for event in logged {
        let found = imported.iter().find(|other| other["id"] == event["id"]);
        let found = found.unwrap_or_else(|| panic!("{}: {event}", scenario.display()));
        assert_eq!(
            comparable(found),
            comparable(event),
            "{}",
            scenario.display()
        );
    }
}

#[test]
fn captured_calls_give_the_same_events() {
    let mut read = 0;
    for scenario in scenarios() {
        if scenario.ends_with("auto-decided-deny.jsonl") {
            // Another hook denied that call, which ours could not see.
            continue;
        }
        let calls = json_lines(&scenario);
        let home = World::new();
        for call in &calls {
            let printed = home.hear(call).unwrap_or_default();
            assert!(!printed.contains("permissionDecision"), "{printed}");
        }
        let imported = home.imported(&transcript(&calls));
        assert_all_imported(&home.logged(), &imported, &scenario);
        // Beyond what the hook logged, only that a question was declined.
        let more = imported.iter().filter(|event| {
            let logged = home.logged();
            !logged.iter().any(|other| other["id"] == event["id"])
        });
        let kinds: Vec<&Value> = more.map(|event| &event["kind"]).collect();
        let declined = scenario.ends_with("native-chat-about-this.jsonl");
        assert_eq!(kinds, vec!["dismissed"; usize::from(declined)]);
        read += 1;
    }
    assert_eq!(read, 13);
}

#[test]
fn an_answer_of_the_hook_is_read_as_one() {
    let scenario = scenario("auto-answered-allow-updated-input");
    let home = World::with_preference();
    let calls = json_lines(&scenario);
    let mut lines = transcript(&calls);
    for call in &calls {
        if let Some(stdout) = home.hear(call) {
            let attachment = json!({"type": "hook_success", "hookEvent": "PreToolUse",
                "hookName": "PreToolUse:AskUserQuestion", "toolUseID": call["tool_use_id"],
                "stdout": format!("{stdout}\n"), "stderr": "", "exitCode": 0});
            // Written when the hook is done: behind the result, for one that took long.
            lines.push(line(call, "attachment", &json!({"attachment": attachment})));
        }
    }
    let (logged, imported) = (home.logged(), home.imported(&lines));
    assert_all_imported(&logged, &imported, &scenario);
    let kinds: Vec<&Value> = imported.iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["auto_decided", "answered"]);
    assert_eq!(imported[1]["was_auto_decided"], true);
    assert_eq!(imported[0]["preference"], Value::Null);
}

#[test]
fn a_decision_by_denial_is_read_as_one() {
    let answered = scenario("mcp-answered");
    let home = World::with_preference();
    let calls = json_lines(&answered);
    let call = calls
        .iter()
        .find(|call| call["hook_event_name"] == "PreToolUse")
        .unwrap();
    let printed: Value = serde_json::from_str(&home.hear(call).unwrap()).unwrap();
    let reason = &printed["hookSpecificOutput"]["permissionDecisionReason"];
    let error = json!(format!("Error: {}", reason.as_str().unwrap()));
    let ended = result(call, &call["tool_use_id"], reason, true, &error);
    let imported = home.imported(&[prompt(call), asked(call), ended]);
    assert_all_imported(&home.logged(), &imported, &answered);
    assert_eq!(imported.len(), 1);
    assert_eq!(imported[0]["answer"], json!(["Create it (recommended)"]));
    // The wording of the tool that used this prefix first, as captured.
    let denied = scenario("auto-decided-deny");
    let imported = home.imported(&transcript(&json_lines(&denied)));
    let summary = |event: &Value| {
        [
            event["kind"].clone(),
            event["mechanism"].clone(),
            event["answer"].clone(),
        ]
    };
    let expected = [
        json!("auto_decided"),
        json!("deny"),
        json!(["Create it (recommended)"]),
    ];
    assert_eq!(imported.iter().map(summary).collect::<Vec<_>>(), [expected]);
}

/// The outcome of each captured question of 2.1.330, by the hook's calls, by the transcript, or by both.
const TODAY: &[(&str, &str)] = &[
    ("q-tui-plain", "both answered [\"More questions\"]"),
    ("q3-chat-about-this", "transcript dismissed clarify"),
    ("q3-esc", "transcript dismissed rejected"),
    ("q3-note-on-plain", "both answered [\"Next area\"]"),
    ("q3-other-always", "both answered [] ~always: Next area"),
    ("q3-preview-with-note", "both answered [\"List\"] #always"),
    (
        "q3-two-questions-esc-half",
        "transcript dismissed rejected; transcript dismissed rejected",
    ),
    (
        "q3-two-questions-tabs",
        "both answered [\"Next area\"]; both answered [\"Lint\",\"Tests, unit\"]",
    ),
    ("q4-idle-60s-setting", "both dismissed afk_timeout"),
    (
        "q4-idle-half-answered",
        "both dismissed [\"Next area\"] afk_timeout; both dismissed afk_timeout",
    ),
    (
        "q4-multi-awkward-labels-and-text",
        "both answered [\"Lint\",\"Tests, unit\",\"Say \\\"hi\\\"\",\"a,b\"] ~x, y: always",
    ),
    (
        "q4-multi-one-label-with-comma",
        "both answered [\"Tests, unit\"]",
    ),
    (
        "q4-partial-submit",
        "both answered [\"Next area\"]; both dismissed no_answer",
    ),
    (
        "q4-preview-notes-only",
        "both answered [\"Grid (Recommended)\"] #always the list",
    ),
    (
        "q4-review-cancel",
        "transcript dismissed rejected; transcript dismissed rejected",
    ),
    ("q5-dontask-plain", "transcript failed denied"),
    (
        "q5-sdk-note-always",
        "both answered [\"Next area\"] #always",
    ),
    (
        "q5-sdk-response-freeform",
        "both answered [] ~always: Next area",
    ),
    ("q5-sdk-unanswered-skipped", "both dismissed no_answer"),
];

#[test]
fn todays_client_is_read_right() {
    const TEST: &str = "claude_code_as_the_hook::todays_client_is_read_right";
    let Some(protocol) = shared(TEST, "protocol/claude-code-2.1.330") else {
        return;
    };
    for (name, expected) in TODAY {
        let home = World::new();
        // What is taught in the dialog is a label to the hook alone.
        let config = home.0.paths().config_file();
        store(&config, b"teach = false\n");
        for call in json_lines(&protocol.join(format!("{name}.jsonl"))) {
            assert_eq!(home.hear(&call), None, "{name}");
        }
        let logged = home.logged();
        let (imported, _) = import(&protocol.join(format!("transcripts/{name}.jsonl")));
        let is_end = |event: &&Value| event["kind"] != "asked";
        let of_both = imported.iter().filter(is_end).map(|event| {
            let also = logged.iter().find(|other| other["id"] == event["id"]);
            let ending = ending(event);
            match also {
                Some(also) => {
                    assert_eq!(self::ending(also), ending, "{name}");
                    format!("both {ending}")
                }
                None => format!("transcript {ending}"),
            }
        });
        let found: Vec<String> = of_both.collect();
        assert_eq!(found.join("; "), *expected, "{name}");
        let ends = logged.iter().filter(is_end).count();
        assert!(ends <= found.len(), "{name}: {logged:?}");
    }
}

/// The outcome of each captured form of 2.1.330 (extended questions, which hosts switch on).
const FORMS: [(&str, &str); 6] = [
    (
        "form-answered",
        "answered [\"Formal\"]; answered [] ~Shop news; answered [] ~12",
    ),
    (
        "form-follow-up",
        "dismissed [\"Formal\"] follow_up; dismissed follow_up; dismissed follow_up",
    ),
    (
        "form-follow-up-with-words",
        "dismissed [\"Casual\"] follow_up; dismissed follow_up; dismissed follow_up",
    ),
    (
        "form-follow-up-bare",
        "dismissed follow_up; dismissed follow_up; dismissed follow_up",
    ),
    (
        "form-skipped",
        "answered [\"Formal\"]; dismissed no_answer; dismissed no_answer",
    ),
    ("form-text-alone", "answered [] ~Shop news"),
];

#[test]
fn forms_are_read_as_the_hook_logs_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, expected) in FORMS {
        let home = World::new();
        let calls = format!("../hooks/tests/fixtures/claude-code-2.1.330/{name}.jsonl");
        let calls = json_lines(&folder.join(calls));
        for call in &calls {
            assert_eq!(home.hear(call), None, "{name}");
        }
        // The transcript as it was written, but for what the test's hook knows by its environment.
        let mut lines = json_lines(&folder.join(format!("tests/forms/{name}.jsonl")));
        for line in &mut lines {
            line["timestamp"] = json!(NOW);
            line["entrypoint"] = json!("cli");
        }
        let (logged, imported) = (home.logged(), home.imported(&lines));
        assert_all_imported(&logged, &imported, &folder.join(name));
        assert_eq!(imported.len(), logged.len(), "{name}");
        let ends = imported.iter().filter(|event| event["kind"] != "asked");
        let found: Vec<String> = ends.map(ending).collect();
        assert_eq!(found.join("; "), expected, "{name}");
        let text = logged[0]["question"].as_str().unwrap();
        let titled = "Before I build your deck\n\nWhich tone?";
        let alone = "What is it called?";
        assert_eq!(
            text,
            if calls[1]["tool_input"]["title"].is_string() {
                titled
            } else {
                alone
            }
        );
        // The model is told the same where nothing else is left of the result.
        let result = |line: &&mut Value| line["toolUseResult"].is_object();
        for line in lines.iter_mut().filter(result) {
            line["toolUseResult"] = Value::Null;
        }
        let by_text = home.imported(&lines);
        let is_follow_up = |event: &Value| event["reason"] == "follow_up";
        let count = |events: &[Value]| events.iter().filter(|event| is_follow_up(event)).count();
        assert_eq!(count(&by_text), count(&imported), "{name}");
    }
}

/// How a question ended, on one line.
fn ending(event: &Value) -> String {
    let text = |field: &str, mark: &str| match event[field].as_str() {
        Some(text) => format!(" {mark}{text}"),
        None => String::new(),
    };
    let labels = match &event["answer"] {
        Value::Null => String::new(),
        labels => format!(" {labels}"),
    };
    format!(
        "{}{labels}{}{}{}{}",
        event["kind"].as_str().unwrap(),
        text("free_text", "~"),
        text("notes", "#"),
        text("reason", ""),
        text("error_kind", "")
    )
}

// The captured hook calls through hook, log and store.

const ZONE: &str = "Europe/Berlin";

const SEGMENT_OF_TODAY: &str = "2026-11-20.jsonl";

/// Feeds every captured call to the hook, a second apart.
fn replay(home: &Home) {
    let mut now = now();
    for scenario in scenarios() {
        for call in fs::read_to_string(scenario).unwrap().lines() {
            // Without a preference nothing is decided; a failure has its directive.
            let printed = handle(call.as_bytes(), &home.environment(now));
            assert!(!printed.is_some_and(|printed| printed.contains("permissionDecision")));
            now += TimeDelta::seconds(1);
        }
    }
}

fn outcomes(home: &Home) -> BTreeMap<String, u64> {
    let mut outcomes = BTreeMap::new();
    for outcome in home.texts("SELECT outcome::VARCHAR FROM questions") {
        *outcomes.entry(outcome).or_default() += 1;
    }
    outcomes
}

#[test]
fn captured_calls_become_questions_once() {
    let home = Home::new();
    replay(&home);
    let first = home.ingest(ZONE);
    assert_eq!(first.quarantined, 0);
    assert!(first.events > 40, "{first:?}");
    assert_eq!(home.ingest(ZONE), Summary::default());
    // The same lines again under another name.
    let before = home.dump();
    fs::copy(
        home.segment(SEGMENT_OF_TODAY),
        home.segment("2026-11-21.jsonl"),
    )
    .unwrap();
    let expected = Summary {
        computed: None,
        ..first
    };
    assert_eq!(home.ingest(ZONE), expected);
    assert_eq!(home.dump(), before);
    let expected = [("answered", 8), ("dismissed", 4), ("failed", 4)];
    let expected: BTreeMap<String, u64> = expected
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    assert_eq!(outcomes(&home), expected);
}

#[test]
fn bad_lines_among_good_ones() {
    let home = Home::new();
    replay(&home);
    let good = fs::read_to_string(home.segment(SEGMENT_OF_TODAY)).unwrap();
    let expected = {
        home.ingest(ZONE);
        home.dump()["questions"].clone()
    };
    let mut spoiled = b"\xef\xbb\xbf".to_vec();
    for (number, line) in good.lines().enumerate() {
        spoiled.extend(line.as_bytes());
        spoiled.extend(if number % 2 == 0 {
            &b"\r\n"[..]
        } else {
            &b"\n\n"[..]
        });
        if number == 3 {
            spoiled.extend(b"{\"v\":1,\"id\n\0\0\0\n\xff\xfe\n[]\n{\"v\":2}\n");
        }
    }
    spoiled.extend(b"{\"v\":1,\"kind\":\"as");
    home.put(SEGMENT_OF_TODAY, &spoiled);
    let done = home.ingest(ZONE);
    assert_eq!(
        (done.events, done.quarantined),
        (good.lines().count() as u64, 5)
    );
    assert_eq!(home.dump()["questions"], expected);
    // The torn line at the end waits until something follows.
    assert_eq!(home.ingest(ZONE), Summary::default());
    home.append(SEGMENT_OF_TODAY, b"\n");
    assert_eq!(home.ingest(ZONE).quarantined, 1);
    assert_eq!(home.dump()["questions"], expected);
    home.assert_computed(ZONE);
}

#[test]
fn days_follow_the_time_zone() {
    let home = Home::new();
    replay(&home);
    let days = || home.texts("SELECT DISTINCT day::VARCHAR FROM questions");
    home.ingest(ZONE);
    assert_eq!(days(), ["2026-11-20"]);
    // Ten in the morning is the next day already, on Kiritimati.
    let mut writer = home.writer("Pacific/Kiritimati");
    assert_eq!(
        writer.reason(),
        Some(&plantune_ingest::RebuildReason::TimeZone)
    );
    ingest(&mut writer);
    drop(writer);
    assert_eq!(days(), ["2026-11-21"]);
}
