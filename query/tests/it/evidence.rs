//! Evidence and suggestions from a store.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use duckdb::Connection;
use plantune_domain::doors::Door;
use plantune_domain::preferences::Level;
use plantune_domain::question::Question;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_domain::results::{Outcome, outcomes};
use plantune_domain::wire::{QuestionTool, sent_questions};
use plantune_query::Store;
use plantune_query::evidence::{HumanAnswer, KeyEvidence, evidence};
use plantune_query::habits::{Habits, QuestionGrouping};
use plantune_query::questions::{known_question, list};
use plantune_query::report::{Report, Request};
use plantune_query::suggest::Suggest;
use plantune_query::suggest::{
    Inputs, LastAsked, PriorDecision, Suggestion, Suggestions, evaluate, suggestions,
};
use serde_json::Value;
use tempfile::TempDir;

use crate::shared::shared;
use crate::stores::{DEFAULTS, days, empty, filled, opened, week_47};

/// A store with the habits of `sql/habits.sql`.
fn store() -> (TempDir, Store) {
    filled(&[DEFAULTS, include_str!("../sql/habits.sql")])
}

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

#[test]
fn only_a_persons_answers_are_evidence() {
    let (_folder, store) = store();
    let keys = evidence(&store, &Registry::default()).unwrap();
    let counts: Vec<(&str, &str, usize, u64)> = keys
        .iter()
        .map(|key| {
            (
                key.project.as_str(),
                key.question_key.as_str(),
                key.answers.len(),
                key.recent_askings,
            )
        })
        .collect();
    // Of six askings of the layout, a day apart, a preference answered one and one failed. The
    // last 28 days of many are 27 with three askings and one with one.
    // Sessions without a person give nothing, and two answers are too few to look at.
    assert_eq!(
        counts,
        [
            ("github.com/o/other", "layout", 3, 3),
            ("github.com/o/r", "hostile", 60, 28),
            ("github.com/o/r", "layout", 16, 24),
            ("github.com/o/r", "many", 210, 82),
            ("github.com/o/r", "tables", 60, 28),
        ]
    );
    let layout = keys.iter().find(|key| key.answers.len() == 16).unwrap();
    assert_eq!(layout.key_source, "marker");
    let newest = layout
        .answers
        .iter()
        .max_by_key(|answer| answer.at)
        .unwrap();
    assert_eq!(newest.question, "Which layout?");
    assert_eq!(newest.options, ["Grid (Recommended)", "List"]);
    assert_eq!(newest.labels, ["Grid (Recommended)"]);
    assert_eq!(newest.recommended.as_deref(), Some("Grid"));
    assert_eq!(newest.human_seconds, Some(30.0));
    assert!(layout.answers.iter().any(|answer| answer.said_more));
    assert!(layout.answers.iter().any(|answer| answer.one_way.is_some()));
}

#[test]
fn suggestions_are_of_one_project_when_asked_for_one() {
    let (_folder, store) = store();
    let registry = Registry::default();
    let inputs = Inputs {
        settings: &Suggest::default(),
        registry: &registry,
        in_force: &|_, _| PriorDecision::None,
        hindsight: None,
        now: now(),
    };
    let habits = || Habits::read(&store, &registry, inputs.settings.across_projects).unwrap();
    let keys = |project| {
        let found = suggestions(habits(), &inputs, project, true);
        let mut keys: Vec<String> = found
            .suggestions
            .into_iter()
            .filter(|suggestion| suggestion.level == Level::Standing)
            .map(|suggestion| suggestion.asked.question_key)
            .collect();
        keys.sort();
        (keys, found.rejected.len())
    };
    assert_eq!(
        keys(None),
        (vec!["hostile".to_owned(), "many".to_owned()], 2)
    );
    assert_eq!(keys(Some("github.com/o/other")), (Vec::new(), 0));
}

#[test]
fn a_question_is_known_by_its_last_asking_here_or_else_anywhere() {
    let (_folder, store) = store();
    let known = |key, project| known_question(&store, key, project, &Registry::default()).unwrap();
    let here = known("layout", Some("github.com/o/r")).unwrap();
    assert_eq!(here.options, ["Grid (Recommended)", "List"]);
    assert_eq!(
        (here.one_way, here.question.as_str()),
        (None, "Which layout?")
    );
    assert!(known("many", Some("github.com/o/other")).is_some());
    assert!(known("layout", None).is_some());
    assert_eq!(known("unheard-of", Some("github.com/o/r")), None);
}

// The latest forty answers are found without looking at all of them: compared with plain queries.

/// Project, key, answers, the first of them, and the sum of their seconds.
type Row = (String, String, usize, NaiveDateTime, f64);

fn store_of_many() -> (TempDir, Connection) {
    let (folder, connection) = empty();
    for fill in [DEFAULTS, include_str!("../latest.sql")] {
        connection.execute_batch(fill).unwrap();
    }
    (folder, connection)
}

/// The rows of `latest_answers.sql`.
fn plain(connection: &Connection) -> Vec<Row> {
    let sql = include_str!("../latest_answers.sql");
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let (project, key) = (row.get(0)?, row.get(1)?);
        Ok((project, key, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn row(key: &KeyEvidence) -> Row {
    let seconds = key.answers.iter().filter_map(|answer| answer.human_seconds);
    let first = key.answers.iter().map(|answer| answer.at).min().unwrap();
    (
        key.project.clone(),
        key.question_key.clone(),
        key.answers.len(),
        first,
        seconds.sum(),
    )
}

#[test]
fn evidence_is_of_all_answers_of_two_years() {
    let (folder, connection) = store_of_many();
    let plain = plain(&connection);
    let (_folder, store) = opened((folder, connection));
    let found = evidence(&store, &Registry::default()).unwrap();
    let found: Vec<Row> = found.iter().map(row).collect();
    assert_eq!(found, plain);
    // All of two years, however many.
    assert!(found.iter().any(|row| row.2 > 40) && found.iter().any(|row| row.2 < 40));
}

#[test]
fn seconds_saved_are_medians_of_the_latest_answers() {
    let (folder, connection) = store_of_many();
    let plain: f64 = connection
        .query_row(include_str!("../latest_seconds.sql"), [], |row| row.get(0))
        .unwrap();
    let (_folder, store) = opened((folder, connection));
    let request = Request {
        period: days("2026-11-14", "2026-11-20"),
        previous: days("2026-11-07", "2026-11-13"),
        ..week_47()
    };
    let registry = Registry::default();
    let report = store.report(&request, || Ok(QuestionGrouping::by_rules(&registry)));
    let saved = report.unwrap().totals.seconds_saved;
    assert!((saved - plain).abs() < 1e-6, "{saved} {plain}");
}

// One question is the same for the report, the list of questions and the suggestions.

const TEMPLATE: &str = "More questions about …, or move to the next area?";

fn store_of_unmarked() -> (TempDir, Store) {
    filled(&[DEFAULTS, include_str!("../unmarked.sql")])
}

fn registry() -> Registry {
    let rule =
        "[[question]]\nkey = \"release\"\ntext = 'Release *'\noptions = [\"Now\", \"Later\"]\n";
    Registry::parse(rule).unwrap()
}

fn report(store: &Store, registry: &Registry) -> Report {
    store
        .report(&week_47(), || QuestionGrouping::read(store, registry))
        .unwrap()
}

#[test]
fn a_report_counts_by_options_and_what_rules_name() {
    let ((_folder, store), registry) = (store_of_unmarked(), registry());
    let report = report(&store, &registry);
    let listed: Vec<_> = report
        .questions
        .iter()
        .map(|one| (one.key_source.as_str(), one.times()))
        .collect();
    assert_eq!(listed, [("options", 4), ("registry", 2), ("text", 1)]);
    assert_eq!((report.question_keys, report.asked_once), (3, 1));
    let most = &report.questions[0];
    assert_eq!(most.name, TEMPLATE);
    assert_eq!((most.answered, most.dismissed), (3, 1));
    assert_eq!(most.median_seconds, Some(70.0));
    assert_eq!(most.top_answer.as_deref(), Some("Next area"));
    assert_eq!(
        most.question,
        "More questions about the docs, or move to the next area?"
    );
    assert_eq!(report.questions[1].question_key, "release");
}

#[test]
fn a_question_has_the_days_and_answers_of_all_its_wordings() {
    let ((_folder, store), registry) = (store_of_unmarked(), registry());
    let mut report = report(&store, &registry);
    let renamed = std::mem::take(&mut report.renamed);
    store
        .report_details(&week_47(), &renamed, &mut report, &Utc)
        .unwrap();
    let found = &report.questions[0];
    assert_eq!(found.over_time.len(), 7);
    assert_eq!(found.over_time.iter().sum::<u64>(), 4);
    assert_eq!(found.answers.len(), 1);
    assert_eq!(found.answers[0].times, 3);
}

#[test]
fn time_saved_is_the_median_of_all_wordings() {
    // Answered for the person here and in another project, among answers that take hours.
    let decided = |key: &str, source: &str, project: &str| {
        format!(
            "INSERT INTO questions BY NAME
             SELECT TIMESTAMP '2026-11-19 09:00:00' AS ts, DATE '2026-11-19' AS day, '{project}' AS project,
                 '{key}' AS question_key, '{source}'::key_source AS key_source, 'auto_decided' AS outcome,
                 'More questions about prices, or move to the next area?' AS question,
                 '[\"More questions\",\"Next area\"]' AS options;"
        )
    };
    let before_both_periods = "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-10-01 09:00:00' AS ts, DATE '2026-10-01' AS day, 'github.com/acme/shop' AS project,
             'opt-41c614138602d8f3' AS question_key, 'options' AS key_source, 'answered' AS outcome, 30.0 AS human_seconds,
             'More questions about taxes, or move to the next area?' AS question,
             '[\"Next area\"]' AS answer, '[\"More questions\",\"Next area\"]' AS options;";
    let others = "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-18 09:00:00' AS ts, DATE '2026-11-18' AS day, 'github.com/acme/shop' AS project,
             'slow' AS question_key, 'answered' AS outcome, 500.0 AS human_seconds
         FROM range(20);";
    let ((_folder, store), registry) = (store_of_unmarked(), registry());
    let key = report(&store, &registry).questions[0].question_key.clone();
    let decisions = [
        decided(&key, "options", "github.com/acme/shop"),
        decided(&key, "options", "github.com/acme/shop"),
        decided(&key, "options", "github.com/acme/site"),
    ];
    let (_folder, store) = filled(&[
        DEFAULTS,
        include_str!("../unmarked.sql"),
        before_both_periods,
        others,
        &decisions.concat(),
    ]);
    let report = report(&store, &registry);
    assert_eq!(report.totals.auto_decided, 3);
    // The median of 10, 30, 60, 70 and 80 s.
    assert_eq!(report.totals.seconds_saved, 3.0 * 60.0);
}

#[test]
fn the_list_and_the_suggestions_call_it_the_same() {
    let ((_folder, store), registry) = (store_of_unmarked(), registry());
    let report = report(&store, &registry);
    let most = &report.questions[0];
    let listed = list(&store, &registry, None).unwrap();
    assert_eq!(listed[0].question_key, most.question_key);
    assert_eq!(listed[0].times(), 5);
    assert_eq!(listed[0].name, TEMPLATE);
    let inputs = Inputs {
        settings: &Suggest::default(),
        registry: &registry,
        in_force: &|_, _| PriorDecision::None,
        now: "2026-11-20T12:00:00Z".parse().unwrap(),
        hindsight: None,
    };
    let habits = Habits::read(&store, &registry, inputs.settings.across_projects).unwrap();
    let found = suggestions(habits, &inputs, None, true);
    let looked_at = found.suggestions.iter().map(|one| &one.asked);
    let looked_at: Vec<_> = looked_at
        .chain(found.rejected.iter().map(|one| &one.asked))
        .map(|asked| asked.question_key.as_str())
        .collect();
    assert_eq!(looked_at, [most.question_key.as_str()]);
}

// Suggestions on whole transcript histories: synthetic ones whose habits are known, and real ones.
//
// The histories lie outside the repository; without them these tests say so and pass.

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
        in_force: &|_, _| PriorDecision::None,
        hindsight: None,
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
fn is_of(known: &Value, asked: &LastAsked) -> bool {
    match asked.key_source.as_str() {
        "marker" => known["key"] == *asked.question_key,
        _ => known["marked"] == false && set(&texts(&known["options"])) == set(&asked.options),
    }
}

/// How often the question that `known` describes was answered.
fn answered(known: &Value, keys: &[KeyEvidence]) -> usize {
    let of = |key: &&KeyEvidence| {
        let asked = LastAsked {
            question_key: key.question_key.clone(),
            key_source: key.key_source.clone(),
            options: key
                .answers
                .first()
                .map(|one| one.options.clone())
                .unwrap_or_default(),
            ..LastAsked::default()
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
    assert!(found.suggestions.is_empty(), "{:?}", found.suggestions);
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
    list_files(folder, &mut files);
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

fn list_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list_files(&path, files);
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
            .push(Arc::new(HumanAnswer {
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
                ..HumanAnswer::default()
            }));
    }
}
