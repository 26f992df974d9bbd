//! Suggestions for the renderers' tests.

use chrono::NaiveDate;
use plantune_domain::binding::Form;
use plantune_domain::cost::QuestionKind;
use plantune_domain::preferences::AssistMode;
use plantune_query::backtest::{ByLevel, Score};
use plantune_query::binding::Binding;
use plantune_query::suggest::{
    Asked, EVERYWHERE, Evidence, InForce, Lacks, Level, Reason, Rejected, Suggestion, Suggestions,
    WrongAnswer,
};

fn day(text: &str) -> Option<NaiveDate> {
    Some(text.parse().unwrap())
}

/// Two proposals, one hostile, and rejections of both kinds.
pub(crate) fn sample() -> Suggestions {
    let asked = |key: &str, question: &str| Asked {
        project: "github.com/o/r".to_owned(),
        question_key: key.to_owned(),
        key_source: "marker".to_owned(),
        template: None,
        name: question.to_owned(),
        question: question.to_owned(),
        header: None,
        options: vec!["Create it (Recommended)".to_owned(), "Skip".to_owned()],
        asker: None,
    };
    let evidence = |answers, agreed| Evidence {
        imported: 0,
        added: 0,
        assisted: 0,
        answers,
        agreed,
        left: 0,
        sessions: 18,
        days: 17,
        first: day("2026-09-01"),
        last: day("2026-11-19"),
        last_disagreement: if answers == agreed {
            None
        } else {
            day("2026-10-02")
        },
    };
    let rejected = |key: &str, reason, evidence| Rejected {
        asked: asked(key, "Which layout?"),
        answer: Some("Grid".to_owned()),
        reason,
        evidence,
        held: None,
        opens: None,
    };
    let lacks = Lacks {
        answers: 3,
        sessions: 0,
        days: 2,
        crowded: None,
    };
    let binding = |texts: &[&str]| Binding {
        forms: texts.iter().map(|text| Form::of_text(text)).collect(),
        ..Binding::default()
    };
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
        assist: score(2, 0),
        trial: score(4, 0),
        standing: score(12, 1),
        checks: 2,
    };
    let mut usual = Suggestion {
        level: Level::Assist,
        assist: Some(AssistMode::First),
        lacks: Some(Reason::WantsToAdd),
        wrong: WrongAnswer {
            kind: QuestionKind::GoOn,
            seconds: 30.0,
        },
        projects: vec!["github.com/o/other".to_owned(), "github.com/o/r".to_owned()],
        hindsight: None,
        asked: asked("todo", "What would you like to do with this todo?"),
        answer: Some("Work on it now".to_owned()),
        confidence: 0.478,
        before: InForce::Nothing,
        asked_per_week: 1.25,
        expected: 0.8,
        evidence: Evidence {
            added: 1,
            ..evidence(5, 4)
        },
        seconds_saved_per_week: 40.0,
        binding: binding(&["What would you like to do with this todo?"]),
    };
    usual.asked.project = EVERYWHERE.to_owned();
    Suggestions {
        askers: Vec::new(),
        suggestions: vec![
            Suggestion {
                level: Level::Standing,
                assist: None,
                lacks: None,
                wrong,
                projects: vec!["github.com/o/r".to_owned()],
                hindsight: Some(hindsight),
                asked: asked("todos-create", "No TODOS.md found. Create one?"),
                answer: Some("Skip".to_owned()),
                confidence: 0.876_543,
                before: InForce::Trial,
                asked_per_week: 5.0,
                expected: 0.951,
                evidence: evidence(25, 24),
                seconds_saved_per_week: 150.0,
                binding: binding(&["No TODOS.md found. Create one?"]),
            },
            Suggestion {
                level: Level::Trial,
                assist: None,
                lacks: Some(Reason::TooLittle(lacks)),
                wrong,
                projects: vec!["github.com/o/r".to_owned()],
                hindsight: None,
                asked: asked("style", "Style\u{1b}[31m\nguide\u{202e}?"),
                answer: None,
                confidence: 0.999_9,
                before: InForce::Assist,
                asked_per_week: 0.5,
                expected: 0.999_99,
                evidence: Evidence {
                    left: 2,
                    last_disagreement: None,
                    ..evidence(22, 20)
                },
                seconds_saved_per_week: 31.25,
                binding: binding(&["Style\u{1b}[31m\nguide\u{202e}?", "Style guide, then?"]),
            },
            usual,
        ],
        rejected: vec![
            rejected("layout", Reason::TooLittle(lacks), evidence(8, 8)),
            rejected("coin", Reason::RecentDisagreement(lacks), evidence(9, 5)),
            rejected(
                "tables",
                Reason::OneWay("always asked (money)".to_owned()),
                evidence(30, 30),
            ),
        ],
    }
}
