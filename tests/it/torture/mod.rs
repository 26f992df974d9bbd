//! The store on its worst day: killed at random moments, and with many hooks writing at once. What
//! is in it afterwards is what one undisturbed run would have put there.
//!
//! A few seconds of it belong to `make test-long`; `make torture` does all of it.
//! `PLANTUNE_TORTURE_KILLS` sets how often each test kills, `PLANTUNE_TORTURE_SEED` repeats the
//! choices of a run that failed (when a kill lands is a matter of the machine as well).

mod history;
mod hooks;
mod ingest;
mod killer;

/// How often each test kills when nothing is said: a matter of seconds.
const FEW_KILLS: u32 = 4;

/// How often each test kills.
fn kills() -> u32 {
    number("PLANTUNE_TORTURE_KILLS").map_or(FEW_KILLS, |kills| kills as u32)
}

/// True in the complete form, for which time is taken.
fn is_complete() -> bool {
    kills() > 100
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is {text:?}, and should be a number")))
}
