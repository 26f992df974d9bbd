//! One document in every format, with texts that want to be more than texts.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

use chrono::NaiveDate;
use plantune_query::page::{
    AnswerCount, AnsweredForYou, AnsweringTimes, Details, Hour, QuestionDetails, TimeBin,
};
use plantune_query::permissions::prompts::Permissions;
use plantune_query::report::stands_out::{Finding, Question, Says};
use plantune_query::report::{
    Days, DecidedBy, ErrorKind, QuestionCounts, Renamed, Report, SessionKindCounts, Totals, Week,
    week_name,
};
use plantune_query::standing::{Checked, Standing, State};
use plantune_reports::Format;
use plantune_reports::csv::Csv;
use plantune_reports::html::Html;
use plantune_reports::report::{Document, Evidence, Heading, Json, Markdown, Proposal, Terminal};
use plantune_reports::standing::StandingPreference;
use unicode_width::UnicodeWidthStr as _;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn heading() -> Heading {
    Heading {
        period: Days {
            start: day("2026-11-16"),
            end: day("2026-11-22"),
        },
        previous: Days {
            start: day("2026-11-09"),
            end: day("2026-11-15"),
        },
        week: true,
        running: true,
        time_zone: "Europe/Berlin".into(),
        project: None,
    }
}

fn question(key: &str, text: &str, counts: [u64; 2], usual: &str) -> QuestionCounts {
    let [answered, auto_decided] = counts;
    let answers = answered > 0;
    QuestionCounts {
        question_key: key.into(),
        key_source: "fingerprint".into(),
        template: None,
        template_text: None,
        project: "github.com/acme/shop".into(),
        question: text.into(),
        header: Some("Next".into()),
        options: Some(vec![usual.into(), "Something else".into()]),
        door: "two-way".into(),
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
        weeks: Vec::new(),
        answers: Vec::new(),
    }
}

fn questions() -> Vec<QuestionCounts> {
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
    let family = &mut questions[0];
    family.key_source = "family".into();
    family.template = Some(
        ["which", "next", "now", "that", "are", "done"]
            .map(str::to_owned)
            .into(),
    );
    family.template_text = Some("Which … next, now that … are done?".into());
    questions[4].key_source = "marker".into();
    questions[5].project = "/home/ann/my `notes`".into();
    questions
}

fn trend() -> Vec<Week> {
    let counts = [0, 4, 9, 2, 0, 31, 40, 54];
    let mondays = (0..8).map(|week| day("2026-09-28") + chrono::Days::new(7 * week));
    counts
        .into_iter()
        .zip(mondays)
        .map(|(questions, monday)| Week {
            week: week_name(monday),
            questions,
            asked: questions - questions / 8,
            answered: questions - questions / 8 - questions / 9,
            auto_decided: questions / 8,
            failed: 0,
            dismissed: questions / 9,
            open: 0,
            human_seconds: questions as f64 * 12.5,
        })
        .collect()
}

fn session_kind(name: &str, sessions: u64, asked: u64) -> SessionKindCounts {
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

fn report() -> Report {
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
        previous,
        trend: trend(),
        questions: questions(),
        question_keys: 23,
        asked_once: 17,
        renamed: Renamed::default(),
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

fn document() -> Document {
    Document::new(heading(), report(), Some(2))
        .with_details(details())
        .with_proposals(Some(vec![proposal()]))
        .with_findings(&findings())
}

/// A line of each kind, with hostile texts.
fn findings() -> Vec<Finding> {
    let asked = |number: usize| {
        let question = &questions()[number];
        Question {
            project: question.project.clone(),
            question_key: question.question_key.clone(),
            text: question.question.clone(),
        }
    };
    let says = [
        Says::AsksMost {
            asker: "\u{1b}[31m<b>plan</b>`*`".into(),
            asked: 30,
            of: 47,
            seconds: 750.25,
        },
        Says::OptionsRarelyFit {
            question: asked(2),
            typed: 6,
            answered: 9,
            seconds: 90.0,
        },
        Says::AlwaysRecommended {
            question: asked(3),
            answered: 12,
            seconds: 240.0,
        },
        Says::BusiestHour {
            hour: 9,
            asked: 12,
            of: 47,
            hours: 8,
        },
        Says::BusiestDay {
            day: day("2026-11-17"),
            asked: 20,
            of: 47,
            days: 5,
        },
        Says::BusiestWeekday {
            weekday: 2,
            asked: 40,
            of: 100,
            days: 4,
            of_days: 20,
        },
        Says::MostStoppedSession {
            session_id: "s-1".into(),
            project: "/home/ann/my `notes`".into(),
            day: day("2026-11-17"),
            asked: 14,
            of: 47,
            sessions: 6,
        },
        Says::LongestWait {
            question: asked(1),
            answers: 7,
            seconds: 1750.0,
            other_answers: 34,
            other_seconds: 680.0,
        },
        Says::Change {
            asked: 47,
            before: 12,
            days: 5,
            days_before: 7,
            cause: Some((asked(0), 16, 1)),
        },
    ];
    let finding = |says: Says| Finding {
        name: says.kind().into(),
        n: 9,
        seconds_a_week: 60.5,
        says,
    };
    says.into_iter().map(finding).collect()
}

/// What the pictures show, with hostile texts.
fn details() -> Details {
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
                    weeks: [0, 0, 1, 2, 0, 3, 5, 16],
                    answers: answers(&[("Next area", 14), ("(typed)", 1)]),
                },
            ),
            (
                named(3),
                QuestionDetails {
                    weeks: [0, 0, 0, 0, 0, 0, 0, 10],
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
            question_key: "commit-now".into(),
            project: "github.com/acme/shop".into(),
            question: "Commit the changes now?".into(),
            answer: vec!["<b>Yes</b>".into(), "\u{202e}No".into()],
            decided_by: "preferences".into(),
            times: 7,
            last_at: "2026-11-20T09:15:00.250Z".parse().unwrap(),
        }],
    }
}

fn proposal() -> Proposal {
    Proposal {
        question_key: "next".into(),
        question: Some("Next? <script>alert(1)</script>".into()),
        level: "trial",
        scope: "project",
        project: Some("github.com/acme/shop".into()),
        answer: Some("Next area".into()),
        confidence: 0.7942,
        expected: Some(0.93),
        evidence: Evidence {
            answers: 15,
            agreed: 14,
            questions: 1,
        },
        seconds_saved_per_week: 31.25,
    }
}

fn empty(scope: Heading, last_day: Option<NaiveDate>) -> Document {
    let report = Report {
        away_after_seconds: 600.0,
        totals: Totals::default(),
        previous: Totals::default(),
        trend: trend()
            .into_iter()
            .map(|week| Week {
                questions: 0,
                ..week
            })
            .collect(),
        questions: vec![],
        question_keys: 0,
        asked_once: 0,
        renamed: Renamed::default(),
        session_kinds: vec![],
        errors: vec![],
        quarantined: 0,
        last_day,
        permissions: Permissions::default(),
        has_permissions: false,
    };
    Document::new(scope, report, None)
}

fn written(format: &impl Format<Document>, document: &Document) -> String {
    let mut out = Vec::new();
    format.write(document, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn terminal(width: usize, colour: bool) -> Terminal {
    Terminal {
        width,
        colour,
        top: 5,
    }
}

#[test]
fn every_format() {
    let document = document();
    insta::assert_snapshot!("terminal_60", written(&terminal(60, false), &document));
    insta::assert_snapshot!("terminal_80", written(&terminal(80, false), &document));
    insta::assert_snapshot!("terminal_140", written(&terminal(140, false), &document));
    insta::assert_snapshot!("json", written(&Json, &document));
    insta::assert_snapshot!("markdown", written(&Markdown { top: 10 }, &document));
    insta::assert_snapshot!("csv", written(&Csv, &document));
    let page = written(&Html { top: 1 }, &document.with_preferences(preferences()));
    // The style and its hash are the style sheet's own.
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (before, rest) = head.split_once("'sha256-").unwrap();
    let (_, after) = rest.split_once('\'').unwrap();
    let mut page = format!("{before}{after}{body}");
    for tag in [
        "<section", "<article", "<p", "<svg", "<rect", "<dl", "<details", "<tr",
    ] {
        page = page.replace(tag, &format!("\n{tag}"));
    }
    insta::assert_snapshot!("html", page);
    for tag in ["<script", "<b>", "<img", "<iframe", "<meta"] {
        assert!(!body.contains(tag), "{tag}");
    }
}

/// One preference in each state, its texts hostile.
fn preferences() -> Vec<StandingPreference> {
    let states = [
        State::Standing,
        State::UnderReview,
        State::Drifted,
        State::DueForRenewal,
    ];
    let preference = |state: State| StandingPreference {
        question_key: format!("key-{state:?}").to_lowercase(),
        preference: "never-ask",
        level: "standing",
        answer: (state != State::Standing).then(|| "Gr\u{1b}[31mid|<b>".to_owned()),
        scope: "project",
        project: Some("p".to_owned()),
        set_at: None,
        standing: Standing {
            decided: 120,
            spot_checks: 7,
            agreed: 5,
            last_confirmed: Some(day("2026-08-01")),
            last_used: Some(day("2026-11-01")),
            state,
            would_answer: Some("Gr\u{1b}[31mid|<b>".to_owned()),
            chosen_instead: Some("List".to_owned()),
            checks: vec![
                Checked {
                    day: day("2026-08-01"),
                    agreed: true,
                },
                Checked {
                    day: day("2026-11-01"),
                    agreed: false,
                },
            ],
        },
        remedy: (state != State::Standing).then(|| "plantune prefs clear k".to_owned()),
    };
    states.map(preference).into()
}

#[test]
fn preferences_are_shown_with_what_to_do() {
    let document = empty(heading(), None).with_preferences(preferences());
    let text = written(&terminal(80, false), &document);
    let (_, section) = text.split_once("Standing preferences").unwrap();
    insta::assert_snapshot!(section, @r#"
    , since each was set
    question key       answer         answered  checked  agreed  state
    key-standing       (recommended)       120        7       5  standing
    key-underreview    Grid|<b>            120        7       5  under review
    key-drifted        Grid|<b>            120        7       5  drifted
    key-dueforrenewal  Grid|<b>            120        7       5  due for renewal

    key-underreview, under review: in a spot check it would have answered
    "Grid|<b>", you chose "List" (2 of 7 differed). To take it back: `plantune prefs
    clear k`
    key-drifted, drifted: in spot checks it would have answered "Grid|<b>", you
    chose "List" (2 of 7 differed), so you are asked every time now. To take it
    back: `plantune prefs clear k`
    key-dueforrenewal, due for renewal: not confirmed since 2026-08-01, last used on
    2026-11-01. If it is still right: `plantune prefs clear k`
    "#);
    let markdown = written(&Markdown { top: 10 }, &document);
    for text in [&text, &markdown] {
        assert!(!text.contains('\u{1b}'));
    }
    assert!(markdown.contains("## Standing preferences") && !markdown.contains("<b>"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in 40..=200 {
        let with_preferences = document().with_preferences(preferences());
        for document in [
            document(),
            with_preferences,
            empty(heading(), Some(day("2026-10-01"))),
        ] {
            let text = written(&terminal(width, false), &document);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
        }
    }
}

#[test]
fn colour_only_when_asked_for() {
    let (plain, coloured) = (
        written(&terminal(80, false), &document()),
        written(&terminal(80, true), &document()),
    );
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}[1m"));
    let mut stripped = coloured;
    for code in [
        "\u{1b}[0m",
        "\u{1b}[1m",
        "\u{1b}[2m",
        "\u{1b}[32m",
        "\u{1b}[33m",
    ] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn an_empty_report_says_what_to_do() {
    insta::assert_snapshot!(written(&terminal(80, false), &empty(heading(), None)), @"
    2026-W47, Mon 16 – Sun 22 Nov 2026 so far, Europe/Berlin

    No questions yet.
    Run `plantune import claude-code` to load your past questions, then `plantune
    install` to log the new ones.
    ");
    let last = Some(day("2026-10-01"));
    insta::assert_snapshot!(written(&terminal(80, false), &empty(heading(), last)), @"
    2026-W47, Mon 16 – Sun 22 Nov 2026 so far, Europe/Berlin

    No questions in this period so far. The last was on Thu 1 Oct 2026.
    Run `plantune report --week 2026-W40` to see its week.
    ");
    let project = Heading {
        project: Some("/home/ann/my `notes`".into()),
        week: false,
        running: false,
        ..heading()
    };
    insta::assert_snapshot!(written(&Markdown { top: 10 }, &empty(project.clone(), last)), @r"
    # Questions: Mon 16 – Sun 22 Nov 2026, Europe/Berlin

    Project /home/ann/my \`notes\`

    No questions in this period. The last was on Thu 1 Oct 2026.

    Run <code>plantune report --week 2026-W40 --project '/home/ann/my \`notes\`'</code> to see its week.
    ");
    insta::assert_snapshot!(written(&terminal(80, false), &empty(project, None)), @"
    Mon 16 – Sun 22 Nov 2026, Europe/Berlin
    Project /home/ann/my `notes`

    No questions in this project yet.
    Run `plantune report` to see every project.
    ");
}

/// The report's questions: of these ones, and `once` others that came up once.
fn of_questions(mut questions: Vec<QuestionCounts>, once: u64) -> Document {
    let mut report = report();
    let mut other = question("b", "Asked once?", [0, 0], "");
    other.dismissed = 1;
    report.question_keys = questions.len() as u64 + once;
    report.asked_once = once;
    questions.extend((0..once).map(|_| other.clone()));
    report.questions = questions;
    Document::new(heading(), report, None)
}

/// The heading of the questions and what stands below it.
fn questions_of(document: &Document) -> String {
    let text = written(&terminal(80, false), document);
    let section = text.lines().skip_while(|line| *line != "Questions");
    let section: Vec<&str> = section.take_while(|line| !line.is_empty()).collect();
    section.join("\n")
}

#[test]
fn what_was_asked_once_is_counted_and_listed_where_it_is_wanted() {
    let twice = question("a", "Asked twice?", [1, 0], "Yes");
    let several = of_questions(vec![twice], 2);
    insta::assert_snapshot!(questions_of(&several), @"
    Questions
    question      times  you  usual answer  share      median    agreed
    Asked twice?      2    1  Yes             93%  3 min 20 s  88% of 8
    2 questions were asked once; `report --all` lists them.
    ");
    insta::assert_snapshot!(questions_of(&several.with_all(true)), @"
    Questions
    question      times  you  usual answer  share      median    agreed
    Asked twice?      2    1  Yes             93%  3 min 20 s  88% of 8
    Asked once?       1    0  –                 –           –         –
    Asked once?       1    0  –                 –           –         –
    ");
    let one = of_questions(Vec::new(), 1);
    insta::assert_snapshot!(questions_of(&one), @"
    Questions
    1 question was asked once; `report --all` lists it.
    ");
    let markdown = written(&Markdown { top: 10 }, &one);
    assert!(markdown.contains("## Questions\n\n1 question was asked once;"));
}

#[test]
fn nothing_is_compared_with_an_empty_period() {
    let report = Report {
        previous: Totals::default(),
        ..report()
    };
    let text = written(
        &terminal(80, false),
        &Document::new(heading(), report, None),
    );
    let headline: Vec<_> = text.lines().skip(2).take(16).collect();
    insta::assert_snapshot!(headline.join("\n"), @"
                               2026-W47 so far
    Questions                               54
      asked                                 47
        answered                            41
        dismissed                            3
        failed                               2
        still open                           1
      answered by preferences                7
    Calls                                   40
    Sessions                                 9
    Your time spent answering       2 h 05 min
    The agent stood waiting         9 h 18 min
      while you were away           7 h 12 min
    Your time saved                 3 min 20 s
    Nothing to compare with: no questions in Mon 9 – Sun 15 Nov 2026.
    3 answers took longer than 10 min: 7 h 12 min away, in no median and no sum of
    ");
    assert!(!text.contains("suggestion"));
}
