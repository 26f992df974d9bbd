//! The store depends on the events alone: not on the order in which they arrive, nor on how segments and
//! runs cut them up.
#![allow(
    clippy::manual_is_multiple_of,
    reason = "remainders beside other remainders"
)]

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use plantune_domain::clock::timestamp;
use plantune_domain::event::NOT_PRINTED;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::chance::Chance;
use crate::home::{Dump, Home, TestEvent, assert_same, ingest, now};

const ZONE: &str = "Europe/Berlin";

fn event(kind: Kind, session: usize, at: DateTime<Utc>) -> Event<'static> {
    let session_id = format!("session-{session}");
    let ts = timestamp(at);
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&[kind.as_str(), &session_id, &ts]).into(),
        ts: ts.into(),
        kind: kind.as_str().into(),
        session_id: session_id.into(),
        session_kind: if session % 5 == 0 {
            "headless"
        } else {
            "interactive"
        }
        .into(),
        project: format!("github.com/acme/shop-{}", session % 3).into(),
        cwd: "/w".into(),
        source: "hook".into(),
        ..Event::default()
    }
}

fn about(kind: Kind, session: usize, call: usize, index: u32, at: DateTime<Utc>) -> Event<'static> {
    let id = format!("toolu_{call}");
    let key = (call + index as usize) % 7;
    let mut event = Event {
        id: question_event_id(kind, &id, index).into(),
        tool_use_id: Some(id.into()),
        question_index: Some(index),
        question_count: Some(2),
        question_key: Some(format!("key-{key}").into()),
        key_source: Some("marker".into()),
        // Each event words it otherwise, so that a mixed description would show.
        question: Some(format!("{} number {call}?", kind.as_str()).into()),
        header: (kind == Kind::Asked).then(|| "Header".into()),
        options: Some(vec!["Yes (Recommended)".into(), "No".into()]),
        recommended: Some("Yes".into()),
        multi_select: Some(false),
        door: Some(if call % 11 == 0 { "one-way" } else { "two-way" }.into()),
        ..event(kind, session, at)
    };
    match kind {
        Kind::Asked => event.ask_reason = Some("no_preference".into()),
        Kind::Answered => {
            event.answer = Some(vec![if call % 4 == 0 { "No" } else { "Yes" }.into()]);
            event.was_auto_decided = Some(call % 6 == 5);
            event.followed_recommendation = Some((call % 9 != 0).then_some(call % 4 != 0));
        }
        Kind::AutoDecided => {
            event.answer = Some(vec!["Yes (Recommended)".into()]);
            event.preference = Some("never-ask".into());
        }
        Kind::Dismissed => event.reason = Some("rejected".into()),
        Kind::Failed => event.error_kind = (call % 2 == 0).then(|| "timeout".into()),
        _ => {}
    }
    event
}

/// Calls of two questions in sessions over a fortnight, and how each ended.
pub(crate) fn events(calls: usize) -> Vec<Vec<u8>> {
    let mut events = Vec::new();
    for call in 0..calls {
        let session = call / 6;
        let at =
            now() - TimeDelta::days(14) + TimeDelta::minutes(call as i64 * 20_160 / calls as i64);
        if call % 6 == 0 {
            events.push(event(
                Kind::SessionStarted,
                session,
                at - TimeDelta::seconds(9),
            ));
        }
        for index in 0..2 {
            let later = at + TimeDelta::seconds(7 + (call % 40) as i64);
            let mut put = |kind, at| events.push(about(kind, session, call, index, at));
            match (call + index as usize) % 8 {
                0 => put(Kind::Asked, at),
                1 => put(Kind::Answered, later),
                2 => {
                    put(Kind::Asked, at);
                    put(Kind::Dismissed, later);
                }
                3 => {
                    put(Kind::Asked, at);
                    put(Kind::Failed, later);
                    put(Kind::Answered, later);
                }
                4 => {
                    put(Kind::AutoDecided, at);
                    put(Kind::Answered, later);
                }
                _ => {
                    put(Kind::Asked, at);
                    put(Kind::Answered, later);
                }
            }
        }
        if call % 6 == 5 && session % 2 == 0 {
            events.push(event(
                Kind::SessionEnded,
                session,
                at + TimeDelta::seconds(90),
            ));
        }
        if call % 13 == 0 {
            events.push(event(Kind::HookError, session, at + TimeDelta::seconds(1)));
        }
    }
    events
        .iter()
        .map(|event| event.to_line().unwrap())
        .collect()
}

fn in_one_run(lines: &[Vec<u8>]) -> Dump {
    let home = Home::new();
    home.append("2026-11-20.jsonl", &lines.concat());
    assert_eq!(home.ingest(ZONE).events, lines.len() as u64);
    home.dump()
}

#[test]
fn any_order_segments_and_runs_give_the_same() {
    let lines = events(240);
    let expected = in_one_run(&lines);
    assert!(expected["questions"].len() > 400 && expected["sessions"].len() > 30);
    assert!(!expected["hook_errors"].is_empty());
    for seed in 1..=3 {
        let mut random = Chance::new(seed);
        let mut lines = lines.clone();
        random.shuffle(&mut lines);
        let home = Home::new();
        let mut writer = home.writer(ZONE);
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at((1 + random.below(200)).min(rest.len()));
            rest = later;
            let segment = format!("2026-11-{:02}.jsonl", 10 + random.below(3));
            home.append(&segment, &now.concat());
            // Some once more, in the same run, among others of earlier ones.
            let again: Vec<_> = (0..random.below(30))
                .map(|_| lines[random.below(lines.len() - rest.len())].clone())
                .collect();
            home.append("2026-11-19.jsonl", &again.concat());
            let read = ingest(&mut writer).events;
            assert_eq!(read, (now.len() + again.len()) as u64);
            if random.below(4) == 0 {
                drop(writer);
                writer = home.writer(ZONE);
                assert_eq!(writer.reason(), None);
            }
        }
        drop(writer);
        assert_same(&home.dump(), &expected);
        home.assert_computed(ZONE);
    }
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_log_of_many_chunks_gives_the_same_in_any_order() {
    let mut lines = events(6_000);
    let in_order = in_one_run(&lines);
    // The events of a question far apart, in several segments, in a store that has some already.
    Chance::new(7).shuffle(&mut lines);
    let home = Home::new();
    for (number, part) in lines.chunks(9_000).enumerate() {
        home.append(&format!("2026-11-1{number}.jsonl"), &part.concat());
        if number < 2 {
            home.ingest(ZONE);
        }
    }
    home.ingest(ZONE);
    assert_same(&home.dump(), &in_order);
}

/// Such a question had an end, and has none any more: it must be looked at again when its session goes on.
#[test]
fn a_decision_that_was_not_printed_leaves_its_question_open() {
    let home = Home::new();
    let mut asked = about(Kind::Asked, 1, 1, 0, now());
    asked.reason = Some(NOT_PRINTED.into());
    let later = now() + TimeDelta::minutes(1);
    for (event, outcome) in [
        (about(Kind::AutoDecided, 1, 1, 0, now()), "auto_decided"),
        (event(Kind::SessionStarted, 2, later), "auto_decided"),
        (asked, "open"),
        (event(Kind::SessionStarted, 3, later), "open"),
        (event(Kind::SessionEnded, 1, later), "dismissed"),
    ] {
        home.append("2026-11-20.jsonl", &event.to_line().unwrap());
        home.ingest(ZONE);
        assert_eq!(
            home.texts("SELECT outcome::VARCHAR FROM questions"),
            [outcome]
        );
    }
    home.assert_computed(ZONE);
}

// Random logs: in whatever order, segments and runs the events come, the store is the one that is
// computed from the whole log at once, and holds what a few lines of Rust count.

/// In the order in which they describe a question.
const KINDS: [Kind; 5] = [
    Kind::Asked,
    Kind::AutoDecided,
    Kind::Answered,
    Kind::Dismissed,
    Kind::Failed,
];

/// Around these something happens: the clocks change, a year begins within a week.
const TIMES: [&str; 5] = [
    "2026-11-19T22:30:00Z",
    "2025-11-19T22:30:00Z",
    "2026-03-29T00:30:00Z",
    "2026-10-25T00:30:00Z",
    "2026-12-31T22:30:00Z",
];

const ZONES: [&str; 5] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
];

/// An event of any kind; the clock jumps as it likes. With `ties`, as foreign programs may write:
/// several of a kind about one question, at one time too, outside any session.
/// A `habit` is many answers to one question.
fn random_event(ties: bool, habit: bool) -> impl Strategy<Value = TestEvent> {
    let what = (
        prop_oneof![
            8 => select(&KINDS[..]),
            if habit { 40 } else { 1 } => Just(Kind::Answered),
            2 => select(vec![
                Kind::SessionStarted,
                Kind::SessionEnded,
                Kind::HookError,
                Kind::PreferenceChanged,
            ]),
        ],
        0..if habit { 60 } else { 12u32 },
        0..2u32,
        select(vec!["Yes", "No"]),
        select(vec![None, Some(true), Some(false)]),
        select(vec![None, Some("timeout"), Some("hook")]),
    );
    let origin = (
        select(&TIMES[..]),
        0..if ties { 4i64 } else { 9_000 },
        0..if habit { 1 } else { 3u32 },
        any::<bool>(),
        prop::bool::weighted(0.3),
    );
    (what, origin).prop_map(
        move |(what, (time, seconds, session, foreign, is_imported))| {
            let (kind, call, index, answer, was_auto_decided, error_kind) = what;
            // Without ties, what happens to two calls never happens at one time.
            let millis = if ties { 0 } else { i64::from(call * 2 + index) };
            TestEvent {
                kind,
                at: time.parse::<DateTime<Utc>>().unwrap()
                    + TimeDelta::seconds(seconds)
                    + TimeDelta::milliseconds(millis),
                session: if ties && session == 2 {
                    String::new()
                } else {
                    format!("session-{session}")
                },
                project: format!("shop-{}", session % 2),
                call,
                index,
                key: format!("key-{}", if habit { 0 } else { call % 3 }),
                answer,
                was_auto_decided,
                error_kind,
                is_imported,
                has_foreign_id: foreign && kind.is_of_question(),
            }
        },
    )
}

/// Events with ids of their own.
fn random_events(ties: bool) -> impl Strategy<Value = Vec<TestEvent>> {
    let some = prop::collection::vec(random_event(ties, false), 1..90);
    let many = prop::collection::vec(random_event(ties, true), 60..180);
    prop_oneof![some, many].prop_map(move |mut events| {
        let mut ids = HashSet::new();
        let mut times = HashSet::new();
        events.retain(|event| {
            let time = (event.kind.as_str(), event.call, event.index, event.at);
            let is_first = times.insert(time) || ties || !event.kind.is_of_question();
            is_first && ids.insert(event.id())
        });
        events
    })
}

/// How events arrive: in which order, how many a run, in which segments, and what comes again.
#[derive(Clone, Debug)]
struct Arrival {
    order: Vec<Index>,
    runs: Vec<Index>,
    segments: Vec<u8>,
    again: Vec<Index>,
    stays_open: bool,
}

fn arrival() -> impl Strategy<Value = Arrival> {
    (
        prop::collection::vec(any::<Index>(), 180),
        prop::collection::vec(any::<Index>(), 0..4),
        prop::collection::vec(10..14u8, 180),
        prop::collection::vec(any::<Index>(), 0..8),
        any::<bool>(),
    )
        .prop_map(|(order, runs, segments, again, stays_open)| Arrival {
            order,
            runs,
            segments,
            again,
            stays_open,
        })
}

impl Arrival {
    fn bring(&self, home: &Home, events: &[TestEvent], zone: &str) {
        let mut rest = events.to_vec();
        for (at, index) in self.order.iter().enumerate().take(rest.len()) {
            let other = at + index.index(rest.len() - at);
            rest.swap(at, other);
        }
        let mut ends: Vec<_> = self.runs.iter().map(|run| run.index(rest.len())).collect();
        ends.push(rest.len());
        ends.sort_unstable();
        let (mut start, mut logged, mut read) = (0, 0, 0);
        let mut open = None;
        for end in ends {
            for (event, segment) in rest[start..end].iter().zip(&self.segments[start..]) {
                home.log(
                    &format!("2026-11-{segment}.jsonl"),
                    std::slice::from_ref(event),
                );
            }
            let again = self.again.iter().filter(|_| end > 0);
            let again: Vec<_> = again.map(|again| rest[again.index(end)].clone()).collect();
            home.log("2026-11-09.jsonl", &again);
            logged += end - start + again.len();
            start = end;
            let mut writer = open.take().unwrap_or_else(|| home.writer(zone));
            read += ingest(&mut writer).events;
            open = self.stays_open.then_some(writer);
        }
        assert_eq!(read, logged as u64);
    }
}

/// A question by the winning event of each kind.
type Question<'e> = BTreeMap<usize, &'e TestEvent>;

/// The event that describes a question.
fn description<'e>(question: &Question<'e>) -> &'e TestEvent {
    question.values().next().unwrap()
}

fn get<'e>(question: &Question<'e>, kind: Kind) -> Option<&'e TestEvent> {
    let rank = KINDS.iter().position(|known| *known == kind)?;
    question.get(&rank).copied()
}

fn last_at(question: &Question<'_>) -> DateTime<Utc> {
    question.values().map(|event| event.at).max().unwrap()
}

/// True when something happened in the session of the open `question` after it.
fn is_passed(question: &Question<'_>, questions: &[Question<'_>], events: &[TestEvent]) -> bool {
    let asked = description(question);
    let of_questions = questions.iter().filter(|other| {
        let other = description(other);
        other.session == asked.session && other.at >= asked.at - TimeDelta::days(1)
    });
    let of_session = events.iter().filter(|event| {
        matches!(event.kind, Kind::SessionStarted | Kind::SessionEnded)
            && !event.session.is_empty()
            && event.session == asked.session
    });
    let mut times = of_questions
        .map(last_at)
        .chain(of_session.map(|event| event.at));
    times.any(|at| at > asked.at)
}

/// 0 answered, 1 auto-decided, 2 failed, 3 dismissed, 4 open.
fn outcome(question: &Question<'_>, questions: &[Question<'_>], events: &[TestEvent]) -> usize {
    let of = |kind| get(question, kind);
    let (decided, answered) = (of(Kind::AutoDecided), of(Kind::Answered));
    if let (Some(decided), Some(answered)) = (decided, answered)
        && answered.was_auto_decided == Some(false)
        && answered.answer != decided.answer
    {
        0
    } else if decided.is_some()
        || answered.is_some_and(|event| event.was_auto_decided == Some(true))
    {
        1
    } else if answered.is_some() {
        0
    } else if of(Kind::Failed).is_some() {
        2
    } else if of(Kind::Dismissed).is_some() || is_passed(question, questions, events) {
        3
    } else {
        4
    }
}

/// Counts each day's outcomes, from the events alone.
fn count(events: &[TestEvent], zone: Tz) -> BTreeMap<NaiveDate, [u64; 5]> {
    let mut questions: BTreeMap<(u32, u32), Question<'_>> = BTreeMap::new();
    for event in events {
        let Some(rank) = KINDS.iter().position(|kind| *kind == event.kind) else {
            continue;
        };
        let question = questions.entry((event.call, event.index)).or_default();
        let known = question.entry(rank).or_insert(event);
        // Of two askings the hook's counts before an import's.
        let order = |event: &TestEvent| (rank == 0 && event.is_imported, event.at);
        if order(event) < order(known) {
            *known = event;
        }
    }
    let questions: Vec<_> = questions.into_values().collect();
    let mut days: BTreeMap<NaiveDate, [u64; 5]> = BTreeMap::new();
    for question in &questions {
        let day = description(question).at.with_timezone(&zone).date_naive();
        days.entry(day).or_default()[outcome(question, &questions, events)] += 1;
    }
    days
}

/// Few, because each makes stores of its own; `PROPTEST_CASES` says otherwise.
fn cases() -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: if asked { default.cases } else { 4 },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    #[ignore = "takes long: make test-long"]
    fn any_order_gives_what_is_counted(
        events in random_events(false),
        arrivals in prop::array::uniform2(arrival()),
        zone in select(&ZONES[..]),
        other_zone in select(&ZONES[..]),
    ) {
        let homes = arrivals.map(|arrival| {
            let home = Home::new();
            arrival.bring(&home, &events, zone);
            home.assert_computed(zone);
            assert_eq!(home.differences(), []);
            home
        });
        let [one, other] = &homes;
        prop_assert_eq!(one.days(), count(&events, zone.parse().unwrap()));
        assert_same(&one.dump(), &other.dump());
        one.ingest(other_zone);
        one.assert_computed(other_zone);
        prop_assert_eq!(one.days(), count(&events, other_zone.parse().unwrap()));
    }

    #[test]
    #[ignore = "takes long: make test-long"]
    fn any_order_of_foreign_events_gives_the_same(
        events in random_events(true),
        arrivals in prop::array::uniform2(arrival()),
        zone in select(&ZONES[..]),
    ) {
        let dumps = arrivals.map(|arrival| {
            let home = Home::new();
            arrival.bring(&home, &events, zone);
            home.assert_computed(zone);
            assert_eq!(home.differences(), []);
            home.dump()
        });
        assert_same(&dumps[0], &dumps[1]);
    }
}

// Clocks that jump back, events that arrive late, days of 23 and 25 hours, a week that begins in
// the old year, a person who moves: what is counted is what a person counts by hand.

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
        let expected = (!is_one).then_some(plantune_ingest::RebuildReason::TimeZone);
        assert_eq!(reason, expected, "{was} {zone}");
    }
}
