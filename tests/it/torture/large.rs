//! A large transaction, killed: its rows go into the store's file as they come, long before the commit that
//! makes them count.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::Path;

use plantune_domain::spool;

use super::history::Chance;
use super::killer::{Tally, assert_tidy, timed};
use crate::store_content::Tables;
use crate::world::World;

/// More than a full row group (122,880 rows) for each of a few threads. Behind as many that are in the
/// store already, they are added to it; it is not computed again.
const QUESTIONS: u32 = 400_000;

#[test]
#[ignore = "takes minutes; `make torture` runs it"]
fn a_large_transaction() {
    let mut chance = Chance::new();
    let world = World::at("work");
    log(&world.paths().events(), "2026-11-18", 0..QUESTIONS);
    world.done(&["ingest"]);
    let half = world.path("half.duckdb");
    fs::copy(world.paths().store(), &half).unwrap();
    log(
        &world.paths().events(),
        "2026-11-19",
        QUESTIONS..2 * QUESTIONS,
    );
    let reference = World::at("work");
    reference.copy_log(&world);
    reference.done(&["ingest"]);
    let undisturbed = timed(&world, &["ingest"]);
    fs::copy(&half, world.paths().store()).unwrap();
    let mut tally = Tally::default();
    while tally.killed() < super::kills().div_ceil(10) {
        let delay = chance.up_to(undisturbed);
        if tally.run(&world, world.command(&["ingest"]), delay, || {}) {
            fs::copy(&half, world.paths().store()).unwrap();
        }
    }
    world.done(&["ingest"]);
    eprintln!("large transactions: {tally}{undisturbed:.2?} undisturbed");
    assert_tidy(&world);
    Tables::of(&world.paths().store())
        .assert_same(&Tables::of(&reference.paths().store()), chance.seed());
    // What was written in vain is written over, and does not add up.
    let size = |world: &World| fs::metadata(world.paths().store()).unwrap().len();
    let (tortured, expected) = (size(&world), size(&reference));
    assert!(
        tortured < 2 * expected,
        "{tortured} bytes, {expected} undisturbed"
    );
}

/// Questions that are asked, in the shortest lines there are.
fn log(events: &Path, day: &str, numbers: Range<u32>) {
    let mut lines = String::new();
    for number in numbers {
        let (minute, second) = (number / 60 % 60, number % 60);
        // Bits of a hash, as ids are.
        let id = u128::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        writeln!(
            lines,
            "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"{day}T10:{minute:02}:{second:02}.000Z\",\
             \"kind\":\"asked\",\"session_id\":\"s{}\",\"session_kind\":\"interactive\",\
             \"project\":\"p{}\",\"cwd\":\"/w\",\"source\":\"hook\",\"tool_use_id\":\"t{number}\",\
             \"question_index\":0,\"question_key\":\"k\",\"question\":\"Q?\"}}",
            number / 50,
            number % 7
        )
        .unwrap();
    }
    spool::append_to(&events.join(format!("{day}.jsonl")), lines.as_bytes()).unwrap();
}
