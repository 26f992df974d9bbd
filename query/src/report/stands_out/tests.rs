//! What may be said of sums made up at random, and of sums in which one thing sticks out.

mod lines;
mod random;

use chrono::{Days as Span, NaiveDate};
use proptest::prelude::*;

use super::chance::{Logs, number};
use super::choose::findings;
use super::facts::{Facts, OfQuestion, Session, Sums};
use super::{Finding, LEAST_QUESTIONS, MOST, Says};
use crate::report::{Days, Request};

pub(super) fn day(day: u64) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 16).unwrap() + Span::new(day)
}

/// 2026-W47, which is over, without a question.
pub(super) fn empty() -> Facts {
    let period = Days {
        start: day(0),
        end: day(6),
    };
    let previous = Days {
        start: day(0) - Span::new(7),
        end: day(0) - Span::new(1),
    };
    Facts::new(&Request {
        period,
        previous,
        today: day(7),
        project: None,
        limit: None,
        prompts: false,
    })
}

pub(super) fn sums(asked: u64, seconds: f64) -> Sums {
    Sums {
        asked,
        calls: asked,
        seconds,
    }
}

/// A question of three options that was asked and answered so often, ten seconds each.
fn of_question(asked: u64, before: u64) -> OfQuestion {
    let log = 10_f64.ln();
    OfQuestion {
        text: "Which?".to_owned(),
        now: sums(asked, 10.0 * number(asked)),
        before: sums(before, 10.0 * number(before)),
        answered: asked,
        one_way: 0,
        typed: 0,
        recommended: 0,
        followed: 0,
        options: 3,
        timed: asked,
        logs: Logs {
            n: number(asked),
            sum: log * number(asked),
            squares: log * log * number(asked),
        },
    }
}

fn add(facts: &mut Facts, key: &str, sums: OfQuestion) {
    let name = ("shop".to_owned(), key.to_owned());
    facts.questions.entry(name).or_default().add(sums);
}

fn kinds(facts: &Facts) -> Vec<&'static str> {
    findings(facts).iter().map(|one| one.says.kind()).collect()
}
