//! One event in two segments with different times: a hook's clock and a transcript's are not the same to
//! the millisecond. Which of the two the store keeps must not be chance: a store that is computed again
//! from the log is the same store.

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::spool;

use crate::store_content::Tables;
use crate::world::World;

/// Enough for every thread to be at work on a segment of its own.
const QUESTIONS: u32 = 3_000;

fn line(number: u32, source: &'static str, ts: &'static str) -> Vec<u8> {
    let id = format!("toolu_{number}");
    let event = Event {
        v: SCHEMA_VERSION,
        id: question_event_id(Kind::Asked, &id, 0).into(),
        ts: ts.into(),
        kind: Kind::Asked.as_str().into(),
        session_id: format!("session-{}", number / 7).into(),
        session_kind: "interactive".into(),
        project: "github.com/someone/shop".into(),
        source: source.into(),
        tool_use_id: Some(id.into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some(format!("topic-{}", number % 9).into()),
        question: Some("Go on?".into()),
        ..Event::default()
    };
    event.to_line().unwrap()
}

#[test]
#[ignore = "takes long: make test-long"]
fn one_log_makes_one_store() {
    let world = World::at("work");
    for (segment, source, ts) in [
        ("2026-11-19.jsonl", "hook", "2026-11-19T10:00:00.000Z"),
        (
            "import-claude-code-2026-11-19.jsonl",
            "import:claude-code",
            "2026-11-19T10:00:00.900Z",
        ),
    ] {
        let lines = (0..QUESTIONS).map(|number| line(number, source, ts));
        let lines: Vec<u8> = lines.flatten().collect();
        spool::append_to(&world.paths().events().join(segment), &lines).unwrap();
    }
    world.done(&["ingest"]);
    let first = Tables::of(&world.paths().store());
    for round in 0..8 {
        let again = World::at("work");
        again.copy_log(&world);
        again.done(&["ingest"]);
        Tables::of(&again.paths().store()).assert_same(&first, round);
    }
}
