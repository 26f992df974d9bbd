//! Publishing and compacting that are killed at any moment, beside each other and beside readers: nothing is missing
//! and nothing is counted twice. `PLANTUNE_FLEET_ROUNDS` says for how long.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod home;

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use home::{Fleet, Machine, answered, query};

/// As many machines publish.
const MACHINES: usize = 8;

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Runs `words`, half of the time until it is killed, and returns whether it was.
fn run(machine: &Machine, words: &[&str], random: &mut Random) -> Running {
    let child = machine
        .command(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let after = (random.below(2) == 0).then(|| Duration::from_micros(random.below(400_000)));
    Running { child, after }
}

struct Running {
    child: std::process::Child,
    after: Option<Duration>,
}

impl Running {
    /// True when it was killed.
    fn end(mut self, words: &str) -> bool {
        if let Some(after) = self.after {
            sleep(after);
            // SIGKILL.
            let _ = self.child.kill();
        }
        let output = self.child.wait_with_output().unwrap();
        let was_killed = output.status.code().is_none();
        let said = home::text(&output.stderr);
        assert!(was_killed || output.status.success(), "{words}: {said}");
        was_killed
    }
}

#[test]
fn nothing_is_missing_and_nothing_counts_twice() {
    let rounds = std::env::var("PLANTUNE_FLEET_ROUNDS");
    let rounds: u64 = rounds.map_or(12, |text| text.parse().unwrap());
    let fleet = Fleet::new();
    let mut random = Random(rounds);
    let machines: Vec<Machine> = (0..MACHINES)
        .map(|number| fleet.member(&format!("m{number}"), &[]))
        .collect();
    let reader = fleet.member("reader", &[]);
    reader.configure("k = 1");
    let mut calls: BTreeSet<String> = BTreeSet::new();
    let (mut runs, mut kills, mut lost, mut reads) = (0, 0, 0, 0);
    // What every reader must see: what is in the lake never becomes less.
    let mut least = 0;
    for round in 0..rounds {
        let mut running = Vec::new();
        let first = random.below(MACHINES as u64) as usize;
        for number in [
            first,
            (first + 1 + random.below(MACHINES as u64 - 1) as usize) % MACHINES,
        ] {
            let machine = &machines[number];
            for _ in 0..random.below(12) {
                let day = 10 + random.below(4);
                // One call in ten is known to several machines.
                let call = match random.below(10) {
                    0 => format!("shared-{}", random.below(20)),
                    _ => format!("{number}-{round}-{}", random.below(1 << 20)),
                };
                machine.log(&answered(
                    &call,
                    &format!("2026-11-{day}T10:00:00Z"),
                    20,
                    "Yes",
                ));
                calls.insert(call);
            }
            if random.below(25) == 0 && machine.data().join("fleet").exists() {
                machine.lose_journal();
                lost += 1;
            }
            running.push((run(machine, &["push"], &mut random), "push"));
        }
        if round % 3 == 0 {
            running.push((run(&reader, &["compact"], &mut random), "compact"));
        }
        if round % 4 == 0 {
            let seen = reader.report()["totals"]["answered"].as_u64().unwrap_or(0);
            assert!(
                seen >= least && seen <= calls.len() as u64,
                "{least} {seen} {}",
                calls.len()
            );
            least = seen;
            reads += 1;
        }
        for (running, words) in running {
            runs += 1;
            kills += u64::from(running.end(words));
        }
    }
    for machine in &machines {
        machine.text(&["push"]);
        assert_eq!(machine.text(&["push"]), "nothing is due\n");
    }
    let check = || {
        let report = reader.report();
        assert_eq!(report["totals"]["answered"], calls.len());
        assert_eq!(report["lake"]["events"], 2 * calls.len());
        assert_eq!(report["lake"]["missing_files"], 0);
        assert_eq!(report["lake"]["skipped"].as_array().unwrap().len(), 0);
        report["lake"]["rows"].as_u64().unwrap()
    };
    let rows = check();
    let before = fleet.files().len();
    reader.text(&["compact"]);
    check();
    let after = fleet.files();
    let days: BTreeSet<_> = after
        .iter()
        .map(|file| file.parent().unwrap().to_owned())
        .collect();
    assert_eq!(after.len(), days.len());
    // The lake by itself, read by another program.
    let ids: BTreeSet<String> = after
        .iter()
        .flat_map(|file| query(file, "SELECT id FROM FILE"))
        .collect();
    assert_eq!(ids.len(), 2 * calls.len());
    // A put that was killed leaves at most its own unfinished file, which no reader takes for one.
    let unfinished = fs::read_dir(fleet.lake()).unwrap().count();
    assert_eq!(unfinished, 2);
    println!(
        "{MACHINES} machines, {runs} runs, {kills} killed, {lost} journals lost, {reads} readers: {} calls, none \
         missing, none twice; {rows} rows in {before} files, {} after the last compaction",
        calls.len(),
        after.len()
    );
}
