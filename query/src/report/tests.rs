use chrono::FixedOffset;

use super::*;

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
}

fn tally(at: u32, session_kind: &str, became: Became, questions: u64) -> DayTally {
    DayTally {
        day: day(at),
        session_kind: session_kind.to_owned(),
        became,
        error_kind: (became == Became::Failed).then(|| "timeout".to_owned()),
        questions,
        calls: 1,
        human_seconds: 0.0005,
        away_answers: 0,
        away_seconds: 0.0,
    }
}

fn tallies() -> Tallies {
    Tallies {
        rows: vec![
            tally(8, "interactive", Became::Answered, 100),
            tally(16, "interactive", Became::Answered, 4),
            tally(16, "headless", Became::Failed, 5),
            tally(17, "interactive", Became::Open, 1),
            tally(19, "interactive", Became::Open, 2),
            tally(19, "interactive", Became::Away, 3),
            tally(19, "interactive", Became::Preference, 6),
        ],
        open_from: day(19),
    }
}

fn week() -> DayRange {
    DayRange {
        start: day(16),
        end: day(22),
    }
}

#[test]
fn open_questions_are_dismissed_after_a_day() {
    let totals = tallies().totals(week());
    assert_eq!((totals.open, totals.dismissed), (2, 1));
    assert_eq!((totals.questions, totals.asked), (21, 12));
    assert_eq!((totals.auto_decided, totals.auto_decided_by.away), (9, 3));
    assert_eq!(totals.calls, 6);
    assert_eq!(totals.human_seconds, 0.003);
}

#[test]
fn every_day_of_the_period_has_its_part() {
    let timeline = tallies().timeline(week(), &BTreeMap::from([(day(17), 3), (day(8), 9)]));
    let parts = timeline.parts.iter();
    let counts: Vec<_> = parts.map(|part| (part.questions, part.prompts)).collect();
    assert_eq!(
        counts,
        [(9, 0), (1, 3), (0, 0), (11, 0), (0, 0), (0, 0), (0, 0)]
    );
    assert_eq!(timeline.parts[0].human_seconds, 0.001);
}

#[test]
fn kinds_and_errors_come_by_frequency_and_name() {
    let sessions = BTreeMap::from([("headless".to_owned(), 7)]);
    let kinds = tallies().session_kinds(week(), &sessions);
    let kinds: Vec<_> = kinds
        .iter()
        .map(|kind| (&*kind.session_kind, kind.questions, kind.sessions))
        .collect();
    assert_eq!(kinds, [("interactive", 16, 0), ("headless", 5, 7)]);
    for (hook_errors, expected) in [
        (0, vec![("timeout", 5)]),
        (5, vec![("hook", 5), ("timeout", 5)]),
        (4, vec![("timeout", 5), ("hook", 4)]),
    ] {
        let errors = tallies().errors(week(), hook_errors);
        let errors: Vec<_> = errors
            .iter()
            .map(|error| (&*error.error_kind, error.times))
            .collect();
        assert_eq!(errors, expected);
    }
}

#[test]
fn hours_are_those_of_the_zone() {
    let at = |text: &str| text.parse::<NaiveDateTime>().unwrap();
    let quarters = [
        (at("2026-11-22T18:00:00"), 1),
        (at("2026-11-22T18:15:00"), 2),
        (at("2026-11-22T18:30:00"), 4),
    ];
    let hour = |weekday, hour, asked| Hour {
        weekday,
        hour,
        asked,
    };
    // Nepal is 5 h 45 min ahead: it is Sunday there until 18:15.
    let nepal = FixedOffset::east_opt(5 * 3600 + 45 * 60).unwrap();
    assert_eq!(by_hour(&quarters, &nepal), [hour(1, 0, 6), hour(7, 23, 1)]);
    assert_eq!(by_hour(&quarters, &Utc), [hour(7, 18, 7)]);
}
