//! Whether the store can be read, what it holds, whether the hook still logs, and with `--deep` whether the store is
//! what the log says.

use std::fs::File;
use std::path::Path;

use chrono::{NaiveDate, TimeDelta};
use plantune_ingest::{Error as IngestError, compare, was_killed};
use plantune_query::Error;
use plantune_query::health::{Contents, Health};
use plantune_query::permissions::near_miss::{CountedNearMiss, near_misses};
use plantune_reports::humanize::{self, counted};
use plantune_reports::prompts::near_miss_in_words;

use super::spool::Segment;
use super::{Finding, Findings, Seen, Status, word};
use crate::refresh;
use crate::refresh::PUT_BACK;
use crate::session::Session;
use crate::verbs::doctor::folders;
use crate::{platform, rule_proposals, store};

/// Days without an event after which it is worth a word.
const QUIET_DAYS: i64 = 14;

/// Whether the store can be read and written, and what it holds.
pub(super) fn check_store(seen: &Seen<'_>, found: &mut Findings) {
    let paths = &seen.session.paths;
    let path = paths.store();
    match &seen.health {
        Ok(health) if health.contents.is_some() && was_killed(paths) => {
            let message = "the last run was killed; the next `plantune report` rebuilds it";
            found.note(message);
        }
        Ok(health) => judge_store(health, found),
        Err(Error::Missing(_)) => {
            found
                .note("it doesn't exist yet; the first `plantune report` makes it")
                .remedy("run `plantune import claude-code` to learn from past sessions");
        }
        Err(error) => unreadable(&path, error, found),
    }
    if seen.health.is_ok() {
        let fact = format!("nothing can be written to {}", path.display());
        folders::file_is_closed(&path, &fact, found);
    }
    // Somebody may have written these by hand.
    let unasked = seen.contents().map_or(0, |contents| contents.unasked);
    if unasked > 0 {
        let answers = counted(unasked, "answer", "answers");
        let message = format!("{answers} to questions that are missing from the log");
        found
            .warning(message)
            .remedy("they count for nothing; `plantune report --all` lists them");
    }
}

/// Segments that the store was computed from and that are gone.
pub(super) fn check_segments(seen: &Seen<'_>, found: &mut Findings) {
    let contents = seen.contents().into_iter();
    for gone in contents.flat_map(|contents| store::gone_segments(&seen.session.paths, contents)) {
        found
            .warning(format!("gone from the log: {gone}"))
            .remedy(PUT_BACK)
            .remedy("without a backup, the next command rebuilds the store without these events");
    }
}

/// How long ago the hook last logged something, by the store and by the segments that are newer.
pub(super) fn check_silence(seen: &Seen<'_>, found: &mut Findings) {
    let in_store = seen.contents().and_then(|contents| contents.last_hook_at);
    let in_store = in_store.map(|at| at.date_naive());
    let segments = seen.segments.iter().flatten();
    let newer = segments.filter(|one| one.day() > in_store);
    let in_spool = newer.filter(|one| one.is_of_sessions());
    let last = in_spool.filter_map(Segment::day).max().max(in_store);
    let today = seen.session.now.date_naive();
    judge_silence(last, seen.settings.any_registered(), today, found);
}

/// Why the store in `path` could not be read: it is held, not ours to read, or no store.
fn unreadable(path: &Path, error: &Error, found: &mut Findings) {
    let shown = path.display();
    if let Error::Held(holder) = error {
        found
            .warning(format!("in use by another process: {holder}"))
            .remedy("run this again when it is done");
    } else if let Err(error) = File::open(path) {
        found
            .failed(format!("{shown} cannot be read: {error}"))
            .remedy(format!("run `chmod 600 {}`", word(path)));
    } else if matches!(error, Error::Broken(_)) {
        found
            .warning(format!("{shown}: {error}"))
            .remedy("the next `plantune report` rebuilds it from the log");
    } else {
        found
            .failed(format!("{shown}: {error}"))
            .remedy("nothing was changed; if a newer plantune wrote it, install that version");
    }
}

fn judge_store(health: &Health, found: &mut Findings) {
    let (version, known) = (health.version, health.known);
    match &health.contents {
        Some(contents) => {
            let events = counted(contents.events, "event", "events");
            let questions = counted(contents.questions, "question", "questions");
            found.ok(format!("{events}, {questions} (schema {version})"));
        }
        None if version > known => {
            let message = format!(
                "it has schema version {version}; this plantune knows versions up to {known}"
            );
            found
                .failed(message)
                .remedy("a newer plantune wrote this store; install that version");
        }
        None => {
            let next = format!("the next `plantune report` rebuilds it as {known}");
            found.note(format!("it has schema version {version}; {next}"));
        }
    }
}

fn judge_silence(
    last: Option<NaiveDate>,
    is_registered: bool,
    today: NaiveDate,
    found: &mut Findings,
) {
    let Some(last) = last else {
        if is_registered {
            found
                .note("the hook has logged nothing yet")
                .remedy("start a new session of Claude Code; its questions are logged");
        }
        return;
    };
    let age = humanize::day(last, today);
    let message = format!("the hook last logged something {age} ({last})");
    if is_registered && (today - last).num_days() > QUIET_DAYS {
        found.note(message).remedy(
            "if you have used Claude Code since then, start a new session, so that it reads its settings",
        );
    } else {
        found.ok(message);
    }
}

// With `--deep`: whether the store is what the log says.
/// Computes the store again, beside the one in use, and compares the two; the store stays as it is.
pub(super) fn check_deep(seen: &Seen<'_>, found: &mut Findings) {
    if !seen.is_deep {
        return;
    }
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    match compare(&seen.session.paths) {
        Ok(None) => {
            let message =
                "nothing to compare yet; `plantune report` computes the store from the log";
            found.note(message);
        }
        Ok(Some(differences)) if differences.is_empty() => {
            found.ok("the store matches the log");
        }
        Ok(Some(differences)) => {
            for difference in differences {
                let failed = found.failed(difference.to_string());
                difference
                    .rows
                    .iter()
                    .fold(failed, Finding::remedy)
                    .remedy("run `plantune report`, which rebuilds the store from the log");
            }
        }
        // The next run computes it again; the check of the store says so.
        Err(IngestError::Broken(_)) => {
            found.note("not compared: the store is damaged");
        }
        Err(error) => {
            let not_compared = found.failure(&refresh::failure(seen.session, &error));
            // A store that is held is not wrong.
            if matches!(error, IngestError::Held { .. }) {
                not_compared.status = Status::Warning;
            }
        }
    }
}

// Since when it is known what the person allowed, and what they are asked although a rule seems to cover it.
/// Since when approvals are known, and the prompts that came although a rule seems to cover them.
pub(super) fn check_permissions(seen: &Seen<'_>, found: &mut Findings) {
    if let Some(contents) = seen.contents() {
        judge_permissions(contents, found);
        although(seen.session, found);
    }
}

fn judge_permissions(contents: &Contents, found: &mut Findings) {
    let prompts = counted(contents.prompts, "prompt", "prompts");
    let message = match contents.approvals_since {
        Some(since) => {
            let day = since.date_naive();
            let message = format!("approvals are known since {day}; {prompts} for permission");
            return found.ok(message);
        }
        None if contents.prompts > 0 => {
            format!("{prompts} for permission; only refusals are known")
        }
        None => "no permission prompts are known yet".to_owned(),
    };
    found.note(message).remedy(SINCE);
}

/// How many days of prompts are held against the rules.
const DAYS: i64 = 28;

/// How many reasons are named.
const MOST_REASONS: usize = 3;

/// The prompts of the last weeks that a rule of the person seems to cover, and why they came; nothing if they
/// cannot be read.
fn although(session: &Session, found: &mut Findings) {
    let reasons = reasons_of(session).unwrap_or_default();
    let count: usize = reasons.iter().map(|one| one.prompts).sum();
    if count == 0 {
        return;
    }
    let note = found.note(format!(
        "{} of the last four weeks came although a rule of yours seems to cover them",
        counted(count, "prompt", "prompts")
    ));
    for CountedNearMiss { although, prompts } in reasons.iter().take(MOST_REASONS) {
        let words = near_miss_in_words(although);
        note.remedy(format!("{prompts} × {}: {words}", although.rule));
    }
    note.remedy("`plantune report SUBJECT` says it of each");
}

fn reasons_of(session: &Session) -> Option<Vec<CountedNearMiss>> {
    // Not the session's: whoever reads that leaves summaries of it, and doctor leaves nothing.
    let store = store::open(&session.paths).ok().flatten()?;
    let mut prompts = store.prompt_history(None).ok()?;
    let since = session.now.naive_utc() - TimeDelta::days(DAYS);
    prompts.retain(|one| one.at >= since);
    let known = rule_proposals::rules(session, None, &prompts);
    let own = session.registry().ok()?.own_reaches();
    Some(near_misses(&prompts, &known.rules, own))
}

/// Transcripts say from this version on who allowed a call.
const SINCE: &str = "the hook logs new ones; `plantune import claude-code` reads earlier ones, approvals \
                     from Claude Code 2.1.294 on";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::Status;
    use plantune_query::health::Contents;

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
            (health(1, None), Status::Note, "rebuilds it as 2"),
            (health(3, None), Status::Failed, "knows versions up to 2"),
        ] {
            let mut found = Findings::default();
            judge_store(&health, &mut found);
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

    #[test]
    fn what_is_known() {
        let day = "2026-11-19T10:00:00Z".parse().ok();
        for (prompts, approvals_since, status, words) in [
            (0, None, Status::Note, "no permission prompts are known yet"),
            (
                2,
                None,
                Status::Note,
                "2 prompts for permission; only refusals",
            ),
            (
                1,
                day,
                Status::Ok,
                "known since 2026-11-19; 1 prompt for permission",
            ),
        ] {
            let contents = Contents {
                prompts,
                approvals_since,
                ..Contents::default()
            };
            let mut found = Findings::default();
            judge_permissions(&contents, &mut found);
            assert_eq!(found.checks[0].status, status);
            assert!(found.checks[0].message.contains(words), "{found:?}");
        }
    }
}
