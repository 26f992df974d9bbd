//! Real transcripts against what is known about each of their questions, and synthetic histories
//! against what they were made of.

use std::collections::BTreeMap;

use crate::shared::shared;
use crate::support::{import, json_lines, store};
use plantune_domain::keys::{normalise, take_marker};
use plantune_domain::recommended::strip_mark;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::SentQuestion;
use serde_json::{Value, json};

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

/// What the events say, in the labels' words.
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
    const TEST: &str = "claude_code_corpus::real_transcripts_agree_with_their_labels";
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
    const TEST: &str = "claude_code_corpus::the_text_alone_says_as_much";
    let Some(corpus) = shared(TEST, "corpus") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Vec::new();
    for repository in std::fs::read_dir(corpus.join("transcripts")).unwrap() {
        for transcript in std::fs::read_dir(repository.unwrap().path()).unwrap() {
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
    const TEST: &str = "claude_code_corpus::texts_of_eight_languages_are_read";
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
    const TEST: &str = "claude_code_corpus::synthetic_histories_hold_what_they_were_made_of";
    for name in ["history-11", "history-12"] {
        let Some(history) = shared(TEST, &format!("bench/{name}")) else {
            return;
        };
        let truth = std::fs::read_to_string(history.join("truth.json")).unwrap();
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
