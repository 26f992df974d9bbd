//! Permission prompts in every format, with texts that want to be more than texts.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use plantune_domain::event::{Grant, QuestionOutcome, RefusalReason};
use plantune_domain::permissions::Reach;
use plantune_domain::sanitize::is_dangerous;
use plantune_domain::session_kind::SessionKind;
use plantune_query::permissions::PromptOutcome;
use plantune_query::permissions::PromptOutcome::{Ambiguous, Granted, Open, Refused};
use plantune_query::permissions::auto_mode::{AutoModeEntry, AutoModeList, Denied};
use plantune_query::permissions::near_miss::{CountedNearMiss, NearMiss, NearMissCause};
use plantune_query::permissions::prompts::{
    Detail, LoggedPrompt, Permissions, Repeated, SkillCommands, Subject,
};
use plantune_query::questions::LoggedDecision;
use plantune_query::report::{DayRange, Report, Request, Totals};
use plantune_reports::log::Log;
use plantune_reports::prompts;
use plantune_reports::prompts::{SubjectPrompts, Subjects};
use plantune_reports::report::{Heading, PeriodKind, ReportDocument, markdown, show};
use plantune_reports::terminal::{Show as _, Terminal as Text};
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use crate::in_json;
use crate::sample::day;

/// A text that a model or a repository may have put into a command.
const HOSTILE: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}rm\u{202e}fdp\u{202c} <b>|`x`\n![p](https://t.example/p)\u{200b}";

const LONG: &str = "for f in $(git ls-files | grep '\\.snap$'); do mv \"$f\" \"${f%.snap}.old\" && echo \"$f\"; done";

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn clock(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M").to_string()
}

fn subject(name: &str, tool: &str, reach: Reach, counts: [u64; 4]) -> Subject {
    let [granted, refused, ambiguous, open] = counts;
    Subject {
        subject: name.into(),
        tool: tool.into(),
        reach: Some(reach),
        asked: counts.iter().sum(),
        granted,
        refused,
        ambiguous,
        open,
        seconds_waited: 65.5 * granted as f64,
        waits_known: granted,
        median_seconds: (granted > 0).then_some(65.5),
        last_at: time("2026-11-20T09:15:00Z"),
        last_day: day("2026-11-20"),
        ..Subject::default()
    }
}

fn prompt(number: u32, subject: &str, outcome: PromptOutcome) -> LoggedPrompt {
    let at = time("2026-11-20T09:15:00Z") - chrono::Duration::minutes(i64::from(number));
    LoggedPrompt {
        agent: "claude-code".to_owned(),
        id: format!("{number:032x}"),
        tool_use_id: (outcome != Open).then(|| format!("toolu_{number}")),
        at,
        day: at.date_naive(),
        project: "github.com/acme/shop".into(),
        session_id: "s1".into(),
        session_kind: SessionKind::Interactive.into(),
        source: "hook".into(),
        tool: "Bash".into(),
        subject: subject.into(),
        reach: Some(Reach::Reads),
        input: Some(format!("{subject} --all")),
        suggestions: vec!["Bash(npm test *)".into()],
        asked_at: Some(at),
        decided_at: (outcome != Open).then(|| at + chrono::Duration::seconds(12)),
        outcome,
        grant: (outcome == Granted).then(|| Grant::Once.into()),
        waited_seconds: (outcome != Open).then_some(12.0),
        reason: (outcome == Refused).then(|| RefusalReason::Rejected.into()),
        ..LoggedPrompt::default()
    }
}

/// One of each sort, the latest first.
fn all() -> Vec<LoggedPrompt> {
    let mut all = vec![
        prompt(1, "npm test", Granted),
        prompt(2, "npm test", Granted),
        prompt(3, "git push", Refused),
        prompt(4, HOSTILE, Refused),
        prompt(5, LONG, Refused),
        prompt(6, "ls", Ambiguous),
        prompt(7, "make", Open),
    ];
    all[0].asked_again_after = Some(Grant::Always);
    all[0].given_at = Some(time("2026-11-19T09:00:00Z"));
    all[1].grant = Some(Grant::Always.into());
    all[2].reason = Some(RefusalReason::Feedback.into());
    all[2].free_text = Some("not on a Friday, and never to main; open a pull request".into());
    all[3].tool = format!("mcp__{HOSTILE}__x");
    all[3].free_text = Some(HOSTILE.into());
    all[3].project = HOSTILE.into();
    all[3].session_kind = SessionKind::Headless.into();
    all[3].suggestions = vec![HOSTILE.into()];
    all[3].input = Some(HOSTILE.into());
    all[3].unattended = true;
    all[4].reason = Some(RefusalReason::Nobody.into());
    all[4].unattended = true;
    all[4].waited_seconds = None;
    all
}

fn subjects() -> Vec<Subject> {
    let mut subjects = vec![
        subject("npm test", "Bash", Reach::Reads, [20, 0, 0, 0]),
        subject("git push", "Bash", Reach::Beyond, [3, 5, 0, 0]),
        subject(
            HOSTILE,
            &format!("mcp__{HOSTILE}__x"),
            Reach::Beyond,
            [0, 4, 0, 0],
        ),
        subject(
            "次はどうしますか？全部の項目を確認してから次の領域に進みますか",
            "Bash",
            Reach::Beyond,
            [1, 0, 0, 1],
        ),
        subject(LONG, "Bash", Reach::Beyond, [0, 1, 1, 0]),
    ];
    subjects[0].asked_again = 7;
    subjects
}

pub(crate) fn permissions(with_detail: bool) -> Permissions {
    let mut notable = all();
    notable.retain(|one| one.outcome == Refused || one.asked_again_after.is_some());
    Permissions {
        asked: 36,
        granted: 24,
        refused: 10,
        ambiguous: 1,
        open: 1,
        denied: 2,
        auto_calls: 420,
        seconds_waited: 4310.0,
        waits_known: 30,
        waits_away: 2,
        seconds_away: 5400.0,
        asked_again: 7,
        unattended: 2,
        without_approvals: 3,
        approvals_known_since: Some(time("2026-11-18T10:00:00Z")),
        by_subject: subjects(),
        plan_approvals: None,
        by_day: BTreeMap::new(),
        detail: with_detail.then(|| Detail {
            repeated: vec![Repeated {
                subject: "npm test".into(),
                tool: "Bash".into(),
                project: "github.com/acme/shop".into(),
                chosen: Grant::Always,
                chosen_at: time("2026-11-19T09:00:00Z"),
                prompts: 1,
                suggestions: vec!["Bash(npm test *)".into()],
            }],
            skill_commands: vec![
                SkillCommands {
                    skill: "ship\u{1b}[2J".into(),
                    commands: 9,
                },
                SkillCommands {
                    skill: "publish-docs".into(),
                    commands: 1,
                },
            ],
            ..Detail::of(&notable)
        }),
    }
}

fn document(permissions: Permissions, has_permissions: bool) -> ReportDocument {
    let days = |start: &str, end: &str| DayRange {
        start: day(start),
        end: day(end),
    };
    let scope = Heading {
        period: days("2026-11-16", "2026-11-22"),
        previous: days("2026-11-09", "2026-11-15"),
        span: PeriodKind::Week,
        running: true,
        time_zone: "Europe/Berlin".into(),
        project: None,
    };
    let empty = Report::empty(&Request {
        period: scope.period,
        previous: scope.previous,
        today: day("2026-11-20"),
        project: None,
        limit: None,
        prompts: false,
    });
    let totals = Totals {
        questions: 16,
        asked: 14,
        answered: 11,
        auto_decided: 2,
        dismissed: 2,
        open: 1,
        human_seconds: 330.0,
        ..Totals::default()
    };
    let report = Report {
        totals,
        permissions,
        has_permissions,
        ..empty
    };
    ReportDocument::new(scope, report, None).with_sentences()
}

fn terminal(width: usize, document: &ReportDocument) -> String {
    let mut out = Text::new(width, false);
    show(document, 10, &mut out);
    out.into_text()
}

/// Everything that is shown of prompts alone, at a terminal `width` columns wide.
fn pages(width: usize) -> String {
    let made = |show: &dyn Fn(&mut Text)| {
        let mut out = Text::new(width, false).with_clock(Box::new(clock));
        show(&mut out);
        out.into_text()
    };
    let shown = |subject: Subject, prompts: Vec<LoggedPrompt>| {
        let shown = [SubjectPrompts {
            subject,
            prompts,
            although: Vec::new(),
        }];
        made(&|out| Subjects::new(&shown, 5).show(out))
    };
    let [tests, _, hostile, ..] = &subjects()[..] else {
        unreachable!("there are five");
    };
    let explained: Vec<String> = all()
        .iter()
        .map(|one| made(&|out| prompts::show_explanation(one, out)))
        .collect();
    let log = Log::new(vec![decision()], Some(all()), 6);
    [
        shown(tests.clone(), all()),
        shown(hostile.clone(), vec![all()[3].clone()]),
        explained.join("\n"),
        made(&|out| log.show(out)),
    ]
    .join("\n────\n")
}

fn decision() -> LoggedDecision {
    LoggedDecision {
        agent: "claude-code".to_owned(),
        tool_use_id: Some("toolu_q".into()),
        question_index: 0,
        session_id: "s1".into(),
        session_over: false,
        asked_at: time("2026-11-20T09:12:30Z"),
        project: "github.com/acme/shop".into(),
        session_kind: SessionKind::Interactive.into(),
        question_key: Some("test-scope".into()),
        key_source: "marker".into(),
        question: "Which tests should run?".into(),
        header: None,
        options: vec!["All".into(), "Some".into()],
        recommended: None,
        multi_select: None,
        one_way: None,
        outcome: QuestionOutcome::Answered,
        ask_reason: None,
        ask_detail: None,
        answer: vec!["All".into()],
        typed: false,
        noted: false,
        preferred: Vec::new(),
        selected: Vec::new(),
        preference: None,
        preference_scope: None,
        mechanism: None,
        level: None,
        undone: false,
        wanted: None,
        reason: None,
        human_seconds: Some(12.0),
    }
}

fn section(text: &str) -> &str {
    let (_, rest) = text.split_once("\nPermission prompts").unwrap();
    rest.split("\n\n").next().unwrap()
}

#[test]
fn the_report_in_every_format() {
    let plain = document(permissions(false), true);
    insta::assert_snapshot!("plain_80", section(&terminal(80, &plain)));
    let whole = document(permissions(true), true);
    insta::assert_snapshot!("report_80", terminal(80, &whole));
    insta::assert_snapshot!("report_140", terminal(140, &whole));
    insta::assert_snapshot!("report_markdown", markdown(&whole, 3));
    let json: serde_json::Value = serde_json::from_str(&in_json(&whole)).unwrap();
    insta::assert_snapshot!(
        "report_json",
        serde_json::to_string_pretty(&json["permissions"]).unwrap()
    );
}

#[test]
fn the_plain_report_has_fifteen_lines_at_most() {
    let text = terminal(80, &document(permissions(false), true));
    // The first is what is left of the heading's line.
    assert!(section(&text).lines().count() <= 15, "{text}");
}

#[test]
fn nothing_is_said_where_no_prompt_was_ever_logged() {
    let none = document(Permissions::default(), false);
    for text in [terminal(80, &none), markdown(&none, 3)] {
        assert!(!text.contains("ermission"), "{text}");
    }
    let asked_for = Permissions {
        detail: Some(Detail::default()),
        ..Permissions::default()
    };
    let text = terminal(80, &document(asked_for, false));
    assert!(text.contains("No permission prompts yet."), "{text}");
}

#[test]
fn approvals_that_nobody_tells_are_said_to_be_unknown() {
    let known = "Approvals are unknown before 2026-11-18";
    let text = terminal(140, &document(permissions(false), true));
    assert!(text.contains(known), "{text}");
    let never = Permissions {
        approvals_known_since: None,
        without_approvals: 0,
        ..permissions(false)
    };
    let text = terminal(140, &document(never, true));
    assert!(text.contains("so approvals are unknown."), "{text}");
    let whole = Permissions {
        without_approvals: 0,
        ..permissions(false)
    };
    let text = terminal(140, &document(whole, true));
    assert!(!text.contains("pprovals"), "{text}");
}

#[test]
fn the_pages_of_prompts() {
    insta::assert_snapshot!("pages_80", pages(80));
    insta::assert_snapshot!("pages_140", pages(140));
}

#[test]
fn hostile_texts_stay_texts() {
    let whole = document(permissions(true), true);
    let shown = [SubjectPrompts {
        subject: subjects()[2].clone(),
        prompts: all(),
        although: vec![CountedNearMiss {
            although: NearMiss {
                rule: HOSTILE.to_owned(),
                file: HOSTILE.to_owned(),
                cause: NearMissCause::Compound,
                why: HOSTILE.to_owned(),
                rules: vec![HOSTILE.to_owned()],
            },
            prompts: 1,
        }],
    }];
    let json = in_json(&Subjects::new(&shown, 9));
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["subjects"][0]["subject"], HOSTILE);
    let markdown = markdown(&whole, 10);
    assert!(!markdown.contains("<b>") && !markdown.contains("`x`") && !markdown.contains("![p]"));
    for text in [
        terminal(80, &whole),
        markdown,
        in_json(&whole),
        json,
        pages(80),
    ] {
        assert!(
            !text.contains(|c: char| is_dangerous(c) && c != '\n'),
            "{text}"
        );
    }
}

/// What auto mode denied: a push that was allowed afterwards, and something hostile that nobody decided about.
fn with_denials() -> Permissions {
    let mut permissions = permissions(true);
    let push = Denied {
        subject: "git push".into(),
        tool: "Bash".into(),
        project: "github.com/acme/shop".into(),
        reach: Some(Reach::Beyond),
        denied: 1,
        allowed: 1,
        entry: Some(AutoModeEntry {
            list: AutoModeList::Allow,
            sentence: "Running `git push origin main` in github.com/acme/shop is allowed: why"
                .into(),
        }),
        ..Denied::default()
    };
    let hostile = Denied {
        subject: HOSTILE.into(),
        denied: 2,
        not_asked: 2,
        ..Denied::default()
    };
    let detail = permissions.detail.as_mut().unwrap();
    detail.denied_in_auto_mode = vec![hostile, push];
    permissions.plan_approvals = Some(subject(
        "ExitPlanMode",
        "ExitPlanMode",
        Reach::Beyond,
        [3, 1, 0, 0],
    ));
    permissions
}

#[test]
fn sentences_for_the_classifier_can_be_copied_whole() {
    let whole = document(with_denials(), true);
    let line = r#"      "Running `git push origin main` in github.com/acme/shop is allowed: why""#;
    // However narrow the terminal is.
    let narrow = terminal(40, &whole);
    let markdown = markdown(&whole, 10);
    for text in [&narrow, &markdown] {
        assert!(text.lines().any(|one| one == line), "{text}");
        assert!(
            !text.contains(|c: char| is_dangerous(c) && c != '\n' && c != '\u{a0}'),
            "{text}"
        );
        assert!(text.contains("was denied 2 times"), "{text}");
    }
    assert!(markdown.contains("```json\n{\n  \"autoMode\"") && !markdown.contains("<b>"));
    assert!(
        markdown.contains("- git push reaches outside the project"),
        "{markdown}"
    );
    let wide = terminal(140, &whole);
    assert!(
        wide.contains("\nPlans to approve\ntimes  allowed  refused"),
        "{wide}"
    );
    let json: serde_json::Value = serde_json::from_str(&in_json(&whole)).unwrap();
    let denied = &json["permissions"]["denied_in_auto_mode"];
    assert_eq!(
        (&denied[0]["entry"], &denied[1]["entry"]["list"]),
        (&json!(null), &json!("allow"))
    );
    assert_eq!(json["permissions"]["plan_approvals"]["asked"], 4);
    // What a sentence quotes is left out where texts are.
    let redacted = whole.redacted().with_sentences();
    for text in [in_json(&redacted), terminal(140, &redacted)] {
        assert!(
            !text.contains("git push") && !text.contains("autoMode"),
            "{text}"
        );
    }
}

#[test]
fn plans_alone_are_said_in_a_sentence() {
    let plans = subject("ExitPlanMode", "ExitPlanMode", Reach::Beyond, [3, 1, 0, 0]);
    let only = Permissions {
        asked: 4,
        granted: 3,
        refused: 1,
        plan_approvals: Some(plans),
        approvals_known_since: Some(time("2026-11-18T10:00:00Z")),
        ..Permissions::default()
    };
    let text = terminal(140, &document(only, true));
    let sums = "4 prompts: 3 allowed, 1 refused. 4 asked you to approve a plan.";
    assert!(
        text.contains(sums) && !text.contains("ExitPlanMode"),
        "{text}"
    );
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in 40..=160 {
        let reports = [permissions(false), permissions(true)]
            .map(|permissions| terminal(width, &document(permissions, true)));
        for text in reports.iter().chain([&pages(width)]) {
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
        }
    }
}
