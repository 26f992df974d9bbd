//! Starts plantune, and kills it after a while.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::world::World;

/// SIGKILL's number, everywhere.
const KILL: i32 = 9;

/// What the kills hit.
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
