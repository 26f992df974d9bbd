//! `plantune import claude-code`, killed again and again over transcripts that grow: while it reads,
//! while it writes the log, while it loads that into the store.

use std::fs;
use std::os::unix::fs::MetadataExt as _;

use crate::chance::Chance;
use crate::home::Home;
use crate::killer::Tally;
use crate::store_content::Tables;
use crate::transcripts::Transcripts;

/// How many calls there are in the beginning: at length, an import writes their events in several goes.
const MANY: [u64; 2] = [400, 8_000];

/// How many come when an import had ended, and how many between two kills.
const MORE: [u64; 2] = [80, 8];

/// Every so many imports that end, an eighth as many calls come as in the beginning.
const MANY_EVERY: u32 = 8;

const IMPORT: [&str; 2] = ["import", "claude-code"];

#[test]
fn killed_at_any_moment() {
    let mut chance = Chance::new();
    let home = Home::new();
    let mut transcripts = Transcripts::new(chance.fork(), home.transcripts());
    let many = MANY[usize::from(crate::is_complete())];
    transcripts.go_on(many);
    let first = Home::new();
    let (_, undisturbed) = first.run(&import_from(&home));
    let mut tally = Tally::default();
    let (mut writing, mut finished_imports) = (0, 0);
    let mut unfinished = 0;
    while tally.killed() < crate::kills() {
        // There is more to read every time.
        let delay = chance.up_to(undisturbed * (1 + unfinished / 2));
        unfinished += 1;
        let before = log_bytes(&home);
        let finished = tally.run(&home, home.plantune(&IMPORT), delay, || {});
        writing += u32::from(!finished && log_bytes(&home) > before);
        finished_imports += u32::from(finished);
        transcripts.go_on(if finished && finished_imports.is_multiple_of(MANY_EVERY) {
            many / 8
        } else {
            MORE[usize::from(!finished)]
        });
        if finished {
            unfinished = 0;
        }
    }
    let (said, _) = home.run(&IMPORT);
    eprintln!(
        "import: {tally}{writing} of them had written to the log; {undisturbed:.2?} undisturbed at first; at last:\n{said}"
    );
    home.assert_tidy();
    let tortured = Tables::of(&home.paths().store());
    eprintln!("{tortured}");
    let reference = Home::new();
    reference.run(&import_from(&home));
    tortured.assert_same(&Tables::of(&reference.paths().store()), chance.seed());
    // And from the log alone.
    let reference = Home::new();
    reference.copy_log(&home);
    reference.run(&["ingest"]);
    tortured.assert_same(&Tables::of(&reference.paths().store()), chance.seed());
    assert!(
        !crate::is_complete() || tally.is_spread() && writing > 0,
        "{tally}"
    );
    drop(tortured);
    let (said, _) = home.run(&IMPORT);
    assert!(said.contains("\n0 events are new"), "{said}");
}

#[test]
fn half_a_line_of_a_killed_import() {
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
    Tables::of(&home.paths().store()).assert_same(&Tables::of(&reference.paths().store()), "torn");
    assert_eq!(fs::read(&torn).unwrap(), whole);
}

fn import_from(home: &Home) -> Vec<String> {
    let folder = home.transcripts();
    let words = [IMPORT[0], IMPORT[1], folder.to_str().unwrap()];
    words.map(str::to_owned).to_vec()
}

fn log_bytes(home: &Home) -> u64 {
    let Ok(segments) = fs::read_dir(home.paths().events()) else {
        return 0;
    };
    segments
        .map(|segment| segment.unwrap().metadata().unwrap().size())
        .sum()
}
