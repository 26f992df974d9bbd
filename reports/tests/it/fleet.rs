//! An organisation's report in all formats, of texts that would act if they could.

use plantune_reports::csv;
use plantune_reports::fleet::{
    Advice, Document, Figures, LakeState, Period, PromptFigures, SkippedFile, TopAnswer, markdown,
    show,
};
use plantune_reports::html;
use plantune_reports::terminal::Terminal;
use serde_json::Value;

use crate::in_json;

const HOSTILE: &str = "</title><script>alert(1)</script>=HYPERLINK(\"x\")|\u{1b}[31m\u{202e}";

fn group(name: Option<&str>, questions: u64) -> Figures {
    Figures {
        name: name.map(str::to_owned),
        groups: if name.is_some() { 1 } else { 3 },
        questions,
        asked: questions - 1,
        answered: questions - 3,
        auto_decided: 1,
        failed: 1,
        dismissed: 1,
        calls: questions,
        sessions: 7,
        machines: 6,
        projects: 4,
        human_seconds: 12.5 * questions as f64,
        median_seconds: Some(12.5),
        agreement: Some(0.75),
        agreement_n: Some(questions - 3),
        ..Figures::default()
    }
}

fn document() -> Document {
    let question = Figures {
        label: Some(HOSTILE.to_owned()),
        top_answer: Some(TopAnswer {
            hash: "0123456789abcdef".to_owned(),
            answer: Some(HOSTILE.to_owned()),
            times: 30,
            machines: 5,
            share: 0.9,
        }),
        ..group(Some("key-0123456789abcdef"), 40)
    };
    let prompts = PromptFigures {
        name: Some("Bash".to_owned()),
        groups: 1,
        asked: 12,
        granted: 9,
        refused: 2,
        open: 1,
        machines: 6,
        projects: 3,
        seconds_waited: 61.0,
        waits_known: 11,
        ..PromptFigures::default()
    };
    Document {
        period: Period {
            start: "2026-10-05".parse().unwrap(),
            end: "2026-11-22".parse().unwrap(),
            time_zone: "UTC".to_owned(),
        },
        k: 5,
        totals: Some(group(Some("all"), 90)),
        weeks: vec![
            group(Some("2026-W46"), 50),
            group(Some("2026-W47"), 34),
            group(None, 6),
        ],
        questions: vec![
            question,
            group(Some("ship-create-it"), 20),
            group(Some("layout-grid"), 10),
            group(None, 20),
        ],
        askers: vec![group(Some("ship"), 60), group(Some(HOSTILE), 30)],
        session_kinds: vec![group(Some("interactive"), 90)],
        errors: vec![group(Some("validation"), 4)],
        answered_alike: vec![Advice {
            asker: "ship".to_owned(),
            question_key: "ship-create-it".to_owned(),
            label: None,
            answer_hash: "fedcba9876543210".to_owned(),
            answer: None,
            machines: 6,
            answers: 18,
            agreement: 17.0 / 18.0,
            human_seconds: 300.0,
        }],
        permissions: Some(PromptFigures {
            name: Some("all".to_owned()),
            ..prompts.clone()
        }),
        permissions_by_tool: vec![prompts],
        lake: LakeState {
            address: "/mnt/lake".to_owned(),
            files: 12,
            rows: 400,
            events: 390,
            publishers: 6,
            missing_files: 1,
            skipped: vec![SkippedFile {
                path: HOSTILE.to_owned(),
                why: "damaged".to_owned(),
            }],
            computed_at: Some("2026-11-22T02:10:00.000Z".to_owned()),
            files_since: Some(37),
            not_used: Some(format!("the projection is not used: {HOSTILE}")),
        },
    }
}

/// One that fewer than k machines are behind.
fn of_few() -> Document {
    Document {
        totals: None,
        weeks: Vec::new(),
        questions: Vec::new(),
        askers: Vec::new(),
        session_kinds: Vec::new(),
        errors: Vec::new(),
        answered_alike: Vec::new(),
        permissions: None,
        permissions_by_tool: Vec::new(),
        lake: LakeState::default(),
        ..document()
    }
}

fn terminal(width: usize, document: &Document) -> String {
    let mut out = Terminal::new(width, false);
    show(document, 2, &mut out);
    out.into_text()
}

#[test]
fn on_a_terminal() {
    for width in [80, 140] {
        let text = terminal(width, &document());
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        insta::assert_snapshot!(format!("terminal_{width}"), text);
    }
    let text = terminal(80, &of_few());
    assert!(text.contains("Fewer than 5 machines"), "{text}");
}

#[test]
fn in_markdown() {
    let text = markdown(&document(), 2);
    assert!(!text.contains("<script") && !text.contains('\u{1b}'));
    insta::assert_snapshot!("markdown", text);
}

#[test]
fn as_a_table() {
    let text = csv::fleet(&document()).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    // A heading, three questions, the rest, and the end of the last line.
    assert_eq!(lines.len(), 6);
    assert!(
        lines[1].starts_with("\"key-0123456789abcdef\",\"</title>"),
        "{text}"
    );
    assert!(!text.contains("\"=") && !text.contains('\u{1b}'), "{text}");
    let columns = lines[0].split(',').count();
    assert!(
        lines[2..5]
            .iter()
            .all(|line| line.split(',').count() == columns),
        "{text}"
    );
}

/// The pairs of place in the JSON and value that a page shows.
fn numbers(page: &str) -> Vec<(String, String)> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let tags = page.split('<').filter_map(|tag| tag.split_once('>'));
    tags.filter_map(|(tag, _)| {
        let value = attribute(tag, "data-value").or_else(|| attribute(tag, "value"))?;
        Some((attribute(tag, "data-json")?, value))
    })
    .collect()
}

#[test]
fn as_a_page_whose_numbers_are_those_of_the_json() {
    for top in [1, 50] {
        let page = html::fleet_page(&document(), top);
        let json: Value = serde_json::from_str(&in_json(&document())).unwrap();
        let numbers = numbers(&page);
        assert!(numbers.len() > 100, "{}", numbers.len());
        for (place, value) in &numbers {
            let expected = json.pointer(place).and_then(Value::as_f64);
            assert_eq!(expected, value.parse().ok(), "{place}");
        }
        let shown = |place: &str| numbers.iter().any(|(shown, _)| shown == place);
        // What is listed, and the rest, which is the last; in the picture as in the table.
        assert!(shown("/questions/0/top_answer/share") && shown("/questions/3/groups"));
        assert_eq!(shown("/questions/1/asked"), top > 1);
        assert!(shown("/weeks/1/answered") && shown("/answered_alike/0/agreement"));
        assert!(shown("/lake/missing_files") && shown("/permissions_by_tool/0/seconds_waited"));
    }
}

#[test]
fn the_page_is_complete_alone_and_nothing_in_it_acts() {
    let page = html::fleet_page(&document(), 10);
    assert!(page.starts_with("<!DOCTYPE html><!-- plantune report -->"));
    assert!(
        page.contains(
            "<title>plantune: What agents asked in the organisation, all machines, 2026-10-05 to 2026-11-22 (UTC)</title>"
        )
    );
    assert!(page.contains("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    for none in [
        "<script", "<img", "<link", "<a ", "<iframe", "src=", "href=", "http:", "https:",
        "@import", "url(", "\u{1b}", "\u{202e}",
    ] {
        assert!(!page.contains(none), "{none}");
    }
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    let page = html::fleet_page(&of_few(), 10);
    assert!(page.contains("machines had a question in this period: nothing is shown."));
    assert!(!page.contains("<svg"));
}
