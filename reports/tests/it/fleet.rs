//! An organisation's report in all formats, of texts that would act if they could.

use plantune_reports::csv;
use plantune_reports::fleet::{
    Alike, Document, Group, Lake, Period, SkippedFile, TopAnswer, markdown, show,
};
use plantune_reports::terminal::Terminal;

const HOSTILE: &str = "</title><script>alert(1)</script>=HYPERLINK(\"x\")|\u{1b}[31m\u{202e}";

fn group(part: &str, name: Option<&str>, times: u64) -> Group {
    Group {
        part: part.to_owned(),
        name: name.map(str::to_owned),
        groups: if name.is_some() { 1 } else { 3 },
        times,
        answered: times - 3,
        auto_decided: 1,
        failed: 1,
        dismissed: 1,
        calls: times,
        sessions: 7,
        machines: 6,
        projects: 4,
        seconds: 12.5 * times as f64,
        median_seconds: Some(12.5),
        agreement: Some(0.75),
        agreement_n: Some(times - 3),
        ..Group::default()
    }
}

fn document() -> Document {
    let question = Group {
        label: Some(HOSTILE.to_owned()),
        top_answer: Some(TopAnswer {
            name: "key-0123456789abcdef".to_owned(),
            hash: "0123456789abcdef".to_owned(),
            answer: Some(HOSTILE.to_owned()),
            times: 30,
            machines: 5,
            share: 0.9,
        }),
        ..group("question", Some("key-0123456789abcdef"), 40)
    };
    let prompts = |part: &str, name: &str| Group {
        part: part.to_owned(),
        name: Some(name.to_owned()),
        groups: 1,
        times: 12,
        granted: 9,
        refused: 2,
        open: 1,
        machines: 6,
        projects: 3,
        seconds: 61.0,
        ..Group::default()
    };
    Document {
        period: Period {
            start: "2026-10-05".parse().unwrap(),
            end: "2026-11-22".parse().unwrap(),
            time_zone: "UTC",
        },
        k: 5,
        groups: vec![
            group("total", Some("all"), 90),
            group("week", Some("2026-W46"), 50),
            group("week", Some("2026-W47"), 34),
            group("week", None, 6),
            question,
            group("question", Some("ship-create-it"), 20),
            group("question", Some("layout-grid"), 10),
            group("question", None, 20),
            group("asker", Some("ship"), 60),
            group("asker", Some(HOSTILE), 30),
            group("session kind", Some("interactive"), 90),
            group("error", Some("validation"), 4),
            prompts("prompts", "all"),
            prompts("tool", "Bash"),
        ],
        answered_alike: vec![Alike {
            question_key: "ship-create-it".to_owned(),
            label: None,
            answer_hash: "fedcba9876543210".to_owned(),
            answer: None,
            agreeing: 6,
            machines: 6,
            times: 17,
            answers: 18,
        }],
        lake: Lake {
            address: "/mnt/lake".to_owned(),
            files: 12,
            rows: 400,
            machines: 6,
            skipped: vec![SkippedFile {
                path: HOSTILE.to_owned(),
                why: "damaged".to_owned(),
            }],
        },
    }
}

/// One that fewer than k machines are behind.
fn of_few() -> Document {
    Document {
        groups: Vec::new(),
        answered_alike: Vec::new(),
        lake: Lake::default(),
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
    // A heading, the groups, and the end of the last line.
    assert_eq!(lines.len(), 1 + document().groups.len() + 1);
    let question = "\"question\",\"key-0123456789abcdef\",\"</title>";
    assert!(text.contains(question), "{text}");
    assert!(!text.contains("\"=") && !text.contains('\u{1b}'), "{text}");
    let columns = lines[0].split(',').count();
    for line in lines
        .iter()
        .skip(1)
        .filter(|line| !line.is_empty() && !line.contains("HYPERLINK"))
    {
        assert_eq!(line.split(',').count(), columns, "{line}");
    }
}
