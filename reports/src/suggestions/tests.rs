//! Proposals as a person reads them, with hostile texts.

use chrono::NaiveDate;
use plantune_domain::agreement::agreement::{Agreement, Asking, Consent, Given};
use plantune_domain::config::QuestionKind;
use plantune_domain::permissions::{Reach, Rule};
use plantune_domain::preferences::Level;
use plantune_query::permissions::propose::{
    Proposals, RuleEvidence, RuleProposal, UncoveredPrompts, Worth,
};
use plantune_query::permissions::rules::{RuleScope, Tighten};
use plantune_query::suggest::{
    ByLevel, Evidence, Lacks, LastAsked, PriorDecision, RejectReason, Rejected, Score, Suggestion,
    Suggestions, WrongAnswer,
};

use super::{ListedProposal, ProposalList, ProposalsDocument, Screen, entries};
use crate::terminal::Terminal;
use crate::{humanize, text};

fn rules() -> Proposals {
    let day = |text: &str| text.parse().unwrap();
    Proposals {
        proposals: vec![RuleProposal {
            agent: plantune_agents::claude_code::NAME,
            rule: Rule::parse("Bash(npm test)").unwrap(),
            name: "Bash(npm test)".to_owned(),
            subject: "npm test".to_owned(),
            reach: Reach::Reads,
            consent: Consent::Yes,
            project: Some("github.com/o/r".to_owned()),
            projects: vec!["github.com/o/r".to_owned()],
            root: Some("/home/dev/shop".to_owned()),
            scope: RuleScope::Local,
            prompts: 13,
            refused: 1,
            seconds_saved_per_week: Some(95.0),
            prompts_per_week: 3.25,
            also_allows: "Nothing but these words.".to_owned(),
            level: Level::Trial,
            confidence: 0.71,
            evidence: RuleEvidence {
                sessions: 12,
                days: 11,
                imported: 2,
                first: day("2026-11-01"),
                last: day("2026-11-20"),
                only_skill: Some("deploy".to_owned()),
            },
            worth: Worth {
                mode: Some("auto".to_owned()),
                helps: false,
                note: "You mostly work in auto mode.",
            },
        }],
        left: UncoveredPrompts {
            beyond: 7,
            varied: 13,
            refused: 1,
            unsure: 2,
            ..UncoveredPrompts::default()
        },
    }
}

fn wide() -> Vec<Tighten> {
    let tighten = |rule: &str, danger: Option<&str>, used| Tighten {
        rule: Rule::parse(rule).unwrap(),
        file: "/home/dev/.claude/settings.json".to_owned(),
        root: None,
        instead: vec![],
        used,
        never_used: used == 0,
        danger: danger.map(str::to_owned),
        unknown: "Not known.",
    };
    vec![
        tighten("Bash(git push *)", Some("git push --force\u{1b}[2J"), 3),
        tighten("Bash(x\u{202e}y)", None, 0),
    ]
}

fn shown(all: bool, colour: bool, show: impl FnOnce(&mut Screen<'_>)) -> String {
    let today: NaiveDate = "2026-11-20".parse().unwrap();
    let mut screen = Screen {
        out: Terminal::new(80, colour),
        all,
        name: &|project| project.trim_start_matches("github.com/").to_owned(),
        day: &|day| humanize::day(day, today),
    };
    show(&mut screen);
    screen.out.into_text()
}

fn table(
    questions: Option<&Suggestions>,
    rules: &Proposals,
    wide: &[Tighten],
    all: bool,
) -> String {
    let found = ProposalList {
        questions,
        rules,
        tighten: wide,
        notes_on_questions: &[],
        notes: &[],
        read: 121,
        next: " `plantune install` logs them.",
    };
    shown(all, false, |screen| screen.list(&found))
}

fn evidence(entry: &ListedProposal<'_>) -> String {
    shown(false, false, |screen| screen.evidence(1, entry))
}

#[test]
fn a_line_each() {
    insta::assert_snapshot!(table(Some(&sample()), &rules(), &wide(), false), @r#"
    plantune could answer 2 questions in o/r for you, about 5.5 times a week.

    Automatic: plantune answers, and sometimes asks to check. Saves 3 min a week.
    #  handle  question                   your answer     given  asked     now
    1  spxc    No TODOS.md found. Create  Skip         24 of 25  5 a week  trial
                 one?

    Trial: plantune answers, but asks one time in three at first. If you answer
    differently, it stops. Saves 31 s a week.
    #  handle  question                your answer        given  asked      now
    2  msjm    Style guide, then? and  as recommended  20 of 20  2 a month  stopped
                 1 more

    Permission rules: the agent no longer asks for these calls. Saves 3.2 prompts a
    week (1 min 35 s).
    #  handle  rule             allowed  asked       project
    3  pgzp    Bash(npm test)  12 of 13  3.2 a week  o/r

    Not set yet. Next:
      plantune suggest 1            the evidence for this one
      plantune suggest --apply      decide one by one
      plantune suggest 1,2 --apply  decide on these only
    "#);
}

#[test]
fn all_of_it() {
    insta::assert_snapshot!(table(Some(&sample()), &rules(), &wide(), true), @r#"
    plantune could answer 2 questions in o/r for you, about 5.5 times a week.

    Automatic: plantune answers, and sometimes asks to check. Saves 3 min a week.
    #  handle  question                   your answer     given  asked     now
    1  spxc    No TODOS.md found. Create  Skip         24 of 25  5 a week  trial
                 one?

    Trial: plantune answers, but asks one time in three at first. If you answer
    differently, it stops. Saves 31 s a week.
    #  handle  question                your answer        given  asked      now
    2  msjm    Style guide, then? and  as recommended  20 of 20  2 a month  stopped
                 1 more

    Permission rules: the agent no longer asks for these calls. Saves 3.2 prompts a
    week (1 min 35 s).
    #  handle  rule             allowed  asked       project
    3  pgzp    Bash(npm test)  12 of 13  3.2 a week  o/r

    Asked often, but not proposed
    question       why
    Which layout?  needs 3 more matching answers, on 2 more days
    Which layout?  a recent answer differed: needs 3 more matching answers, on 2
                     more days
    Which layout?  always asked (money)
    Which layout?  you often add something to this answer

    Permission prompts that no rule here covers
    prompts  why
          7  reach beyond the project, or may: no rule is ever proposed
         13  had other arguments each time: no narrow rule covers them
          1  you refused, or refused one like them
          2  you have not allowed often enough yet

    Not set yet. Next:
      plantune suggest 1            the evidence for this one
      plantune suggest --apply      decide one by one
      plantune suggest 1,2 --apply  decide on these only
    "#);
}

#[test]
fn rules_alone() {
    insta::assert_snapshot!(table(None, &rules(), &wide(), false), @r"
    Permission rules: the agent no longer asks for these calls. Saves 3.2 prompts a
    week (1 min 35 s).
    #  handle  rule             allowed  asked       project
    1  pgzp    Bash(npm test)  12 of 13  3.2 a week  o/r

    Permission prompts that no rule here covers
    prompts  why
          7  reach beyond the project, or may: no rule is ever proposed
         13  had other arguments each time: no narrow rule covers them
          1  you refused, or refused one like them
          2  you have not allowed often enough yet

    Not set yet. Next:
      plantune suggest 1 --permissions        the evidence for this one
      plantune suggest --apply --permissions  decide one by one
    ");
    insta::assert_snapshot!(table(None, &Proposals::default(), &[], false), @r"
    No permission rule to propose: you have not decided on any permission prompt
    yet. `plantune install` logs them.
    ");
}

#[test]
fn where_nothing_is_proposed_it_says_why() {
    let none = Proposals::default();
    insta::assert_snapshot!(table(Some(&Suggestions::default()), &none, &[], false), @r"
    Nothing can be answered for you yet.

    plantune has read 121 questions. None came up often enough: a proposal needs at
    least 3 matching answers. `plantune install` logs them.
    ");
    let mut found = sample();
    found.suggestions.drain(..2);
    insta::assert_snapshot!(table(Some(&found), &none, &[], false), @r#"
    Nothing can be answered for you yet.

    plantune has read 121 questions; 4 of them keep coming up. The closest is "Which
    layout?": you answered "Grid" 8 of 8 times, and it needs 3 more matching
    answers, on 2 more days. `plantune install` logs them.

    Asked often, but not proposed
    question       why
    Which layout?  needs 3 more matching answers, on 2 more days
    Which layout?  a recent answer differed: needs 3 more matching answers, on 2
                     more days
    Which layout?  always asked (money)
    Which layout?  you often add something to this answer
    "#);
}

#[test]
fn the_evidence_is_in_sentences() {
    let (sample, rules) = (sample(), rules());
    let found = ProposalList {
        questions: Some(&sample),
        rules: &rules,
        tighten: &[],
        notes_on_questions: &[],
        notes: &[],
        read: 121,
        next: "",
    };
    let all = entries(&found);
    let texts: Vec<String> = all.iter().map(evidence).collect();
    insta::assert_snapshot!(texts.join("\n---\n"), @r#"
    1. No TODOS.md found. Create one?

    Asked in o/r 5 times a week. It would save you 2 min 30 s a week. Its key is
    todos-create.

    You answered "Skip" 24 of 25 times, in 18 sessions on 17 days (1 Sep to
    yesterday). You last answered differently on 2 Oct: "Grid". plantune logged all
    of them.

    Automatic: plantune answers with "Skip". Now and then it asks you, as a check.

    It covers this question, however it is worded. If something in it is new and
    matters, you are asked.

    Replayed over your history, it would have been right 4 of 4 on trial, 12 of 13
    when automatic. A wrong answer would cost you about 2 min: the question is about
    content.

    To set it: `plantune suggest spxc --apply`

    ---
    1. Style guide, then? and 1 more

    Asked in o/r twice a month. It would save you 31 s a week. Its key is style.

    You followed the recommendation 20 of 20 times, in 18 sessions on 17 days (1 Sep
    to yesterday). You never answered differently. plantune logged all of them.

    On trial: plantune answers with the recommended answer. It asks you one time in
    three at first. If you answer differently, the trial ends.

    It covers these 2 texts only, with other numbers and files:
      Style guide, then?
      Style guide?

    A wrong answer would cost you about 2 min: the question is about content.

    Not automatic yet: needs 3 more matching answers, on 2 more days.

    To set it: `plantune suggest msjm --apply`

    ---
    1. Bash(npm test)

    The rule goes into .claude/settings.local.json in /home/dev/shop. It is for you
    alone.

    You allowed 12 of 13 of these prompts, in 12 sessions on 11 days (1 Nov to
    today); 2 of them come from imported transcripts.

    They come 3.2 times a week. They cost you 1 min 35 s a week.

    What you allowed reads, tests or builds. The rule covers nothing but these
    words.

    You allowed this only while /deploy was at work. The rule allows it always.

    You mostly work in auto mode.

    To set it: `plantune suggest pgzp --apply`
    "#);
    let text = shown(false, false, |screen| {
        sample.rejected[1..]
            .iter()
            .step_by(2)
            .for_each(|one| screen.refusal(one));
    });
    insta::assert_snapshot!(text, @r#"
    Which layout?

    Asked in o/r. Its key is coin.

    You answered "Grid" 5 of 9 times, in 18 sessions on 17 days (1 Sep to
    yesterday). You last answered differently on 2 Oct: "Grid".

    Not proposed: a recent answer differed: needs 3 more matching answers, on 2 more
    days.
    Which layout?

    Asked in o/r. Its key is todo.

    You answered "Grid" 4 of 4 times, in 18 sessions on 17 days (1 Sep to
    yesterday). One other time you added something to it. You last answered
    differently on 2 Oct: "Grid".

    Not proposed: you often add something to this answer.
    "#);
}

#[test]
fn colour_says_nothing_by_itself() {
    let (sample, rules) = (sample(), rules());
    let found = ProposalList {
        questions: Some(&sample),
        rules: &rules,
        tighten: &[],
        notes_on_questions: &[],
        notes: &[],
        read: 121,
        next: "",
    };
    let written = |colour| shown(true, colour, |screen| screen.list(&found));
    let (plain, coloured) = (written(false), written(true));
    assert!(coloured.contains("\u{1b}[32m") && !plain.contains('\u{1b}'));
    let mut left = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        left.push_str(before);
        rest = sequence.split_once('m').unwrap().1;
    }
    left.push_str(rest);
    assert_eq!(left, plain);
}

#[test]
fn no_two_rows_look_the_same() {
    let question = |name: &str, key: &str, project: &str| {
        let mut one = sample().suggestions.remove(0);
        one.agreement.refers = true;
        one.agreement.texts.clear();
        one.asked.name = name.to_owned();
        one.asked.question_key = key.to_owned();
        one.asked.project = project.to_owned();
        one
    };
    let long = "The lint step of the release found 12 issues. Shall I fix those in ";
    let all = [
        question(&format!("{long}src?"), "src", "a"),
        question(&format!("{long}tests?"), "tests", "a"),
        question("Which layout?", "layout", "a"),
        question("Which layout?", "layout", "b"),
        question("Go on?", "fp-1", "a"),
        question("Go on?", "fp-2", "a"),
        question("Go on then?", "fp-3", "a"),
    ];
    let entries: Vec<ListedProposal<'_>> = all.iter().map(ListedProposal::Question).collect();
    let projects: Vec<String> = all.iter().map(|one| one.asked.project.clone()).collect();
    assert_eq!(
        super::distinguished(&entries, &projects),
        [
            "… those in src?",
            "… those in tests?",
            "Which layout? (a)",
            "Which layout? (b)",
            "Go on? (fp-1)",
            "Go on? (fp-2)",
            "Go on then?",
        ]
    );
}

#[test]
fn how_often_is_in_words() {
    for (a_week, words) in [
        (21.4, "21 times a week"),
        (2.0, "twice a week"),
        (1.5, "1.5 times a week"),
        (1.04, "once a week"),
        (0.8, "0.8 times a week"),
        (0.7, "3 times a month"),
        (0.25, "once a month"),
        (0.05, "less than once a month"),
    ] {
        assert_eq!(super::how_often(a_week), words);
    }
}

fn day(text: &str) -> Option<NaiveDate> {
    Some(text.parse().unwrap())
}

/// Two proposals, one hostile, and rejections of both kinds.
fn sample() -> Suggestions {
    let asked = |key: &str, question: &str| LastAsked {
        project: "github.com/o/r".to_owned(),
        question_key: key.to_owned(),
        key_source: "marker".to_owned(),
        name: question.to_owned(),
        question: question.to_owned(),
        header: None,
        options: vec!["Create it (Recommended)".to_owned(), "Skip".to_owned()],
        asker: None,
    };
    let evidence = |answers, agreed| Evidence {
        imported: 0,
        added: 0,
        answers,
        agreed,
        sessions: 18,
        days: 17,
        first: day("2026-09-01"),
        last: day("2026-11-19"),
        last_disagreement: if answers == agreed {
            None
        } else {
            day("2026-10-02")
        },
        other_answer: (answers != agreed).then(|| "Grid\u{1b}[31m".to_owned()),
    };
    let rejected = |key: &str, reason, evidence| Rejected {
        asked: asked(key, "Which layout?"),
        answer: Some("Grid".to_owned()),
        reason,
        evidence,
    };
    let lacks = Lacks {
        answers: 3,
        sessions: 0,
        days: 2,
        crowded: None,
    };
    let agreed_to = |texts: &[&str], options: &[&str]| {
        let options: Vec<String> = options.iter().map(|&label| label.to_owned()).collect();
        let given: Vec<Given<'_>> = texts
            .iter()
            .map(|text| Given {
                asking: Asking {
                    text,
                    options: &options,
                    ..Asking::default()
                },
                label: &options[0],
                session: text,
            })
            .collect();
        Agreement::of(&given).unwrap()
    };
    let todos = ["Skip", "Create it (Recommended)"];
    let create = ["Create it (Recommended)", "Skip"];
    let wrong = WrongAnswer {
        kind: QuestionKind::Content,
        seconds: 120.0,
    };
    let score = |correct, wrong| Score {
        questions: 25,
        correct,
        wrong,
        ..Score::default()
    };
    let hindsight = ByLevel {
        trial: score(4, 0),
        standing: score(12, 1),
        checks: 2,
    };
    Suggestions {
        suggestions: vec![
            Suggestion {
                level: Level::Standing,
                lacks: None,
                wrong,
                projects: vec!["github.com/o/r".to_owned()],
                hindsight: Some(hindsight),
                asked: asked("todos-create", "No TODOS.md found. Create one?"),
                answer: Some("Skip".to_owned()),
                confidence: 0.876_543,
                before: PriorDecision::Trial,
                asked_per_week: 5.0,
                expected: 0.951,
                evidence: evidence(25, 24),
                seconds_saved_per_week: 150.0,
                consent: Consent::Yes,
                agreement: agreed_to(&["No TODOS.md found. Create one?"], &todos),
            },
            Suggestion {
                level: Level::Trial,
                lacks: Some(RejectReason::TooLittle(lacks)),
                wrong,
                projects: vec!["github.com/o/r".to_owned()],
                hindsight: None,
                asked: asked("style", "Style\u{1b}[31m\nguide\u{202e}?"),
                answer: None,
                confidence: 0.999_9,
                before: PriorDecision::Stopped,
                asked_per_week: 0.5,
                expected: 0.999_99,
                evidence: evidence(20, 20),
                seconds_saved_per_week: 31.25,
                consent: Consent::Type,
                agreement: agreed_to(
                    &["Style\u{1b}[31m\nguide\u{202e}?", "Style guide, then?"],
                    &create,
                ),
            },
        ],
        rejected: vec![
            rejected("layout", RejectReason::TooLittle(lacks), evidence(8, 8)),
            rejected(
                "coin",
                RejectReason::RecentDisagreement(lacks),
                evidence(9, 5),
            ),
            rejected(
                "tables",
                RejectReason::OneWay("always asked (money)".to_owned()),
                evidence(30, 30),
            ),
            rejected(
                "todo",
                RejectReason::WantsToAdd,
                Evidence {
                    added: 1,
                    ..evidence(5, 4)
                },
            ),
        ],
    }
}

#[test]
fn the_document_is_stable() {
    let mut found = sample();
    found.suggestions.remove(0);
    found.rejected.truncate(1);
    let text = text::json_document(&ProposalsDocument::from(ProposalList {
        questions: Some(&found),
        rules: &Proposals::default(),
        tighten: &[],
        notes_on_questions: &[],
        notes: &[],
        read: 121,
        next: "",
    }))
    .unwrap();
    insta::assert_snapshot!(text, @r#"
    {
      "schema_version": 1,
      "suggestions": [
        {
          "handle": "msjm",
          "question_key": "style",
          "name": "Style\u001b[31m\nguide\u202e?",
          "key_source": "marker",
          "question": "Style\u001b[31m\nguide\u202e?",
          "options": [
            "Create it (Recommended)",
            "Skip"
          ],
          "level": "trial",
          "scope": "project",
          "project": "github.com/o/r",
          "projects": [
            "github.com/o/r"
          ],
          "preference": "never-ask",
          "answer": null,
          "covers": [
            "Style guide, then?",
            "Style guide?"
          ],
          "consent": "type",
          "confidence": 0.9999,
          "evidence": {
            "answers": 20,
            "agreed": 20,
            "added": 0,
            "imported": 0,
            "sessions": 18,
            "days": 17,
            "first": "2026-09-01",
            "last": "2026-11-19",
            "last_disagreement": null
          },
          "seconds_saved_per_week": 31.25,
          "kind": "content",
          "wrong_answer_seconds": 120.0,
          "lacks": "needs 3 more matching answers, on 2 more days",
          "backtest": null
        }
      ],
      "rejected": [
        {
          "question_key": "layout",
          "name": "Which layout?",
          "question": "Which layout?",
          "options": [
            "Create it (Recommended)",
            "Skip"
          ],
          "project": "github.com/o/r",
          "reason": "too_little",
          "explanation": "needs 3 more matching answers, on 2 more days",
          "evidence": {
            "answers": 8,
            "agreed": 8,
            "added": 0,
            "imported": 0,
            "sessions": 18,
            "days": 17,
            "first": "2026-09-01",
            "last": "2026-11-19",
            "last_disagreement": null
          }
        }
      ],
      "permissions": [],
      "permissions_left": {
        "beyond": 0,
        "runs_unasked": 0,
        "no_rule": 0,
        "known": 0,
        "mode": 0,
        "refused": 0,
        "varied": 0,
        "unsure": 0
      },
      "tighten": [],
      "notes": []
    }
    "#);
}
