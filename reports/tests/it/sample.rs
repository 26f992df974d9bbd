//! A report of one week, its texts hostile.

use chrono::NaiveDate;
use plantune_domain::doors::Door;
use plantune_domain::preferences::{Level, Scope};
use plantune_query::permissions::prompts::Permissions;
use plantune_query::report::{
    AnswerCount, AnsweredForYou, AnsweringTimes, AsksMost, DayRange, DecidedBy, Decider, Details,
    ErrorKind, Hour, QuestionCounts, QuestionGroup, RejectedCalls, RenamedQuestions, Report,
    SessionKindCounts, TimeBin, Timeline, TimelinePart, Totals, Unit,
};
use plantune_reports::html;
use plantune_reports::report::{
    EvidenceCounts, Heading, NotProposed, PeriodKind, ReportDocument, ReportedProposal, RuleSummary,
};

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub(crate) fn heading() -> Heading {
    Heading {
        period: DayRange {
            start: day("2026-11-16"),
            end: day("2026-11-22"),
        },
        previous: DayRange {
            start: day("2026-11-09"),
            end: day("2026-11-15"),
        },
        span: PeriodKind::Week,
        running: true,
        time_zone: "Europe/Berlin".into(),
        project: None,
    }
}

pub(crate) fn question(key: &str, text: &str, counts: [u64; 2], usual: &str) -> QuestionCounts {
    let [answered, auto_decided] = counts;
    let answers = answered > 0;
    QuestionCounts {
        question_key: key.into(),
        key_source: "fingerprint".into(),
        project: "github.com/acme/shop".into(),
        name: text.into(),
        question: text.into(),
        header: Some("Next".into()),
        options: Some(vec![usual.into(), "Something else".into()]),
        door: Door::TwoWay,
        asked: answered + 1,
        answered,
        auto_decided,
        failed: 0,
        dismissed: 1,
        agreement: answers.then_some(0.875),
        agreement_n: if answers { 8 } else { 0 },
        median_seconds: answers.then_some(200.0),
        top_answer: answers.then(|| usual.into()),
        top_answer_share: answers.then_some(14.0 / 15.0),
        last_at: "2026-11-20T09:15:00.250Z".parse().unwrap(),
        over_time: Vec::new(),
        answers: Vec::new(),
    }
}

pub(crate) fn questions() -> Vec<QuestionCounts> {
    let mut questions = vec![
        question(
            "fp-0000000000000001",
            "Which area should we look at next, now that the basket and the checkout are done?",
            [15, 0],
            "Next area",
        ),
        question(
            "fp-0000000000000002",
            "次はどうしますか？全部の項目を確認してから次の領域に進みますか？それとも質問を続けますか？",
            [12, 0],
            "次の領域に進む（推奨）",
        ),
        question(
            "fp-0000000000000003",
            "\u{1b}[2J\u{1b}]0;owned\u{7}Deploy 🎉 to\u{202e}noitcudorp\u{202c}?\nYes\u{200b}|no",
            [9, 0],
            "=HYPERLINK(\"https://evil.example\")",
        ),
        question(
            "fp-0000000000000004",
            "<img src=x onerror=alert(1)> [click](javascript:alert(1)) ![p](https://t.example/p) `x` | y",
            [4, 0],
            "@everyone",
        ),
        question("commit-now", "Commit the changes now?", [0, 7], ""),
        question("a", "-x", [1, 0], "+1"),
    ];
    let by_options = &mut questions[0];
    by_options.key_source = "options".into();
    by_options.name = "Which … next, now that … are done?".into();
    questions[4].key_source = "marker".into();
    questions[5].project = "/home/ann/my `notes`".into();
    questions
}

pub(crate) fn timeline() -> Timeline {
    let counts = [0, 4, 9, 2, 0, 31, 8];
    let starts = (0..7).map(|number| day("2026-11-16") + chrono::Days::new(number));
    let parts = counts
        .into_iter()
        .zip(starts)
        .map(|(questions, start)| TimelinePart {
            start,
            questions,
            asked: questions - questions / 8,
            answered: questions - questions / 8 - questions / 9,
            auto_decided: questions / 8,
            failed: 0,
            dismissed: questions / 9,
            open: 0,
            human_seconds: questions as f64 * 12.5,
            prompts: 0,
        });
    Timeline {
        unit: Unit::Day,
        parts: parts.collect(),
    }
}

pub(crate) fn session_kind(name: &str, sessions: u64, asked: u64) -> SessionKindCounts {
    SessionKindCounts {
        session_kind: name.into(),
        sessions,
        questions: asked,
        asked,
        answered: asked,
        auto_decided: 0,
        failed: 0,
        dismissed: 0,
    }
}

pub(crate) fn report() -> Report {
    let totals = Totals {
        questions: 54,
        asked: 47,
        answered: 41,
        auto_decided: 7,
        auto_decided_by: DecidedBy {
            preferences: 7,
            ..DecidedBy::default()
        },
        failed: 2,
        dismissed: 3,
        timed_out: 1,
        open: 1,
        calls: 40,
        sessions: 9,
        human_seconds: 7500.0,
        away_answers: 3,
        away_seconds: 25_920.0,
        waiting_seconds: 33_480.0,
        waiting_away_seconds: 25_920.0,
        seconds_saved: 200.0,
    };
    let previous = Totals {
        questions: 40,
        asked: 40,
        answered: 38,
        auto_decided: 0,
        auto_decided_by: DecidedBy::default(),
        failed: 2,
        dismissed: 0,
        timed_out: 0,
        open: 0,
        calls: 33,
        sessions: 9,
        human_seconds: 6000.0,
        away_answers: 0,
        away_seconds: 0.0,
        waiting_seconds: 6100.0,
        waiting_away_seconds: 0.0,
        seconds_saved: 0.0,
    };
    Report {
        away_after_seconds: 600.0,
        totals,
        history_begins: None,
        previous,
        timeline: timeline(),
        asks_most: Some(AsksMost {
            asker: "\u{1b}[31m<b>plan</b>`*`".into(),
            project: Some("/home/ann/my `notes`".into()),
            asked: 30,
            of: 47,
        }),
        rejected_calls: Some(RejectedCalls {
            asker: "\u{1b}[31m<b>plan</b>`*`".into(),
            calls: 2,
        }),
        questions: questions(),
        question_keys: 23,
        asked_once: 17,
        in_several_projects: false,
        renamed: RenamedQuestions::default(),
        session_kinds: vec![
            session_kind("interactive", 8, 50),
            session_kind("headless", 1, 4),
        ],
        errors: vec![ErrorKind {
            error_kind: "mcp_error\u{1b}[31m<b>".into(),
            times: 2,
        }],
        quarantined: 3,
        last_day: None,
        permissions: Permissions::default(),
        has_permissions: false,
    }
}

pub(crate) fn document() -> ReportDocument {
    let mut document = ReportDocument::new(heading(), report(), Some(2));
    add_course_and_answers(&mut document.report.questions);
    document.details = details();
    document.proposals = Some(vec![proposal()]);
    document.not_proposed = vec![NotProposed {
        question_key: "deploy".into(),
        question: "Deploy <b>now</b>?".into(),
        project: "github.com/acme/shop".into(),
        answers: 7,
        agreed: 6,
        why: "one-way (</td><script>)".into(),
    }];
    document.rules = RuleSummary {
        rules: 5,
        prompts_per_week: 30.6,
        ..RuleSummary::default()
    };
    document.with_sentences()
}

pub(crate) fn proposal() -> ReportedProposal {
    ReportedProposal {
        question_key: "next".into(),
        question: "Next? <script>alert(1)</script>".into(),
        level: Level::Trial,
        scope: Scope::Project,
        project: Some("github.com/acme/shop".into()),
        answer: Some("Next area".into()),
        confidence: 0.7942,
        expected: 0.93,
        evidence: EvidenceCounts {
            answers: 15,
            agreed: 14,
        },
        asked_per_week: 8.75,
        seconds_saved_per_week: 31.25,
    }
}

// What the page shows of each question of the sample.

fn group(name: Option<&str>, asked: u64) -> QuestionGroup {
    QuestionGroup {
        name: name.map(str::to_owned),
        questions: asked,
        asked,
        answered: asked,
        human_seconds: 20.0 * asked as f64,
        median_seconds: Some(20.0),
        waiting_seconds: 30.0 * asked as f64,
        ..QuestionGroup::default()
    }
}

/// How two of the questions went over time, and the answers to them, with hostile texts.
fn add_course_and_answers(questions: &mut [QuestionCounts]) {
    let answers = |answers: &[(&str, u64)]| {
        let answer = |(answer, times): &(&str, u64)| AnswerCount {
            answer: (*answer).to_owned(),
            times: *times,
        };
        answers.iter().map(answer).collect()
    };
    for question in questions {
        (question.over_time, question.answers) = match question.question_key.as_str() {
            "fp-0000000000000001" => (
                vec![0, 1, 2, 0, 3, 5, 5],
                answers(&[("Next area", 14), ("(typed)", 1)]),
            ),
            "fp-0000000000000003" => (
                vec![0, 0, 0, 0, 0, 0, 10],
                answers(&[
                    ("=HYPERLINK(\"https://evil.example\")", 6),
                    ("</svg><script>alert(1)</script>", 1),
                    ("b", 1),
                    ("c", 1),
                ]),
            ),
            _ => continue,
        };
    }
}

/// The content of the charts, with hostile texts.
pub(crate) fn details() -> Details {
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
        answered_for_you: vec![AnsweredForYou {
            name: "Commit the changes now?".into(),
            question_key: "commit-now".into(),
            project: "github.com/acme/shop".into(),
            question: "Commit the changes now?".into(),
            answer: vec!["<b>Yes</b>".into(), "\u{202e}No".into()],
            decided_by: Decider::Preferences,
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
fn a_question_that_is_proposed_is_not_called_final_on_its_card() {
    let mut document = document();
    let question = document.report.questions.first_mut().unwrap();
    question.door = Door::OneWay;
    let (key, project) = (question.question_key.clone(), question.project.clone());
    let is_closed = |page: &str| page.contains("· can't be undone");
    document.proposals = None;
    assert!(is_closed(&html::report_page(&document, 1)));
    document.proposals = Some(vec![ReportedProposal {
        question_key: key,
        project: Some(project),
        ..proposal()
    }]);
    let page = html::report_page(&document, 1);
    assert!(!is_closed(&page) && page.contains("last time it couldn't be undone"));
}
