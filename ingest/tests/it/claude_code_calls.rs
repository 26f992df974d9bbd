//! Calls and results in shapes that real transcripts hold and the corpus does not.

use std::fs;
use std::path::{Path, PathBuf};

use plantune_domain::registry::Registry;
use plantune_hooks::handle;
use plantune_ingest::Progress;
use plantune_ingest::claude_code::read;
use serde_json::{Value, json};

use crate::home::{Home, import, json_lines, now, store, *};

#[test]
fn results_of_every_form() {
    let text = "User has answered your questions: \"Q?\"=\"No\". You can now continue with the user's answers in mind.";
    let no = "answered answer=[\"No\"]";
    let null = Value::Null;
    for (content, is_error, returned, expected) in [
        (json!(text), null.clone(), null.clone(), no),
        (
            json!([{"type": "text", "text": text}]),
            json!(false),
            null.clone(),
            no,
        ),
        (json!(text), null.clone(), json!({}), no),
        (json!(text), null.clone(), json!({"answers": {}}), no),
        (null.clone(), null.clone(), json!(text), no),
        (
            null.clone(),
            null.clone(),
            json!({"answers": {"Q?": "no "}}),
            no,
        ),
        (
            json!("x"),
            null.clone(),
            json!({"answers": {"Q?": ["Yes"]}}),
            "answered answer=[\"Yes (Recommended)\"]",
        ),
        (
            json!("The user doesn't want to proceed with this tool use. STOP"),
            json!(true),
            null.clone(),
            "dismissed reason=\"rejected\"",
        ),
        (
            null.clone(),
            null.clone(),
            json!("User rejected tool use"),
            "dismissed reason=\"rejected\"",
        ),
        (
            json!("Answer questions?"),
            json!(true),
            json!("Error: Answer questions?"),
            "failed error_kind=\"denied\"",
        ),
        (
            json!("bad"),
            null.clone(),
            json!("InputValidationError: [too_big]"),
            "failed error_kind=\"tool_error\"",
        ),
        (
            json!("<tool_use_error>InputValidationError: x</tool_use_error>"),
            json!(true),
            null.clone(),
            "failed error_kind=\"validation\"",
        ),
        (
            null.clone(),
            json!(true),
            json!("Error: InputValidationError: x"),
            "failed error_kind=\"validation\"",
        ),
        (
            null.clone(),
            null.clone(),
            null.clone(),
            "failed error_kind=\"missing_result\"",
        ),
        (
            json!(""),
            null.clone(),
            null.clone(),
            "failed error_kind=\"missing_result\"",
        ),
        // A sentence nobody here knows is no consent.
        (
            json!("Questions were closed by the host."),
            null.clone(),
            null.clone(),
            "dismissed reason=\"no_answer\"",
        ),
        (
            json!("Questions were closed."),
            null.clone(),
            json!("Questions were closed."),
            "dismissed reason=\"no_answer\"",
        ),
        (json!("No"), null.clone(), null.clone(), no),
    ] {
        let (events, summary) =
            import_lines(&[asked("t"), result("t", &content, &is_error, &returned)]);
        assert_eq!(
            summaries(&events),
            ["asked", expected],
            "{content} {returned}"
        );
        assert_eq!(
            (summary.calls, summary.questions, summary.unanswered),
            (1, 1, 0)
        );
        assert_eq!([&events[0]["ts"], &events[1]["ts"]], [ASKED, ENDED]);
    }
}

#[test]
fn calls_without_a_known_result() {
    let cut_off = "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown.]";
    let copied = "[Tool call result not in this copy: this session was copied]";
    let lines = [
        asked("a"),
        asked("b"),
        result("b", &json!(cut_off), &json!(true), &Value::Null),
        asked("c"),
        result(
            "c",
            &json!(copied),
            &json!(true),
            &json!(format!("Error: {copied}")),
        ),
        assistant(&json!([block("d", &json!([]))])),
        result(
            "d",
            &json!("<tool_use_error>InputValidationError"),
            &json!(true),
            &Value::Null,
        ),
    ];
    let (events, summary) = import_lines(&lines);
    assert_eq!(
        summaries(&events),
        [
            "asked",
            "asked",
            "dismissed reason=\"session_ended\"",
            "asked"
        ]
    );
    assert_eq!((summary.calls, summary.unanswered), (4, 2));
}

#[test]
fn several_calls_in_one_line_and_results_together() {
    let calls = json!([
        {"type": "text", "text": "AskUserQuestion it is"},
        block("a", &question("Q?")),
        {"type": "tool_use", "id": "x", "name": "Bash", "input": {"command": "ls"}},
        {"type": "tool_use", "id": "b", "name": "mcp__c__AskUserQuestion",
            "input": {"question": "Which?", "options": ["One", "Two"]}},
        {"type": "tool_use", "id": "c", "name": "AskUserQuestion", "input": question("Q?").to_string()},
    ]);
    let one = |id: &str, content: &str| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    let results = json!([
        one("x", "files"),
        one("b", "User responses:\n1. Two"),
        one(
            "a",
            "The user answered: \"Q?\"=\"mine\". Read the answers carefully — they may"
        ),
    ]);
    // What the tool returned cannot be told to be of one of the three.
    let returned = json!({"toolUseResult": {"answers": {"Q?": "Yes"}}});
    let (events, summary) = import_lines(&[assistant(&calls), user(&results, &returned)]);
    let expected = [
        "asked",
        "answered answer=[] free_text=\"mine\"",
        "asked",
        "answered answer=[\"Two\"]",
    ];
    assert_eq!(summaries(&events), expected);
    assert_eq!(
        (
            events[2]["multi_select"].clone(),
            events[2]["header"].clone()
        ),
        (Value::Null, Value::Null)
    );
    assert_eq!(
        (summary.calls, summary.questions, summary.mentions),
        (3, 2, 0)
    );
}

#[test]
fn a_call_spoken_bit_by_bit() {
    let partial = json!([{"question": "Q?", "options": [{"label": "Yes (Recommended)"}]}]);
    let late = line("assistant", ENDED, &asked("t"));
    let mut again = late.clone();
    again["timestamp"] = json!("2026-01-03T00:00:00.000Z");
    let lines = [
        assistant(&json!([block("t", &json!([]))])),
        assistant(&json!([block("t", &partial)])),
        asked("t"),
        again,
        result(
            "t",
            &json!("[Request interrupted by user for tool use]"),
            &json!(true),
            &Value::Null,
        ),
        answered("t", "No"),
        answered("t", "Yes"),
        asked("t"),
    ];
    let (events, summary) = import_lines(&lines);
    assert_eq!(summaries(&events), ["asked", "answered answer=[\"No\"]"]);
    assert_eq!(events[0]["options"].as_array().unwrap().len(), 3);
    assert_eq!((&events[0]["ts"], summary.answered), (&json!(ASKED), 1));
}

#[test]
fn what_is_not_said_is_taken_from_the_lines_before() {
    let mut call = asked("t");
    for field in ["timestamp", "sessionId", "cwd"] {
        call[field] = Value::Null;
    }
    let (events, _) = import_lines(&[call.clone(), answered("t", "No")]);
    let fields =
        |event: &Value| ["ts", "session_id", "cwd", "project"].map(|name| event[name].clone());
    assert_eq!(
        fields(&events[0]),
        [json!(ENDED), json!("stem"), json!(""), json!("")]
    );
    let before = asked("before");
    let (events, _) = import_lines(&[before, call.clone()]);
    let expected = [
        json!(ASKED),
        json!("s"),
        json!("/nowhere/shop"),
        json!("/nowhere/shop"),
    ];
    assert_eq!(fields(&events[1]), expected);
    // Without any time a call cannot be placed.
    let mut end = answered("t", "No");
    end["timestamp"] = json!("soon");
    let (events, summary) = import_lines(&[call, end]);
    assert_eq!(
        (events.len(), summary.undated_calls, summary.calls),
        (0, 1, 0)
    );
}

#[test]
fn who_asked_and_where() {
    let mode = json!({"type": "permission-mode", "permissionMode": "plan", "sessionId": "s"});
    let mut call = asked("t");
    for (field, value) in [
        ("entrypoint", "sdk-cli"),
        ("agentId", "agent-1"),
        ("attributionSkill", "ship"),
        ("attributionPlugin", "gstack"),
        ("cwd", "C:\\work\\shop"),
        ("timestamp", "2026-01-02T04:04:05+01:00"),
    ] {
        call[field] = json!(value);
    }
    let (events, _) = import_lines(&[mode, call]);
    let fields = [
        "session_kind",
        "agent_id",
        "skill",
        "project",
        "ts",
        "permission_mode",
        "source",
        "ask_reason",
    ];
    assert_eq!(
        fields.map(|name| events[0][name].as_str().unwrap().to_owned()),
        [
            "interactive",
            "agent-1",
            "gstack:ship",
            "C:\\work\\shop",
            ASKED,
            "plan",
            "import:claude-code",
            "no_preference"
        ]
    );
    let (events, _) = import_lines(&[asked("t")]);
    assert_eq!(
        (
            events[0]["session_kind"].clone(),
            events[0]["permission_mode"].clone()
        ),
        (json!("interactive"), Value::Null)
    );
}

#[test]
fn endings_that_the_line_tells_and_not_the_text() {
    let refusal = json!("The user doesn't want to proceed with this tool use. STOP");
    let error = json!("Something else.");
    let closed = json!("Tool permission request failed: AbortError: Tool permission stream closed");
    let ended = "dismissed reason=\"session_ended\"";
    for (content, field, value, expected) in [
        (&refusal, "interruptedByShutdown", json!(true), ended),
        (
            &closed,
            "toolDenialUnanswered",
            json!("stream-closed"),
            ended,
        ),
        (
            &error,
            "toolDenialKind",
            json!("interrupted"),
            "dismissed reason=\"interrupted\"",
        ),
        (
            &error,
            "toolDenialKind",
            json!("automode-unavailable"),
            "failed error_kind=\"denied\"",
        ),
        (
            &error,
            "toolDenialKind",
            json!("a later kind"),
            "failed error_kind=\"tool_error\"",
        ),
    ] {
        let mut line = result("t", content, &json!(true), &Value::Null);
        line[field] = value;
        let (events, _) = import_lines(&[asked("t"), line]);
        assert_eq!(summaries(&events), ["asked", expected], "{field}");
    }
}

#[test]
fn a_worktree_that_is_gone_belongs_to_its_project() {
    let of = |id: &str, cwd: &str| {
        let mut call = asked(id);
        call["cwd"] = json!(cwd);
        call
    };
    let projects = |cwds: &[&str]| -> Vec<String> {
        let lines = (0..).zip(cwds).map(|(id, cwd)| of(&format!("t{id}"), cwd));
        let (events, _) = import_lines(&lines.collect::<Vec<_>>());
        let project = |event: &Value| event["project"].as_str().unwrap().to_owned();
        events.iter().map(project).collect()
    };
    let gone = [
        "/gone/shop/.claude/worktrees/fix",
        "/gone/.codex/worktrees/1f/shop/src",
        "/gone/.cursor/worktrees/shop/ab",
        "/gone/shop-worktrees/fix",
        "/gone/shop",
    ];
    assert_eq!(projects(&gone), ["/gone/shop"; 5]);
    // Nothing tells which shop it is.
    let two = ["/a/shop", "/b/shop", "/gone/.cursor/worktrees/shop/ab"];
    assert_eq!(projects(&two), two);
}

#[test]
fn answers_of_hooks() {
    let attachment = |output: &Value| {
        let stdout = json!({"hookSpecificOutput": output}).to_string();
        let attachment = json!({"type": "hook_success", "toolUseID": "t", "stdout": stdout});
        line("attachment", ASKED, &json!({"attachment": attachment}))
    };
    let input = json!({"questions": [], "answers": {"Q?": "Yes (Recommended)"}});
    let allow = attachment(&json!({"permissionDecision": "allow", "updatedInput": input}));
    let request = attachment(&json!({"decision": {"behavior": "allow", "updatedInput": input}}));
    let yes = "auto_decided answer=[\"Yes (Recommended)\"] mechanism=\"allow\"";
    for by_hook in [&allow, &request] {
        let (events, summary) = import_lines(&[asked("t"), answered("t", "Yes"), by_hook.clone()]);
        assert_eq!(
            summaries(&events),
            [yes, "answered answer=[\"Yes (Recommended)\"]"]
        );
        assert_eq!(events[1]["was_auto_decided"], true);
        assert_eq!((summary.auto_decided, summary.answered), (1, 0));
        // An answer that is not the hook's is a person's after all.
        let (events, summary) = import_lines(&[asked("t"), by_hook.clone(), answered("t", "No")]);
        assert_eq!(events[1]["was_auto_decided"], false);
        assert_eq!((summary.auto_decided, summary.answered), (0, 1));
    }
    for no_answer in [
        json!({"permissionDecision": "ask", "updatedInput": input}),
        json!({"permissionDecision": "allow"}),
        json!({"permissionDecision": "allow", "updatedInput": {"answers": {}}}),
        json!({"permissionDecision": "allow", "updatedInput": {"answers": {"Other?": "x", "And?": "y"}}}),
    ] {
        let (events, _) = import_lines(&[asked("t"), attachment(&no_answer), answered("t", "No")]);
        assert_eq!(
            summaries(&events),
            ["asked", "answered answer=[\"No\"]"],
            "{no_answer}"
        );
        assert_eq!(events[1]["was_auto_decided"], false);
    }
    // The person chose in a dialog that was shown all the same, or another hook dropped the answers.
    let mut chosen = answered("t", "Yes");
    chosen["permissionDecision"] =
        json!({"decision": "accept", "source": "user_temporary", "grantScope": "once"});
    let answer = "answered answer=[\"Yes (Recommended)\"]";
    let empty = "The user did not answer the questions.";
    let empty = result("t", &json!(empty), &Value::Null, &json!({"answers": {}}));
    for (ending, is) in [(chosen, answer), (empty, "dismissed reason=\"no_answer\"")] {
        let (events, summary) = import_lines(&[asked("t"), allow.clone(), ending]);
        assert_eq!(summaries(&events), ["asked reason=\"not_printed\"", is]);
        assert_eq!(summary.auto_decided, 0);
        assert_ne!(events[1]["was_auto_decided"], true);
    }
    let denial = json!("[plan-tune auto-decide] q → No");
    let (events, summary) =
        import_lines(&[asked("t"), result("t", &denial, &json!(true), &Value::Null)]);
    assert_eq!(
        summaries(&events),
        ["auto_decided answer=[\"No\"] mechanism=\"deny\""]
    );
    assert_eq!((summary.auto_decided, summary.questions), (1, 1));
}

#[test]
fn a_hook_may_choose_several() {
    let mut call = asked("t");
    call["message"]["content"][0]["input"]["questions"][0]["multiSelect"] = json!(true);
    let both = "Maybe, later, No";
    let stdout = json!({"hookSpecificOutput": {"permissionDecision": "allow",
        "updatedInput": {"answers": {"Q?": both}}}});
    let attachment =
        json!({"type": "hook_success", "toolUseID": "t", "stdout": stdout.to_string()});
    let by_hook = line("attachment", ASKED, &json!({"attachment": attachment}));
    let (events, summary) = import_lines(&[call, by_hook, answered("t", both)]);
    assert_eq!(events[0]["answer"], json!(["Maybe, later", "No"]));
    assert_eq!(
        (&events[1]["was_auto_decided"], summary.answered),
        (&json!(true), 0)
    );
}

#[test]
fn blank_answers_are_none() {
    for blank in ["", " ", "  \n", "\t\u{200b}", "\u{3164}"] {
        let text = format!("Your questions have been answered: \"Q?\"=\"{blank}\"");
        let returned = json!({"questions": [], "answers": {"Q?": blank}});
        for returned in [returned, Value::Null] {
            let lines = [
                asked("t"),
                result("t", &json!(text), &Value::Null, &returned),
            ];
            let (events, _) = import_lines(&lines);
            let expected = ["asked", "dismissed reason=\"no_answer\""];
            assert_eq!(summaries(&events), expected, "{blank:?} {returned}");
        }
    }
    // What was chosen or noted beside a blank stays.
    let returned = json!({"answers": {"Q?": " "}, "annotations": {"Q?": {"notes": "later"}}});
    let lines = [
        asked("t"),
        result("t", &json!("…"), &Value::Null, &returned),
    ];
    let (events, _) = import_lines(&lines);
    assert_eq!(summaries(&events)[1], "answered answer=[] notes=\"later\"");
}

#[test]
fn where_nobody_can_be_asked_the_session_is_headless() {
    let unshown = result(
        "t",
        &json!("Answer questions?"),
        &json!(true),
        &json!("Error: Answer questions?"),
    );
    let (events, _) = import_lines(&[asked("t"), unshown]);
    for event in &events {
        assert_eq!(event["session_kind"], "headless", "{event}");
    }
    let (events, _) = import_lines(&[asked("t"), answered("t", "No")]);
    assert_eq!(events[0]["session_kind"], "interactive");
}

#[test]
fn what_is_typed_where_a_secret_is_asked_for_is_masked_whole() {
    let call = |text: &str| assistant(&json!([block("t", &question(text))]));
    let typed = |text: &str, words: &str| {
        let returned = json!({"answers": {text: words},
            "annotations": {text: {"notes": format!("it was {words}")}}});
        let lines = [
            call(text),
            result("t", &json!("…"), &Value::Null, &returned),
        ];
        let (events, _) = import_lines(&lines);
        assert!(!events[1].to_string().contains("Horse"), "{}", events[1]);
        summaries(&events).remove(1)
    };
    let masked = "answered answer=[] free_text=\"MASKED\" notes=\"MASKED\"";
    for text in [
        "Type the password for the admin user",
        "Wie lautet das Passwort?",
        "数据库密码是什么？",
    ] {
        assert_eq!(typed(text, "Blue-Horse77!"), masked, "{text}");
    }
    // A label is no secret, and other questions keep their words.
    let returned = json!({"answers": {"Which password?": "No"}});
    let lines = [
        call("Which password?"),
        result("t", &json!("…"), &Value::Null, &returned),
    ];
    let (events, _) = import_lines(&lines);
    assert_eq!(summaries(&events)[1], "answered answer=[\"No\"]");
    let (events, _) = import_lines(&[asked("t"), answered("t", "my own words")]);
    assert_eq!(
        summaries(&events)[1],
        "answered answer=[] free_text=\"my own words\""
    );
}

// Questions that a server asked, as transcripts tell of them: read by the code that the hook uses.

fn asked_by_server() -> Value {
    assistant(&json!([{
        "type": "tool_use", "id": "t", "name": "mcp__any-server__AskUserQuestion",
        "input": {"question": "Which?", "options": ["One", "Two, or three"]}
    }]))
}

/// The outcome in the events when the model was given `content` and the tool returned `returned`.
fn ending(content: &Value, is_error: bool, returned: &Value) -> String {
    let result = result("t", content, &json!(is_error), returned);
    let (events, _) = import_lines(&[asked_by_server(), result]);
    let mut found = summaries(&events);
    assert_eq!(found.first().map(String::as_str), Some("asked"));
    found.pop().unwrap()
}

#[test]
fn answers_come_by_position_in_blocks_and_in_json() {
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    for content in [
        block("User responses:\n1. Two, or three"),
        json!("User responses:\n1. Two, or three"),
        block("Two, or three"),
        block("{\"answers\": [\"Two, or three\"]}"),
        block("{\"answers\": {\"Which?\": \"Two, or three\"}}"),
        block("[{\"option_label\": \"Two, or three\"}]"),
        json!([{"type": "text", "text": "They said:"},
            {"type": "text", "text": "{\"answers\": [\"Two, or three\"]}"}]),
        json!("[{\"type\":\"text\",\"text\":\"User responses:\\n1. Two, or three\"}]"),
    ] {
        // In some versions the tool's own result stands beside what the model was given.
        for returned in [Value::Null, content.clone()] {
            assert_eq!(
                ending(&content, false, &returned),
                "answered answer=[\"Two, or three\"]",
                "{content}"
            );
        }
    }
}

#[test]
fn failures_are_told_from_answers() {
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    for (content, is_error, expected) in [
        (
            block("[Tool result missing due to internal error]"),
            false,
            "failed error_kind=\"missing_result\"",
        ),
        (
            block("{\"isError\": true, \"content\": []}"),
            false,
            "failed error_kind=\"tool_error\"",
        ),
        (
            json!("MCP error -32603: boom"),
            true,
            "failed error_kind=\"mcp_error\"",
        ),
        (
            block("{\"is_error\": false, \"answers\": [\"One\"]}"),
            false,
            "answered answer=[\"One\"]",
        ),
        (
            block("{\"answers\": {}, \"afkTimeoutMs\": 300000}"),
            false,
            "dismissed reason=\"afk_timeout\"",
        ),
        (
            block("User responses:\n1. an internal error, look into that"),
            false,
            "answered answer=[] free_text=\"an internal error, look into that\"",
        ),
    ] {
        assert_eq!(
            ending(&content, is_error, &Value::Null),
            expected,
            "{content}"
        );
    }
}

// Who asked: what the hook knows, what the transcript says, and what importing adds. Hook calls and transcript are
// those of one session of Claude Code 2.1.330, with a scripted model.

const ASKERS: &str =
    "SELECT question || coalesce(' ' || skill, '') FROM questions ORDER BY question";

fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/askers");
    folder.join(name)
}

/// Who asked each question, by its text, in the order in which they were asked.
fn askers(events: &[Value]) -> Vec<String> {
    let asked = events.iter().filter(|event| event["kind"] == "asked");
    asked
        .map(|event| {
            let asker = event["skill"].as_str().unwrap_or("-");
            format!("{} {asker}", event["question"].as_str().unwrap())
        })
        .collect()
}

fn hear_all(home: &Home) {
    for call in json_lines(&fixture("calls.jsonl")) {
        handle(call.to_string().as_bytes(), &home.environment(now()));
    }
}

#[test]
fn the_hook_names_the_command_at_work() {
    let home = Home::new();
    hear_all(&home);
    assert_eq!(
        askers(&json_lines(&home.segment("2026-11-20.jsonl"))),
        [
            "Q1? /gsd:discuss-phase",
            // "Is it fast?" came in place of an answer.
            "Q2? /gsd:discuss-phase",
            "Q3? -",
            // The model started a skill, which the hook does not see.
            "Q4? -",
            "Q5? /superp:doit",
            "Q6? /plain",
        ]
    );
}

#[test]
fn the_transcript_names_skills_too() {
    let expected = [
        "Q1? /gsd:discuss-phase",
        "Q2? /gsd:discuss-phase",
        "Q3? -",
        "Q4? brainstorm",
        "Q5? /superp:doit",
        "Q6? superp:think",
    ];
    assert_eq!(askers(&import(&fixture("transcript.jsonl")).0), expected);
    // Before Claude Code said so itself.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.jsonl");
    let mut lines = Vec::new();
    for mut line in json_lines(&fixture("transcript.jsonl")) {
        let fields = line.as_object_mut().unwrap();
        fields.retain(|name, _| !name.starts_with("attribution"));
        lines.extend(serde_json::to_vec(&line).unwrap());
        lines.push(b'\n');
    }
    store(&path, &lines);
    assert_eq!(askers(&import(&path).0), expected);
}

/// What is being done is named, and how much of how much was read.
#[test]
fn an_import_shows_how_far_it_is() {
    let home = Home::new();
    let (mut writer, progress) = (home.writer("UTC"), Progress::of("starting"));
    assert_eq!((progress.step(), progress.total()), ("starting", 0));
    let root = fixture("transcript.jsonl");
    let length = fs::metadata(&root).unwrap().len();
    let import = writer.import("claude-code", now(), &progress, |prompts, sink| {
        let mut at_first = None;
        let found = read(
            &root,
            &Registry::default(),
            prompts,
            &progress,
            &mut |event| {
                at_first.get_or_insert((progress.step(), progress.total(), progress.done()));
                sink(event)
            },
        );
        assert_eq!(at_first.unwrap(), ("reading transcripts", length, length));
        found
    });
    assert!(import.unwrap().added > 0);
    let (done, total) = (progress.done(), progress.total());
    assert_eq!((progress.step(), done, total), ("updating the store", 0, 0));
}

#[test]
fn importing_adds_who_asked_once() {
    let home = Home::new();
    hear_all(&home);
    let import = || {
        let mut writer = home.writer("UTC");
        let registry = Registry::default();
        let root = fixture("transcript.jsonl");
        let found = writer.import(
            "claude-code",
            now(),
            &Progress::default(),
            |prompts, sink| read(&root, &registry, prompts, &Progress::default(), sink),
        );
        found.unwrap().added
    };
    home.ingest("UTC");
    assert_eq!(
        home.texts(ASKERS),
        [
            "Q1? /gsd:discuss-phase",
            "Q2? /gsd:discuss-phase",
            "Q3?",
            "Q4?",
            "Q5? /superp:doit",
            "Q6? /plain"
        ]
    );
    // That Q1 was declined, and who asked Q4.
    assert!(import() >= 2);
    assert_eq!(home.texts(ASKERS)[3], "Q4? brainstorm");
    assert_eq!(home.texts(ASKERS)[5], "Q6? /plain");
    assert_eq!(home.texts("SELECT source FROM questions"), ["hook"; 6]);
    assert_eq!(import(), 0);
    home.assert_computed("UTC");
}

#[test]
fn what_ends_a_command() {
    let said =
        |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let with = |mut line: Value, field: &str| {
        line[field] = json!(true);
        line
    };
    let text = |text: &str| said(json!(text));
    let command =
        "<command-message>gsd:plan</command-message>\n<command-name>/gsd:plan</command-name>";
    let own = "<command-name>/clear</command-name>\n  <command-message>clear</command-message>";
    for (line, ends) in [
        (text("thanks"), true),
        (text(own), true),
        (
            said(json!([{"type": "text", "text": "and this image"}])),
            true,
        ),
        (
            said(
                json!([{"type": "text", "text": "<ide_opened_file>a"}, {"type": "text", "text": "go on"}]),
            ),
            true,
        ),
        (with(text("Plan the phase."), "isMeta"), false),
        (with(text("look into it"), "isSidechain"), false),
        (with(text("The summary is …"), "isCompactSummary"), false),
        (text("<task-notification>done</task-notification>"), false),
        (text("<bash-input>ls</bash-input>"), false),
        (
            said(json!([{"type": "text", "text": "[Request interrupted by user]"}])),
            false,
        ),
    ] {
        let question = json!({"question": "Q?", "options": [{"label": "A"}, {"label": "B"}]});
        let call = json!({"type": "tool_use", "id": "t", "name": "AskUserQuestion",
            "input": {"questions": [question]}});
        let ask = json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}});
        let mut lines = String::new();
        for (at, mut line) in [text(command), line.clone(), ask].into_iter().enumerate() {
            line["sessionId"] = json!("s");
            line["timestamp"] = json!(format!("2026-11-20T10:00:0{at}.000Z"));
            lines += &format!("{line}\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, lines).unwrap();
        let expected = if ends { "Q? -" } else { "Q? /gsd:plan" };
        assert_eq!(askers(&import(&path).0), [expected], "{line}");
    }
}
