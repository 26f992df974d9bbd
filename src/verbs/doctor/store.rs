//! Whether log and store can be read, what they hold, and whether the hook still logs.

use std::fs::File;
use std::path::Path;

use chrono::NaiveDate;
use plantune_ingest::was_killed;
use plantune_query::Error;
use plantune_query::health::{Health, health};

use plantune_reports::amount;
use plantune_reports::amount::counted;

use super::check::{Findings, word};
use super::spool::Segment;
use super::{Seen, permissions, quarantine, spool, writable};
use crate::workspace::missing;
use crate::workspace::refresh::PUT_BACK;

const NAME: &str = "store";

/// Days without an event after which it is worth a word.
const QUIET_DAYS: i64 = 14;

/// Reads log and store.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    let workspace = seen.workspace;
    let (paths, now) = (&workspace.paths, workspace.now);
    let segments = spool::segments(&paths.events());
    spool::check(&paths.events(), &segments, found);
    let segments = segments.unwrap_or_default();
    let path = paths.store();
    let health = health(&path, quarantine::SHOWN);
    match &health {
        Ok(health) if health.contents.is_some() && was_killed(paths) => {
            let message = "the last run was killed; the next `plantune report` computes it again";
            found.note(NAME, message);
        }
        Ok(health) => judge(health, found),
        Err(Error::Missing(_)) => {
            found
                .note(
                    NAME,
                    "there is none yet; the first `plantune report` makes it",
                )
                .remedy("run `plantune import claude-code` to learn from past sessions");
        }
        Err(error) => unreadable(&path, error, found),
    }
    if health.is_ok() {
        let fact = format!("nothing can be written to {}", path.display());
        writable::file(NAME, &path, &fact, found);
    }
    let is_missing = matches!(health, Err(Error::Missing(_)));
    let contents = health.ok().and_then(|health| health.contents);
    // Where the store cannot be read, how far it has been read is not known.
    if let Some(contents) = &contents {
        spool::check_unread(&segments, &contents.segments, found);
    } else if is_missing && !segments.is_empty() {
        spool::check_unread(&segments, &[], found);
    }
    // How long ago the hook last logged something, by the store and by the segments that are newer.
    let in_store = contents.as_ref().and_then(|contents| contents.last_hook_at);
    let in_store = in_store.map(|at| at.date_naive());
    let newer = segments.iter().filter(|one| one.day() > in_store);
    let in_spool = newer.filter(|one| one.is_of_sessions());
    let last = in_spool.filter_map(Segment::day).max().max(in_store);
    judge_silence(
        last,
        seen.settings.any_registered(),
        now.date_naive(),
        found,
    );
    let Some(contents) = contents else {
        return;
    };
    for gone in missing::segments(paths, &contents) {
        found
            .warning("missing_segments", format!("gone from the log: {gone}"))
            .remedy(PUT_BACK)
            .remedy("without one, the next command computes the store without these events");
    }
    quarantine::check(&contents, now, found);
    // Somebody may have written these by hand.
    if contents.unasked > 0 {
        let answers = counted(contents.unasked, "answer", "answers");
        let message = format!("{answers} to questions that no hook and no transcript knows");
        found.warning(NAME, message).remedy(
            "nothing rests on them; `plantune report --all --all` shows what was answered when",
        );
    }
    permissions::check(&contents, found);
    permissions::although(workspace, found);
}

/// Why the store in `path` could not be read: it is held, not ours to read, or no store.
fn unreadable(path: &Path, error: &Error, found: &mut Findings) {
    let shown = path.display();
    if let Error::Held(holder) = error {
        found
            .warning(NAME, format!("in use by another process: {holder}"))
            .remedy("run this again when that has ended");
    } else if let Err(error) = File::open(path) {
        found
            .failed(NAME, format!("{shown} cannot be read: {error}"))
            .remedy(format!("run `chmod 600 {}`", word(path)));
    } else if matches!(error, Error::Broken(_)) {
        found
            .warning(NAME, format!("{shown}: {error}"))
            .remedy("the next `plantune report` computes it again from the log");
    } else {
        found
            .failed(NAME, format!("{shown}: {error}"))
            .remedy("nothing was changed; if a newer plantune wrote it, install the newest");
    }
}

fn judge(health: &Health, found: &mut Findings) {
    let (version, known) = (health.version, health.known);
    match &health.contents {
        Some(contents) => {
            let events = counted(contents.events, "event", "events");
            let questions = counted(contents.questions, "question", "questions");
            found.ok(NAME, format!("{events}, {questions} (schema {version})"));
        }
        None if version > known => {
            let message =
                format!("it has schema version {version}, and this plantune knows {known} at most");
            found
                .failed(NAME, message)
                .remedy("install the newest plantune; a newer one wrote this store");
        }
        None => {
            let next = format!("the next `plantune report` computes it again as {known}");
            found.note(NAME, format!("it has schema version {version}; {next}"));
        }
    }
}

fn judge_silence(
    last: Option<NaiveDate>,
    is_registered: bool,
    today: NaiveDate,
    found: &mut Findings,
) {
    const NAME: &str = "last_event";
    let Some(last) = last else {
        if is_registered {
            found
                .note(NAME, "the hook has logged nothing yet")
                .remedy("sessions of Claude Code that start from now on are logged");
        }
        return;
    };
    let age = amount::day(last, today);
    let message = format!("the hook last logged something {age} ({last})");
    if is_registered && (today - last).num_days() > QUIET_DAYS {
        found.note(NAME, message).remedy(
            "if you used Claude Code since, start a new session: it reads its settings then",
        );
    } else {
        found.ok(NAME, message);
    }
}

#[cfg(test)]
mod tests {
    use plantune_query::health::Contents;

    use super::super::check::Status;
    use super::*;

    #[test]
    fn versions() {
        let health = |version, contents| Health {
            version,
            known: 2,
            contents,
        };
        let filled = Contents {
            events: 1,
            questions: 3,
            ..Contents::default()
        };
        for (health, status, words) in [
            (
                health(2, Some(filled)),
                Status::Ok,
                "1 event, 3 questions (schema 2)",
            ),
            (health(1, None), Status::Note, "computes it again as 2"),
            (health(3, None), Status::Failed, "knows 2 at most"),
        ] {
            let mut found = Findings::default();
            judge(&health, &mut found);
            assert_eq!(found.checks[0].status, status);
            assert!(found.checks[0].message.contains(words), "{found:?}");
        }
    }

    #[test]
    fn silence() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 11, day);
        let judged = |last, registered| {
            let mut found = Findings::default();
            judge_silence(last, registered, day(30).unwrap(), &mut found);
            found.checks.first().map(|check| check.status)
        };
        assert_eq!(judged(None, false), None);
        assert_eq!(judged(None, true), Some(Status::Note));
        assert_eq!(judged(day(16), true), Some(Status::Ok));
        assert_eq!(judged(day(15), true), Some(Status::Note));
        assert_eq!(judged(day(15), false), Some(Status::Ok));
    }
}
