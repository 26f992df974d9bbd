//! What proposed permission rules would have saved in a real history of commands, had each been allowed.
//!
//! ```text
//! cargo run -p plantune-bench -- permissions_history FILE.jsonl [PER_SESSION]
//! ```
//! Each line of `FILE.jsonl` is an object with `command` and `folder`. The commands are replayed in their order,
//! `PER_SESSION` (40) of them in each session, and one session a day.

use std::collections::BTreeMap;
use std::fs;

use chrono::{NaiveDate, TimeDelta};
use plantune_domain::permissions::{CallParts, OwnReaches, Reach, call_parts};
use plantune_domain::session_kind::SessionKind;
use plantune_query::permissions::backtest::replay;
use plantune_query::permissions::{DecidedPrompt, PromptOutcome};
use plantune_query::suggest::Suggest;
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    command: String,
    folder: String,
}

/// What becomes of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Unasked,
    Saved,
    Asked,
    AlwaysAsked,
    Beyond,
}

/// Prints what becomes of the commands in the file that `words` name.
pub(crate) fn measure(mut words: impl Iterator<Item = String>) {
    let file = words.next().expect("a file of commands");
    let per_session = words.next().map_or(40, |word| word.parse().unwrap());
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Line> = lines.collect();
    let prompts: Vec<DecidedPrompt> = lines
        .into_iter()
        .enumerate()
        .map(|(at, line)| prompt(at, per_session, line))
        .collect();
    let own = OwnReaches::default();
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    replay(&prompts, &Suggest::default(), &own, |step| {
        let prompt = step.prompt;
        let call = call_parts(&prompt.tool_name, &prompt.input, &prompt.cwd, &own, false);
        *fates.entry(fate(step.is_allowed, &call)).or_default() += 1;
    });
    let count = |fate| fates.get(&fate).copied().unwrap_or_default();
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    let all = prompts.len();
    println!(
        "{all} commands, {per_session} a session\n\
         {} run unasked, {} prompts saved, {} more that rules could save, {} always asked, {} beyond the project",
        count(Fate::Unasked),
        count(Fate::Saved),
        count(Fate::Asked),
        count(Fate::AlwaysAsked),
        count(Fate::Beyond),
    );
    let asked = all - count(Fate::Unasked);
    let quiet = count(Fate::Unasked) + count(Fate::Saved);
    println!(
        "{:.1} % of the {asked} prompts saved; {:.1} % of all commands run without one",
        share(count(Fate::Saved), asked),
        share(quiet, all),
    );
}

fn prompt(at: usize, per_session: usize, line: Line) -> DecidedPrompt {
    let session = at / per_session;
    let day = NaiveDate::from_ymd_opt(2026, 1, 5).unwrap();
    let day = day + TimeDelta::days(i64::try_from(session).unwrap());
    let minutes = TimeDelta::minutes(i64::try_from(at % per_session).unwrap());
    DecidedPrompt {
        at: day.and_hms_opt(9, 0, 0).unwrap() + minutes,
        day,
        project: line.folder.clone(),
        root: line.folder.clone(),
        cwd: line.folder,
        session_id: format!("session {session}"),
        session_kind: SessionKind::Interactive.into(),
        tool_name: "Bash".to_owned(),
        input: line.command,
        outcome: PromptOutcome::Granted,
        ..DecidedPrompt::default()
    }
}

fn fate(is_saved: bool, call: &CallParts) -> Fate {
    match call {
        _ if is_saved => Fate::Saved,
        call if call.runs_unasked => Fate::Unasked,
        call if call.reach == Reach::Beyond => Fate::Beyond,
        call if call.grantables.is_empty() => Fate::AlwaysAsked,
        _ => Fate::Asked,
    }
}
