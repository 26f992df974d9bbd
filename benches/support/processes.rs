//! Whole processes beside each other: alternating, medians of one run.

#![allow(dead_code, reason = "each benchmark uses what it needs")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The measured cost of one process.
pub(crate) struct Measured {
    /// The median, in seconds.
    pub(crate) seconds: f64,
    /// The most memory it had, in MiB.
    pub(crate) resident_mib: u64,
}

/// Runs the processes that `commands` make in turn, `rounds` times. A command may prepare its run before it
/// is returned; that is not measured.
pub(crate) fn alternate(rounds: usize, commands: &[&dyn Fn() -> Command]) -> Vec<Measured> {
    let mut times = vec![Vec::<Duration>::new(); commands.len()];
    let mut memory = vec![0; commands.len()];
    for _ in 0..rounds {
        for (which, command) in commands.iter().enumerate() {
            let (time, kib) = run(&mut command());
            times[which].push(time);
            memory[which] = memory[which].max(kib);
        }
    }
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    };
    times
        .into_iter()
        .zip(memory)
        .map(|(times, kib)| Measured {
            seconds: median(times),
            resident_mib: kib / 1024,
        })
        .collect()
}

/// How long `command` takes, and the most memory it has in KiB.
fn run(command: &mut Command) -> (Duration, u64) {
    let mut timed = Command::new("/usr/bin/time");
    timed
        .args(["-f", "%M"])
        .arg(command.get_program())
        .args(command.get_args());
    timed.env_clear();
    for (name, value) in command.get_envs() {
        timed.envs(value.map(|value| (name, value)));
    }
    if let Some(folder) = command.get_current_dir() {
        timed.current_dir(folder);
    }
    timed.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let output = timed.stderr(Stdio::piped()).output().unwrap();
    let time = start.elapsed();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {errors}");
    let kib = errors.trim().lines().last().unwrap().parse().unwrap();
    (time, kib)
}

/// A row of a table: a name, and what it took beside the first of the processes.
pub(crate) fn row(name: &str, measured: &Measured, beside: &Measured) {
    println!(
        "{name:44} {:>9.3} {:>6.2} {:>8}",
        measured.seconds,
        measured.seconds / beside.seconds,
        measured.resident_mib
    );
}

/// The head of such a table.
pub(crate) fn head(name: &str) {
    println!("\n{name:44} {:>9} {:>6} {:>8}", "seconds", "ratio", "MiB");
}
