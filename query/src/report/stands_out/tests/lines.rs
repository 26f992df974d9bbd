//! Each line that may be said, and when.

use super::*;

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
fn what_may_never_be_answered_is_not_pointed_out() {
    for (one_way, stands_out) in [(0, true), (11, true), (12, false)] {
        let mut facts = empty();
        let question = OfQuestion {
            recommended: 12,
            followed: 12,
            one_way,
            ..of_question(12, 12)
        };
        add(&mut facts, "why", question);
        let is_said = kinds(&facts).contains(&"always_recommended");
        assert_eq!(is_said, stands_out, "{one_way}");
    }
}

#[test]
fn who_asks_most() {
    let mut facts = empty();
    facts.days.insert(day(0), sums(40, 400.0));
    for (asker, asked, seconds) in [
        (Some("/review"), 20, 200.0),
        // The same, started by the model.
        (Some("review"), 10, 100.0),
        (Some("plan"), 5, 50.0),
        (None, 5, 50.0),
    ] {
        facts.add_asker(asker.map(str::to_owned), sums(asked, seconds));
    }
    let found = findings(&facts);
    assert_eq!((found[0].says.kind(), found[0].n), ("asks_most", 30));
    assert_eq!(found[0].seconds_a_week, 300.0);
    let named = |facts: &Facts| match &findings(facts).first()?.says {
        Says::AsksMost { asker, .. } => Some(asker.clone()),
        _ => None,
    };
    assert_eq!(named(&facts).unwrap(), "/review");
    // Most are of nobody that is known: nothing to be said.
    facts.add_asker(None, sums(40, 400.0));
    facts.days.insert(day(0), sums(80, 800.0));
    assert_eq!(findings(&facts), []);
    // A framework is named where none of its commands stands out.
    let mut facts = empty();
    facts.days.insert(day(0), sums(40, 400.0));
    for command in 0..16 {
        facts.add_asker(Some(format!("/gsd:{command}")), sums(2, 20.0));
    }
    facts.add_asker(None, sums(8, 80.0));
    assert_eq!(named(&facts).unwrap(), "gsd:*");
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
    let change = found
        .iter()
        .find(|one| one.says.kind() == "change")
        .unwrap();
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
