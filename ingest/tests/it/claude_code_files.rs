//! Files as they lie on disks: damaged, repeated, of other tools, or not there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plantune_agents::OTHERS;
use plantune_domain::keys::{normalise, take_marker};
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::SentQuestion;
use plantune_ingest::claude_code::{Prompts, TranscriptSummary, read};
use plantune_ingest::{Error, Progress, read_history};
use serde_json::{Value, json};

use crate::home::{import, json_lines, store, summaries, write, *};
use crate::shared::shared;

#[test]
fn damaged_files() {
    let (call, end) = (asked("t").to_string(), answered("t", "No").to_string());
    let whole = ["asked", "answered answer=[\"No\"]"];
    let torn = &call[..call.rfind("sessionId").unwrap()];
    let parent = end.replacen('{', "{\"parentUuid\":null,", 1);
    let invalid = [
        b"{\"type\":\"AskUserQuestion \xff\"}\n",
        call.as_bytes(),
        b"\n",
        end.as_bytes(),
    ]
    .concat();
    for (text, expected, unreadable) in [
        (
            format!("\u{feff}{call}\r\n\r\n{end}\r\n").into_bytes(),
            &whole[..],
            0,
        ),
        (
            format!("\0\0\0{call}\n\0\0{end}\0\0").into_bytes(),
            &whole,
            0,
        ),
        (format!("{call}{end}").into_bytes(), &whole, 0),
        (
            format!("{call}\n{}", &end[..end.len() - 1]).into_bytes(),
            &whole[..1],
            1,
        ),
        (
            format!("{call}\n{}{parent}\n", &call[..call.len() - 4]).into_bytes(),
            &whole,
            1,
        ),
        (format!("{torn}\n{end}").into_bytes(), &[], 1),
        (
            call.replace("\"H\"", "\"H\\ud83d\"").into_bytes(),
            &whole[..1],
            0,
        ),
        (invalid, &whole, 0),
        (vec![], &[], 0),
        (b"\n\n\0\n".to_vec(), &[], 0),
    ] {
        let (events, summary) = import_text(&text);
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(summaries(&events), expected, "{shown}");
        assert_eq!(
            (summary.unreadable_lines, summary.foreign_files),
            (unreadable, 0),
            "{shown}"
        );
    }
}

#[test]
fn torn_anywhere() {
    let text = format!("{}\n{}\n", asked("t"), answered("t", "No"));
    for end in 0..text.len() {
        let (events, summary) = import_text(&text.as_bytes()[..end]);
        assert!(events.len() <= 2 && summary.unreadable_lines <= 1);
        assert_eq!(summary.questions, u64::from(!events.is_empty()));
    }
}

#[test]
fn fields_of_wrong_types() {
    let odd = [
        Value::Null,
        json!(1),
        json!(true),
        json!("text"),
        json!([]),
        json!([1, null, "x"]),
        json!({}),
        json!({"a": 1}),
    ];
    for field in [
        "type",
        "uuid",
        "timestamp",
        "sessionId",
        "cwd",
        "message",
        "toolUseResult",
        "entrypoint",
        "agentId",
        "attributionSkill",
    ] {
        for value in &odd {
            let (mut call, mut end) = (asked("t"), answered("t", "No"));
            call[field] = value.clone();
            end[field] = value.clone();
            let (events, _) = import_lines(&[asked("first"), call, end]);
            assert!(!events.is_empty());
        }
    }
    for field in ["id", "name", "input", "type"] {
        for value in &odd {
            let mut call = asked("t");
            call["message"]["content"][0][field] = value.clone();
            import_lines(&[call, answered("t", "No")]);
        }
    }
    for field in ["question", "header", "options", "multiSelect"] {
        for value in &odd {
            let mut call = asked("t");
            call["message"]["content"][0]["input"]["questions"][0][field] = value.clone();
            let (events, summary) = import_lines(&[call, answered("t", "No")]);
            assert_eq!((events.len(), summary.questions), (2, 1));
        }
    }
}

#[test]
fn sessions_that_were_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let resumed = |line: &Value| {
        let mut line = line.clone();
        line["sessionId"] = json!("s2");
        line
    };
    let (open, answer) = (asked("t"), answered("t", "No"));
    write(
        &folder.path().join("a.jsonl"),
        &[open.clone(), asked("never")],
    );
    write(
        &folder.path().join("b.jsonl"),
        &[resumed(&open), resumed(&answer)],
    );
    write(
        &folder.path().join("sub/c.jsonl"),
        &[resumed(&open), resumed(&answer)],
    );
    let (events, summary) = import(folder.path());
    assert_eq!(
        summaries(&events),
        ["asked", "asked", "answered answer=[\"No\"]"]
    );
    assert_eq!(
        [&events[0]["session_id"], &events[2]["session_id"]],
        ["s", "s2"]
    );
    assert_eq!((summary.files, summary.transcripts), (3, 3));
    assert_eq!((summary.calls, summary.questions), (2, 2));
    assert_eq!((summary.answered, summary.unanswered), (1, 1));
    assert_eq!(import(folder.path()).0, events);
}

#[test]
fn mentions_and_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let quoted = json!([{"type": "text", "text": asked("q").to_string()}]);
    let progress =
        json!({"data": {"type": "hook_progress", "hookName": "PreToolUse:AskUserQuestion"}});
    let nested = json!({"data": {"message": asked("n")}, "toolUseID": "t"});
    let lines = [
        user(&json!(asked("s").to_string()), &json!({})),
        user(&quoted, &json!({})),
        line("progress", ASKED, &progress),
        line("progress", ASKED, &nested),
        json!({"type": "summary", "summary": "AskUserQuestion", "leafUuid": "l"}),
        asked("t"),
    ];
    write(&folder.path().join("mine.jsonl"), &lines);
    let codex = json!({"timestamp": ASKED, "type": "response_item", "payload": {"name": "AskUserQuestion"}});
    write(&folder.path().join("codex.jsonl"), &[codex]);
    let message = asked("m")["message"].clone();
    write(
        &folder.path().join("messages.jsonl"),
        &[message, json!([1]), json!("AskUserQuestion")],
    );
    let stream = json!({"type": "assistant", "message": asked("m")["message"], "session_id": "s", "uuid": "u"});
    write(&folder.path().join("stream.jsonl"), &[stream]);
    let log = b"12:00 tool AskUserQuestion called\n12:01 done\n";
    store(&folder.path().join("log.jsonl"), log);
    store(&folder.path().join("other.jsonl"), b"nothing of it\n");
    let (events, summary) = import(folder.path());
    assert_eq!(summaries(&events), ["asked"]);
    assert_eq!(
        (summary.files, summary.transcripts, summary.foreign_files),
        (6, 1, 4)
    );
    assert_eq!((summary.mentions, summary.unreadable_lines), (5, 0));
}

#[test]
fn what_stops_an_import() {
    let registry = Registry::default();
    let error = {
        let path = Path::new("/nowhere/x");
        read(
            path,
            &registry,
            Prompts::default(),
            &Progress::default(),
            &mut |_| Ok(()),
        )
        .unwrap_err()
    };
    assert_eq!(
        error.to_string(),
        "no transcripts at /nowhere/x: no such path"
    );
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("projects/p/a.jsonl"), &[asked("t")]);
    write(&folder.path().join("elsewhere.jsonl"), &[asked("not mine")]);
    let (events, summary) = import(folder.path());
    assert_eq!((events.len(), summary.files), (1, 1));
    let full = || Error::Spool(std::io::Error::other("disk full"));
    let stopped = read(
        folder.path(),
        &registry,
        Prompts::default(),
        &Progress::default(),
        &mut |_| Err(full()),
    );
    assert!(matches!(stopped, Err(Error::Spool(_))));
}

// Real transcripts against what is known about each of their questions, and synthetic histories
// against what they were made of.

/// The events of one question.
struct CallEvents<'e> {
    begun: &'e Value,
    ended: Vec<&'e Value>,
}

fn call_events<'e>(events: &'e [Value], label: &Value) -> CallEvents<'e> {
    let of_question = |event: &&Value| {
        event["tool_use_id"] == label["tool_use_id"]
            && event["question_index"] == label["question_index"]
    };
    let (begun, ended): (Vec<&Value>, Vec<&Value>) = events
        .iter()
        .filter(of_question)
        .partition(|event| event["kind"] == "asked" || event["kind"] == "auto_decided");
    assert_eq!(begun.len(), 1, "{label}");
    CallEvents {
        begun: begun[0],
        ended,
    }
}

/// The events' outcome, in the labels' words.
fn as_label(events: &CallEvents<'_>) -> Value {
    let begun = events.begun;
    let (outcome, detail) = match events.ended.as_slice() {
        [] => ("unknown", "no_result"),
        [one] => match (one["kind"].as_str().unwrap(), one["reason"].as_str()) {
            ("answered", _) => ("answered", "answered"),
            ("failed", _) => ("error", "error"),
            ("dismissed", Some("clarify")) => ("declined", "declined_clarify"),
            ("dismissed", Some("rejected")) => ("declined", "declined"),
            ("dismissed", Some("afk_timeout")) => ("unknown", "afk_timeout"),
            other => panic!("{other:?}"),
        },
        several => panic!("{several:?}"),
    };
    let ended = events.ended.first().copied().unwrap_or(&Value::Null);
    let (answered, dismissed) = (outcome == "answered", outcome == "declined");
    let if_any = |applies: bool, value: &Value| if applies { value.clone() } else { Value::Null };
    let partial = ended["answer"].get(0).unwrap_or(&ended["free_text"]);
    json!({
        "ts_asked": begun["ts"],
        "ts_answered": ended["ts"],
        "session_id": begun["session_id"],
        "tool_name": begun["tool_name"],
        "questions_in_call": begun["question_count"],
        "question": begun["question"],
        "header": begun["header"],
        "options": begun["options"],
        "multi_select": begun["multi_select"],
        "attribution_skill": begun["skill"],
        "outcome": outcome,
        "outcome_detail": detail,
        "chosen_labels": if_any(answered, &ended["answer"]),
        "free_text": if_any(answered, &ended["free_text"]),
        "notes": if_any(answered, &ended["notes"]),
        "partial_answer": if_any(dismissed, partial),
        "recommended": begun["recommended"],
        "followed": ended["followed_recommendation"],
    })
}

/// The label, with what is only implied in it said outright.
fn expected(label: &Value) -> Value {
    let mut expected = json!({});
    let fields = "ts_asked ts_answered session_id tool_name questions_in_call question header \
                  options multi_select attribution_skill outcome outcome_detail chosen_labels \
                  notes partial_answer";
    for field in fields.split(' ').filter(|field| !field.is_empty()) {
        expected[field] = label[field].clone();
    }
    if label["outcome_detail"] == "answered_mcp" {
        expected["outcome_detail"] = json!("answered");
    }
    let labels: Vec<&str> = label["chosen_labels"].as_array().map_or(vec![], |labels| {
        labels.iter().map(|label| label.as_str().unwrap()).collect()
    });
    let typed = label["answer"]
        .as_str()
        .filter(|_| label["free_text"] == true);
    let typed = typed.map(|text| match labels.as_slice() {
        [] => text,
        labels => text
            .strip_prefix(&format!("{}, ", labels.join(", ")))
            .unwrap(),
    });
    expected["free_text"] = json!(typed);
    let recommended = label["recommended_index"].as_array().unwrap();
    expected["recommended"] = match recommended.as_slice() {
        [index] => {
            let option = &label["options"][usize::try_from(index.as_u64().unwrap()).unwrap()];
            json!(strip_mark(option.as_str().unwrap()).0)
        }
        _ => Value::Null,
    };
    expected["followed"] = if recommended.len() == 1 {
        label["recommended_chosen"].clone()
    } else {
        Value::Null
    };
    expected
}

/// The slash command of some sessions.
const COMMAND: &str = "/workflows:plan";

/// Prints every field that events and labels disagree on, and returns how many.
fn disagreements(events: &[Value], labels: &[Value]) -> usize {
    let mut disagreements = 0;
    for label in labels {
        let (mut found, wanted) = (as_label(&call_events(events, label)), expected(label));
        // The labels know of no commands.
        if found["attribution_skill"] == COMMAND {
            found["attribution_skill"] = Value::Null;
        }
        for (field, wanted) in wanted.as_object().unwrap() {
            if found[field] != *wanted {
                disagreements += 1;
                let (call, index) = (&label["tool_use_id"], &label["question_index"]);
                println!(
                    "{call} {index} {field}: {} instead of {wanted}",
                    found[field]
                );
            }
        }
    }
    disagreements
}

#[test]
fn real_transcripts_agree_with_their_labels() {
    const TEST: &str = "claude_code_files::real_transcripts_agree_with_their_labels";
    let Some(corpus) = shared(TEST, "corpus") else {
        return;
    };
    let (events, summary) = import(&corpus.join("transcripts"));
    let labels = json_lines(&corpus.join("labels.jsonl"));
    assert_eq!(disagreements(&events, &labels), 0);
    assert_eq!(labels.len(), 121);
    let asked = events.iter().filter(|event| event["kind"] == "asked");
    let of_command = asked.filter(|event| event["skill"] == COMMAND);
    assert_eq!(of_command.count(), 14);
    assert_eq!(summary.questions, 121);
    assert_eq!(
        [
            summary.answered,
            summary.dismissed,
            summary.failed,
            summary.unanswered
        ],
        [94, 20, 6, 1]
    );
    assert_eq!((summary.foreign_files, summary.unreadable_lines), (0, 0));
    assert_eq!(summary.auto_decided, 0);
}

/// Older versions wrote the text alone: it must say the same.
#[test]
fn the_text_alone_says_as_much() {
    const TEST: &str = "claude_code_files::the_text_alone_says_as_much";
    let Some(corpus) = shared(TEST, "corpus") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Vec::new();
    for repository in fs::read_dir(corpus.join("transcripts")).unwrap() {
        for transcript in fs::read_dir(repository.unwrap().path()).unwrap() {
            for mut line in json_lines(&transcript.unwrap().path()) {
                line.as_object_mut().unwrap().remove("toolUseResult");
                lines.extend(serde_json::to_vec(&line).unwrap());
                lines.push(b'\n');
            }
        }
    }
    let path = folder.path().join("all.jsonl");
    store(&path, &lines);
    let labels = json_lines(&corpus.join("labels.jsonl"));
    assert_eq!(disagreements(&import(&path).0, &labels), 0);
}

/// Question and answer of each `"Q"="A"` of a text, as far as looking at quotes can tell.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.find('"').map_or("", |at| &text[at + 1..]);
    while let Some((question, after)) = rest.split_once("\"=\"") {
        let (answer, next) = after
            .split_once("\", \"")
            .or_else(|| Some((after.rsplit_once("\".")?.0, "")))
            .unwrap();
        pairs.push((question, answer));
        rest = next;
    }
    pairs
}

#[test]
fn texts_of_eight_languages_are_read() {
    const TEST: &str = "claude_code_files::texts_of_eight_languages_are_read";
    let Some(path) = shared(TEST, "corpus/result_texts.jsonl") else {
        return;
    };
    let mut read = 0;
    for line in json_lines(&path) {
        let text = line["result_text"].as_str().unwrap();
        if text.contains("(no option selected)") || text.contains("[User dismissed") {
            // Tested by hand, among the forms of results.
            continue;
        }
        let pairs = pairs(text);
        let question = |(text, answer): &(&str, &str)| SentQuestion {
            text: (*text).to_owned(),
            options: vec!["another".to_owned(), (*answer).to_owned()],
            ..SentQuestion::default()
        };
        let questions: Vec<SentQuestion> = pairs.iter().map(question).collect();
        for ((_, answer), outcome) in pairs.iter().zip(outcomes(&questions, &json!(text), false)) {
            let Outcome::Answered(answer_read) = outcome else {
                panic!("{text}: {outcome:?}");
            };
            assert_eq!(answer_read.labels, [*answer], "{text}");
            read += 1;
        }
        read += usize::from(pairs.is_empty() && text.starts_with("No response after"));
    }
    assert_eq!(read, 39);
}

#[test]
fn synthetic_histories_hold_what_they_were_made_of() {
    const TEST: &str = "claude_code_files::synthetic_histories_hold_what_they_were_made_of";
    for name in ["history-11", "history-12"] {
        let Some(history) = shared(TEST, &format!("bench/{name}")) else {
            return;
        };
        let truth = fs::read_to_string(history.join("truth.json")).unwrap();
        let truth: Value = serde_json::from_str(&truth).unwrap();
        let (events, summary) = import(&history.join("transcripts"));
        // A marked question is known by its marker, an unmarked one by its text, in which only
        // the topic differs.
        let mut asked: BTreeMap<String, u64> = BTreeMap::new();
        for event in events.iter().filter(|event| event["kind"] == "asked") {
            let name = if event["key_source"] == "marker" {
                event["question_key"].as_str().unwrap().to_owned()
            } else {
                let text = event["question"].as_str().unwrap();
                let topic = event["header"].as_str().unwrap();
                normalise(&text.replacen(topic, "{t}", 1))
            };
            *asked.entry(name).or_default() += 1;
        }
        let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
        for key in truth["keys"].as_array().unwrap() {
            let name = if key["marked"] == true {
                key["key"].as_str().unwrap().to_owned()
            } else {
                normalise(&take_marker(key["text"].as_str().unwrap()).1)
            };
            *wanted.entry(name).or_default() += key["asked"].as_u64().unwrap();
        }
        assert_eq!(asked, wanted, "{name}");
        assert_eq!(summary.questions, wanted.values().sum::<u64>());
        assert_eq!(summary.unreadable_lines + summary.foreign_files, 0);
        println!("{name}: {summary:?}");
    }
}

// Histories of other agents in forms that were not captured: made up after reports of their users.

/// The events of the history of `agent` at `root`.
fn import_history(agent: &str, root: &Path) -> (Vec<Value>, TranscriptSummary) {
    let agent = OTHERS.iter().find(|one| one.name() == agent).unwrap();
    let mut events = Vec::new();
    let registry = Registry::default();
    let summary = read_history(
        *agent,
        root,
        &registry,
        Prompts::default(),
        &Progress::default(),
        &mut |event| {
            events.push(serde_json::from_slice(&event.to_line().unwrap()).unwrap());
            Ok(())
        },
    );
    (events, summary.unwrap())
}

#[test]
fn what_a_fork_asks_is_the_forks() {
    let line = |at: &str, kind: &str, payload: Value| json!({"timestamp": format!("2026-01-02T03:{at}Z"), "type": kind, "payload": payload});
    let meta = |at: &str, id: &str| {
        line(
            at,
            "session_meta",
            json!({"id": id, "cwd": format!("/nowhere/{id}")}),
        )
    };
    let asked = |at: &str, call: &str| {
        let questions = json!({"questions": [{"id": "q", "header": "H", "question": "Which?",
            "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]}]});
        let call = json!({"type": "function_call", "name": "request_user_input",
            "arguments": questions.to_string(), "call_id": call});
        line(at, "response_item", call)
    };
    let answered = |at: &str, call: &str| {
        let output = json!({"answers": {"q": {"answers": ["A"]}}}).to_string();
        let output = json!({"type": "function_call_output", "call_id": call, "output": output});
        line(at, "response_item", output)
    };
    let folder = tempfile::tempdir().unwrap();
    let parent = [
        meta("04:00.000", "parent"),
        asked("04:05.000", "one"),
        answered("04:09.000", "one"),
    ];
    write(
        &folder.path().join("sessions/rollout-1-parent.jsonl"),
        &parent,
    );
    // A fork of a fork: its own beginning, then its parents', and what these asked.
    let fork = [
        meta("05:00.000", "fork"),
        meta("05:00.000", "between"),
        meta("05:00.000", "parent"),
        asked("05:00.000", "one"),
        answered("05:00.000", "one"),
        asked("05:05.000", "two"),
        answered("05:09.000", "two"),
        // Resumed in another folder.
        line(
            "06:00.000",
            "session_meta",
            json!({"id": "fork", "cwd": "/nowhere/moved"}),
        ),
        asked("06:05.000", "three"),
    ];
    write(&folder.path().join("sessions/rollout-2-fork.jsonl"), &fork);
    let (events, _) = import_history("codex", folder.path());
    let asked = events.iter().filter(|event| event["kind"] == "asked");
    let asked: Vec<[&str; 3]> = asked
        .map(|event| ["tool_use_id", "session_id", "cwd"].map(|name| event[name].as_str().unwrap()))
        .collect();
    let expected = [
        ["one", "parent", "/nowhere/parent"],
        ["two", "fork", "/nowhere/fork"],
        ["three", "fork", "/nowhere/moved"],
    ];
    assert_eq!(asked, expected);
}

#[test]
fn chats_that_are_one_document_each_are_read() {
    let question = |text: &str| {
        json!({"header": "H", "type": "choice", "question": text, "multiSelect": false,
            "options": [{"label": "Add it", "description": ""}, {"label": "Leave it", "description": ""}]})
    };
    let call = |id: &str, text: &str, status: &str, response: Value| {
        json!({"id": id, "name": "ask_user", "args": {"questions": [question(text)]}, "status": status,
            "timestamp": "2026-01-02T03:05:00.000Z",
            "result": [{"functionResponse": {"id": id, "name": "ask_user", "response": response}}]})
    };
    let message = |id: &str, calls: Value| {
        json!({"id": id, "timestamp": "2026-01-02T03:04:00.000Z", "type": "gemini", "content": "",
            "toolCalls": calls})
    };
    let answered = json!({"output": "{\"answers\":{\"0\":\"Leave it\"}}"});
    let refused = json!({"error": "User denied execution."});
    let document = |session: &str| {
        json!({"sessionId": session, "projectHash": "0".repeat(64), "kind": "main", "messages": [
            {"id": "m1", "timestamp": "2026-01-02T03:03:00.000Z", "type": "user", "content": [{"text": "go"}]},
            message("m2", json!([call("a", "Shall I add a readme?", "success", answered.clone())])),
            message("m3", json!([call("b", "And a license?", "cancelled", refused.clone())])),
        ]})
    };
    let folder = tempfile::tempdir().unwrap();
    let chats = folder.path().join("tmp/shop/chats");
    let put = |name: &str, text: String| store(&chats.join(name), text.as_bytes());
    // As it was written, over many lines, and in one.
    let pretty = serde_json::to_string_pretty(&document("s1")).unwrap();
    put("session-2026-01-02T03-03-s1.json", pretty);
    put(
        "session-2026-01-02T03-03-s2.json",
        document("s2").to_string(),
    );
    // What was written as lines since then is read once.
    put(
        "session-2026-01-02T03-03-s3.json",
        document("s3").to_string(),
    );
    put("session-2026-01-02T03-03-s3.jsonl", String::new());
    // What is none, and what is damaged.
    put("logs.json", document("s4").to_string());
    put(
        "session-2026-01-02T03-03-s5.json",
        "{\"sessionId\": \"s5\", \"mess".to_owned(),
    );
    let (events, summary) = import_history("gemini", folder.path());
    let expected = [
        "asked",
        "answered answer=[\"Leave it\"]",
        "asked",
        "dismissed reason=\"rejected\"",
    ];
    assert_eq!(summaries(&events), [expected, expected].concat());
    let sessions: Vec<&str> = events
        .iter()
        .map(|one| one["session_id"].as_str().unwrap())
        .collect();
    assert_eq!(sessions, ["s1", "s1", "s1", "s1", "s2", "s2", "s2", "s2"]);
    assert_eq!((summary.files, summary.unreadable_lines), (4, 1));
    // One that is named alone.
    let alone = chats.join("session-2026-01-02T03-03-s1.json");
    assert_eq!(import_history("gemini", &alone).0.len(), 4);
    fs::remove_file(alone).unwrap();
}

#[test]
fn one_key_cancels_all_that_waits_in_another_agent_too() {
    let call = |id: &str, at: &str| {
        json!({"id": id, "name": "run_shell_command", "args": {"command": format!("make {id}")},
            "status": "cancelled", "timestamp": format!("2026-01-02T03:04:{at}Z")})
    };
    let message = |at: &str, calls: Value| json!({"id": at, "timestamp": format!("2026-01-02T03:04:{at}Z"), "type": "gemini", "toolCalls": calls});
    let lines = [
        json!({"sessionId": "s", "projectHash": "0"}),
        message(
            "00.000",
            json!([
                call("a", "09.000"),
                call("b", "09.001"),
                call("c", "09.002")
            ]),
        ),
        message("30.000", json!([call("d", "31.000")])),
    ];
    let folder = tempfile::tempdir().unwrap();
    write(
        &folder.path().join("tmp/shop/chats/session-s.jsonl"),
        &lines,
    );
    let mut prompts = Prompts::default();
    for (id, at) in [("a", "00.100"), ("b", "00.200"), ("d", "30.100")] {
        let prompt = plantune_ingest::claude_code::LoggedPrompt {
            id: id.repeat(32),
            at: format!("2026-01-02T03:04:{at}Z").parse().unwrap(),
            input_digest: None,
        };
        prompts.add("s", None, "Bash", prompt);
    }
    let agent = OTHERS.iter().find(|one| one.name() == "gemini").unwrap();
    let mut reasons = Vec::new();
    read_history(
        *agent,
        folder.path(),
        &Registry::default(),
        prompts,
        &Progress::default(),
        &mut |event| {
            let text =
                |text: &Option<plantune_domain::json::Text<'_>>| text.as_deref().map(str::to_owned);
            reasons.push((text(&event.input).unwrap(), text(&event.reason).unwrap()));
            Ok(())
        },
    )
    .unwrap();
    let expected = [("make a", "rejected"), ("make d", "rejected")];
    let expected = expected.map(|(input, reason)| (input.to_owned(), reason.to_owned()));
    assert_eq!(reasons, expected);
}

#[test]
fn archived_and_packed_sessions_of_codex_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |session: &str, id: &str| {
        let line = |kind: &str, payload: Value| json!({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload});
        let arguments = json!({"questions": [{"id": "q", "question": format!("{id}?"),
            "options": [{"label": "Yes"}, {"label": "No"}]}]});
        let output = json!({"answers": {"q": {"answers": ["No"]}}});
        [
            line("session_meta", json!({"id": session, "cwd": "/gone/shop"})),
            line(
                "response_item",
                json!({"type": "function_call", "name": "request_user_input", "call_id": id,
                    "arguments": arguments.to_string()}),
            ),
            line(
                "response_item",
                json!({"type": "function_call_output", "call_id": id, "output": output.to_string()}),
            ),
        ]
        .map(|line| format!("{line}\n"))
        .concat()
    };
    let path = |name: &str| folder.path().join(name);
    let packed = |text: &str| {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
    };
    store(
        &path("sessions/2026/01/02/rollout-a.jsonl"),
        lines("a", "one").as_bytes(),
    );
    store(
        &path("sessions/2026/01/02/rollout-b.jsonl.zst"),
        &packed(&lines("b", "two")),
    );
    store(
        &path("archived_sessions/rollout-c.jsonl"),
        lines("c", "three").as_bytes(),
    );
    store(
        &path("archived_sessions/rollout-d.jsonl.zst"),
        b"no archive",
    );
    let (events, summary) = import_history("codex", folder.path());
    let answered = events.iter().filter(|event| event["kind"] == "answered");
    let ids: Vec<&str> = answered
        .map(|event| event["tool_use_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["one", "two", "three"]);
    assert_eq!(summary.files, 4);
    let [unread] = summary.unreadable_files.as_slice() else {
        panic!("{:?}", summary.unreadable_files);
    };
    assert!(
        unread
            .path
            .ends_with("archived_sessions/rollout-d.jsonl.zst")
    );
}

#[test]
fn a_sub_agents_chat_is_told_from_its_parents() {
    let folder = tempfile::tempdir().unwrap();
    let chat = |session: &str, kind: &str| {
        let question = json!({"header": "H", "type": "choice", "question": "Which port?",
            "options": [{"label": "8080"}, {"label": "9090"}]});
        let call = json!({"id": session, "name": "ask_user", "args": {"questions": [question]}, "status": "success",
            "timestamp": "2026-01-02T03:05:00.000Z",
            "result": [{"functionResponse": {"response": {"output": "{\"answers\":{\"0\":\"8080\"}}"}}}]});
        let message = json!({"id": "m", "timestamp": "2026-01-02T03:04:00.000Z", "type": "gemini", "toolCalls": [call]});
        json!({"sessionId": session, "projectHash": "0", "kind": kind, "messages": [message]})
            .to_string()
    };
    let chats = folder.path().join("tmp/shop/chats");
    store(
        &chats.join("session-1.json"),
        chat("parent", "main").as_bytes(),
    );
    store(
        &chats.join("parent/child.json"),
        chat("child", "subagent").as_bytes(),
    );
    let (events, summary) = import_history("gemini", folder.path());
    assert_eq!((summary.files, summary.answered), (2, 2));
    let agents: Vec<(&str, &Value)> = events
        .iter()
        .map(|event| (event["session_id"].as_str().unwrap(), &event["agent_id"]))
        .collect();
    let (child, none) = (json!("child"), Value::Null);
    assert_eq!(
        agents,
        [
            ("child", &child),
            ("child", &child),
            ("parent", &none),
            ("parent", &none)
        ]
    );
}

#[test]
fn parts_of_an_older_opencode_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let part = |session: &str, message: &str| {
        json!({"id": "prt", "sessionID": session, "messageID": message, "type": "tool", "callID": message, "tool": "question",
            "state": {"status": "completed", "metadata": {"answers": [["8080"]]},
                "input": {"questions": [{"question": "Which port?", "options": [{"label": "8080"}, {"label": "9090"}]}]},
                "time": {"start": 1_795_000_005_000_i64, "end": 1_795_000_020_000_i64}}})
        .to_string()
    };
    let storage = folder.path().join("storage");
    let put = |name: &str, text: &str| store(&storage.join(name), text.as_bytes());
    put("part/msg_1/prt_1.json", &part("ses_1", "msg_1"));
    put(
        "message/ses_1/msg_1.json",
        "{\"path\": {\"cwd\": \"/gone/shop\"}}",
    );
    // Ids lead nowhere else, a text is no question, and what is damaged is counted.
    put("part/msg_2/prt_2.json", &part("../ses_1", "msg_2"));
    put(
        "part/msg_3/prt_3.json",
        "{\"type\": \"text\", \"text\": \"question\"}",
    );
    put("part/msg_4/prt_4.json", "{\"tool\": \"question\"");
    let (events, summary) = import_history("opencode", folder.path());
    let answered = events.iter().filter(|event| event["kind"] == "answered");
    let found: Vec<(&str, &str)> = answered
        .map(|event| {
            let field = |name: &str| event[name].as_str().unwrap_or_default();
            (field("session_id"), field("cwd"))
        })
        .collect();
    assert_eq!(found, [("ses_1", "/gone/shop"), ("../ses_1", "")]);
    assert_eq!((summary.files, summary.unreadable_lines), (4, 1));
}
