//! Spot checks: the person is asked anyway for a share of the calls that preferences would answer, so that a changed
//! habit is noticed.
//!
//! The calls of a preference are counted in a file, with eight bytes per call. The number of calls from one check to
//! the next is drawn again each time, and is `1 / share` on average. The first process to append a call decides it, so
//! a hook that is registered twice, and runs twice at once, decides once.

use std::fs::File;
use std::io;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use plantune_domain::event::{AnsweredBy, Choice};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Level, Scope};
use plantune_domain::question::Question;
use plantune_domain::state::{
    CheckRecord, Stands, State, checks, checks_file, count_file, counted,
};
use plantune_domain::{hash, spool};

use crate::marks::PlannedCheck;

/// The size in bytes at which a count file starts over.
const LONGEST: u64 = 64 * 1024;

/// How many extra records to read, to allow for calls that other hooks append meanwhile.
const MEANWHILE: u64 = 16;

/// The preference that gives an answer, with its checks so far.
pub(crate) struct ByPreference {
    /// The file that counts its calls.
    pub(crate) count: PathBuf,
    pub(crate) scope: Scope,
    /// True if it was set on trial.
    pub(crate) on_trial: bool,
    /// Its state.
    pub(crate) stands: Stands,
}

/// The preference that answers `question` with `choice`, which gets the preference's level by its checks; `None` if
/// something else answers.
pub(crate) fn by_preference(
    paths: &Paths,
    question: &Question,
    choice: &mut Choice,
    project: &str,
) -> Option<ByPreference> {
    let AnsweredBy::Preference {
        scope,
        set_at,
        level,
        ..
    } = &mut choice.by
    else {
        return None;
    };
    let count = count_file(paths, *scope, project, &question.key, set_at.as_deref());
    let on_trial = *level == Level::Trial;
    let stands = counted(&count, on_trial);
    *level = match stands.state {
        State::OnTrial => Level::Trial,
        State::On | State::Stopped => Level::Standing,
    };
    Some(ByPreference {
        count,
        scope: *scope,
        on_trial,
        stands,
    })
}

/// One preference that could answer, and how often it is checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckedPreference<'a> {
    /// The file that counts its calls.
    pub count: PathBuf,
    /// The question's key.
    pub key: &'a str,
    /// The share of calls to ask (0–1).
    pub share: f64,
}

/// True when the person is asked the call `id` although preferences could answer it: when a check of one of them is due.
///
/// When nothing can be counted, the shares alone decide.
pub(crate) fn is_due(preferences: &[CheckedPreference<'_>], id: &str) -> bool {
    let mut due = false;
    let mut opened = Vec::new();
    for CheckedPreference { count, key, share } in preferences {
        // NaN is not a valid share.
        if share.is_nan() || *share <= 0.0 {
            continue;
        }
        let least = (2.0 / share) as usize;
        let digest = u128::from_be_bytes(hash::digest(&["spot_check", id, key]));
        let (call, drawn) = ((digest >> 64) as u64 & !1, digest as u64);
        let calls = spool::open_or_create(count)
            .ok()
            .and_then(|file| Some((latest(&file, least)?, file)));
        let Some((calls, file)) = calls else {
            due |= fraction(drawn) < *share;
            continue;
        };
        if let Some(asked) = find(&calls, call) {
            return asked;
        }
        let since = records(&calls).rev().take_while(|call| call & 1 == 0);
        due |= since.count() + 1 >= wait(count, &calls, *share);
        opened.push((file, call, least));
    }
    let mut decided = due;
    // The first count decides for all hooks of this call, so it is written last, when the others are complete.
    for (file, call, least) in opened.iter().rev() {
        let record = call | u64::from(due);
        let written = (&*file).write(&record.to_le_bytes()).ok();
        let asked = written.and_then(|_| find(&latest(file, *least)?, *call));
        decided = asked.unwrap_or(due);
    }
    decided
}

/// After how many calls the next check is due: between `0.5 / share` and `1.5 / share` calls after the last one. The
/// id of that check draws the number. The first check comes within `1 / share` calls.
fn wait(count: &Path, calls: &[u8], share: f64) -> usize {
    let last = records(calls).rfind(|call| call & 1 == 1);
    let calls = match last {
        Some(last) => 0.5 + fraction(last),
        None => fraction(u128::from_be_bytes(hash::digest(&[&name_of(count)])) as u64),
    };
    (calls / share).round() as usize
}

/// `drawn` as a number from 0 to 1.
fn fraction(drawn: u64) -> f64 {
    drawn as f64 / u64::MAX as f64
}

/// The name of the file `count`.
pub(crate) fn name_of(count: &Path) -> String {
    let name = count.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whether the person was asked, by the first record of `call`.
fn find(calls: &[u8], call: u64) -> Option<bool> {
    let first = records(calls).find(|record| record & !1 == call)?;
    Some(first & 1 == 1)
}

fn records(calls: &[u8]) -> impl DoubleEndedIterator<Item = u64> {
    let (records, _) = calls.as_chunks();
    records.iter().map(|record| u64::from_le_bytes(*record))
}

/// The latest calls: at least `least`, plus a few more. A file that is too long or ends in half a record starts over,
/// with a call that the person is asked.
fn latest(file: &File, least: usize) -> Option<Vec<u8>> {
    let length = file.metadata().ok()?.len();
    if length > LONGEST || length % 8 != 0 {
        file.set_len(0).ok()?;
        return Some(vec![0; least.min(LONGEST as usize) * 8]);
    }
    let most = (least as u64 + MEANWHILE) * 8;
    let mut calls = vec![0; length.min(most) as usize];
    let start = length.saturating_sub(most);
    let read = file.read_at(&mut calls, start).ok()?;
    calls.truncate(read);
    Some(calls)
}

// Results of checks, in a file next to the count of the preference's calls. None of this needs the store.

/// The least time between two agreeing checks of a preference that count, in seconds. Time cannot be forged: a program
/// that makes up calls needs eight hours for what a person does in eight dialogs.
const BETWEEN: u64 = 60 * 60;

/// Records that the person answered the call `id`, which was asked as a `check`, at `now` (Unix seconds). Returns the
/// preference's new state if this check changed it.
///
/// An agreeing check that would change nothing, or that comes too soon, is not recorded.
///
/// # Errors
/// File system errors.
pub(crate) fn record_check(
    paths: &Paths,
    id: &str,
    check: &PlannedCheck,
    agrees: bool,
    now: i64,
) -> io::Result<Option<Stands>> {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_name(&check.count) {
        return Ok(None);
    }
    let count = paths.checks().join(&check.count);
    let call = u128::from_be_bytes(hash::digest(&["check", id])) as u64;
    let known = checks(&count);
    let before = counted(&count, check.on_trial);
    let is_soon = |one: &CheckRecord| one.agrees && one.at.abs_diff(now) < BETWEEN;
    let counts = match before.state {
        State::Stopped => false,
        State::OnTrial => !agrees || !known.iter().any(is_soon),
        State::On => !agrees,
    };
    if !counts || known.iter().any(|one| one.call == call) {
        return Ok(None);
    }
    let record = CheckRecord {
        call,
        at: now,
        agrees,
    };
    // One write, so that two hooks at once cannot mix their records.
    (&spool::open_or_create(&checks_file(&count))?).write_all(&record.to_bytes())?;
    let after = counted(&count, check.on_trial);
    Ok((after.state != before.state).then_some(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::paths::Paths;
    use plantune_domain::preferences::Scope;
    use plantune_domain::state::count_file;

    const SHARE: f64 = 0.06;

    fn count<'k>(paths: &Paths, key: &'k str, share: f64) -> CheckedPreference<'k> {
        let set_at = Some("2026-11-20T10:00:00.000Z");
        CheckedPreference {
            count: count_file(paths, Scope::Global, "p", key, set_at),
            key,
            share,
        }
    }

    #[test]
    fn checks_come_as_often_as_the_share_says_and_none_is_late() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        // README.md and docs/suggestions.md say one in seventeen, and one in three.
        for (share, one_in) in [(SHARE, 16.7), (1.0 / 3.0, 3.0), (0.5, 2.0), (1.0, 1.0)] {
            let key = format!("k{share}");
            let counts = [count(&paths, &key, share)];
            let due: Vec<bool> = (0..4000)
                .map(|call| is_due(&counts, &format!("toolu_{call}")))
                .collect();
            let times = due.iter().filter(|due| **due).count() as f64 / 4000.0;
            assert!((times * one_in - 1.0).abs() < 0.06, "{times}");
            let most = (1.5 / share).round() as usize;
            assert!(due.windows(most).all(|calls| calls.contains(&true)));
            assert!(due[..(1.0 / share).round() as usize].contains(&true));
            // A hook registered twice makes the same decision.
            let latest = due.iter().enumerate().skip(4000 - most);
            for (call, due) in latest {
                assert_eq!(is_due(&counts, &format!("toolu_{call}")), *due);
            }
        }
    }

    #[test]
    fn concurrent_hooks_agree() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let counts = ["a", "b"].map(|key| count(&paths, key, SHARE));
        for call in 0..200 {
            let id = format!("toolu_{call}");
            let both: Vec<bool> = std::thread::scope(|scope| {
                let hook = || scope.spawn(|| is_due(&counts, &id));
                let hooks = [hook(), hook()];
                hooks.map(|hook| hook.join().unwrap()).to_vec()
            });
            assert_eq!(both[0], both[1], "{id}");
        }
    }

    #[test]
    fn share_zero_is_never_due_and_share_one_always() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for off in [0.0, -1.0, f64::NAN] {
            let counts = [count(&paths, "k", off)];
            assert!((0..100).all(|call| !is_due(&counts, &call.to_string())));
        }
        assert!(!paths.checks().exists());
        assert!(is_due(&[count(&paths, "k", 1.0)], "a"));
    }

    #[test]
    fn count_restarts_with_a_question_asked() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let counts = [count(&paths, "k", SHARE)];
        is_due(&counts, "first");
        for broken in [vec![0; 12], vec![0; LONGEST as usize + 8]] {
            let file = spool::open_or_create(&counts[0].count).unwrap();
            (&file).write_all(&broken).unwrap();
            assert!(is_due(&counts, "a"));
            assert_eq!(file.metadata().unwrap().len(), 8);
        }
    }
}

#[cfg(test)]
mod result_tests {
    use plantune_domain::state::{Cause, ON_AFTER};

    use super::*;

    const HOUR: i64 = 60 * 60;

    fn check(on_trial: bool) -> PlannedCheck {
        PlannedCheck {
            count: "0a1b".to_owned(),
            on_trial,
            ..PlannedCheck::default()
        }
    }

    /// The new states after checks of these calls at these hours.
    fn after(on_trial: bool, checks: &[(&str, i64, bool)]) -> Vec<Option<State>> {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let record = |&(id, hours, agrees)| {
            let recorded = record_check(&paths, id, &check(on_trial), agrees, hours * HOUR);
            recorded.unwrap().map(|stands| stands.state)
        };
        checks.iter().map(record).collect()
    }

    #[test]
    fn agreeing_checks_are_counted_once_a_call_and_an_hour() {
        let ids: Vec<String> = (0..ON_AFTER).map(|id| id.to_string()).collect();
        let each = |hours: fn(i64) -> i64| -> Vec<(&str, i64, bool)> {
            let ids = (0..).zip(&ids);
            ids.map(|(at, id)| (id.as_str(), hours(at), true)).collect()
        };
        assert_eq!(after(true, &each(|at| at)).last(), Some(&Some(State::On)));
        assert!(after(true, &each(|_| 0)).iter().all(Option::is_none));
        let same: Vec<_> = (0..20).map(|at| ("same", at, true)).collect();
        assert!(after(true, &same).iter().all(Option::is_none));
    }

    #[test]
    fn every_disagreement_counts_once_a_call() {
        let (first, second) = (("a", 0, false), ("b", 0, false));
        let (again, stopped) = (Some(State::OnTrial), Some(State::Stopped));
        assert_eq!(after(true, &[first, second]), [stopped, None]);
        assert_eq!(
            after(false, &[first, first, second]),
            [again, None, stopped]
        );
        let agreed: Vec<_> = ["c", "d", "e"].map(|id| (id, 0, true)).to_vec();
        assert!(after(false, &agreed).iter().all(Option::is_none));
    }

    #[test]
    fn what_is_on_keeps_no_record_of_agreement() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for (id, agrees) in [("a", true), ("b", false), ("c", true)] {
            record_check(&paths, id, &check(false), agrees, 0).unwrap();
        }
        let count = paths.checks().join("0a1b");
        let said: Vec<bool> = checks(&count).iter().map(|one| one.agrees).collect();
        assert_eq!(said, [false, true]);
        let stands = counted(&count, false);
        assert_eq!((stands.reason, stands.agreed), (Cause::OneDisagreed, 1));
    }

    #[test]
    fn a_damaged_mark_names_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for name in ["", "../config", "0a/1b"] {
            let check = PlannedCheck {
                count: name.to_owned(),
                ..PlannedCheck::default()
            };
            assert_eq!(record_check(&paths, "t", &check, false, 0).unwrap(), None);
        }
        assert!(!paths.checks().exists());
    }
}
