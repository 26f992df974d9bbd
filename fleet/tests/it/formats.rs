//! An organisation's report in all formats, of texts that would act if they could.

use plantune_fleet::document::{Alike, FleetReport, LakeContents, Row, csv, markdown, show};
use plantune_reports::terminal::Terminal;
use serde_json::{Value, json};

const HOSTILE: &str = "</title><script>alert(1)</script>=HYPERLINK(\"x\")|\u{1b}[31m\u{202e}";

/// A row of a part, with what is `more` in it.
fn row(part: &str, name: Option<&str>, times: u64, more: &Value) -> Row {
    let mut row = json!({
        "part": part, "name": name, "label": null, "groups": if name.is_some() { 1 } else { 3 }, "times": times,
        "asked": times - 1, "answered": times - 3, "auto_decided": 1, "failed": 1, "dismissed": 1, "granted": 0,
        "refused": 0, "ambiguous": 0, "open": 0, "calls": times, "sessions": 7, "machines": 6, "projects": 4,
        "seconds": 12.5 * times as f64, "away_answers": 0, "away_seconds": 0.0, "median_seconds": 12.5,
        "agreement": 0.75, "agreement_n": times - 3, "top_answer_hash": null, "top_answer": null,
        "top_answer_times": null, "top_answer_machines": null, "top_answer_share": null,
    });
    let row = row.as_object_mut().unwrap();
    row.extend(more.as_object().unwrap().clone());
    row.clone()
}

fn lake() -> FleetReport {
    let plain = |part: &str, name: Option<&str>, times: u64| row(part, name, times, &json!({}));
    let question = json!({
        "label": HOSTILE, "top_answer_hash": "0123456789abcdef", "top_answer": HOSTILE, "top_answer_times": 30,
        "top_answer_machines": 5, "top_answer_share": 0.9,
    });
    let prompts = json!({ "asked": 12, "granted": 9, "refused": 2, "seconds": 61.0 });
    let alike = json!({
        "question_key": "ship-create-it", "label": null, "answer_hash": "fedcba9876543210", "answer": null,
        "agreeing": 6, "machines": 6, "times": 17, "answers": 18,
    });
    FleetReport {
        days: ("2026-10-05".parse().unwrap(), "2026-11-22".parse().unwrap()),
        k: 5,
        groups: vec![
            plain("total", Some("all"), 90),
            plain("week", Some("2026-11-09"), 50),
            plain("week", Some("2026-11-16"), 34),
            plain("week", None, 6),
            row("question", Some("key-0123456789abcdef"), 40, &question),
            plain("question", Some("ship-create-it"), 20),
            plain("question", Some("layout-grid"), 10),
            plain("question", None, 20),
            plain("asker", Some("ship"), 60),
            plain("asker", Some(HOSTILE), 30),
            plain("session kind", Some("interactive"), 90),
            plain("error", Some("validation"), 4),
            row("prompts", Some("all"), 12, &prompts),
            row("tool", Some("Bash"), 12, &prompts),
        ],
        answered_alike: vec![serde_json::from_value::<Alike>(alike).unwrap()],
        lake: LakeContents {
            address: "/mnt/lake".to_owned(),
            files: 12,
            rows: 400,
            machines: 6,
            skipped: vec![format!("{HOSTILE}: damaged")],
        },
    }
}

/// One that fewer than k machines are behind.
fn of_few() -> FleetReport {
    FleetReport {
        groups: Vec::new(),
        answered_alike: Vec::new(),
        lake: LakeContents::default(),
        ..lake()
    }
}

fn fleet_terminal(width: usize, document: &FleetReport) -> String {
    let mut out = Terminal::new(width, false);
    show(document, 2, &mut out);
    out.into_text()
}

#[test]
fn on_a_terminal() {
    for width in [80, 140] {
        let text = fleet_terminal(width, &lake());
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        insta::assert_snapshot!(format!("fleet_terminal_{width}"), text);
    }
    let text = fleet_terminal(80, &of_few());
    assert!(text.contains("Fewer than 5 machines"), "{text}");
}

#[test]
fn in_markdown() {
    let text = markdown(&lake(), 2);
    assert!(!text.contains("<script") && !text.contains('\u{1b}'));
    insta::assert_snapshot!("fleet_markdown", text);
}

#[test]
fn as_a_table() {
    let text = csv(&lake()).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    // A heading, the groups, and the end of the last line.
    assert_eq!(lines.len(), 1 + lake().groups.len() + 1);
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
