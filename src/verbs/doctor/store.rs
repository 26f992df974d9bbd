//! Whether log and store can be read, what they hold, and whether the hook still logs.

use std::fs::File;
use std::path::Path;

use chrono::NaiveDate;
use plantune_ingest::{Error as IngestError, compare, was_killed};
use plantune_query::Error;
use plantune_query::health::{Health, health};
use plantune_reports::amount::counted;
use plantune_reports::when;

use super::spool::Segment;
use super::{Finding, Findings, Seen, Status, word};
use crate::claude_settings::editor::{Edited, StatusLineOwner};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile, lock};
use crate::claude_settings::plugins::Plugin;
use crate::claude_settings::{SettingsScope, editor, path_text, plugins};
use crate::failure::Failure;
use crate::installed_hook::{Copied, InstalledHook, status_line_command};
use crate::terminal::consent;
use crate::verbs::doctor::{folders, spool};
use crate::workspace::refresh::PUT_BACK;
use crate::workspace::{Workspace, refresh};
use crate::{claude_settings, platform, terminal, workspace};

const STORE: &str = "store";

/// Days without an event after which it is worth a word.
const QUIET_DAYS: i64 = 14;

/// Reads log and store.
pub(super) fn check_store(seen: &Seen<'_>, found: &mut Findings) {
    let workspace = seen.workspace;
    let (paths, now) = (&workspace.paths, workspace.now);
    let segments = spool::segments(&paths.events());
    spool::check_spool(&paths.events(), &segments, found);
    let segments = segments.unwrap_or_default();
    let path = paths.store();
    let health = health(&path, spool::SHOWN);
    match &health {
        Ok(health) if health.contents.is_some() && was_killed(paths) => {
            let message = "the last run was killed; the next `plantune report` computes it again";
            found.note(STORE, message);
        }
        Ok(health) => judge_store(health, found),
        Err(Error::Missing(_)) => {
            found
                .note(
                    STORE,
                    "there is none yet; the first `plantune report` makes it",
                )
                .remedy("run `plantune import claude-code` to learn from past sessions");
        }
        Err(error) => unreadable(&path, error, found),
    }
    if health.is_ok() {
        let fact = format!("nothing can be written to {}", path.display());
        folders::file_is_closed(STORE, &path, &fact, found);
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
    for gone in workspace::segments(paths, &contents) {
        found
            .warning("missing_segments", format!("gone from the log: {gone}"))
            .remedy(PUT_BACK)
            .remedy("without one, the next command computes the store without these events");
    }
    spool::check_quarantine(&contents, now, found);
    // Somebody may have written these by hand.
    if contents.unasked > 0 {
        let answers = counted(contents.unasked, "answer", "answers");
        let message = format!("{answers} to questions that no hook and no transcript knows");
        found.warning(STORE, message).remedy(
            "nothing rests on them; `plantune report --all --all` shows what was answered when",
        );
    }
    folders::check_permissions(&contents, found);
    folders::although(workspace, found);
}

/// Why the store in `path` could not be read: it is held, not ours to read, or no store.
fn unreadable(path: &Path, error: &Error, found: &mut Findings) {
    let shown = path.display();
    if let Error::Held(holder) = error {
        found
            .warning(STORE, format!("in use by another process: {holder}"))
            .remedy("run this again when that has ended");
    } else if let Err(error) = File::open(path) {
        found
            .failed(STORE, format!("{shown} cannot be read: {error}"))
            .remedy(format!("run `chmod 600 {}`", word(path)));
    } else if matches!(error, Error::Broken(_)) {
        found
            .warning(STORE, format!("{shown}: {error}"))
            .remedy("the next `plantune report` computes it again from the log");
    } else {
        found
            .failed(STORE, format!("{shown}: {error}"))
            .remedy("nothing was changed; if a newer plantune wrote it, install the newest");
    }
}

fn judge_store(health: &Health, found: &mut Findings) {
    let (version, known) = (health.version, health.known);
    match &health.contents {
        Some(contents) => {
            let events = counted(contents.events, "event", "events");
            let questions = counted(contents.questions, "question", "questions");
            found.ok(STORE, format!("{events}, {questions} (schema {version})"));
        }
        None if version > known => {
            let message =
                format!("it has schema version {version}, and this plantune knows {known} at most");
            found
                .failed(STORE, message)
                .remedy("install the newest plantune; a newer one wrote this store");
        }
        None => {
            let next = format!("the next `plantune report` computes it again as {known}");
            found.note(STORE, format!("it has schema version {version}; {next}"));
        }
    }
}

fn judge_silence(
    last: Option<NaiveDate>,
    is_registered: bool,
    today: NaiveDate,
    found: &mut Findings,
) {
    const STORE: &str = "last_event";
    let Some(last) = last else {
        if is_registered {
            found
                .note(STORE, "the hook has logged nothing yet")
                .remedy("sessions of Claude Code that start from now on are logged");
        }
        return;
    };
    let age = when::day(last, today);
    let message = format!("the hook last logged something {age} ({last})");
    if is_registered && (today - last).num_days() > QUIET_DAYS {
        found.note(STORE, message).remedy(
            "if you used Claude Code since, start a new session: it reads its settings then",
        );
    } else {
        found.ok(STORE, message);
    }
}

// With `--deep`: whether the store is what the log says.

const DEEP: &str = "tables";

/// Computes the store again, beside the one in use, and compares the two; the store stays as it is.
pub(super) fn check_deep(seen: &Seen<'_>, found: &mut Findings) {
    if !seen.is_deep {
        return;
    }
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    match compare(&seen.workspace.paths) {
        Ok(None) => {
            let message =
                "nothing to compare yet; `plantune ingest` computes the store from the log";
            found.note(DEEP, message);
        }
        Ok(Some(differences)) if differences.is_empty() => {
            found.ok(DEEP, "the store is what the log says");
        }
        Ok(Some(differences)) => {
            for difference in differences {
                let failed = found.failed(DEEP, difference.to_string());
                difference.rows.iter().fold(failed, Finding::remedy).remedy(
                    "run `plantune ingest --rebuild`: it computes the store again from the log",
                );
            }
        }
        // The next run computes it again; the check of the store says so.
        Err(IngestError::Broken(_)) => {
            found.note(DEEP, "not compared: the store is damaged");
        }
        Err(error) => {
            let not_compared = found.failure(DEEP, &refresh::failure(seen.workspace, &error));
            // A store that is held is not wrong.
            if matches!(error, IngestError::Held { .. }) {
                not_compared.status = Status::Warning;
            }
        }
    }
}

// `plantune doctor --fix`: the log read again where lines of it could not become events, or the store is damaged.

/// Reads the log again where that may help, and says how many lines became events, and how many stay. A newer
/// plantune does so by itself when it knows more events than an older one did; this is for a segment of the log
/// that was repaired by hand.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(super) fn read_log_again(workspace: &Workspace) -> Result<(), Failure> {
    let helps = match health(&workspace.paths.store(), 0) {
        Ok(health) => health
            .contents
            .is_some_and(|contents| !contents.quarantine.is_empty()),
        Err(Error::Missing(_)) => false,
        Err(_) => true,
    };
    if !helps {
        return Ok(());
    }
    consent::may_change_log(workspace, "plantune doctor --fix")?;
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    let before = writer
        .quarantined_lines()
        .map_err(|error| refresh::failure(workspace, &error))?;
    refresh::announce(workspace, writer.reason());
    writer.discard();
    let after = refresh::load(workspace, &mut writer)?.quarantined;
    terminal::print(&describe(before, after))
}

/// What became of the lines. `before` is `None` when there was no store that knew of them.
fn describe(before: Option<u64>, after: u64) -> String {
    let read = before.map_or(0, |before| before.saturating_sub(after));
    if after == 0 && read == 0 {
        return "the quarantine is empty: every line that was read is an event\n".to_owned();
    }
    let left = if after == 0 {
        "none is left\n".to_owned()
    } else {
        format!(
            "{after} {}; `plantune doctor --quarantine` shows them\n",
            if after == 1 { "stays" } else { "stay" }
        )
    };
    format!("lines taken out of quarantine: {read}\n{left}")
}

// `plantune doctor --fix`: has the registered hook be the one of this plantune, where it stays.

/// Brings the hook's copy up to date where somebody calls it, and what is registered in the person's own
/// settings. Registers nothing where nothing is.
///
/// # Errors
/// Refused in an agent's session and where the person cannot be asked; failed without a hook of this release.
pub(super) fn repair_hook(yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    const COMMAND: &str = "plantune doctor --fix";
    // What is copied is asked about only where settings change with it.
    consent::is_person(workspace, COMMAND)?;
    workspace.check_roots()?;
    let _lock = lock(workspace)?;
    let installed = InstalledHook::of(&workspace.paths);
    let source = claude_settings::ours()?;
    let plugins = plugins::ours(workspace);
    let mut is_called = plugins.iter().any(Plugin::starts_the_copy);
    for scope in [SettingsScope::User, SettingsScope::Local] {
        // What cannot be read, the checks name.
        let Ok(file) = SettingsFile::open(workspace, scope) else {
            continue;
        };
        let Ok(Some(edited)) = repaired(&file, &installed) else {
            continue;
        };
        if edited.changes.is_empty() {
            is_called = true;
            continue;
        }
        let arguments = ChangeArguments {
            scope,
            dry_run: false,
            yes,
        };
        let rules = file.journal(workspace)?.rules().unwrap_or_default();
        let copy = || bring_up_to_date(workspace, &installed, &source);
        let sentence = format!(
            "plantune's entries in {} are repaired ({}), so that its hook is called again.",
            file.name(),
            terminal::sanitized(&edited.summary())
        );
        let change = SettingsChange {
            sentence: &sentence,
            command: COMMAND,
            after: Some(&edited.text),
            rules: Some(&rules),
        };
        is_called |= file.change(workspace, &arguments, &change, copy)?;
    }
    if is_called {
        bring_up_to_date(workspace, &installed, &source)?;
    }
    Ok(())
}

/// The settings of `file` with what they call of plantune's leading to the installed hook; `None` where they
/// call nothing.
fn repaired(file: &SettingsFile, installed: &InstalledHook) -> Result<Option<Edited>, Failure> {
    let conflict = |problem| file.conflict(&problem);
    let found = editor::inspect(file.text()).map_err(conflict)?;
    let command = path_text(installed.path())?;
    let owner = editor::status_line_owner(file.text()).map_err(conflict)?;
    let has_line = matches!(owner, StatusLineOwner::Ours(_));
    let line = has_line.then(|| status_line_command(&command));
    let hook = (!found.registrations.is_empty()).then_some(&*command);
    let edited = Edited::unchanged(file.text())
        .with(hook, editor::install)
        .and_then(|edited| edited.with(line.as_deref(), editor::install_status_line))
        .map_err(conflict)?;
    Ok((line.is_some() || hook.is_some()).then_some(edited))
}

/// Copies the hook where it is not copied yet, and says so.
fn bring_up_to_date(
    workspace: &Workspace,
    installed: &InstalledHook,
    source: &Path,
) -> Result<(), Failure> {
    let copied = installed.bring_up_to_date(source, workspace.now)?;
    if copied != Copied::Nothing {
        terminal::print(&installed.report(&copied))?;
    }
    installed
        .remove_old(workspace.now)
        .map(drop)
        .map_err(|error| Failure::failed(format!("an old copy of the hook stays: {error}")))
}

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
            (health(1, None), Status::Note, "computes it again as 2"),
            (health(3, None), Status::Failed, "knows 2 at most"),
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
    fn lines_read_and_left() {
        assert!(describe(Some(0), 0).starts_with("the quarantine is empty"));
        assert!(describe(None, 0).starts_with("the quarantine is empty"));
        assert_eq!(
            describe(Some(2), 0),
            "lines taken out of quarantine: 2\nnone is left\n"
        );
        assert!(describe(Some(13), 12).contains("\n12 stay; "));
        assert!(describe(None, 1).contains("\n1 stays; "));
    }
}
