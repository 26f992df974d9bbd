//! What is proposed, and with which evidence.

use super::*;

#[test]
fn a_steady_answer_is_proposed_with_its_evidence() {
    let found = one(&key("a", &"r".repeat(20))).unwrap();
    assert_eq!(found.answer.as_deref(), Some("Create it"));
    assert_eq!(
        found.evidence,
        Evidence {
            answers: 20,
            agreed: 20,
            added: 0,
            assisted: 0,
            imported: 0,
            left: 0,
            sessions: 20,
            days: 20,
            first: Some(at("2026-10-31 00:00").date()),
            last: Some(at("2026-11-19 00:00").date()),
            last_disagreement: None,
        }
    );
    // Twenty askings in four weeks are five a week, thirty seconds each.
    assert!((found.seconds_saved_per_week - 150.0).abs() < 1e-9);
    assert!(found.confidence > 0.75 && found.confidence < found.expected);
}

#[test]
fn the_policy_that_explains_the_answers_wins() {
    // The recommendation moves, and the person follows it.
    assert_eq!(one(&key("a", &"rR".repeat(10))).unwrap().answer, None);
    assert_eq!(
        one(&key("a", &format!("{}R{}", "r".repeat(10), "r".repeat(10))))
            .unwrap()
            .answer,
        None
    );
    // It moves, and the person stays with one label.
    let pinned = one(&key("a", &"rp".repeat(10))).unwrap();
    assert_eq!(pinned.answer.as_deref(), Some("Create it"));
    let against = one(&key("a", &"o".repeat(20))).unwrap();
    assert_eq!(against.answer.as_deref(), Some("Skip"));
}

#[test]
fn doubt_is_not_proposed() {
    for answers in [
        "rorroorrorrorrorrorr",
        "rrtrrtrtrrrtrrrrtrrr",
        "rnrnrrnrnrrnrnrnrrrn",
    ] {
        assert_eq!(
            one(&key("a", answers)),
            Err(Reason::Disagreement),
            "{answers}"
        );
    }
    let recent = one(&key("a", &format!("{}or", "r".repeat(40)))).unwrap_err();
    assert_eq!(recent.name(), "recent_disagreement");
    assert_eq!(recent.lacks().map(|lacks| lacks.answers), Some(1));
    assert!(one(&key("a", &format!("{}orr", "r".repeat(40)))).is_ok());
}

#[test]
fn little_says_what_it_lacks() {
    let Err(Reason::TooLittle(lacks)) = one(&key("a", "rrr")) else {
        panic!("three answers are too little");
    };
    assert_eq!((lacks.sessions, lacks.days), (1, 1));
    // With nothing known of the person, Beta(1 + n, 1) passes 0.74 at n = 9.
    assert!((5..=7).contains(&lacks.answers), "{lacks:?}");
}

#[test]
fn a_burst_is_no_habit() {
    for (sessions, days) in [(1, 30), (30, 1)] {
        let mut burst = key("a", &"r".repeat(30));
        for (index, answer) in (0_i64..).zip(&mut burst.answers) {
            answer.session_id = format!("s{}", index % sessions);
            answer.at = at("2026-10-01 01:00")
                + TimeDelta::days(index % days)
                + TimeDelta::minutes(30 * index);
            answer.day = answer.at.date();
        }
        let mut late = key("a", "rrr").answers;
        burst.answers.append(&mut late);
        assert!(one(&burst).is_err(), "{sessions} sessions, {days} days");
    }
}
