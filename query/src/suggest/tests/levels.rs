//! Which level a key is proposed at.

use super::*;

#[test]
fn levels_come_one_after_the_other() {
    let levels = |answers: &str| level(&key("a", answers));
    assert_eq!(levels("rr"), None);
    assert_eq!(levels("rrr"), None);
    assert_eq!(levels("rrrr"), Some(Level::Assist));
    assert_eq!(levels("rrro"), None);
    assert_eq!(levels("rrrorrr"), Some(Level::Assist));
    assert_eq!(levels("rrrrrr"), Some(Level::Trial));
    assert_eq!(levels("rrrrrro"), None);
    assert_eq!(levels(&"r".repeat(12)), Some(Level::Standing));
}

#[test]
fn usual_is_what_is_given_three_times_of_four_and_lately_too() {
    let levels = |answers: &str| level(&key("a", answers));
    for (answers, expected) in [
        ("orrorrror", None),
        ("orrrorrrorrr", Some(Level::Assist)),
        ("rrrrrrrroo", None),
        ("rrrrrrrroor", None),
        ("orrrrrrrrorr", Some(Level::Assist)),
        ("rrrrrrrroorrr", None),
    ] {
        assert_eq!(levels(answers), expected, "{answers}");
    }
    // Twenty-five of one evening, and five other answers.
    let mut burst = key("a", &("ror".to_owned() + &"r".repeat(25) + "orrr"));
    assert_ne!(level(&burst), None);
    for answer in &mut burst.answers[3..28] {
        answer.session_id = "evening".to_owned();
    }
    assert_eq!(level(&burst), None);
}

#[test]
fn what_one_way_questions_are_usually_answered_is_not_shown() {
    let mut texts = key("a", "rrrr");
    for answer in &mut texts.answers {
        answer.question = "Delete the old tables?".to_owned();
    }
    assert_eq!(level(&texts), None);
}

#[test]
fn whoever_adds_something_is_assisted_and_not_answered_for() {
    let mut todo = key("a", &"r".repeat(14));
    for answer in todo.answers.iter_mut().step_by(4) {
        answer.labels.clear();
        answer.said_more = true;
        answer.typed = Some("Yes, create it, and link it".to_owned());
    }
    assert_eq!(level(&todo), Some(Level::Assist));
    assert_eq!(one(&todo), Err(Reason::WantsToAdd));
    // Once in a while is no reason.
    let mut seldom = key("a", &"r".repeat(14));
    seldom.answers[3].clone_from(&todo.answers[4]);
    seldom.answers[3].at -= TimeDelta::days(1);
    assert_eq!(level(&seldom), Some(Level::Standing));
    // What no rule explains differs.
    todo.answers
        .iter_mut()
        .for_each(|answer| answer.typed = None);
    assert_eq!(one(&todo), Err(Reason::Disagreement));
}

#[test]
fn what_a_wrong_answer_costs_is_part_of_it() {
    let with = |header: &str, seconds: f64| {
        let mut habit = key("a", "rrrrrrrrrrorrrr");
        for answer in &mut habit.answers {
            answer.header = Some(header.to_owned());
            answer.human_seconds = Some(seconds);
        }
        let mut found = judged(&[habit]);
        let one = found.suggestions.pop().unwrap();
        (one.wrong.kind.as_str(), one.level)
    };
    assert_eq!(with("Style", 20.0), ("content", Level::Trial));
    assert_eq!(with("Database", 20.0), ("architecture", Level::Assist));
    assert_eq!(with("Database", 90.0), ("architecture", Level::Trial));
}
