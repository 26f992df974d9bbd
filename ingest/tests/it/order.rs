//! The store depends on the events alone: not on the order in which they arrive, nor on how segments and
//! runs cut them up.
#![allow(
    clippy::manual_is_multiple_of,
    reason = "remainders beside other remainders"
)]

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::decision::NOT_PRINTED;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;

use crate::home::{Dump, Home, Random, assert_same, ingest, now};

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
fn events(calls: usize) -> Vec<Vec<u8>> {
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
        let mut random = Random(seed);
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
    Random(7).shuffle(&mut lines);
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
