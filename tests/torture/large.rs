//! A large transaction, killed: its rows go into the store's file as they come, long before the
//! commit that makes them count.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use plantune_domain::spool;

use crate::chance::Chance;
use crate::home::Home;
use crate::killer::Tally;
use crate::store_content::Tables;

/// More than a full row group (122,880 rows) for each of a few threads.
const EVENTS: u32 = 500_000;

#[test]
#[ignore = "takes minutes; `make torture` runs it"]
fn a_large_transaction_that_is_killed_leaves_nothing() {
    let mut chance = Chance::new();
    let home = Home::new();
    write_spool(&home.paths().events());
    let reference = Home::new();
    reference.take_spool_of(&home);
    let (_, undisturbed) = reference.run(&["ingest"]);
    let mut tally = Tally::default();
    while tally.killed() < crate::kills().div_ceil(10) {
        let delay = chance.up_to(undisturbed);
        if tally.run(&home, home.plantune(&["ingest"]), delay, || {}) {
            fs::remove_file(home.paths().store()).unwrap();
            let _ = fs::remove_file(home.paths().store().with_extension("duckdb.wal"));
        }
    }
    home.run(&["ingest"]);
    eprintln!("large transactions: {tally}{undisturbed:.2?} undisturbed");
    home.assert_tidy();
    Tables::of(&home.paths().store()).assert_same(
        &Tables::of(&reference.paths().store()),
        &[],
        chance.told(),
    );
    // What was written in vain is written over, and does not add up.
    let size = |home: &Home| fs::metadata(home.paths().store()).unwrap().len();
    let (tortured, expected) = (size(&home), size(&reference));
    assert!(
        tortured < 2 * expected,
        "{tortured} bytes, {expected} undisturbed"
    );
}

/// Sessions that start: the shortest lines there are.
fn write_spool(events: &Path) {
    let mut lines = String::new();
    for number in 0..EVENTS {
        let (minute, second) = (number / 60 % 60, number % 60);
        // Bits of a hash, as ids are.
        let id = u128::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        writeln!(
            lines,
            "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"2026-11-19T10:{minute:02}:{second:02}.000Z\",\
             \"kind\":\"session_started\",\"session_id\":\"s{}\",\"session_kind\":\"interactive\",\
             \"project\":\"p{}\",\"cwd\":\"/w\",\"source\":\"hook\"}}",
            number / 50,
            number % 7
        )
        .unwrap();
    }
    spool::append_to(&events.join("2026-11-19.jsonl"), lines.as_bytes()).unwrap();
}
