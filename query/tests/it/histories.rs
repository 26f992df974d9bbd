//! Suggestions on whole transcript histories: synthetic ones whose habits are known, and real ones.
//!
//! The histories lie outside the repository; without them these tests say so and pass.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, TimeDelta};
use plantune_domain::config::Suggest;
use plantune_domain::doors::Door;
use plantune_domain::question::Question;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::{QuestionTool, sent_questions};
use plantune_query::evidence::{GivenAnswer, HumanAnswer, KeyEvidence};
use plantune_query::suggest::{Asked, InForce, Inputs, Level, Suggestion, Suggestions, evaluate};
use serde_json::Value;

use crate::shared::shared;

fn propose(keys: &[KeyEvidence], settings: &Suggest) -> Suggestions {
    let last = keys
        .iter()
        .flat_map(|key| &key.answers)
        .map(|answer| answer.at);
    let now = (last.max().unwrap() + TimeDelta::days(1)).and_utc();
    let registry = Registry::default();
    let inputs = Inputs {
        settings,
        registry: &registry,
        in_force: &|_, _| InForce::Nothing,
        hindsight: 0,
        now,
    };
    evaluate(keys.to_vec(), &inputs)
}

/// The labels without marks, in order: what an unmarked question is known by.
fn set(labels: &[String]) -> Vec<String> {
    let mut set: Vec<String> = labels
        .iter()
        .map(|label| strip_mark(label).0.to_owned())
        .collect();
    set.sort();
    set
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// True when `proposal` is about the question that `known` describes.
fn is_of(known: &Value, asked: &Asked) -> bool {
    match asked.key_source.as_str() {
        "marker" => known["key"] == *asked.question_key,
        _ => known["marked"] == false && set(&texts(&known["options"])) == set(&asked.options),
    }
}

/// How often the question that `known` describes was answered.
fn answered(known: &Value, keys: &[KeyEvidence]) -> usize {
    let of = |key: &&KeyEvidence| {
        let asked = Asked {
            question_key: key.question_key.clone(),
            key_source: key.key_source.clone(),
            options: key
                .answers
                .first()
                .map(|one| one.options.clone())
                .unwrap_or_default(),
            ..Asked::default()
        };
        is_of(known, &asked)
    };
    keys.iter().filter(of).map(|key| key.answers.len()).sum()
}

/// Proposals for questions that deserve one and are ripe: found, and all there are.
fn recall(history: &str, settings: &Suggest) -> Option<(usize, usize)> {
    let test = "known_habits_are_found_and_nothing_else_is";
    let folder = shared(test, history)?;
    let truth = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let truth = truth["keys"].as_array().unwrap();
    let keys = read(&folder.join("transcripts"));
    let found = propose(&keys, settings);
    let standing = |one: &&Suggestion| one.level == Level::Standing;
    for suggestion in found.suggestions.iter().filter(standing) {
        let known = truth.iter().find(|known| is_of(known, &suggestion.asked));
        let known = known.unwrap_or_else(|| panic!("{suggestion:?}"));
        assert_ne!(known["propose"], "no", "{history}: {suggestion:?}");
        let answer = suggestion.answer.as_deref();
        if known["propose"] == "yes" {
            assert_eq!(
                known["answer"].as_str(),
                answer,
                "{history}: {suggestion:?}"
            );
        }
        if known["kind"] == "drift" {
            // What is known of a drift is the answer of before.
            assert_ne!(
                known["answer"].as_str(),
                answer,
                "{history}: {suggestion:?}"
            );
        }
    }
    let ripe = truth
        .iter()
        .filter(|known| known["propose"] == "yes" && answered(known, &keys) >= 15);
    let ripe: Vec<&Value> = ripe.collect();
    let is_proposed = |known: &&&Value| {
        let mut proposals = found.suggestions.iter().filter(standing);
        proposals.any(|suggestion| is_of(known, &suggestion.asked))
    };
    Some((ripe.iter().filter(is_proposed).count(), ripe.len()))
}

#[test]
fn known_habits_are_found_and_nothing_else_is() {
    let histories = ["bench/history-11", "bench/history-12"];
    let found: Vec<(usize, usize)> = histories
        .iter()
        .filter_map(|history| recall(history, &Suggest::default()))
        .collect();
    for (proposed, ripe) in found {
        assert!(ripe >= 10, "{ripe} ripe keys are too few");
        assert!(proposed * 100 >= ripe * 85, "{proposed} of {ripe}");
    }
}

#[test]
fn real_transcripts_hold_hardly_a_habit() {
    let test = "real_transcripts_hold_hardly_a_habit";
    let Some(folder) = shared(test, "corpus/transcripts") else {
        return;
    };
    let keys = read(&folder);
    assert!(keys.len() > 50, "{} questions were read", keys.len());
    let found = propose(&keys, &Suggest::default());
    // Nothing is answered for anybody.
    let answers = |one: &&Suggestion| one.level > Level::Assist;
    let answered: Vec<&Suggestion> = found.suggestions.iter().filter(answers).collect();
    assert!(answered.is_empty(), "{answered:?}");
    for one in &found.suggestions {
        eprintln!(
            "{:?} {:?} {:?}: {} of {} in {}",
            one.level,
            one.answer,
            one.asked.question,
            one.evidence.agreed,
            one.evidence.answers,
            one.asked.project
        );
    }
}

// Reads transcripts straight into evidence, as far as these tests need it.

struct Call {
    at: NaiveDateTime,
    session: String,
    project: String,
    questions: Vec<Question>,
}

/// The evidence of every `.jsonl` file below `folder`, UTC days.
fn read(folder: &Path) -> Vec<KeyEvidence> {
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
