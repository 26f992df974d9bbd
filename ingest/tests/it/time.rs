//! Clocks that jump back, events that arrive late, days of 23 and 25 hours, a week that begins in
//! the old year, a person who moves: what is counted is what a person counts by hand.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use plantune_domain::event::Kind;

use crate::home::{Home, TestEvent};

const BERLIN: &str = "Europe/Berlin";

fn answered(call: u32, at: &str) -> TestEvent {
    TestEvent::new(Kind::Answered, call, at)
}

/// Answered questions of each day; the days are all there are.
fn answers(home: &Home) -> BTreeMap<String, u64> {
    let days = home.days().into_iter();
    days.map(|(day, [answered, others @ ..])| {
        assert_eq!(others, [0; 4], "{day}");
        (day.to_string(), answered)
    })
    .collect()
}

fn days<const N: usize>(days: [(&str, u64); N]) -> BTreeMap<String, u64> {
    days.map(|(day, count)| (day.to_owned(), count)).into()
}

fn outcomes(home: &Home, day: &str) -> [u64; 5] {
    let day: NaiveDate = day.parse().unwrap();
    home.days().get(&day).copied().unwrap_or_default()
}

#[test]
fn a_clock_that_jumps_back_within_a_session() {
    let home = Home::new();
    home.log(
        "2026-11-20.jsonl",
        &[
            TestEvent::new(Kind::SessionStarted, 0, "2026-11-20T10:00:00Z"),
            TestEvent::new(Kind::Asked, 1, "2026-11-20T10:01:00Z"),
            // The clock is set back by an hour and a half, into the day before.
            answered(1, "2026-11-19T23:31:10Z"),
            TestEvent::new(Kind::Asked, 2, "2026-11-19T23:32:00Z"),
            answered(2, "2026-11-19T23:32:20Z"),
            TestEvent::new(Kind::Asked, 3, "2026-11-19T23:33:00Z"),
            TestEvent::new(Kind::SessionEnded, 0, "2026-11-19T23:34:00Z"),
        ],
    );
    home.ingest("UTC");
    home.assert_computed("UTC");
    // An answer before its question is an answer, of unknown duration.
    assert_eq!(outcomes(&home, "2026-11-20"), [1, 0, 0, 0, 0]);
    // The third was not answered, and the session is known to have been seen later.
    assert_eq!(outcomes(&home, "2026-11-19"), [1, 0, 0, 1, 0]);
    // Of a call of two questions.
    let seconds = "SELECT human_seconds::VARCHAR FROM questions WHERE human_seconds IS NOT NULL";
    assert_eq!(home.texts(seconds), ["10.0"]);
    let session = "SELECT concat_ws(' ', first_at, last_at, ended_at) FROM sessions";
    assert_eq!(
        home.texts(session),
        ["2026-11-19 23:34:00 2026-11-20 10:00:00 2026-11-19 23:34:00"]
    );
}

#[test]
fn last_year_is_imported_into_a_store_with_this_year() {
    let home = Home::new();
    home.log(
        "2026-11-19.jsonl",
        &[
            TestEvent::new(Kind::Asked, 1, "2026-11-19T10:00:00Z"),
            answered(1, "2026-11-19T10:00:05Z"),
            // Only the end of it was logged: it began before the hook was installed.
            answered(2, "2026-11-19T10:10:00Z").in_session("old"),
            TestEvent::new(Kind::Asked, 3, "2026-11-19T12:00:00Z").in_session("old"),
        ],
    );
    home.ingest(BERLIN);
    assert_eq!(outcomes(&home, "2026-11-19"), [2, 0, 0, 0, 1]);
    home.log(
        "import-claude-code.jsonl",
        &[
            answered(10, "2025-11-19T10:00:00Z").in_session("old"),
            TestEvent::new(Kind::Asked, 11, "2025-11-20T10:00:00Z").in_session("old"),
            TestEvent::new(Kind::Failed, 12, "2025-11-20T11:00:00Z").in_session("older"),
            // The question that was answered this year was put last year.
            TestEvent::new(Kind::Asked, 2, "2025-12-31T23:30:00Z").in_session("old"),
        ],
    );
    assert_eq!(home.ingest(BERLIN).events, 4);
    home.assert_computed(BERLIN);
    assert_eq!(outcomes(&home, "2025-11-19"), [1, 0, 0, 0, 0]);
    // Its session went on, as the store has known since before it came.
    assert_eq!(outcomes(&home, "2025-11-20"), [0, 0, 1, 1, 0]);
    assert_eq!(outcomes(&home, "2026-01-01"), [1, 0, 0, 0, 0]);
    assert_eq!(outcomes(&home, "2026-11-19"), [1, 0, 0, 0, 1]);
    assert_eq!(home.days().len(), 4);
    // The session goes on, and what was open is no longer.
    home.log(
        "2026-11-20.jsonl",
        &[TestEvent::new(Kind::SessionEnded, 0, "2026-11-20T08:00:00Z").in_session("old")],
    );
    home.ingest(BERLIN);
    home.assert_computed(BERLIN);
    assert_eq!(outcomes(&home, "2026-11-19"), [1, 0, 0, 1, 0]);
}

#[test]
fn days_of_23_and_25_hours() {
    let home = Home::new();
    home.log(
        "2026-03-29.jsonl",
        &[
            // In Berlin 28 March ends at 23:00 UTC, and 29 March, without its hour from two to
            // three, at 22:00 UTC.
            answered(1, "2026-03-28T22:59:59Z"),
            answered(2, "2026-03-28T23:00:00Z"),
            answered(3, "2026-03-29T00:59:59Z"),
            answered(4, "2026-03-29T01:00:00Z"),
            answered(5, "2026-03-29T21:59:59Z"),
            answered(6, "2026-03-29T22:00:00Z"),
            // 25 October begins at 22:00 UTC, has half past two twice, and ends at 23:00 UTC.
            answered(11, "2026-10-24T21:59:59Z"),
            answered(12, "2026-10-24T22:00:00Z"),
            answered(13, "2026-10-25T00:30:00Z"),
            answered(14, "2026-10-25T01:30:00Z"),
            answered(15, "2026-10-25T22:59:59Z"),
            answered(16, "2026-10-25T23:00:00Z"),
            // Asked before the clocks went back, answered after: two minutes, not minus fifty-eight.
            TestEvent::new(Kind::Asked, 14, "2026-10-25T01:28:00Z"),
            TestEvent::new(Kind::Asked, 17, "2026-10-25T00:59:00Z"),
            answered(17, "2026-10-25T01:01:00Z"),
        ],
    );
    home.ingest(BERLIN);
    home.assert_computed(BERLIN);
    assert_eq!(
        answers(&home),
        days([
            ("2026-03-28", 1),
            ("2026-03-29", 4),
            ("2026-03-30", 1),
            ("2026-10-24", 1),
            ("2026-10-25", 5),
            ("2026-10-26", 1),
        ])
    );
    // Of calls of two questions.
    let seconds = "SELECT human_seconds::VARCHAR FROM questions WHERE human_seconds IS NOT NULL";
    assert_eq!(home.texts(seconds), ["60.0", "60.0"]);
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_person_who_moves() {
    let home = Home::new();
    home.log(
        "2026-12-31.jsonl",
        &[
            answered(1, "2026-12-31T05:00:00Z"),
            answered(2, "2026-12-31T18:20:00Z"),
            answered(3, "2026-12-31T23:30:00Z"),
            answered(4, "2027-01-01T04:59:59Z"),
        ],
    );
    for (zone, expected) in [
        ("UTC", days([("2026-12-31", 3), ("2027-01-01", 1)])),
        (BERLIN, days([("2026-12-31", 2), ("2027-01-01", 2)])),
        ("America/New_York", days([("2026-12-31", 4)])),
        (
            "Asia/Kathmandu",
            days([("2026-12-31", 1), ("2027-01-01", 3)]),
        ),
        ("UTC", days([("2026-12-31", 3), ("2027-01-01", 1)])),
    ] {
        home.ingest(zone);
        home.assert_computed(zone);
        assert_eq!(answers(&home), expected, "{zone}");
    }
}

#[test]
fn one_zone_under_another_name_is_the_same() {
    let home = Home::new();
    home.log(
        "2026-11-20.jsonl",
        &[
            TestEvent::new(Kind::Asked, 1, "2026-11-20T23:30:00Z"),
            answered(1, "2026-11-20T23:30:05Z"),
        ],
    );
    home.ingest("UTC");
    for (was, zone, is_one) in [
        ("UTC", "Etc/UTC", true),
        ("UTC", "Zulu", true),
        ("Europe/Kiev", "Europe/Kyiv", true),
        ("US/Pacific", "America/Los_Angeles", true),
        ("UTC", "Europe/London", false),
        ("Europe/Berlin", "Africa/Lagos", false),
        ("America/Toronto", "America/Havana", false),
    ] {
        home.ingest(was);
        let reason = home.writer(zone).reason().cloned();
        let expected = (!is_one).then_some(plantune_ingest::Reason::TimeZone);
        assert_eq!(reason, expected, "{was} {zone}");
    }
}
