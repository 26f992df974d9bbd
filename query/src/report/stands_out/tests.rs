//! What may be said of sums made up at random, and of sums in which one thing sticks out.

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

#[test]
fn nothing_stands_out_of_nothing() {
    assert_eq!(findings(&empty()), []);
}

#[test]
fn the_options_that_rarely_fit() {
    for (typed, answered, stands_out) in [(5, 5, true), (4, 4, false), (3, 6, false), (5, 8, true)]
    {
        let mut facts = empty();
        let question = OfQuestion {
            typed,
            ..of_question(answered, answered)
        };
        add(&mut facts, "why", question);
        let found = kinds(&facts);
        let expected: &[&str] = if stands_out {
            &["options_rarely_fit"]
        } else {
            &[]
        };
        assert_eq!(found, expected, "{typed} of {answered}");
    }
}

#[test]
fn what_is_always_answered_as_recommended() {
    for (followed, recommended, answered, stands_out) in [
        (5, 5, 5, true),
        (4, 4, 4, false),
        // All but one is not always, nor is what was never recommended.
        (29, 30, 30, false),
        (5, 5, 6, false),
    ] {
        let mut facts = empty();
        let question = OfQuestion {
            followed,
            recommended,
            ..of_question(answered, answered)
        };
        add(&mut facts, "next", question);
        let expected: &[&str] = if stands_out {
            &["always_recommended"]
        } else {
            &[]
        };
        assert_eq!(kinds(&facts), expected, "{followed} of {recommended}");
    }
}

#[test]
fn a_busy_day_is_one_that_chance_would_not_give() {
    for (busy, stands_out) in [(4, false), (5, false), (25, true)] {
        let mut facts = empty();
        for number in 0..5 {
            let asked = if number == 1 { busy } else { 3 };
            facts.days.insert(day(number), sums(asked, 10.0));
        }
        let found = findings(&facts);
        assert_eq!(!found.is_empty(), stands_out, "{busy}");
        if stands_out {
            let says = Says::BusiestDay {
                day: day(1),
                asked: 25,
                of: 37,
                days: 5,
            };
            assert_eq!(found[0].says, says);
        }
    }
}

#[test]
fn a_period_of_weeks_has_a_busy_day_of_the_week() {
    let mut facts = empty();
    facts.period.end = day(27);
    facts.today = day(28);
    for number in 0..28 {
        let asked = if number % 7 == 1 { 12 } else { 3 };
        facts.days.insert(day(number), sums(asked, 10.0));
    }
    let says = Says::BusiestWeekday {
        weekday: 2,
        asked: 48,
        of: 120,
        days: 4,
        of_days: 28,
    };
    assert_eq!(findings(&facts)[0].says, says);
}

#[test]
fn one_day_alone_is_not_the_busiest_of_any() {
    let mut facts = empty();
    facts.days.insert(day(0), sums(50, 500.0));
    let nine = facts.hours.entry(9).or_default();
    nine.insert(day(0), sums(50, 500.0));
    assert_eq!(findings(&facts), []);
}

#[test]
fn four_questions_of_one_call_are_chance_once() {
    let mut facts = empty();
    for number in 0..7 {
        let (asked, calls) = if number == 3 { (16, 4) } else { (2, 2) };
        let sums = Sums {
            asked,
            calls,
            seconds: 10.0,
        };
        facts.days.insert(day(number), sums);
    }
    assert_eq!(findings(&facts), []);
}

#[test]
fn who_asks_most() {
    let mut facts = empty();
    facts.days.insert(day(0), sums(40, 400.0));
    facts
        .askers
        .insert(Some("review".to_owned()), sums(30, 300.0));
    facts.askers.insert(Some("plan".to_owned()), sums(5, 50.0));
    facts.askers.insert(None, sums(5, 50.0));
    let found = findings(&facts);
    assert_eq!((found[0].name.as_str(), found[0].n), ("asks_most", 30));
    assert_eq!(found[0].seconds_a_week, 300.0);
    // Most are of nobody that is known: nothing to be said.
    facts.askers.insert(None, sums(30, 300.0));
    facts
        .askers
        .insert(Some("review".to_owned()), sums(5, 50.0));
    assert_eq!(findings(&facts), []);
}

#[test]
fn the_session_that_was_stopped_most() {
    let mut facts = empty();
    facts.days.insert(day(0), sums(40, 400.0));
    facts.session = Some(Session {
        session_id: "s".to_owned(),
        project: "shop".to_owned(),
        day: day(0),
        sums: sums(20, 200.0),
        sessions: 10,
    });
    assert_eq!(kinds(&facts), ["most_stopped_session"]);
    facts.session.as_mut().unwrap().sums = sums(6, 60.0);
    assert_eq!(findings(&facts), []);
}

#[test]
fn what_waits_longest() {
    let mut facts = empty();
    add(&mut facts, "quick", of_question(20, 20));
    let log = 300_f64.ln();
    let slow = OfQuestion {
        now: sums(6, 1800.0),
        logs: Logs {
            n: 6.0,
            sum: 6.0 * log,
            squares: 6.0 * log * log,
        },
        ..of_question(6, 6)
    };
    add(&mut facts, "slow", slow);
    let found = findings(&facts);
    let Says::LongestWait {
        question,
        answers,
        seconds,
        other_answers,
        other_seconds,
    } = &found[0].says
    else {
        panic!("{found:?}");
    };
    assert_eq!((question.question_key.as_str(), *answers), ("slow", 6));
    assert_eq!(
        (*seconds, *other_answers, *other_seconds),
        (1800.0, 20, 200.0)
    );
    // Six answers took 1800 s, of which others would have taken 60.
    assert_eq!(found[0].seconds_a_week, 1740.0);
}

#[test]
fn a_change_is_named_with_its_cause() {
    let mut facts = empty();
    add(&mut facts, "same", of_question(10, 10));
    add(&mut facts, "more", of_question(30, 2));
    let found = findings(&facts);
    let change = found.iter().find(|one| one.name == "change").unwrap();
    assert_eq!(change.n, 52);
    let Says::Change {
        asked,
        before,
        days,
        days_before,
        cause,
    } = &change.says
    else {
        panic!("{change:?}");
    };
    assert_eq!((*asked, *before, *days, *days_before), (40, 12, 7, 7));
    let (question, now, then) = cause.as_ref().unwrap();
    assert_eq!(
        (question.question_key.as_str(), *now, *then),
        ("more", 30, 2)
    );
}

#[test]
fn a_week_that_is_not_over_is_no_change() {
    // Tuesday: 8 in two days, after 28 in seven.
    let mut facts = empty();
    facts.today = day(1);
    add(&mut facts, "same", of_question(8, 28));
    assert_eq!(findings(&facts), []);
    // On Tuesday without a question, the day before may be the only one that is over.
    let mut facts = empty();
    facts.today = day(1);
    add(&mut facts, "same", of_question(1, 28));
    assert_eq!(findings(&facts), []);
    // As many on Tuesday as in the whole week before are more.
    let mut facts = empty();
    facts.today = day(1);
    add(&mut facts, "more", of_question(28, 28));
    assert!(kinds(&facts).contains(&"change"));
}

/// Sums of a question whose every answer was given at random, times within a factor of ten.
fn random_question() -> impl Strategy<Value = OfQuestion> {
    let answers = prop::collection::vec((0_u32..4, 0_u32..3, 1.0_f64..10.0), 0..30);
    (answers, 0_u64..30).prop_map(|(answers, before)| {
        let count = |is: &dyn Fn(&(u32, u32, f64)) -> bool| {
            answers.iter().filter(|one| is(one)).count() as u64
        };
        let logs = || answers.iter().map(|one| one.2.ln());
        let n = answers.len() as u64;
        OfQuestion {
            text: "Which?".to_owned(),
            now: sums(n, answers.iter().map(|one| one.2).sum()),
            before: sums(before, 5.0 * before as f64),
            answered: n,
            typed: count(&|one| one.0 == 0),
            recommended: n,
            followed: count(&|one| one.1 == 0),
            options: 3,
            timed: n,
            logs: Logs {
                n: n as f64,
                sum: logs().sum(),
                squares: logs().map(|log| log * log).sum(),
            },
        }
    })
}

/// Sums of anything.
fn any_facts() -> impl Strategy<Value = Facts> {
    let some = || (0_u64..60, 0.0_f64..5000.0).prop_map(|(asked, seconds)| sums(asked, seconds));
    (
        prop::collection::vec(random_question(), 0..12),
        prop::collection::btree_map(0_u32..24, ((0_u64..7).prop_map(day), some()), 0..24),
        prop::collection::btree_map((0_u64..7).prop_map(day), some(), 0..7),
        prop::collection::btree_map(prop::option::of("[a-c]"), some(), 0..4),
        some(),
        1_u64..20,
    )
        .prop_map(|(questions, hours, days, askers, session, sessions)| {
            let mut facts = empty();
            for (number, sums) in questions.into_iter().enumerate() {
                add(&mut facts, &number.to_string(), sums);
            }
            for (hour, (day, sums)) in hours {
                facts.hours.entry(hour).or_default().insert(day, sums);
            }
            facts.days = days;
            facts.askers = askers;
            facts.session = Some(Session {
                session_id: "s".to_owned(),
                project: "shop".to_owned(),
                day: day(0),
                sums: session,
                sessions,
            });
            facts
        })
}

proptest! {
    #[test]
    fn never_more_than_five_lines_and_none_of_fewer_than_five_questions(facts in any_facts()) {
        let found = findings(&facts);
        prop_assert!(found.len() <= MOST);
        let worth: Vec<f64> = found.iter().map(|one| one.seconds_a_week).collect();
        prop_assert!(worth.is_sorted_by(|one, next| one >= next), "{worth:?}");
        for one in &found {
            prop_assert!(one.n >= LEAST_QUESTIONS, "{one:?}");
            prop_assert!(one.seconds_a_week.is_finite() && one.seconds_a_week >= 0.0, "{one:?}");
            let of_kind = found.iter().filter(|other| other.says.kind() == one.says.kind());
            prop_assert!(of_kind.count() <= 2);
            let named = found.iter().filter(|other| other.name == one.name);
            prop_assert_eq!(named.count(), 1);
        }
    }
}

/// A generator of numbers that are the same in every run: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

/// A week in which everything is chance: `n` questions, evenly over ten texts, seven days, nine hours, three
/// askers and eight sessions, answered with one of three options or typed, in 5 to 50 seconds; and a week
/// before of the same kind.
fn week_of_chance(numbers: &mut Numbers, n: u64) -> Facts {
    let mut facts = empty();
    let mut sessions = [Sums::default(); 8];
    for question in 0..2 * n {
        let key = numbers.below(10).to_string();
        let answer = numbers.below(4);
        let seconds = 5.0 + number(numbers.below(46));
        let one = sums(1, seconds);
        if question >= n {
            let before = OfQuestion {
                before: one,
                ..OfQuestion::default()
            };
            add(&mut facts, &key, before);
            continue;
        }
        let sums = OfQuestion {
            text: key.clone(),
            now: one,
            before: Sums::default(),
            answered: 1,
            typed: u64::from(answer == 3),
            recommended: 1,
            followed: u64::from(answer == 0),
            options: 3,
            timed: 1,
            logs: Logs {
                n: 1.0,
                sum: seconds.ln(),
                squares: seconds.ln().powi(2),
            },
        };
        add(&mut facts, &key, sums);
        let day = day(numbers.below(7));
        facts.days.entry(day).or_default().add(one);
        let hour = 9 + u32::try_from(numbers.below(9)).unwrap();
        let of_hour = facts.hours.entry(hour).or_default();
        of_hour.entry(day).or_default().add(one);
        let asker = ["plan", "review", "write"][usize::try_from(numbers.below(3)).unwrap()];
        facts
            .askers
            .entry(Some(asker.to_owned()))
            .or_default()
            .add(one);
        sessions[usize::try_from(numbers.below(8)).unwrap()].add(one);
    }
    facts.session = sessions
        .iter()
        .max_by_key(|sums| sums.asked)
        .map(|most| Session {
            session_id: "s".to_owned(),
            project: "shop".to_owned(),
            day: day(0),
            sums: *most,
            sessions: 8,
        });
    facts
}

#[test]
fn of_chance_alone_few_lines_are_said() {
    let mut numbers = Numbers(1);
    let weeks = 400;
    let mut lines: Vec<Finding> = Vec::new();
    for week in 0..weeks {
        lines.extend(findings(&week_of_chance(&mut numbers, 20 + week % 180)));
    }
    // Eight kinds, each of which may be wrong in one week of twenty or of a hundred.
    assert!(
        lines.len() <= 400 / 5,
        "{} lines in {weeks} weeks",
        lines.len()
    );
}
