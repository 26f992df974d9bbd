//! What stands out in the sample, one finding of each kind.

use plantune_query::report::stands_out::{Finding, Question, Says};

use super::sample::{day, questions};

/// A line of each kind, with hostile texts.
pub(crate) fn findings() -> Vec<Finding> {
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
        n: 9,
        seconds_a_week: 60.5,
        says,
    };
    says.into_iter().map(finding).collect()
}
