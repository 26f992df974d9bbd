//! `report --explain`: the rows behind each figure.

use std::collections::BTreeSet;

use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::report::explain::{
    Explained, FigureRow, Measure, OF_PERMISSIONS, Rows, TOTALS,
};
use plantune_query::report::{Days, Request};

use super::figures::{figures, fill_every_figure};
use super::home::*;

#[test]
#[ignore = "takes long: make test-long"]
fn every_figure_has_its_rows() {
    let world = empty();
    fill_every_figure(&world);
    let json = json_of(&world, &[]);
    let mut figures = figures(&json);
    // What was decided without the person, question by question.
    for answered in json["answered_for_you"].as_array().unwrap() {
        let name = format!(
            "{}.auto_decided",
            answered["question_key"].as_str().unwrap()
        );
        let project = answered["project"].as_str().unwrap().to_owned();
        figures.push((name, Some(project), answered["times"].clone()));
    }
    let has = |wanted: &str| figures.iter().any(|(name, _, _)| name == wanted);
    assert!(has("always_recommended"), "{json}");
    for (name, _, _) in OF_PERMISSIONS {
        assert!(has(&format!("permissions.{name}")), "{name}");
    }
    for name in TOTALS {
        // The JSON document has that within `auto_decided_by`.
        assert!(has(name) || name == "answered_by_preferences", "{name}");
    }
    assert!(figures.len() > 150, "{}", figures.len());
    let store = Store::open(&world.paths().store()).unwrap();
    let registry = Registry::default();
    let grouping = Grouping::read(&store, &registry).unwrap();
    // Of each list of figures, and of each way to compute one, the first goes through the binary, too.
    let (mut kinds, mut through_the_binary) = (BTreeSet::new(), Vec::new());
    for (name, project, value) in &figures {
        let request = week_47(project.as_deref());
        let explained = store.explained(name, &request, &grouping, &chrono_tz::Europe::Berlin);
        let explained = explained.unwrap().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(explained.value, value.as_f64(), "{name}");
        hold(name, &explained);
        let list = name.split_once('.').map_or("totals", |(list, _)| list);
        let measure = format!("{:?}", explained.measure);
        if kinds.insert(list.to_owned()) | kinds.insert(measure) {
            through_the_binary.push((name, project, value, explained.rows.len()));
        }
    }
    drop(grouping);
    drop(store);
    assert!(through_the_binary.len() > 12, "{through_the_binary:?}");
    for (name, project, value, rows) in through_the_binary {
        let project = project.as_deref().map(|project| ["--project", project]);
        let project = project.iter().flatten().copied();
        let arguments: Vec<&str> = ["--explain", name].into_iter().chain(project).collect();
        let explained = json_of(&world, &arguments);
        assert_eq!(explained["value"].as_f64(), value.as_f64(), "{name}");
        assert_eq!(explained["rows"].as_array().unwrap().len(), rows, "{name}");
    }
}

/// The request of [`Home::report`].
fn week_47(project: Option<&str>) -> Request<'_> {
    let day = |text: &str| text.parse().unwrap();
    let days = |start, end| Days {
        start: day(start),
        end: day(end),
    };
    Request {
        period: days("2026-11-16", "2026-11-22"),
        previous: days("2026-11-09", "2026-11-15"),
        today: day("2026-11-20"),
        project,
        limit: None,
        prompts: false,
    }
}

/// Holds a figure against its rows.
fn hold(name: &str, explained: &Explained) {
    let value = explained.value;
    let sum = |of: fn(&FigureRow) -> Option<f64>| match &explained.rows {
        Rows::Questions(rows) => rows.iter().filter_map(of).sum::<f64>(),
        Rows::Prompts(rows) => rows.iter().filter_map(|row| row.waited_seconds).sum(),
    };
    let calls = || match &explained.rows {
        Rows::Questions(_) => 0,
        Rows::Prompts(rows) => rows.iter().filter_map(|row| row.calls).sum::<u64>(),
    };
    let sum = match explained.measure {
        Measure::UnaskedCalls => calls() as f64,
        Measure::Questions | Measure::Prompts | Measure::Calls | Measure::Sessions => {
            explained.rows.len() as f64
        }
        Measure::Seconds => sum(|row| row.answering_seconds),
        Measure::AwaySeconds => sum(|row| row.away_seconds),
        Measure::WaitingSeconds => sum(|row| row.waiting_seconds),
        Measure::SecondsSaved => sum(|row| row.seconds_saved),
        _ => return assert!(!explained.rows.is_empty(), "{name}"),
    };
    assert!((sum - value.unwrap()).abs() < 0.001, "{name}: {sum}");
}

#[test]
fn waiting_is_shown_by_call() {
    let world = empty();
    fill_every_figure(&world);
    let seconds = |figure: &str| {
        let explained = json_of(&world, &["--explain", figure]);
        let rows = explained["rows"].as_array().unwrap().iter();
        let rows: Vec<(String, u64, f64)> = rows
            .map(|row| {
                assert_eq!(row["session_id"].as_str().unwrap().get(..1), Some("w"));
                (
                    row["tool_use_id"].as_str().unwrap().to_owned(),
                    row["question_index"].as_u64().unwrap(),
                    row["waiting_seconds"].as_f64().unwrap(),
                )
            })
            .collect();
        (explained["value"].as_f64().unwrap(), rows)
    };
    let row = |call: &str, seconds| (call.to_owned(), 0, seconds);
    // Sunday's call covers the first of Monday's, and half an hour less ten minutes of the second.
    let rows = [
        row("covered", 0.0),
        row("overlaps", 1200.0),
        row("four", 60.0),
        row("beside", 60.25),
        row("elsewhere", 1290.0),
    ];
    let (value, mut shown) = seconds("waiting_seconds");
    shown.sort_by_key(|(call, _, _)| rows.iter().position(|(one, _, _)| one == call));
    assert_eq!((value, shown), (2610.25, rows.to_vec()));
    let (value, mut shown) = seconds("waiting_away_seconds");
    let away = [
        row("covered", 0.0),
        row("overlaps", 1200.0),
        row("elsewhere", 1290.0),
    ];
    shown.sort_by_key(|(call, _, _)| away.iter().position(|(one, _, _)| one == call));
    assert_eq!((value, shown), (2490.0, away.to_vec()));
    assert_eq!(
        seconds("previous.waiting_seconds"),
        (4200.0, vec![row("sunday", 4200.0)])
    );
    let text = text_of(&world, &["--explain", "waiting_seconds"]);
    assert!(
        text.ends_with("\n43 min 30 s (2610.25 s) in 5 calls, each with its first question\n"),
        "{text}"
    );
}

#[test]
fn rows_behind_a_figure() {
    let world = filled();
    insta::assert_snapshot!(text_of(&world, &["--explain", "human_seconds"]));
    insta::assert_snapshot!(text_of(
        &world,
        &["--explain", "seconds_saved", "--top", "2"]
    ));
    // Some rows fewer do not change the sum, and a figure of nothing is one, too.
    assert!(text_of(&world, &["--explain", "asked", "--top", "1"]).ends_with("\n10 questions\n"));
    assert!(
        text_of(&world, &["--explain", "sessions"])
            .ends_with("\n5 sessions, each with its first question\n")
    );
    assert!(text_of(&world, &["--explain", "auto_decided_by.away"]).ends_with("\n\n0 questions\n"));
    let last_week = text_of(&world, &["--last-week", "--explain", "asked"]);
    assert!(last_week.starts_with("asked in 2026-W46, ") && last_week.ends_with("\n2 questions\n"));
    let csv = text_of(&world, &["--explain", "dismissed", "--csv"]);
    assert!(csv.starts_with("\"put_at\",\"project\","), "{csv}");
    assert_eq!(csv.lines().count(), 3);
}

#[test]
fn figures_that_are_not_there() {
    let world = filled();
    for (name, help) in [
        ("nonsense", "auto_decided_by.preferences"),
        ("nonsense", "longest_wait"),
        ("previous.nonsense", "previous.TOTAL"),
        ("quarantined", "`plantune doctor --quarantine`"),
        ("standing_preferences", "`plantune prefs list --standing`"),
        ("groups", "--explain asked --project KEY"),
        ("groups.review.asked", "--explain asked --project KEY"),
        ("trend.2026-W47.waiting_seconds", "report --by"),
        ("session_kinds.headless.away_seconds", "report --by"),
        ("commit-now.waiting_seconds", "report --by"),
    ] {
        let (code, errors) = failure(&world, &["--explain", name]);
        assert_eq!(code, 2, "{name}");
        assert!(errors.contains(name) && errors.contains(help), "{errors}");
    }
    assert_eq!(failure(&world, &["--explain", "asked", "--markdown"]).0, 2);
    let (code, errors) = failure(&world, &["--explain", "asked", "--by", "skill"]);
    assert_eq!(code, 2);
    assert!(errors.contains("--explain asked --project KEY"), "{errors}");
    let (code, errors) = failure(&empty(), &["--explain", "asked"]);
    assert_eq!(code, 2);
    assert!(errors.contains("plantune import"), "{errors}");
}
