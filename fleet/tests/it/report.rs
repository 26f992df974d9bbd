//! The report over a lake: the same numbers as the ordinary one, and nothing about few machines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use chrono::{Datelike as _, NaiveDate, Weekday};
use plantune_domain::event::Kind;
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_ingest::{Progress, Writer};
use plantune_query::Store;
use plantune_query::habits::QuestionGrouping;
use plantune_query::report::{DayRange, Report, Request};
use serde_json::Value;

use crate::chance::Chance;
use crate::home;
use crate::home::{Fleet, Machine, answered, event, part, random_log, total};

/// The ordinary report of all time.
fn ordinary(paths: &Paths) -> Report {
    let day = |text: &str| text.parse().unwrap();
    report_of(
        paths,
        DayRange {
            start: day("2000-01-01"),
            end: day("2026-11-22"),
        },
    )
}

/// The ordinary report of `period`.
fn report_of(paths: &Paths, period: DayRange) -> Report {
    let day = |text: &str| text.parse().unwrap();
    let request = Request {
        period,
        previous: DayRange {
            start: day("1990-01-01"),
            end: day("1999-12-31"),
        },
        today: day("2026-11-22"),
        project: None,
        limit: None,
        prompts: false,
    };
    let registry = Registry::default();
    Store::open(&paths.store())
        .unwrap()
        .report(&request, || Ok(QuestionGrouping::by_rules(&registry)))
        .unwrap()
}

/// Compares the report of a lake that one machine published to with the ordinary one of that machine.
fn compare(machine: &Machine, paths: &Paths) {
    machine.configure("k = 1");
    machine.text(&["push"]);
    let (lake, report) = (machine.report(), ordinary(paths));
    let totals = total(&lake);
    for (name, expected) in [
        ("times", report.totals.questions),
        ("answered", report.totals.answered),
        ("auto_decided", report.totals.auto_decided),
        ("failed", report.totals.failed),
        ("dismissed", report.totals.dismissed),
        ("open", report.totals.open),
        ("away_answers", report.totals.away_answers),
        ("calls", report.totals.calls),
        ("sessions", report.totals.sessions),
    ] {
        assert_eq!(totals[name], expected, "{name}");
    }
    assert!(report.totals.questions > 0);
    let seconds = totals["seconds"].as_f64().unwrap();
    assert!(
        (seconds - report.totals.human_seconds).abs() < 0.1,
        "{seconds} {}",
        report.totals.human_seconds
    );
    let list = |name: &str| -> Vec<Value> { part(&lake, name).into_iter().cloned().collect() };
    for kind in &report.session_kinds {
        let kinds = list("session kind");
        let found = kinds
            .iter()
            .find(|one| one["name"] == kind.session_kind.as_str())
            .unwrap();
        assert_eq!(found["answered"], kind.answered);
        assert_eq!(found["sessions"], kind.sessions);
    }
    for error in report
        .errors
        .iter()
        .filter(|error| error.error_kind != "hook")
    {
        let errors = list("error");
        let found = errors
            .iter()
            .find(|one| one["name"] == error.error_kind.as_str())
            .unwrap();
        assert_eq!(found["failed"], error.times);
    }
    for week in list("week") {
        let monday: NaiveDate = week["name"].as_str().unwrap().parse().unwrap();
        assert_eq!(monday.weekday(), Weekday::Mon);
        let days = DayRange {
            start: monday,
            end: monday + chrono::Days::new(6),
        };
        let ordinary = report_of(paths, days).totals;
        assert_eq!(
            (&week["times"], &week["answered"]),
            (&ordinary.questions.into(), &ordinary.answered.into())
        );
    }
    let mut by_key: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    // Others are listed by the names that a rule gives, or by their labels.
    for question in report
        .questions
        .iter()
        .filter(|question| question.key_source == "marker")
    {
        let counts = by_key.entry(question.question_key.clone()).or_default();
        counts.0 += question.asked + question.auto_decided;
        counts.1 += question.answered;
    }
    for (key, (asked, answered)) in by_key {
        let questions = list("question");
        let found = questions
            .iter()
            .find(|one| one["name"] == key.as_str())
            .unwrap();
        assert_eq!(
            (&found["times"], &found["answered"]),
            (&asked.into(), &answered.into()),
            "{key}"
        );
    }
}

#[test]
fn the_numbers_are_those_of_the_ordinary_report() {
    for seed in 1..4 {
        let fleet = Fleet::new();
        let machine = fleet.member("one", &["--level", "keys-and-labels"]);
        let mut random = Chance::new(seed);
        machine.log(&random_log(&mut random, 400));
        let paths = Paths::of(machine.data(), machine.home.join(".config/plantune"));
        let mut writer = Writer::open(&paths, "UTC").unwrap();
        writer.ingest(&Progress::default()).unwrap();
        drop(writer);
        compare(&machine, &paths);
    }
}

#[test]
fn the_numbers_are_those_of_the_ordinary_report_on_histories() {
    for name in ["bench/history-11", "corpus/transcripts"] {
        if let Some(folder) = home::shared(name) {
            let fleet = Fleet::new();
            let machine = fleet.member("one", &["--level", "keys-and-labels"]);
            let paths = machine.import(&folder);
            compare(&machine, &paths);
        }
    }
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn nothing_is_shown_of_few_machines_and_nothing_follows_from_the_total() {
    for seed in 1..5 {
        let fleet = Fleet::new();
        let mut random = Chance::new(seed);
        // Which machines asked which question, how often.
        let mut asked: BTreeMap<String, BTreeMap<u64, u64>> = BTreeMap::new();
        let mut machines = Vec::new();
        for number in 0..8 {
            let machine = fleet.member(&format!("m{number}"), &[]);
            for call in 0..3 + random.below(3) {
                let key = format!("q-{}", random.below(1 + 2 * number));
                let mut events = answered(
                    &format!("{number}-{call}"),
                    "2026-11-20T10:00:00Z",
                    20,
                    "Yes",
                );
                for event in &mut events {
                    event.question_key = Some(key.clone().into());
                    event.project = format!("project of {number}").into();
                }
                machine.log(&events);
                *asked.entry(key).or_default().entry(number).or_default() += 1;
            }
            machine.text(&["push"]);
            machines.push(machine);
        }
        let reader = &machines[0];
        for k in [1, 2, 3, 9] {
            let text = fs::read_to_string(reader.config()).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with("k = "));
            let text: String = lines.map(|line| format!("{line}\n")).collect();
            fs::write(reader.config(), format!("k = {k}\n{text}")).unwrap();
            let report = reader.report();
            let questions = part(&report, "question");
            let machines_of = |name: &str| asked[name].len() as u64;
            let mut shown = BTreeSet::new();
            for question in &questions {
                assert!(count(&question["machines"]) >= k);
                if let Some(name) = question["name"].as_str() {
                    assert_eq!(count(&question["machines"]), machines_of(name), "{name}");
                    assert_eq!(count(&question["times"]), asked[name].values().sum::<u64>());
                    shown.insert(name.to_owned());
                }
            }
            let large = asked.keys().filter(|name| machines_of(name) >= k).count();
            if total(&report).is_null() {
                assert!(k == 9 && questions.is_empty());
                continue;
            }
            // What the total has beyond what is shown is the rest, and that of k machines at least.
            let hidden: Vec<_> = asked
                .iter()
                .filter(|(name, _)| !shown.contains(*name))
                .collect();
            let behind: BTreeSet<_> = hidden.iter().flat_map(|(_, by)| by.keys()).collect();
            assert!(hidden.is_empty() || behind.len() as u64 >= k, "{hidden:?}");
            let rest: u64 = hidden.iter().flat_map(|(_, by)| by.values()).sum();
            let all: u64 = questions
                .iter()
                .map(|question| count(&question["times"]))
                .sum();
            assert_eq!(all, count(&total(&report)["times"]));
            let named = questions.iter().find(|question| question["name"].is_null());
            assert_eq!(named.map_or(0, |rest| count(&rest["times"])), rest);
            // No more is hidden than must be: at most one group that could be shown.
            assert!(large - shown.len() <= 1);
        }
    }
}

#[test]
fn prompts_for_permission_are_counted() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    let prompt = |kind: Kind, number: u32, asked: Option<u32>, ts: &str| {
        let mut event = event(kind, "", 0, ts);
        event.id = format!("{number:032x}").into();
        event.tool_use_id = asked.map(|asked| format!("call {asked}").into());
        event.question_key = None;
        event.session_id = "s".into();
        event.tool_name = Some("Bash".into());
        event.input_digest = Some(format!("{:032x}", asked.unwrap_or(number)).into());
        event.asked_id = asked.map(|asked| format!("{asked:032x}").into());
        event.waited_seconds = asked.map(|_| Some(1.5));
        event
    };
    machine.log(&[
        prompt(Kind::PermissionAsked, 1, None, "2026-11-20T10:00:00Z"),
        prompt(Kind::PermissionGranted, 2, Some(1), "2026-11-20T10:00:02Z"),
        prompt(Kind::PermissionAsked, 3, None, "2026-11-20T11:00:00Z"),
        prompt(Kind::PermissionRefused, 4, Some(3), "2026-11-20T11:00:02Z"),
        prompt(Kind::PermissionAsked, 5, None, "2026-11-20T12:00:00Z"),
        // Of a transcript whose prompt no hook saw.
        prompt(Kind::PermissionRefused, 6, Some(99), "2026-11-20T13:00:00Z"),
    ]);
    machine.text(&["push"]);
    machine.configure("k = 1");
    let report = machine.report();
    let all = part(&report, "prompts")[0];
    for (name, expected) in [("times", 4), ("granted", 1), ("refused", 2), ("open", 1)] {
        assert_eq!(all[name], expected, "{name}");
    }
    assert_eq!(all["seconds"], 4.5);
    assert_eq!(part(&report, "tool")[0]["name"], "Bash");
}

#[test]
fn what_is_damaged_is_named_and_passed_over_and_what_is_foreign_is_no_data() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.configure("k = 1");
    for day in ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"] {
        machine.log(&answered(day, &format!("{day}T10:00:00Z"), 20, "Create it"));
    }
    machine.text(&["push"]);
    let files = fleet.files();
    assert_eq!(total(&machine.report())["answered"], 4);
    // A footer that is cut off, a page that is overwritten, another program's table, what is no table.
    let whole = fs::read(&files[0]).unwrap();
    fs::write(&files[0], &whole[..whole.len() / 2]).unwrap();
    let mut pages = fs::read(&files[1]).unwrap();
    pages[4..400].fill(0xa5);
    fs::write(&files[1], pages).unwrap();
    let foreign = files[2].with_file_name("foreign.parquet");
    let sql = "COPY (SELECT [1] AS ts_us, 'a' AS kind) TO 'FILE' (FORMAT parquet)";
    let place = fleet.folder.path().join("foreign");
    let connection = duckdb::Connection::open_in_memory().unwrap();
    connection
        .execute_batch(&sql.replace("FILE", place.to_str().unwrap()))
        .unwrap();
    fs::rename(place, foreign).unwrap();
    for name in ["_SUCCESS", ".unfinished", "notes.txt"] {
        fs::write(files[3].with_file_name(name), "").unwrap();
    }
    let report = machine.report();
    assert_eq!(total(&report)["answered"], 2);
    assert_eq!(report["lake"]["files"], 2);
    let skipped = report["lake"]["skipped"].to_string();
    for day in [
        "day=2026-11-17/",
        "day=2026-11-18/",
        "day=2026-11-19/foreign",
    ] {
        assert!(skipped.contains(day), "{day}: {skipped}");
    }
    let said = machine.text(&["report", "--markdown"]);
    assert!(
        said.contains("skipped") && said.contains("damaged"),
        "{said}"
    );
    // Whole again with the next push, but for what another program put there.
    fs::remove_file(&files[0]).unwrap();
    assert!(machine.text(&["push"]).contains("deleted 1 file"));
}

#[test]
fn an_empty_lake_has_an_empty_report() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    assert!(machine.text(&["report"]).contains("nothing is shown"));
    assert!(machine.text(&["adopt"]).contains("no named question got"));
    assert_eq!(machine.text(&["report", "--csv"]).lines().count(), 1);
}
