//! What the page shows of each question of the sample.

use plantune_query::page::{
    AnsweredForYou, AnsweringTimes, Details, Hour, QuestionDetails, TimeBin,
};
use plantune_query::report::AnswerCount;
use plantune_query::report::Group;
use plantune_reports::html;
use plantune_reports::report::Proposal;

use super::sample::proposal;

fn group(name: Option<&str>, asked: u64) -> Group {
    Group {
        name: name.map(str::to_owned),
        questions: asked,
        asked,
        answered: asked,
        human_seconds: 20.0 * asked as f64,
        median_seconds: Some(20.0),
        waiting_seconds: 30.0 * asked as f64,
        ..Group::default()
    }
}

/// What the pictures show, with hostile texts.
pub(crate) fn details() -> Details {
    let named = |number: u32| {
        let key = format!("fp-000000000000000{number}");
        (key, "github.com/acme/shop".to_owned())
    };
    let answers = |answers: &[(&str, u64)]| {
        let answer = |(answer, times): &(&str, u64)| AnswerCount {
            answer: (*answer).to_owned(),
            times: *times,
        };
        answers.iter().map(answer).collect()
    };
    let bin = |from, to, answers| TimeBin { from, to, answers };
    Details {
        hours: vec![
            Hour {
                weekday: 1,
                hour: 9,
                asked: 12,
            },
            Hour {
                weekday: 7,
                hour: 23,
                asked: 1,
            },
        ],
        answering_times: AnsweringTimes {
            answers: 41,
            away_answers: 3,
            median_seconds: Some(19.5),
            p90_seconds: Some(200.0),
            bins: vec![
                bin(0.0, Some(1.0), 0),
                bin(1.0, Some(60.0), 30),
                bin(60.0, None, 11),
            ],
        },
        questions: [
            (
                named(1),
                QuestionDetails {
                    over_time: vec![0, 1, 2, 0, 3, 5, 5],
                    answers: answers(&[("Next area", 14), ("(typed)", 1)]),
                },
            ),
            (
                named(3),
                QuestionDetails {
                    over_time: vec![0, 0, 0, 0, 0, 0, 10],
                    answers: answers(&[
                        ("=HYPERLINK(\"https://evil.example\")", 6),
                        ("</svg><script>alert(1)</script>", 1),
                        ("b", 1),
                        ("c", 1),
                    ]),
                },
            ),
        ]
        .into(),
        answered_for_you: vec![AnsweredForYou {
            name: "Commit the changes now?".into(),
            question_key: "commit-now".into(),
            project: "github.com/acme/shop".into(),
            question: "Commit the changes now?".into(),
            answer: vec!["<b>Yes</b>".into(), "\u{202e}No".into()],
            decided_by: "preferences".into(),
            times: 7,
            undone: 1,
            last_at: "2026-11-20T09:15:00.250Z".parse().unwrap(),
        }],
        projects: vec![
            group(Some("github.com/acme/shop"), 40),
            group(Some("<b>notes</b>"), 7),
        ],
        askers: vec![group(Some("\u{1b}[31m<i>plan</i>"), 30), group(None, 17)],
    }
}

#[test]
fn a_question_that_is_proposed_is_not_called_one_way_on_its_card() {
    let mut document = super::document();
    let question = document.report.questions.first_mut().unwrap();
    question.door = "one-way".into();
    let (key, project) = (question.question_key.clone(), question.project.clone());
    let is_closed = |page: &str| page.contains("· one-way");
    document.proposals = None;
    assert!(is_closed(&html::report_page(&document, 1)));
    document.proposals = Some(vec![Proposal {
        question_key: key,
        project: Some(project),
        ..proposal()
    }]);
    let page = html::report_page(&document, 1);
    assert!(!is_closed(&page) && page.contains("last asked as one-way"));
}
