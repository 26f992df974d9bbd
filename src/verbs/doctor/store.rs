//! Whether the store can be read, what it holds, and whether the hook still logs.

use std::fs::File;
use std::io;
use std::path::Path;

use chrono::{DateTime, NaiveDate, Utc};
use plantune_domain::paths::Paths;
use plantune_ingest::was_killed;
use plantune_query::Error;
use plantune_query::health::{Contents, Health, health};

use plantune_reports::amount::counted;
use plantune_reports::when;

use super::check::{Check, word};
use super::spool::Segment;
use super::{permissions, quarantine, spool, writable};
use crate::workspace::Workspace;
use crate::workspace::missing;
use crate::workspace::refresh::PUT_BACK;

const NAME: &str = "store";

/// Days without an event after which it is worth a word.
const QUIET_DAYS: i64 = 14;

/// Reads the store; `registered` says whether the hook is.
pub(super) fn check(
    workspace: &Workspace,
    segments: &io::Result<Vec<Segment>>,
    registered: bool,
) -> Vec<Check> {
    let path = workspace.paths.store();
    let segments = segments.as_deref().unwrap_or_default();
    let found = health(&path, quarantine::SHOWN);
    let mut checks = vec![match &found {
        Ok(health) if health.contents.is_some() && was_killed(&workspace.paths) => Check::note(
            NAME,
            "the last run was killed; the next `plantune report` computes it again",
        ),
        Ok(health) => judge(health),
        Err(Error::Missing(_)) => Check::note(
            NAME,
            "there is none yet; the first `plantune report` makes it",
        )
        .remedy("run `plantune import claude-code` to learn from past sessions"),
        Err(error) => unreadable(&path, error),
    }];
    if found.is_ok() {
        let fact = format!("nothing can be written to {}", path.display());
        checks.extend(writable::file(NAME, &path, &fact));
    }
    let contents = found.as_ref().ok();
    let contents = contents.and_then(|health| health.contents.as_ref());
    // Where the store cannot be read, how far it has been read is not known.
    if let Some(contents) = contents {
        checks.push(spool::check_unread(segments, &contents.segments));
    } else if matches!(found, Err(Error::Missing(_))) && !segments.is_empty() {
        checks.push(spool::check_unread(segments, &[]));
    }
    checks.extend(last_event(contents, segments, registered, workspace.now));
    if let Some(contents) = contents {
        checks.extend(missing(&workspace.paths, contents));
        checks.extend(quarantine::check(contents, workspace.now));
        checks.extend(unasked(contents));
        checks.push(permissions::check(contents));
        checks.extend(permissions::although(workspace));
    }
    checks
}

/// Answers that nothing asked for: somebody may have written them by hand. They are no evidence.
fn unasked(contents: &Contents) -> Option<Check> {
    (contents.unasked > 0).then(|| {
        let answers = counted(contents.unasked, "answer", "answers");
        let message = format!("{answers} to questions that no hook and no transcript knows");
        Check::warning(NAME, message).remedy(
            "nothing rests on them; `plantune report --all --all` shows what was answered when",
        )
    })
}

/// Why the store in `path` could not be read: it is held, not ours to read, or no store.
fn unreadable(path: &Path, error: &Error) -> Check {
    if let Error::Held(holder) = error {
        let message = format!("in use by another process: {holder}");
        return Check::warning(NAME, message).remedy("run this again when that has ended");
    }
    if let Err(error) = File::open(path) {
        let check = Check::failed(NAME, format!("{} cannot be read: {error}", path.display()));
        return check.remedy(format!("run `chmod 600 {}`", word(path)));
    }
    if matches!(error, Error::Broken(_)) {
        let check = Check::warning(NAME, format!("{}: {error}", path.display()));
        return check.remedy("the next `plantune report` computes it again from the log");
    }
    Check::failed(NAME, format!("{}: {error}", path.display()))
        .remedy("nothing was changed; if a newer plantune wrote it, install the newest")
}

fn judge(health: &Health) -> Check {
    let (found, known) = (health.version, health.known);
    match &health.contents {
        Some(contents) => Check::ok(
            NAME,
            format!(
                "{}, {} (schema {found})",
                counted(contents.events, "event", "events"),
                counted(contents.questions, "question", "questions"),
            ),
        ),
        None if found > known => Check::failed(
            NAME,
            format!("it has schema version {found}, and this plantune knows {known} at most"),
        )
        .remedy("install the newest plantune; a newer one wrote this store"),
        None => Check::note(
            NAME,
            format!(
                "it has schema version {found}; the next `plantune report` computes it again as {known}"
            ),
        ),
    }
}

/// The segments that somebody deleted.
fn missing(paths: &Paths, contents: &Contents) -> Vec<Check> {
    let gone = missing::segments(paths, contents).into_iter();
    let check = |gone: String| {
        Check::warning("missing_segments", format!("gone from the log: {gone}"))
            .remedy(PUT_BACK)
            .remedy("without one, the next command computes the store without these events")
    };
    gone.map(check).collect()
}

/// How long ago the hook last logged something, by the store and by the segments' names.
fn last_event(
    contents: Option<&Contents>,
    segments: &[Segment],
    registered: bool,
    now: DateTime<Utc>,
) -> Option<Check> {
    let in_store = contents.and_then(|contents| contents.last_hook_at);
    let in_spool = segments.iter().filter(|segment| segment.length > 0);
    let in_spool = in_spool.filter_map(Segment::day).max();
    judge_silence(
        in_store.map(|at| at.date_naive()).max(in_spool),
        registered,
        now.date_naive(),
    )
}

fn judge_silence(last: Option<NaiveDate>, registered: bool, today: NaiveDate) -> Option<Check> {
    const NAME: &str = "last_event";
    let Some(last) = last else {
        return registered.then(|| {
            Check::note(NAME, "the hook has logged nothing yet")
                .remedy("sessions of Claude Code that start from now on are logged")
        });
    };
    let days = (today - last).num_days().max(0);
    let age = when::day(last, today);
    let message = format!("the hook last logged something {age} ({last})");
    Some(if registered && days > QUIET_DAYS {
        Check::note(NAME, message).remedy(
            "if you used Claude Code since, start a new session: it reads its settings then",
        )
    } else {
        Check::ok(NAME, message)
    })
}

#[cfg(test)]
mod tests {
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
            let check = judge(&health);
            assert_eq!(check.status, status);
            assert!(check.message.contains(words), "{}", check.message);
        }
    }

    #[test]
    fn silence() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 11, day);
        let judged = |last, registered| {
            judge_silence(last, registered, day(30).unwrap()).map(|check| check.status)
        };
        assert_eq!(judged(None, false), None);
        assert_eq!(judged(None, true), Some(Status::Note));
        assert_eq!(judged(day(16), true), Some(Status::Ok));
        assert_eq!(judged(day(15), true), Some(Status::Note));
        assert_eq!(judged(day(15), false), Some(Status::Ok));
    }
}
