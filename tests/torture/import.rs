//! `plantune import claude-code`, killed again and again over transcripts that grow: while it reads,
//! while it writes the spool, while it loads that into the store.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use crate::chance::Chance;
use crate::home::Home;
use crate::killer::Tally;
use crate::store_content::Tables;
use crate::transcripts::Transcripts;

/// So little is written and loaded at once that an import does both many times.
const BYTES_AT_ONCE: u64 = 64 * 1024;

/// How many calls an import at work for its whole time finds.
const MANY: u64 = 400;

/// How many come when an import had ended, and how many between two kills.
const MORE: [u64; 2] = [80, 8];

const IMPORT: [&str; 2] = ["import", "claude-code"];

#[test]
fn killed_at_any_moment_it_ends_with_the_rows_of_one_undisturbed_import() {
    let mut chance = Chance::new();
    let home = Home::with_transactions_of(BYTES_AT_ONCE);
    let mut transcripts = Transcripts::new(chance.fork(), home.transcripts());
    transcripts.go_on(MANY);
    let first = Home::with_transactions_of(BYTES_AT_ONCE);
    let (_, undisturbed) = first.run(&import_from(&home));
    let mut tally = Tally::default();
    let mut writing = 0;
    let mut unfinished = 0;
    while tally.killed() < crate::kills() {
        // There is more to read every time.
        let delay = chance.up_to(undisturbed * (1 + unfinished / 2));
        unfinished += 1;
        let before = spool_bytes(&home);
        let finished = tally.run(&home, home.plantune(&IMPORT), delay, || {});
        writing += u32::from(!finished && spool_bytes(&home) > before);
        transcripts.go_on(MORE[usize::from(!finished)]);
        if finished {
            unfinished = 0;
        }
    }
    let (said, _) = home.run(&IMPORT);
    eprintln!(
        "import: {tally}{writing} of them had written to the spool; {undisturbed:.2?} undisturbed at first; at last:\n{said}"
    );
    home.assert_tidy();
    let tortured = Tables::of(&home.paths().store());
    eprintln!("{tortured}");
    let reference = Home::new();
    reference.run(&import_from(&home));
    tortured.assert_same(&Tables::of(&reference.paths().store()), &[], chance.told());
    // And from the spool alone.
    let reference = Home::new();
    reference.take_spool_of(&home);
    reference.run(&["ingest"]);
    tortured.assert_same(&Tables::of(&reference.paths().store()), &[], chance.told());
    assert!(
        !crate::is_complete() || tally.is_spread() && writing > 0,
        "{tally}"
    );
    drop(tortured);
    let (said, _) = home.run(&IMPORT);
    assert!(said.contains("\n0 events are new"), "{said}");
}

#[test]
fn half_a_line_of_a_killed_import_is_no_bad_line() {
    let home = Home::new();
    Transcripts::new(Chance::new(), home.transcripts()).go_on(20);
    let reference = Home::new();
    reference.run(&import_from(&home));
    // Killed while it wrote: a signal ends a long write(2) between two pages.
    let name = "import-claude-code-2026-11-20.jsonl";
    let whole = fs::read(reference.paths().events().join(name)).unwrap();
    plantune_domain::paths::create_private_dir(&home.paths().events()).unwrap();
    let torn = home.paths().events().join(name);
    plantune_domain::atomic_file::replace(&torn, &whole[..5000], 0o600).unwrap();
    home.run(&IMPORT);
    Tables::of(&home.paths().store()).assert_same(
        &Tables::of(&reference.paths().store()),
        &[],
        "torn",
    );
    assert_eq!(fs::read(&torn).unwrap(), whole);
}

fn import_from(home: &Home) -> Vec<String> {
    let folder = home.transcripts();
    let words = [IMPORT[0], IMPORT[1], folder.to_str().unwrap()];
    words.map(str::to_owned).to_vec()
}

fn spool_bytes(home: &Home) -> u64 {
    let Ok(segments) = fs::read_dir(home.paths().events()) else {
        return 0;
    };
    segments
        .map(|segment| segment.unwrap().metadata().unwrap().size())
        .sum()
}
