//! What the hook costs a question on this machine: its whole run beside that of `/bin/true`.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::check::Findings;
use crate::installed_hook::probe::Home;
use crate::programs::in_path;

const NAME: &str = "latency";

/// How often each of the two is started. A build without optimization, which tests start, measures nothing of interest.
const ROUNDS: usize = if cfg!(debug_assertions) { 4 } else { 40 };

/// How many preferences there are to search.
const PREFERENCES: usize = 2000;

/// A file that was changed just now has no index.
const SETTLED: Duration = Duration::from_millis(150);

/// How many times as long as `/bin/true` the hook may take.
const BUDGET: f64 = 1.6;

/// Measures `hook`, which is known to work, in a home of its own.
pub(super) fn check(hook: &Path, found: &mut Findings) {
    let why = match measure(hook) {
        Ok(Some([nothing, ours])) => return judge(nothing, ours, found),
        Ok(None) => "there is no `true` to compare with".to_owned(),
        Err(error) => error.to_string(),
    };
    found.note(NAME, format!("not measured: {why}"));
}

/// The medians of `true` and of the hook, started by turns.
fn measure(hook: &Path) -> io::Result<Option<[Duration; 2]>> {
    let usual = Path::new("/bin/true");
    let Some(nothing) = usual
        .exists()
        .then(|| usual.to_owned())
        .or_else(|| in_path("true"))
    else {
        return Ok(None);
    };
    let home = Home::new(PREFERENCES)?;
    thread::sleep(SETTLED);
    let mut times = [Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS)];
    for round in 0..ROUNDS {
        let call = home.ordinary_call(round);
        for (program, times) in [&*nothing, hook].into_iter().zip(&mut times) {
            times.push(time(program, &home, &call)?);
        }
    }
    Ok(Some(times.map(median)))
}

fn time(program: &Path, home: &Home, call: &[u8]) -> io::Result<Duration> {
    let mut command = home.command(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // `true` may be gone before it is written to.
        let _ = stdin.write_all(call);
    }
    child.wait_with_output()?;
    Ok(start.elapsed())
}

/// The middle one of `times`, of an even number the later one; zero of none.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn judge(nothing: Duration, ours: Duration, found: &mut Findings) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let ratio = ours.as_secs_f64() / nothing.as_secs_f64().max(f64::MIN_POSITIVE);
    let message = format!(
        "the hook takes {:.2} ms, `true` {:.2} ms (medians of {ROUNDS}): {ratio:.2} times as long",
        milliseconds(ours),
        milliseconds(nothing)
    );
    if ratio <= BUDGET {
        return found.ok(NAME, message);
    }
    let expected = format!("up to {BUDGET} is expected; try again when the machine is idle");
    found
        .warning(NAME, message)
        .remedy(expected)
        .remedy("a hook built without `make install` is slower");
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn medians_and_budget() {
        let micros = Duration::from_micros;
        assert_eq!(median(vec![micros(9), micros(1), micros(5)]), micros(5));
        assert_eq!(median(Vec::new()), Duration::ZERO);
        let judged = |nothing, ours| {
            let mut found = Findings::default();
            judge(nothing, ours, &mut found);
            let one = found.checks.remove(0);
            (one.status, one.message)
        };
        let (status, message) = judged(micros(1000), micros(1600));
        assert_eq!(status, Status::Ok);
        assert!(message.contains("1.60 ms") && message.contains("1.60 times"));
        assert_eq!(judged(micros(1000), micros(1700)).0, Status::Warning);
        assert_eq!(judged(Duration::ZERO, micros(1)).0, Status::Warning);
    }
}
