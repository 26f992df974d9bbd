//! Random streams: whatever comes, in whatever order and pieces, the projections are what the log
//! says, and what a few lines of Rust count.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod stream;

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use plantune_domain::event::Kind;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use stream::{Home, Said, ingest};

const QUESTION: [Kind; 5] = [
    Kind::Asked,
    Kind::AutoDecided,
    Kind::Answered,
    Kind::Dismissed,
    Kind::Failed,
];

/// Around these something happens: the clocks change, a year begins within a week.
const MOMENTS: [&str; 5] = [
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
/// several of a kind about one question, at one moment too, outside any session.
/// A `habit` is many answers to one question.
fn said(ties: bool, habit: bool) -> impl Strategy<Value = Said> {
    let what = (
        prop_oneof![
            8 => select(&QUESTION[..]),
            if habit { 40 } else { 1 } => Just(Kind::Answered),
            2 => select(vec![Kind::SessionStarted, Kind::SessionEnded, Kind::HookError]),
        ],
        0..if habit { 60 } else { 12u32 },
        0..2u32,
        select(vec!["Yes", "No"]),
        select(vec![None, Some(true), Some(false)]),
        select(vec![None, Some("timeout"), Some("hook")]),
    );
    let place = (
        select(&MOMENTS[..]),
        0..if ties { 4i64 } else { 9_000 },
        0..if habit { 1 } else { 3u32 },
        any::<bool>(),
    );
    (what, place).prop_map(move |(what, (moment, seconds, session, foreign))| {
        let (kind, call, index, answer, was_auto_decided, error_kind) = what;
        // Without ties, what happens to two calls never happens at one moment.
        let millis = if ties { 0 } else { i64::from(call * 2 + index) };
        Said {
            kind,
            at: moment.parse::<DateTime<Utc>>().unwrap()
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
            foreign: foreign && kind.is_of_question(),
        }
    })
}

/// Events with ids of their own.
fn events(ties: bool) -> impl Strategy<Value = Vec<Said>> {
    let some = prop::collection::vec(said(ties, false), 1..90);
    let many = prop::collection::vec(said(ties, true), 60..180);
    prop_oneof![some, many].prop_map(move |mut events| {
        let mut ids = HashSet::new();
        let mut moments = HashSet::new();
        events.retain(|said| {
            let moment = (said.kind.as_str(), said.call, said.index, said.at);
            let is_first = moments.insert(moment) || ties || !said.kind.is_of_question();
            is_first && ids.insert(said.id())
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
    transaction_bytes: u64,
    stays_open: bool,
}

fn arrival() -> impl Strategy<Value = Arrival> {
    (
        prop::collection::vec(any::<Index>(), 180),
        prop::collection::vec(any::<Index>(), 0..4),
        prop::collection::vec(10..14u8, 180),
        prop::collection::vec(any::<Index>(), 0..8),
        select(vec![1, 2_000, u64::MAX]),
        any::<bool>(),
    )
        .prop_map(
            |(order, runs, segments, again, transaction_bytes, stays_open)| Arrival {
                order,
                runs,
                segments,
                again,
                transaction_bytes,
                stays_open,
            },
        )
}

impl Arrival {
    fn bring(&self, home: &Home, events: &[Said], zone: &str) {
        let mut rest: Vec<_> = events.to_vec();
        for (at, index) in self.order.iter().enumerate().take(rest.len()) {
            let other = at + index.index(rest.len() - at);
            rest.swap(at, other);
        }
        let mut ends: Vec<_> = self.runs.iter().map(|run| run.index(rest.len())).collect();
        ends.push(rest.len());
        ends.sort_unstable();
        let mut start = 0;
        let mut added = 0;
        let mut open = None;
        for end in ends {
            for (said, segment) in rest[start..end].iter().zip(&self.segments[start..]) {
                home.append(
                    &format!("2026-11-{segment}.jsonl"),
                    std::slice::from_ref(said),
                );
            }
            for again in self.again.iter().filter(|_| end > 0) {
                home.append("2026-11-09.jsonl", &[rest[again.index(end)].clone()]);
            }
            start = end;
            let mut writer = open.take().unwrap_or_else(|| {
                home.writer(zone)
                    .with_transaction_bytes(self.transaction_bytes)
            });
            added += ingest(&mut writer);
            open = self.stays_open.then_some(writer);
        }
        assert_eq!(added, events.len() as u64);
    }
}

/// What happened to a question, by the earliest event of each kind.
struct Question<'s> {
    of: BTreeMap<usize, &'s Said>,
}

impl Question<'_> {
    fn get(&self, kind: Kind) -> Option<&Said> {
        let rank = QUESTION.iter().position(|known| *known == kind)?;
        self.of.get(&rank).copied()
    }

    fn put_at(&self) -> DateTime<Utc> {
        let order = [
            Kind::Asked,
            Kind::AutoDecided,
            Kind::Answered,
            Kind::Failed,
            Kind::Dismissed,
        ];
        order.iter().find_map(|kind| self.get(*kind)).unwrap().at
    }

    /// 0 answered, 1 decided by a preference, 2 failed, 3 dismissed, 4 open.
    fn outcome(&self, last_seen: &BTreeMap<&str, DateTime<Utc>>) -> usize {
        let (decided, answered) = (self.get(Kind::AutoDecided), self.get(Kind::Answered));
        if let (Some(decided), Some(answered)) = (decided, answered)
            && answered.was_auto_decided == Some(false)
            && answered.answer != decided.answer
        {
            return 0;
        }
        let session = self.of.values().next().unwrap().session.as_str();
        let went_on = last_seen
            .get(session)
            .is_some_and(|last| *last > self.put_at());
        if decided.is_some() || answered.is_some_and(|said| said.was_auto_decided == Some(true)) {
            1
        } else if answered.is_some() {
            0
        } else if self.get(Kind::Failed).is_some() {
            2
        } else if self.get(Kind::Dismissed).is_some() || went_on {
            3
        } else {
            4
        }
    }
}

/// Counts each day's outcomes, from the events alone.
fn count(events: &[Said], zone: Tz) -> BTreeMap<NaiveDate, [u64; 5]> {
    let mut last_seen = BTreeMap::new();
    for said in events {
        let last: &mut DateTime<Utc> = last_seen.entry(said.session.as_str()).or_insert(said.at);
        *last = said.at.max(*last);
    }
    let mut questions: BTreeMap<(u32, u32), Question<'_>> = BTreeMap::new();
    for said in events {
        let Some(rank) = QUESTION.iter().position(|kind| *kind == said.kind) else {
            continue;
        };
        let question = questions
            .entry((said.call, said.index))
            .or_insert_with(|| Question {
                of: BTreeMap::new(),
            });
        let known = question.of.entry(rank).or_insert(said);
        if said.at < known.at {
            *known = said;
        }
    }
    let mut days: BTreeMap<NaiveDate, [u64; 5]> = BTreeMap::new();
    for question in questions.values() {
        let day = question.put_at().with_timezone(&zone).date_naive();
        days.entry(day).or_default()[question.outcome(&last_seen)] += 1;
    }
    days
}

/// Few, because each makes stores of its own; `PROPTEST_CASES` says otherwise.
fn cases() -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: if asked { default.cases } else { 3 },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_stream_gives_what_is_counted_and_the_same_in_any_order(
        events in events(false),
        arrivals in prop::array::uniform2(arrival()),
        zone in select(&ZONES[..]),
        other_zone in select(&ZONES[..]),
    ) {
        let mut dumps = Vec::new();
        for arrival in &arrivals {
            let home = Home::new();
            arrival.bring(&home, &events, zone);
            home.assert_whole();
            prop_assert_eq!(home.days(), count(&events, zone.parse().unwrap()));
            dumps.push((home.dump(), home));
        }
        prop_assert_eq!(&dumps[0].0, &dumps[1].0);
        // Somebody moves.
        let home = &dumps[0].1;
        home.ingest(other_zone);
        home.assert_whole();
        prop_assert_eq!(home.days(), count(&events, other_zone.parse().unwrap()));
    }

    #[test]
    fn foreign_streams_agree_with_their_log(
        events in events(true),
        arrival in arrival(),
        zone in select(&ZONES[..]),
    ) {
        let home = Home::new();
        arrival.bring(&home, &events, zone);
        home.assert_whole();
        let before = home.dump();
        // Of the log, each transaction for itself, and all at once.
        for bytes in [1, u64::MAX] {
            let mut writer = home.writer(zone).with_transaction_bytes(bytes);
            prop_assert_eq!(writer.compare().unwrap(), []);
            prop_assert_eq!(writer.rebuild().unwrap(), [""; 0]);
        }
        prop_assert_eq!(home.dump(), before);
    }
}
