//! Files as they lie on disks: damaged, repeated, of other tools, or not there.

use std::path::Path;

use crate::support::by_hand::*;
use crate::support::{import, store};
use plantune_domain::registry::Registry;
use plantune_ingest::Error;
use plantune_ingest::claude_code::{Prompts, read};
use serde_json::{Value, json};

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
        read(path, &registry, Prompts::default(), &mut |_| Ok(())).unwrap_err()
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
    let stopped = read(folder.path(), &registry, Prompts::default(), &mut |_| {
        Err(full())
    });
    assert!(matches!(stopped, Err(Error::Spool(_))));
}
