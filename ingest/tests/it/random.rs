//! Random logs: in whatever order, segments and runs the events come, the store is the one that is
//! computed from the whole log at once, and holds what a few lines of Rust count.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use plantune_domain::event::Kind;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::home::{Home, TestEvent, assert_same, ingest};

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
fn event(ties: bool, habit: bool) -> impl Strategy<Value = TestEvent> {
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
fn events(ties: bool) -> impl Strategy<Value = Vec<TestEvent>> {
    let some = prop::collection::vec(event(ties, false), 1..90);
    let many = prop::collection::vec(event(ties, true), 60..180);
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
        events in events(false),
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
        events in events(true),
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
