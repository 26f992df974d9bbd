//! Proposals for tests.

use chrono::NaiveDate;
use plantune_domain::binding::Form;
use plantune_domain::cost::QuestionKind;
use plantune_domain::permissions::{Reach, Rule};
use plantune_query::binding::Binding;
use plantune_query::permissions::propose::{self, Proposal as RuleProposal, Settings};
use plantune_query::permissions::worth::Worth;
use plantune_query::suggest::{Asked, Evidence, Level, Suggestion, WrongAnswer};

pub(super) fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, day).unwrap_or_default()
}

/// A proposal to answer `question` with `answer`.
pub(super) fn suggestion(question: &str, answer: &str, level: Level) -> Suggestion {
    Suggestion {
        asked: Asked {
            project: "github.com/o/r".to_owned(),
            question_key: "layout".to_owned(),
            key_source: "marker".to_owned(),
            template: None,
            question: question.to_owned(),
            header: None,
            options: vec!["Grid".to_owned(), "List".to_owned()],
        },
        level,
        assist: None,
        lacks: None,
        wrong: WrongAnswer {
            kind: QuestionKind::Content,
            seconds: 120.0,
        },
        projects: vec!["github.com/o/r".to_owned()],
        hindsight: None,
        answer: Some(answer.to_owned()),
        confidence: 0.96,
        expected: 0.99,
        evidence: Evidence {
            answers: 40,
            agreed: 39,
            sessions: 40,
            days: 14,
            first: Some(day(1)),
            last: Some(day(14)),
            last_disagreement: Some(day(2)),
            ..Evidence::default()
        },
        seconds_saved_per_week: 150.0,
        binding: Binding {
            forms: vec![Form::of_text(question)],
            ..Binding::default()
        },
    }
}

/// A proposal to allow `rule`.
pub(super) fn rule(rule: &str) -> RuleProposal {
    RuleProposal {
        rule: Rule::parse(rule).expect("a rule"),
        subject: "npm test".to_owned(),
        reach: Reach::Reads,
        project: "github.com/o/r".to_owned(),
        projects: vec!["github.com/o/r".to_owned()],
        root: "/home/dev/r".to_owned(),
        settings: Settings::Local,
        prompts: 13,
        refused: 0,
        prompts_per_week: 4.5,
        seconds_saved_per_week: Some(95.0),
        also_allows: "Nothing but these words.".to_owned(),
        level: Level::Standing,
        confidence: 0.714,
        evidence: propose::Evidence {
            sessions: 12,
            days: 11,
            imported: 0,
            first: day(1),
            last: day(13),
        },
        worth: Worth {
            mode: None,
            helps: true,
            note: "",
        },
    }
}
