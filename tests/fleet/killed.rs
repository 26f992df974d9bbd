//! Pushes that are killed at any moment, beside each other and beside readers: nothing is missing, nothing is counted
//! twice, and every file is whole. `PLANTUNE_FLEET_ROUNDS` says for how long.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::home::random::Random;
use crate::home::{Fleet, Machine, answered, query, text, total};

/// As many machines push.
const MACHINES: usize = 6;

/// A push that is killed after a while, half of the time.
struct Push {
    child: Child,
    after: Option<Duration>,
}

impl Push {
    fn start(machine: &Machine, random: &mut Random) -> Self {
        let mut command = machine.command(&["push"]);
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let after = (random.below(2) == 0).then(|| Duration::from_micros(random.below(400_000)));
        Self { child, after }
    }

    /// True when it was killed.
    fn end(mut self) -> bool {
        if let Some(after) = self.after {
            sleep(after);
            // SIGKILL.
            let _ = self.child.kill();
        }
        let output = self.child.wait_with_output().unwrap();
        let was_killed = output.status.code().is_none();
        assert!(
            was_killed || output.status.success(),
            "{}",
            text(&output.stderr)
        );
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
    let (mut pushes, mut kills, mut least) = (0, 0, 0);
    for round in 0..rounds {
        let mut running = Vec::new();
        let first = random.below(MACHINES as u64) as usize;
        let second = (first + 1 + random.below(MACHINES as u64 - 1) as usize) % MACHINES;
        for number in [first, second] {
            for _ in 0..random.below(12) {
                let day = 10 + random.below(4);
                // One call in ten is known to several machines.
                let call = match random.below(10) {
                    0 => format!("shared-{}", random.below(20)),
                    _ => format!("{number}-{round}-{}", random.below(1 << 20)),
                };
                let ts = format!("2026-11-{day}T10:00:00Z");
                machines[number].log(&answered(&call, &ts, 20, "Yes"));
                calls.insert(call);
            }
            // Twice at once, now and then.
            for _ in 0..1 + random.below(3) / 2 {
                running.push(Push::start(&machines[number], &mut random));
            }
        }
        if round % 3 == 0 {
            // What is in the lake never becomes less.
            let seen = total(&reader.report())["answered"].as_u64().unwrap_or(0);
            assert!(
                seen >= least && seen <= calls.len() as u64,
                "{least} {seen} {}",
                calls.len()
            );
            least = seen;
        }
        for push in running {
            pushes += 1;
            kills += u64::from(push.end());
        }
        // A file under a name that engines read is whole, at any moment.
        let is_data =
            |file: &&std::path::PathBuf| file.extension().is_some_and(|end| end == "parquet");
        for file in fleet.files().iter().filter(is_data) {
            assert_ne!(query(file, "SELECT count(*)::VARCHAR FROM FILE"), ["0"]);
        }
    }
    for machine in &machines {
        machine.text(&["push"]);
        assert!(machine.text(&["push"]).starts_with("nothing new"));
    }
    let report = reader.report();
    assert_eq!(total(&report)["answered"], calls.len());
    // Each machine has one file a day, and nothing else lies in the lake but what a kill may have left unfinished.
    let (whole, rest): (Vec<_>, Vec<_>) = fleet
        .files()
        .into_iter()
        .partition(|file| file.extension().is_some_and(|end| end == "parquet"));
    let days: BTreeSet<_> = whole.iter().map(|file| file.parent().unwrap()).collect();
    assert_eq!(days.len(), whole.len());
    assert!(
        rest.iter().all(|file| file.ends_with(".unfinished")),
        "{rest:?}"
    );
    // The lake by itself, read by another program.
    let ids: BTreeSet<String> = whole
        .iter()
        .flat_map(|file| query(file, "SELECT id FROM FILE"))
        .collect();
    assert_eq!(ids.len(), 2 * calls.len());
    println!(
        "{MACHINES} machines, {pushes} pushes, {kills} killed: {} calls, none missing, none twice",
        calls.len()
    );
}
