//! Reads transcripts straight into evidence, as far as these tests need it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use plantune_domain::doors::Door;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::{QuestionTool, sent_questions};
use plantune_query::evidence::{GivenAnswer, HumanAnswer, KeyEvidence};
use serde_json::Value;

struct Call {
    at: NaiveDateTime,
    session: String,
    project: String,
    questions: Vec<Question>,
}

/// The evidence of every `.jsonl` file below `folder`, UTC days.
pub(crate) fn read(folder: &Path) -> Vec<KeyEvidence> {
    let mut files = Vec::new();
    list(folder, &mut files);
    files.sort();
    let mut calls: HashMap<String, Call> = HashMap::new();
    let mut results: Vec<(String, NaiveDateTime, Value, bool)> = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            if let Ok(line) = serde_json::from_str::<Value>(line) {
                read_line(&line, &mut calls, &mut results);
            }
        }
    }
    let mut keys: BTreeMap<(String, String), KeyEvidence> = BTreeMap::new();
    let mut askings: BTreeMap<(String, String), Vec<NaiveDateTime>> = BTreeMap::new();
    for call in calls.values() {
        for question in &call.questions {
            let place = (call.project.clone(), question.key.clone());
            let key = keys.entry(place.clone()).or_default();
            describe(key, call, question);
            askings.entry(place).or_default().push(call.at);
        }
    }
    for (id, at, result, is_error) in results {
        // The first result counts: a resumed session repeats the call.
        if let Some(call) = calls.remove(&id) {
            answers(&call, at, &result, is_error, &mut keys);
        }
    }
    for (place, times) in askings {
        let last = times.iter().max().copied().unwrap();
        let recent = times.iter().filter(|at| last - **at < TimeDelta::days(28));
        keys.get_mut(&place).unwrap().recent_askings = recent.count() as u64;
    }
    keys.into_values().collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            files.push(path);
        }
    }
}

fn read_line(
    line: &Value,
    calls: &mut HashMap<String, Call>,
    results: &mut Vec<(String, NaiveDateTime, Value, bool)>,
) {
    let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let Ok(at) = DateTime::parse_from_rfc3339(&text("timestamp")) else {
        return;
    };
    let at = at.naive_utc();
    for block in line["message"]["content"].as_array().into_iter().flatten() {
        let id = |name: &str| block[name].as_str().unwrap_or_default().to_owned();
        match block["type"].as_str() {
            Some("tool_use") if QuestionTool::from_name(&id("name")).is_some() => {
                let questions = sent_questions(&block["input"])
                    .into_iter()
                    .map(|sent| Question::identify(sent, &Registry::default()))
                    .collect();
                calls.entry(id("id")).or_insert(Call {
                    at,
                    session: text("sessionId"),
                    project: text("cwd"),
                    questions,
                });
            }
            Some("tool_result") => {
                let result = match &line["toolUseResult"] {
                    Value::Null => block["content"].clone(),
                    result => result.clone(),
                };
                let is_error = block["is_error"] == Value::Bool(true);
                results.push((id("tool_use_id"), at, result, is_error));
            }
            _ => {}
        }
    }
}

fn describe(key: &mut KeyEvidence, call: &Call, question: &Question) {
    key.project.clone_from(&call.project);
    key.question_key.clone_from(&question.key);
    key.key_source = question.key_source.as_str().to_owned();
}

fn answers(
    call: &Call,
    at: NaiveDateTime,
    result: &Value,
    is_error: bool,
    keys: &mut BTreeMap<(String, String), KeyEvidence>,
) {
    let sent: Vec<_> = call
        .questions
        .iter()
        .map(|question| question.sent.clone())
        .collect();
    let outcomes = outcomes(&sent, result, is_error);
    for (index, (question, outcome)) in call.questions.iter().zip(outcomes).enumerate() {
        let Outcome::Answered(answer) = outcome else {
            continue;
        };
        let place = (call.project.clone(), question.key.clone());
        keys.get_mut(&place)
            .unwrap()
            .answers
            .push(HumanAnswer::from(GivenAnswer {
                typed: answer.free_text.clone().filter(|_| answer.notes.is_none()),
                question_key: question.key.clone(),
                at: call.at,
                day: call.at.date(),
                session_id: call.session.clone(),
                question_index: u32::try_from(index).unwrap(),
                question: question.text.clone(),
                header: question.sent.header.clone(),
                options: question.sent.options.clone(),
                descriptions: Some(question.sent.descriptions.clone()),
                previews: Some(question.preview_digests.clone()),
                recommended: question.recommended_name().map(str::to_owned),
                one_way: question
                    .door_reason
                    .clone()
                    .filter(|_| question.door() == Door::OneWay),
                multi_select: question.sent.multi_select == Some(true),
                said_more: answer.free_text.is_some() || answer.notes.is_some(),
                labels: answer.labels,
                human_seconds: Some((at - call.at).as_seconds_f64() / call.questions.len() as f64),
                ..GivenAnswer::default()
            }));
    }
}
