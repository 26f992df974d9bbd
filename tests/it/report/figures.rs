//! The figures of a JSON document, and a store in which none of them is 0.

use serde_json::Value;

use crate::world::World;

/// The figures of the document `json`, with the names that `--explain` takes for them, and the project of those
/// that are of one.
pub(crate) fn figures(json: &Value) -> Vec<(String, Option<String>, Value)> {
    let mut found = Vec::new();
    let mut add = |name: String, value: &Value| found.push((name, None, value.clone()));
    let leaves = |of: &Value| -> Vec<(String, Value)> {
        let mut leaves = Vec::new();
        for (name, value) in of.as_object().unwrap() {
            match value.as_object() {
                Some(inner) => {
                    let inner = inner.iter();
                    leaves.extend(
                        inner.map(|(field, value)| (format!("{name}.{field}"), value.clone())),
                    );
                }
                None if value.is_number() => leaves.push((name.clone(), value.clone())),
                None => {}
            }
        }
        leaves
    };
    for (name, value) in leaves(&json["totals"]) {
        add(name, &value);
    }
    for (name, value) in leaves(&json["previous"]) {
        add(format!("previous.{name}"), &value);
    }
    let is_empty = |week: &&Value| week["questions"] == 0;
    for week in json["trend"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|week| !is_empty(week))
    {
        for (name, value) in leaves(week) {
            add(
                format!("trend.{}.{name}", week["week"].as_str().unwrap()),
                &value,
            );
        }
    }
    for kind in json["session_kinds"].as_array().unwrap() {
        let of = kind["session_kind"].as_str().unwrap();
        for (name, value) in leaves(kind) {
            add(format!("session_kinds.{of}.{name}"), &value);
        }
    }
    for error in json["errors"].as_array().unwrap() {
        add(
            format!("errors.{}", error["error_kind"].as_str().unwrap()),
            &error["times"],
        );
    }
    for hour in json["hours"].as_array().unwrap() {
        add(
            format!("hours.{}.{}", hour["weekday"], hour["hour"]),
            &hour["asked"],
        );
    }
    for (name, value) in leaves(&json["answering_times"]) {
        add(format!("answering_times.{name}"), &value);
    }
    for bin in json["answering_times"]["bins"].as_array().unwrap() {
        let to = bin["to"]
            .as_f64()
            .map_or(String::new(), |to| to.to_string());
        let from = bin["from"].as_f64().unwrap();
        add(format!("answering_times.{from}-{to}"), &bin["answers"]);
    }
    for (name, value) in leaves(&json["permissions"]) {
        // It is a warning, and not a figure.
        if name != "without_approvals" {
            add(format!("permissions.{name}"), &value);
        }
    }
    for line in json["stands_out"].as_array().unwrap() {
        add(line["name"].as_str().unwrap().to_owned(), &line["n"]);
    }
    for question in json["questions"].as_array().unwrap() {
        let key = question["question_key"].as_str().unwrap();
        let project = question["project"].as_str().unwrap();
        for (name, value) in leaves(question) {
            found.push((
                format!("questions.{key}.{name}"),
                Some(project.to_owned()),
                value,
            ));
        }
    }
    found
}

/// Questions and prompts for permission such that every figure has rows: nine of one question, for a line that
/// stands out; dialogs left alone, calls at once, and waits that go on into the next week.
pub(crate) fn fill_every_figure(world: &World) {
    world.fill(concat!(
        include_str!("../../../query/tests/report.sql"),
        "DROP TABLE asked;",
        include_str!("../../../query/tests/permissions.sql"),
        "UPDATE permission_events SET waited_seconds = 900 WHERE waited_seconds = 40;
         INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-17 09:00:00' + to_minutes(i::INTEGER) AS ts, DATE '2026-11-17' AS day,
             'github.com/acme/shop' AS project, 's9' AS session_id, 'pick-one' AS question_key,
             'marker' AS key_source, 'Which one?' AS question, '[\"A\",\"B\",\"C\"]' AS options,
             'answered' AS outcome, 'A' AS answer_name, true AS followed_recommendation, 12.5 AS human_seconds
         FROM range(9) AS numbers(i);
         INSERT INTO questions BY NAME
         SELECT asked AS ts, asked AS asked_at, day, 'github.com/acme/shop' AS project, session AS session_id,
             call AS tool_use_id, i AS question_index, times AS question_count, 'plan-' || call AS question_key,
             'marker' AS key_source, outcome,
             if(outcome = 'answered', ended, NULL) AS answered_at,
             if(outcome = 'dismissed', ended, NULL) AS dismissed_at,
             if(outcome = 'answered', 'Yes', NULL) AS answer_name,
             if(outcome = 'answered', epoch(ended - asked) / times, NULL) AS human_seconds
         FROM (VALUES
             (TIMESTAMP '2026-11-15 22:50:00', DATE '2026-11-15', 'w1', 'sunday', 1, TIMESTAMP '2026-11-16 00:00:00',
                 'answered'),
             ('2026-11-15 23:10:00', '2026-11-16', 'w1', 'covered', 2, '2026-11-15 23:30:00', 'answered'),
             ('2026-11-15 23:50:00', '2026-11-16', 'w1', 'overlaps', 1, '2026-11-16 00:20:00', 'dismissed'),
             ('2026-11-17 08:00:00', '2026-11-17', 'w1', 'four', 4, '2026-11-17 08:01:00', 'answered'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w1', 'beside', 1, '2026-11-17 08:02:00.25', 'dismissed'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w2', 'elsewhere', 3, '2026-11-17 08:22:00', 'answered')
         ) AS calls (asked, day, session, call, times, ended, outcome)
         CROSS JOIN LATERAL (SELECT unnest(range(times)) AS i)",
    ));
}
