//! `report --by`: the questions in groups in every format, and what counts as away.

use plantune_query::report::{By, Days, Group, Groups, Report, Request, Totals};
use plantune_reports::report::{Document, Heading, Span, markdown, show};
use plantune_reports::terminal::Terminal;
use plantune_reports::{csv, html};

use crate::in_json;

/// A week with a night in it.
fn document() -> Document {
    let days = |start: &str, end: &str| Days {
        start: start.parse().unwrap(),
        end: end.parse().unwrap(),
    };
    let heading = Heading {
        period: days("2026-11-16", "2026-11-22"),
        previous: days("2026-11-09", "2026-11-15"),
        span: Span::Week,
        running: false,
        time_zone: "Europe/Berlin".into(),
        project: None,
    };
    let request = Request {
        period: heading.period,
        previous: heading.previous,
        today: "2026-11-23".parse().unwrap(),
        project: None,
        limit: None,
        prompts: false,
    };
    let totals = Totals {
        questions: 54,
        asked: 48,
        answered: 39,
        human_seconds: 2263.5,
        away_answers: 8,
        away_seconds: 28_800.0,
        waiting_seconds: 31_063.5,
        waiting_away_seconds: 28_800.0,
        ..Totals::default()
    };
    let previous = Totals {
        questions: 10,
        human_seconds: 300.0,
        waiting_seconds: 320.0,
        ..Totals::default()
    };
    let report = Report {
        totals,
        previous,
        ..Report::empty(&request)
    };
    Document::new(heading, report, None).with_sentences()
}

fn grouped(by: By) -> Document {
    let group = |name: Option<&str>, questions, away_answers| Group {
        name: name.map(str::to_owned),
        questions,
        asked: questions - 2,
        answered: questions - 5,
        auto_decided: 2,
        typed: 1,
        dismissed: 1,
        failed: 1,
        open: 1,
        human_seconds: 754.5,
        median_seconds: (away_answers == 0).then_some(19.5),
        away_answers,
        away_seconds: 3600.0 * away_answers as f64,
        waiting_seconds: 754.5 + 3600.0 * away_answers as f64,
        waiting_away_seconds: 3600.0 * away_answers as f64,
    };
    let groups = vec![
        group(
            Some("gsd-plan-phase, with a | name that is longer than its column"),
            30,
            0,
        ),
        group(None, 15, 7),
        group(Some("=HYPERLINK(\"x\")\u{202e}"), 9, 1),
    ];
    let mut document = document();
    document.groups = Some(Groups { by, groups });
    document
}

fn terminal(width: usize, document: &Document) -> String {
    let mut out = Terminal::new(width, false);
    show(document, 10, false, &mut out);
    out.into_text()
}

#[test]
fn groups_in_place_of_the_questions() {
    let mut shown = String::new();
    for width in [60, 80, 140] {
        let text = terminal(width, &grouped(By::Asker));
        let (_, table) = text.split_once("\nBy asker").unwrap();
        let table = table.split("\n\n").next().unwrap();
        shown += &format!("{width} columns\n{table}\n\n");
        assert!(!text.contains("\nQuestions\n"));
    }
    let markdown = markdown(&grouped(By::SessionKind), 2);
    let (_, table) = markdown.split_once("## By session kind").unwrap();
    let table = table.split("\n\n##").next().unwrap();
    shown += &format!("Markdown, two of them\n{table}\n\n");
    shown += &format!("CSV\n{}", csv::report(&grouped(By::Asker)).unwrap());
    insta::assert_snapshot!(shown);
    let json: serde_json::Value =
        serde_json::from_str(&in_json(&grouped(By::SessionKind))).unwrap();
    assert_eq!(json["by"], "session-kind");
    assert_eq!(json["groups"][1]["name"], serde_json::Value::Null);
    assert_eq!(json["groups"][1]["away_answers"], 7);
    let without: serde_json::Value = serde_json::from_str(&in_json(&document())).unwrap();
    assert_eq!((without.get("by"), without.get("groups")), (None, None));
}

#[test]
fn the_page_has_the_table() {
    let page = html::report_page(&grouped(By::Header), 2);
    for part in [
        "<h2>By header</h2>",
        "(no header)",
        "data-json=\"/groups/1/waiting_away_seconds\"",
        "data-json=\"/summary/0/figures/waiting_seconds\"",
        "data-json=\"/totals/waiting_seconds\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("/groups/2/"));
}

#[test]
fn away_is_said_apart() {
    let width = |width| terminal(width, &document());
    insta::assert_snapshot!(width(80));
    let said = |of: &Document| markdown(of, 10);
    let with = |seconds: f64| {
        let mut one = document();
        one.report.totals.waiting_away_seconds = seconds;
        one.with_sentences()
    };
    assert!(said(&with(25_920.0)).contains("Agents waited 7 h 12 min while nobody was there."));
    // Less than ten minutes is no news.
    assert!(!said(&with(599.0)).contains("nobody was there."));
}
