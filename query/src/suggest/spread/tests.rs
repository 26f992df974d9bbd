use super::*;
use crate::evidence::tests::{answer, at};

fn answers(times: &[(&str, &str)]) -> Vec<HumanAnswer> {
    times
        .iter()
        .map(|(session, time)| {
            let mut answer = answer(&["A", "B"], &["A"]);
            answer.session_id = (*session).to_owned();
            answer.at = at(time);
            answer.day = answer.at.date();
            answer
        })
        .collect()
}

fn weighed(answers: &[HumanAnswer], verdicts: &[PolicyVerdict]) -> Weighed {
    let sittings = Sittings::of(answers.iter().map(Sitting::from));
    weigh(&sittings, verdicts.to_vec(), at("2026-11-20 00:00"), 60.0)
}

/// The decisions that agree, the effective number of them, sessions and days.
fn agreeing(answers: &[HumanAnswer]) -> (usize, f64, usize, usize) {
    let weighed = weighed(answers, &vec![PolicyVerdict::Agree; answers.len()]);
    let counted = weighed.count(Within::default().correlation());
    let counted = (counted * 100.0).round() / 100.0;
    (weighed.agreeing, counted, weighed.sessions, weighed.days)
}

#[test]
fn same_words_again_in_one_session_are_a_repetition() {
    let times = [
        ("s", "2026-11-01 10:00"),
        ("s", "2026-11-01 10:09"),
        ("s", "2026-11-01 10:18"),
        ("t", "2026-11-01 10:18"),
        // Hours later, after a decline or a time-out or whatever it was.
        ("s", "2026-11-01 15:28"),
    ];
    assert_eq!(agreeing(&answers(&times)), (2, 2.0, 2, 1));
}

#[test]
fn other_words_in_one_session_are_other_decisions() {
    let times: Vec<(&str, String)> = (0..30)
        .map(|minute| ("s", format!("2026-11-01 10:{minute:02}")))
        .collect();
    let times: Vec<(&str, &str)> = times.iter().map(|(s, time)| (*s, time.as_str())).collect();
    let mut evening = answers(&times);
    for (index, answer) in evening.iter_mut().enumerate() {
        answer.question = format!("More about area {index}?");
    }
    // One evening alone is one answer.
    assert_eq!(agreeing(&evening), (30, 1.0, 1, 1));
    // Of ten sessions of three, each counts for Kish's 3 / (1 + 2 · 0.3).
    for (index, answer) in evening.iter_mut().enumerate() {
        answer.session_id = format!("s{}", index / 3);
        answer.day = answer.at.date() - TimeDelta::days(index as i64 / 3);
    }
    assert_eq!(agreeing(&evening), (30, 18.75, 10, 10));
    // What is of one day does not become independent by sessions of its own.
    for (index, answer) in evening.iter_mut().enumerate() {
        answer.session_id = format!("s{index}");
        answer.day = answer.at.date();
    }
    assert_eq!(agreeing(&evening), (30, 1.0, 30, 1));
}

#[test]
fn what_came_close_together_is_named() {
    let crowded = |place: fn(usize) -> (usize, i64)| {
        let mut habit = answers(&[("s", "2026-11-19 10:00"); 30]);
        for (index, answer) in habit.iter_mut().enumerate() {
            let (session, day) = place(index);
            answer.session_id = format!("s{session}");
            answer.question = format!("More about area {index}?");
            answer.at -= TimeDelta::days(day);
            answer.day = answer.at.date();
        }
        let crowded = weighed(&habit, &vec![PolicyVerdict::Agree; habit.len()]).crowded;
        crowded.map(|one| (one.answers, one.places, one.are_days))
    };
    // 24 on two days, the others on days of their own.
    let two_days = |index| {
        let day = if index < 24 { index / 12 } else { index };
        (index, i64::try_from(day).unwrap())
    };
    assert_eq!(crowded(two_days), Some((24, 2, true)));
    // Three sessions, each over many days.
    let sessions = |index| (index / 10, i64::try_from(index).unwrap());
    assert_eq!(crowded(sessions), Some((30, 3, false)));
    let apart = |index| (index, i64::try_from(index).unwrap());
    assert_eq!(crowded(apart), None);
}

#[test]
fn an_occasion_disagrees_once_when_anything_in_it_does() {
    let answers = answers(&[
        ("s", "2026-11-20 00:00"),
        ("s", "2026-11-20 00:05"),
        ("s", "2026-11-20 00:10"),
        ("s", "2026-11-20 03:00"),
    ]);
    let verdicts = [
        PolicyVerdict::Agree,
        PolicyVerdict::Disagree,
        PolicyVerdict::Disagree,
        PolicyVerdict::Agree,
    ];
    let weighed = weighed(&answers, &verdicts);
    assert_eq!((weighed.disagreeing, weighed.agreeing), (1, 1));
}

#[test]
fn disagreements_always_count_and_age_halves_both() {
    let answers = answers(&[
        ("s", "2026-09-21 00:00"),
        ("t", "2026-09-21 00:00"),
        ("u", "2026-11-20 00:00"),
    ]);
    let verdicts = [
        PolicyVerdict::Disagree,
        PolicyVerdict::Disagree,
        PolicyVerdict::Agree,
    ];
    let weighed = weighed(&answers, &verdicts);
    assert_eq!((weighed.disagreeing, weighed.agreeing), (2, 1));
    let tally = weighed.independent(Within::default().correlation());
    assert!((tally.disagreeing - 1.0).abs() < 1e-9);
    assert!((tally.agreeing - 1.0).abs() < 1e-9);
}

fn cluster(agreeing: usize, disagreeing: usize) -> Cluster {
    Cluster {
        agreeing,
        disagreeing,
    }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn correlation_by_hand() {
    // Nothing known: the prior.
    assert!(close(Within::default().correlation().0, 0.3));
    // Two sessions of four, one all for and one all against: p = 1/2, expected 6/4, found 0.
    let alike = Within::of([cluster(4, 0), cluster(0, 4)].iter());
    assert_eq!((alike.expected, alike.found), (1.5, 0.0));
    assert!(close(alike.correlation().0, 1.0 - 2.8 / 5.5));
    // Half and half in each: found is 4 · 1/4 a session.
    let mixed = Within::of([cluster(2, 2), cluster(2, 2)].iter());
    assert_eq!((mixed.expected, mixed.found), (1.5, 2.0));
    assert!(close(mixed.correlation().0, 0.15));
    // What is never answered otherwise says nothing.
    let never = Within::of([cluster(9, 0), cluster(7, 0)].iter());
    assert_eq!(never, Within::default());
    let many = (0..50).fold(Within::default(), |sum, _| sum.plus(alike));
    assert!(close(many.correlation().0, 0.9));
}

#[test]
fn cluster_counts_for_few_however_large() {
    let correlation = Correlation(0.25);
    let mut burst = BySize::default();
    (0..30).for_each(|_| burst.add(30, 0.5));
    // Alone it is one answer; beside others a quarter of theirs, and never more than Kish's 30 / 8.25.
    let (count, weight) = burst.effective(correlation);
    assert!(close(count, 1.0) && close(weight, 0.5));
    (0..8).for_each(|_| burst.add(1, 1.0));
    let (count, weight) = burst.effective(correlation);
    assert!(close(count, 10.0) && close(weight, 9.0), "{count} {weight}");
    (0..32).for_each(|_| burst.add(1, 1.0));
    assert!(close(burst.effective(correlation).0, 40.0 + 30.0 / 8.25));
    let mut even = BySize::default();
    (0..15).for_each(|_| even.add(3, 1.0));
    assert!(close(even.effective(correlation).0, 10.0));
    let mut single = BySize::default();
    (0..30).for_each(|_| single.add(1, 0.5));
    assert_eq!(single.effective(correlation), (30.0, 15.0));
}
