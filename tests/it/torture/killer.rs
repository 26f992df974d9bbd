//! Starts plantune, and kills it after a while.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, fs, thread};

use crate::world::World;

/// SIGKILL's number, everywhere.
const KILL: i32 = 9;

/// Counts of what the kills hit.
#[derive(Default)]
pub(crate) struct Tally {
    /// Runs that were killed, by the last step of `PLANTUNE_TRACE` they had ended.
    killed: BTreeMap<String, u32>,
    /// Runs that had ended by themselves.
    finished: u32,
}

impl Tally {
    /// Runs `command`, kills it after `delay`, and does `meanwhile` as soon as it runs; true when
    /// the run had ended by itself, which must be in success.
    pub(crate) fn run(
        &mut self,
        world: &World,
        mut command: Command,
        delay: Duration,
        meanwhile: impl FnOnce(),
    ) -> bool {
        // A file, and no pipe: nobody reads before the end.
        let errors = world.path("stderr");
        command
            .env("PLANTUNE_TRACE", "1")
            .stdout(Stdio::null())
            .stderr(File::create(&errors).unwrap());
        let mut run = command.spawn().unwrap();
        let (killed, status) = thread::scope(|scope| {
            let killer = scope.spawn(|| {
                thread::sleep(delay);
                let killed = run.kill();
                (killed, run.wait().unwrap())
            });
            meanwhile();
            killer.join().unwrap()
        });
        let errors = fs::read_to_string(errors).unwrap();
        if status.success() {
            self.finished += 1;
            return true;
        }
        assert!(
            killed.is_ok() && status.signal() == Some(KILL),
            "{command:?} failed by itself, {status}:\n{errors}"
        );
        let last = errors
            .lines()
            .last()
            .and_then(|line| line.split_once(" s  "));
        let step = last.map_or("(none)", |(_, step)| step).trim();
        *self.killed.entry(step.to_owned()).or_default() += 1;
        false
    }

    pub(crate) fn killed(&self) -> u32 {
        self.killed.values().sum()
    }

    /// True when kills hit runs before their first step, and behind several.
    pub(crate) fn is_spread(&self) -> bool {
        self.killed.contains_key("(none)") && self.killed.len() > 3
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (killed, finished) = (self.killed(), self.finished);
        writeln!(f, "{killed} runs killed, {finished} had ended by then")?;
        writeln!(f, "the last step a killed run had ended:")?;
        let mut steps: Vec<_> = self.killed.iter().collect();
        steps.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        steps
            .into_iter()
            .try_for_each(|(step, count)| writeln!(f, "{count:>8}  {step}"))
    }
}

// What a run leaves in plantune's folder, and how long one takes.

/// Runs plantune undisturbed; it must succeed. Returns how long it took.
pub(crate) fn timed(world: &World, words: &[&str]) -> Duration {
    let start = Instant::now();
    world.done(words);
    start.elapsed()
}

/// Every file and folder below the data, with its mode: for the person alone, and nothing that
/// a killed run left behind, but for a summary or a habit that was not in its place yet (who writes it an hour later
/// removes that) and a key of digests that never was one.
pub(crate) fn assert_tidy(world: &World) {
    let mut folders = vec![world.data()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.metadata().unwrap();
            let mode = kind.permissions().mode() & 0o777;
            let path = entry.path();
            let expected = if kind.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{mode:o} {}", path.display());
            let name = entry.file_name().into_string().unwrap();
            let is_known = name.ends_with(".jsonl")
                || name.starts_with("digest.key")
                || ["events", "nudges", "plantune.duckdb", "summaries"].contains(&name.as_str())
                || (folder.ends_with("summaries") || folder.ends_with("nudges"))
                    && (name.ends_with(".json") || name.contains(".json.plantune-"));
            assert!(is_known, "left behind: {}", path.display());
            if kind.is_dir() {
                folders.push(path);
            }
        }
    }
}
