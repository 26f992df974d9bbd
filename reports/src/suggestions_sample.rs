//! Suggestions for the renderers' tests.

use chrono::NaiveDate;
use plantune_domain::binding::Form;
use plantune_query::binding::Binding;
use plantune_query::suggest::{Asked, Evidence, Lacks, Reason, Rejected, Suggestion, Suggestions};

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
        question: question.to_owned(),
        header: None,
        options: vec!["Create it (Recommended)".to_owned(), "Skip".to_owned()],
    };
    let evidence = |answers, agreed| Evidence {
        imported: 0,
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
    };
    let lacks = Lacks {
        answers: 3,
        sessions: 0,
        days: 2,
    };
    let binding = |texts: &[&str]| Binding {
        forms: texts.iter().map(|text| Form::of_text(text)).collect(),
        ..Binding::default()
    };
    Suggestions {
        suggestions: vec![
            Suggestion {
                asked: asked("todos-create", "No TODOS.md found. Create one?"),
                answer: Some("Skip".to_owned()),
                confidence: 0.876_543,
                expected: 0.951,
                evidence: evidence(25, 24),
                seconds_saved_per_week: 150.0,
                binding: binding(&["No TODOS.md found. Create one?"]),
            },
            Suggestion {
                asked: asked("style", "Style\u{1b}[31m\nguide\u{202e}?"),
                answer: None,
                confidence: 0.999_9,
                expected: 0.999_99,
                evidence: Evidence {
                    left: 2,
                    last_disagreement: None,
                    ..evidence(22, 20)
                },
                seconds_saved_per_week: 31.25,
                binding: binding(&["Style\u{1b}[31m\nguide\u{202e}?", "Style guide, then?"]),
            },
        ],
        rejected: vec![
            rejected("layout", Reason::TooLittle(lacks), evidence(8, 8)),
            rejected("coin", Reason::RecentDisagreement(lacks), evidence(9, 5)),
            rejected(
                "tables",
                Reason::OneWay("pair: drop × table".to_owned()),
                evidence(30, 30),
            ),
        ],
    }
}
