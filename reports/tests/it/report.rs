//! One document in every format, with texts that want to be more than texts.

use chrono::NaiveDate;
use plantune_domain::keys::is_made_up;
use plantune_domain::preferences::{Level, Policy, Scope};
use plantune_domain::state::{Cause, State};
use plantune_query::permissions::prompts::Permissions;
use plantune_query::report::{
    DayRange, GroupKey, QuestionCounts, QuestionGroup, QuestionGroups, RenamedQuestions, Report,
    Request, Timeline, Totals,
};
use plantune_query::standing::{CheckResult, Standing};
use plantune_reports::report::{
    Heading, PeriodKind, ReportDocument, markdown, show, show_overview,
};
use plantune_reports::standing::StandingPreference;
use plantune_reports::terminal::Terminal;
use plantune_reports::{csv, html};
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::in_json;
use crate::sample::{day, document, heading, question, report};

fn empty(scope: Heading, last_day: Option<NaiveDate>) -> ReportDocument {
    let report = Report {
        away_after_seconds: 600.0,
        totals: Totals::default(),
        history_begins: None,
        previous: Totals::default(),
        timeline: Timeline::default(),
        asks_most: None,
        rejected_calls: None,
        questions: vec![],
        question_keys: 0,
        asked_once: 0,
        in_several_projects: false,
        renamed: RenamedQuestions::default(),
        session_kinds: vec![],
        errors: vec![],
        quarantined: 0,
        last_day,
        permissions: Permissions::default(),
        has_permissions: false,
    };
    ReportDocument::new(scope, report, None).with_sentences()
}

fn terminal(width: usize, colour: bool, document: &ReportDocument) -> String {
    let mut out = Terminal::new(width, colour);
    show(document, 5, &mut out);
    out.into_text()
}

#[test]
fn every_format() {
    let document = document();
    insta::assert_snapshot!("terminal_60", terminal(60, false, &document));
    insta::assert_snapshot!("terminal_80", terminal(80, false, &document));
    insta::assert_snapshot!("terminal_140", terminal(140, false, &document));
    insta::assert_snapshot!("json", in_json(&document));
    insta::assert_snapshot!("markdown", markdown(&document, 10));
    insta::assert_snapshot!("csv", csv::report(&document).unwrap());
    let page = html::report_page(&with_preferences(document), 1);
    // The style and the script have files of their own; their hashes follow from them.
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, rest) = body.split_once("<script>").unwrap();
    assert_eq!(rest.split_once("</script>").unwrap().1, "</body></html>\n");
    let head: String = head
        .split("'sha256-")
        .map(|part| part.split_once("';").map_or(part, |(_, rest)| rest))
        .collect();
    let mut page = format!("{head}{body}");
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

/// The texts of `value` that a redacted report has none of: those in these fields.
fn texts<'v>(value: &'v Value, is_text: bool, found: &mut Vec<&'v str>) {
    const TEXTS: [&str; 23] = [
        "name",
        "question_key",
        "question",
        "header",
        "options",
        "top_answer",
        "answer",
        "answers",
        "project",
        "asker",
        "subject",
        "tool",
        "input",
        "cwd",
        "source",
        "suggestions",
        "free_text",
        "skill",
        "why",
        "would_answer",
        "chosen_instead",
        "remedy",
        "template_text",
    ];
    match value {
        Value::String(text) if is_text && text.chars().count() > 3 => found.push(text),
        Value::Array(values) => values.iter().for_each(|one| texts(one, is_text, found)),
        Value::Object(fields) => {
            for (name, one) in fields {
                texts(one, TEXTS.contains(&name.as_str()), found);
            }
        }
        _ => {}
    }
}

#[test]
fn a_redacted_report_has_no_text_project_or_answer() {
    let secret = || {
        let mut document = with_preferences(document());
        document.report.permissions = crate::permissions::permissions(true);
        document.report.has_permissions = true;
        document
    };
    let whole = serde_json::to_value(secret()).unwrap();
    let mut found = Vec::new();
    texts(&whole, false, &mut found);
    // Computed keys stay.
    found.retain(|text| *text != "(typed)" && !is_made_up(text));
    assert!(found.len() > 60, "{found:?}");
    let redacted = secret().redacted().with_sentences();
    let json = in_json(&redacted);
    // Without its style and script.
    let page = |document: &ReportDocument| {
        let page = html::report_page(document, 50);
        let (head, rest) = page.split_once("<style>").unwrap();
        let (_, rest) = rest.split_once("</style>").unwrap();
        let (body, _) = rest.split_once("<script>").unwrap();
        format!("{head}{body}")
    };
    let listed = {
        let mut without = secret().redacted();
        without.report.permissions.detail = None;
        without.with_sentences()
    };
    for written in [
        json.clone(),
        page(&listed),
        markdown(&listed, 50),
        markdown(&redacted, 50),
        csv::report(&redacted).unwrap(),
        terminal(200, false, &listed),
    ] {
        assert!(
            written.contains("project-1") || written.contains("prompt-1"),
            "{written}"
        );
        for text in &found {
            assert!(!written.contains(text), "{text}: {written}");
        }
    }
    // The figures stay.
    let redacted: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(redacted["totals"], whole["totals"]);
    assert_eq!(
        redacted["questions"][0]["asked"],
        whole["questions"][0]["asked"]
    );
    // One question has one number wherever it is named.
    assert_eq!(whole["questions"][4]["question_key"], "commit-now");
    let number = &redacted["questions"][4]["question_key"];
    assert!(
        number.as_str().unwrap().starts_with("question-"),
        "{number}"
    );
    assert_eq!(redacted["questions"][4]["question"], *number);
}

/// One preference in each state, its texts hostile.
fn with_preferences(mut document: ReportDocument) -> ReportDocument {
    document.standing_preferences = preferences();
    document
}

fn preferences() -> Vec<StandingPreference> {
    let states = [
        (State::OnTrial, Cause::Set),
        (State::On, Cause::TrialAgreed),
        (State::Stopped, Cause::TwoDisagreed),
    ];
    let preference = |(state, reason): (State, Cause)| StandingPreference {
        name: format!("key-{state:?}").to_lowercase(),
        question_key: format!("key-{state:?}").to_lowercase(),
        preference: Policy::NeverAsk,
        level: Level::Standing,
        answer: (state != State::OnTrial).then(|| "Gr\u{1b}[31mid|<b>".to_owned()),
        scope: Scope::Project,
        project: Some("p".to_owned()),
        set_at: None,
        standing: Standing {
            decided: 120,
            spot_checks: 7,
            agreed: 5,
            last_confirmed: Some(day("2026-08-01")),
            last_used: Some(day("2026-11-01")),
            state,
            since: Some(day("2026-11-01")),
            reason,
            counted: 5,
            would_answer: Some("Gr\u{1b}[31mid|<b>".to_owned()),
            chosen_instead: Some("List".to_owned()),
            checks: vec![
                CheckResult {
                    day: day("2026-08-01"),
                    agreed: true,
                },
                CheckResult {
                    day: day("2026-11-01"),
                    agreed: false,
                },
            ],
            asked_as_new: Vec::new(),
        },
        remedy: (state == State::Stopped).then(|| "plantune prefs clear k".to_owned()),
    };
    states.map(preference).into()
}

#[test]
fn preferences_are_shown_with_what_to_do() {
    let document = with_preferences(empty(heading(), None));
    let text = terminal(80, false, &document);
    let (_, section) = text.split_once("Your preferences").unwrap();
    insta::assert_snapshot!(section, @r#"
    , since each was set
    question     answer         answered  checked  agreed  state     since
    key-ontrial  (recommended)       120        7       5  on trial  1 Nov 2026
    key-on       Grid|<b>            120        7       5  on        1 Nov 2026
    key-stopped  Grid|<b>            120        7       5  stopped   1 Nov 2026
    key-stopped, stopped since 1 Nov 2026: two checks disagreed: it would have
    answered "Grid|<b>", you chose "List". You are asked every time. To remove it:
    `plantune prefs clear k`
    "#);
    let markdown = markdown(&document, 10);
    for text in [&text, &markdown] {
        assert!(!text.contains('\u{1b}'));
    }
    assert!(markdown.contains("## Your preferences") && !markdown.contains("<b>"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in 40..=200 {
        let with_preferences = with_preferences(document());
        for document in [
            document(),
            with_preferences,
            empty(heading(), Some(day("2026-10-01"))),
        ] {
            let text = terminal(width, false, &document);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
        }
    }
}

#[test]
fn colour_only_when_asked_for() {
    let (plain, coloured) = (
        terminal(80, false, &document()),
        terminal(80, true, &document()),
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
    insta::assert_snapshot!(terminal(80, false, &empty(heading(), None)), @r"
    2026-W47, Mon 16 – Sun 22 Nov 2026 so far, Europe/Berlin

    No questions yet.

    Run `plantune import claude-code` to read your past questions, then `plantune
    install` to log new ones.
    ");
    let last = Some(day("2026-10-01"));
    insta::assert_snapshot!(terminal(80, false, &empty(heading(), last)), @r"
    2026-W47, Mon 16 – Sun 22 Nov 2026 so far, Europe/Berlin

    Nothing in this period. The last day with a question was Thu 1 Oct 2026.

    Run `plantune report --week 2026-W40` to see that week.
    ");
    let project = Heading {
        project: Some("/home/ann/my `notes`".into()),
        span: PeriodKind::Range,
        running: false,
        ..heading()
    };
    insta::assert_snapshot!(markdown(&empty(project.clone(), last), 10), @r"
    # What agents asked: Mon 16 – Sun 22 Nov 2026, Europe/Berlin

    Project /home/ann/my \`notes\`

    Nothing in this period. The last day with a question was Thu 1 Oct 2026.

    Run <code>plantune report --week 2026-W40 --project '/home/ann/my \`notes\`'</code> to see that week.
    ");
    insta::assert_snapshot!(terminal(80, false, &empty(project, None)), @r"
    Mon 16 – Sun 22 Nov 2026, Europe/Berlin
    Project /home/ann/my `notes`

    No questions in this project yet.

    Run `plantune report` to see every project.
    ");
}

/// The report's questions: of these ones, and `once` others that came up once.
fn of_questions(mut questions: Vec<QuestionCounts>, once: u64) -> ReportDocument {
    let mut report = report();
    report.question_keys = questions.len() as u64 + once;
    report.asked_once = once;
    questions.extend((1..=once).map(|number| {
        let text = format!("Asked once, number {number}?");
        let mut other = question("b", &text, [0, 0], "");
        other.dismissed = 1;
        other
    }));
    report.questions = questions;
    ReportDocument::new(heading(), report, None).with_sentences()
}

/// The heading of the questions and what stands below it.
fn questions_of(document: &ReportDocument) -> String {
    let text = terminal(80, false, document);
    let section = text.lines().skip_while(|line| *line != "Questions");
    let section: Vec<&str> = section.take_while(|line| !line.is_empty()).collect();
    section.join("\n")
}

#[test]
fn what_was_asked_once_is_counted_and_listed_where_it_is_wanted() {
    let twice = question("a", "Asked twice?", [1, 0], "Yes");
    let mut several = of_questions(vec![twice], 2);
    insta::assert_snapshot!(questions_of(&several), @r"
    Questions
    question      times  usual answer      median  as recommended
    Asked twice?      2  Yes           3 min 20 s        88% of 8
    2 questions came up only once. `plantune report --week 2026-W47 --all` lists
    them.
    ");
    several.lists_all = true;
    insta::assert_snapshot!(questions_of(&several), @r"
    Questions
    question               times  usual answer      median  as recommended
    Asked twice?               2  Yes           3 min 20 s        88% of 8
    Asked once, number 1?      1  –                      –               –
    Asked once, number 2?      1  –                      –               –
    ");
    let one = of_questions(Vec::new(), 1);
    let text = terminal(80, false, &one);
    let line = "1 question came up only once. `plantune report --week 2026-W47 --all` lists it.";
    assert!(text.replace('\n', " ").contains(line), "{text}");
    let markdown = markdown(&one, 10);
    assert!(markdown.contains("\n\n1 question came up only once."));
}

#[test]
fn nothing_is_compared_with_an_empty_period() {
    let report = Report {
        previous: Totals::default(),
        ..report()
    };
    let text = terminal(
        80,
        false,
        &ReportDocument::new(heading(), report, None).with_sentences(),
    );
    assert!(!text.contains("Compared with"), "{text}");
    let report = Report {
        history_begins: Some(day("2026-11-11")),
        ..self::report()
    };
    let begun = ReportDocument::new(heading(), report, None).with_sentences();
    let text = terminal(80, false, &begun);
    let line = "Your history begins on Wed 11 Nov 2026, so there is no earlier period";
    assert!(
        text.contains(line) && !text.contains("Compared with"),
        "{text}"
    );
}

#[test]
fn an_overview_compares_nothing_and_lists_less() {
    let mut out = Terminal::new(80, false);
    show_overview(&document(), 5, &mut out);
    insta::assert_snapshot!(out.into_text());
}

#[test]
fn sentences_are_said_where_they_say_something() {
    let said = |report: Report, can_notify: bool| {
        let mut document = ReportDocument::new(heading(), report, None);
        document.can_notify = can_notify;
        let document = document.with_sentences();
        let sentences = document.summary.iter().chain(&document.stands_out);
        let lines = sentences.map(|one| {
            let show = one.show.as_deref().unwrap_or_default();
            let kind = serde_json::to_value(one.kind).unwrap();
            format!("{}: {} {show}", kind.as_str().unwrap(), one.text)
                .trim_end()
                .to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let totals = |totals: Totals| Report {
        totals,
        asks_most: None,
        rejected_calls: None,
        ..report()
    };
    insta::assert_snapshot!(said(report(), true), @r#"
    stopped: 54 questions this week. Agents waited 9 h 18 min; answering took you 2 h 05 min.
    answered_for_you: You were asked 47 questions; 7 were answered for you. That saved about 3 min 20 s.
    unanswered: You left 3 questions unanswered. For 1 of them, the agent stopped waiting and went on: nobody chose. 2 questions could not be asked. 1 question is still open.
    asks_most: 30 of the 47 questions you were asked in /home/ann/my `notes` came from <b>plan</b>`*`. plantune report --week 2026-W47 --by asker --project '/home/ann/my `notes`'
    nobody_there: Agents waited 7 h 12 min while you were away. Claude Code can ring the terminal's bell when it needs you: plantune install --notify
    rejected_calls: Claude Code rejected 2 malformed calls from <b>plan</b>`*`, which then asked again. Its author can fix that: plantune sql "SELECT asked_at, question, answer FROM questions WHERE outcome <> 'auto_decided' AND reason = 'validation' AND day BETWEEN '2026-11-16' AND '2026-11-22'"
    "#);
    let quiet = Totals {
        asked: 1,
        questions: 1,
        answered: 1,
        ..Totals::default()
    };
    insta::assert_snapshot!(said(totals(quiet), false), @"stopped: 1 question this week.");
    let prompts = Report {
        permissions: Permissions {
            asked: 1,
            seconds_waited: 5.0,
            ..Permissions::default()
        },
        ..totals(Totals::default())
    };
    insta::assert_snapshot!(said(prompts, false), @"stopped: 1 permission prompt this week. Agents waited 5 s; answering took you 5 s.");
    let answered = Totals {
        questions: 3,
        auto_decided: 3,
        ..Totals::default()
    };
    insta::assert_snapshot!(said(totals(answered), false), @r"
    stopped: 3 questions this week.
    answered_for_you: You were asked 0 questions; 3 were answered for you.
    ");
    assert_eq!(said(totals(Totals::default()), true), "");
}

// `report --by`: the questions in groups in every format, and what counts as away.

/// A week with a night in it.
fn night() -> ReportDocument {
    let days = |start: &str, end: &str| DayRange {
        start: start.parse().unwrap(),
        end: end.parse().unwrap(),
    };
    let heading = Heading {
        period: days("2026-11-16", "2026-11-22"),
        previous: days("2026-11-09", "2026-11-15"),
        span: PeriodKind::Week,
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
    ReportDocument::new(heading, report, None).with_sentences()
}

fn grouped(by: GroupKey) -> ReportDocument {
    let group = |name: Option<&str>, questions, away_answers| QuestionGroup {
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
    let mut document = night();
    document.groups = Some(QuestionGroups { by, groups });
    document
}

fn groups_on_terminal(width: usize, document: &ReportDocument) -> String {
    let mut out = Terminal::new(width, false);
    show(document, 10, &mut out);
    out.into_text()
}

#[test]
fn groups_in_place_of_the_questions() {
    let mut shown = String::new();
    for width in [60, 80, 140] {
        let text = groups_on_terminal(width, &grouped(GroupKey::Asker));
        let (_, table) = text.split_once("\nBy asker").unwrap();
        let table = table.split("\n\n").next().unwrap();
        shown += &format!("{width} columns\n{table}\n\n");
        assert!(!text.contains("\nQuestions\n"));
    }
    let markdown = markdown(&grouped(GroupKey::SessionKind), 2);
    let (_, table) = markdown.split_once("## By session kind").unwrap();
    let table = table.split("\n\n##").next().unwrap();
    shown += &format!("Markdown, two of them\n{table}\n\n");
    shown += &format!("CSV\n{}", csv::report(&grouped(GroupKey::Asker)).unwrap());
    insta::assert_snapshot!(shown);
    let json: Value = serde_json::from_str(&in_json(&grouped(GroupKey::SessionKind))).unwrap();
    assert_eq!(json["by"], "session-kind");
    assert_eq!(json["groups"][1]["name"], Value::Null);
    assert_eq!(json["groups"][1]["away_answers"], 7);
    let without: Value = serde_json::from_str(&in_json(&night())).unwrap();
    assert_eq!((without.get("by"), without.get("groups")), (None, None));
}

#[test]
fn the_page_has_the_table() {
    let page = html::report_page(&grouped(GroupKey::Header), 2);
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
    let width = |width| groups_on_terminal(width, &night());
    insta::assert_snapshot!(width(80));
    let said = |of: &ReportDocument| markdown(of, 10);
    let with = |seconds: f64| {
        let mut one = night();
        one.report.totals.waiting_away_seconds = seconds;
        one.with_sentences()
    };
    assert!(
        said(&with(25_920.0))
            .contains("Agents waited 7\u{a0}h\u{a0}12\u{a0}min while you were away.")
    );
    // Less than ten minutes is no news.
    assert!(!said(&with(599.0)).contains("while you were away."));
}
