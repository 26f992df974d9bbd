//! `plantune gc`: seals what was logged in past months, and drops what is older still.

use plantune_domain::config::Retention;
use plantune_ingest::{Collected, KeepReason, Planned, Progress, RetentionStep};
use plantune_reports::humanize::{bytes, counted};
use plantune_reports::table::{Table, number, text};
use plantune_reports::text::clean;

use crate::document::Document;
use crate::failure::Failure;
use crate::refresh;
use crate::session::Session;
use crate::terminal::{Bar, consent};

/// How many failures are named.
const NAMED: usize = 3;

/// Collects, and says what was done, or what would be.
///
/// # Errors
/// Conflict for a config.toml that is not understood; failed when the store is held or broken, or
/// something could not be sealed or dropped.
pub(crate) fn run(dry_run: bool, session: &Session) -> Result<Document, Failure> {
    let retention = session.retention()?;
    if !session.paths.events().exists() {
        return Ok(Document::text("nothing has been logged yet\n"));
    }
    if dry_run {
        let planned = plantune_ingest::plan(&session.paths, retention, session.now)
            .map_err(|error| refresh::failure(session, &error))?;
        return Ok(Document::text(shown(&planned, session.width)));
    }
    consent::may_change_log(session, "plantune gc")?;
    let collected = collect(session, retention)?;
    let document = Document::text(describe(&collected));
    Ok(match failed(&collected) {
        Some(failure) => document.but(failure),
        None => document,
    })
}

fn collect(session: &Session, retention: &Retention) -> Result<Vec<Collected>, Failure> {
    let mut writer = refresh::open(session, session.zone()?)?;
    refresh::load(session, &mut writer)?;
    let progress = Progress::of("sealing the log");
    let bar = Bar::watch(&progress);
    let collected = writer.gc(retention, session.now, &progress);
    drop(bar);
    let collected = collected.map_err(|error| refresh::failure(session, &error))?;
    refresh::name_damaged(session, &writer)?;
    Ok(collected)
}

/// The plan, one line a file, and the sums.
fn shown(planned: &[Planned], width: usize) -> String {
    let mut table = Table::of(planned);
    table.add(text("segment").least(36), |one| &*one.file_name);
    table.add(number("size"), |one| bytes(one.bytes));
    table.add(text("would"), |one| words(&one.step).0);
    table.add(text("because").least(12).rank(1), |one| words(&one.step).1);
    let sum = |step: &RetentionStep| {
        let of_step = planned.iter().filter(|planned| planned.step == *step);
        let sizes: Vec<u64> = of_step.map(|planned| planned.bytes).collect();
        (sizes.len(), bytes(sizes.iter().sum()))
    };
    let ((sealed, plain), (dropped, gone)) = (sum(&RetentionStep::Seal), sum(&RetentionStep::Drop));
    format!(
        "{}\n\nto seal: {} of {plain}\nto drop: {} of {gone}\nnothing was changed\n",
        table.lines(width).join("\n"),
        counted(sealed, "segment", "segments"),
        counted(dropped, "segment", "segments"),
    )
}

/// The plan for a segment, and the reason where nothing happens.
fn words(step: &RetentionStep) -> (&'static str, String) {
    match step {
        RetentionStep::Seal => ("seal", String::new()),
        RetentionStep::Drop => ("drop", String::new()),
        RetentionStep::Keep(why) => ("keep", reason(why)),
    }
}

fn reason(why: &KeepReason) -> String {
    match why {
        KeepReason::DayIsOpen => "too recent".to_owned(),
        KeepReason::MonthIsOpen => "its month is too recent".to_owned(),
        KeepReason::Young { days } => counted(*days, "day old", "days old"),
        KeepReason::NotRead { bytes: left } => {
            format!("{} not in the store", bytes(*left))
        }
        KeepReason::Torn => "ends in half a line".to_owned(),
        KeepReason::Replaced => "replaced since it was read".to_owned(),
        KeepReason::Quarantined { lines } => {
            counted(*lines, "line in quarantine", "lines in quarantine")
        }
        KeepReason::Damaged => "damaged (plantune doctor)".to_owned(),
        KeepReason::MonthIsDamaged => "its month's .parquet is damaged".to_owned(),
        KeepReason::OnlyCopy(month) => format!("the store is the only copy of {}", clean(month)),
        KeepReason::Empty => "empty".to_owned(),
        KeepReason::Link => "a symbolic link".to_owned(),
        KeepReason::Unknown => "not plantune's file".to_owned(),
        KeepReason::Unreadable(error) => error.clone(),
    }
}

/// The outcome, in a line, with that of the store.
fn describe(collected: &[Collected]) -> String {
    let done = |step: RetentionStep| {
        let done = collected
            .iter()
            .filter(|one| one.planned.step == step && one.freed.is_ok());
        done.count()
    };
    let (sealed, dropped) = (done(RetentionStep::Seal), done(RetentionStep::Drop));
    let freed = collected.iter().filter_map(|one| one.freed.as_ref().ok());
    let freed = bytes(freed.sum());
    let mut text = format!(
        "{} sealed, {} dropped: {freed} freed\n",
        counted(sealed, "segment", "segments"),
        counted(dropped, "segment", "segments")
    );
    if dropped > 0 {
        text += "the store was computed again without the dropped events\n";
    }
    text
}

/// The failures, if there are any.
fn failed(collected: &[Collected]) -> Option<Failure> {
    let failed: Vec<String> = collected
        .iter()
        .filter_map(|one| {
            let error = one.freed.as_ref().err()?;
            Some(format!(
                "{}: {}",
                clean(&one.planned.file_name),
                clean(error)
            ))
        })
        .collect();
    let count = counted(failed.len(), "segment", "segments");
    (!failed.is_empty()).then(|| {
        let failure = Failure::failed(format!("{count} could not be sealed or dropped"));
        failed
            .into_iter()
            .take(NAMED)
            .fold(failure, Failure::hint)
            .hint("nothing is lost; run `plantune gc` again when that is repaired")
    })
}

#[cfg(test)]
mod tests {
    use plantune_reports::text::with_plain_spaces;

    use super::*;

    #[test]
    fn a_plan_on_a_terminal() {
        let planned = |file_name: &str, bytes, step| Planned {
            file_name: file_name.to_owned(),
            bytes,
            step,
        };
        let plan = [
            planned("2026-01-01.jsonl", 100_000, RetentionStep::Drop),
            planned("2026-10-01.jsonl", 5_300_000, RetentionStep::Seal),
            planned(
                "2026-10-31.jsonl",
                700,
                RetentionStep::Keep(KeepReason::MonthIsOpen),
            ),
            planned(
                "2026-11-19.jsonl",
                900,
                RetentionStep::Keep(KeepReason::DayIsOpen),
            ),
            planned(
                "a\u{1b}[31m\n.jsonl",
                1,
                RetentionStep::Keep(KeepReason::Unknown),
            ),
            planned(
                "import-claude-code-2026-10-02.jsonl",
                70_000,
                RetentionStep::Keep(KeepReason::Quarantined { lines: 2 }),
            ),
        ];
        insta::assert_snapshot!(with_plain_spaces(&shown(&plan, 80)), @r"
        segment                                   size  would  because
        2026-01-01.jsonl                      97.7 KiB  drop
        2026-10-01.jsonl                       5.1 MiB  seal
        2026-10-31.jsonl                     700 bytes  keep   its month is too recent
        2026-11-19.jsonl                     900 bytes  keep   too recent
        a .jsonl                                1 byte  keep   not plantune's file
        import-claude-code-2026-10-02.jsonl   68.4 KiB  keep   2 lines in quarantine

        to seal: 1 segment of 5.1 MiB
        to drop: 1 segment of 97.7 KiB
        nothing was changed
        ");
        for width in 40..100 {
            let wide = |line: &str| plantune_reports::text::width(line) > width;
            assert!(!shown(&plan, width).lines().any(wide), "{width}");
        }
    }

    #[test]
    fn what_failed_is_named_without_its_escapes() {
        let one = |step, freed: Result<u64, &str>| Collected {
            planned: Planned {
                file_name: "2026-10-01.jsonl".to_owned(),
                bytes: 9,
                step,
            },
            freed: freed.map_err(str::to_owned),
        };
        let collected = [
            one(RetentionStep::Seal, Ok(2048)),
            one(RetentionStep::Drop, Err("no\u{1b}[2J space")),
            one(RetentionStep::Keep(KeepReason::Empty), Ok(0)),
        ];
        assert_eq!(
            with_plain_spaces(&describe(&collected)),
            "1 segment sealed, 0 segments dropped: 2.0 KiB freed\n"
        );
        let failure = failed(&collected).unwrap();
        assert_eq!(failure.exit_code(), 1);
        assert_eq!(failure.hints()[0], "2026-10-01.jsonl: no space");
        assert!(failed(&collected[..1]).is_none());
    }
}
