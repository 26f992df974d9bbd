//! Spot checks: the person is asked anyway for a share of the calls that preferences would answer, so that a changed
//! habit is noticed.
//!
//! Calls are chosen by their ids, and every preference gets a check at least every `2 / share` calls. The calls are
//! counted in a file, with eight bytes per call. The first process to append a call decides it, so a hook that is
//! registered twice, and runs twice at once, decides once.

use std::fs::File;
use std::io;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::state::{
    CHECK_RECORD, MOST_CHECKS, State, agreed, agreed_checks, checks_that_agreed, state,
    stopped_mark,
};
use plantune_domain::{hash, private_file, spool};

use crate::marks::TrialCheck;

/// The size in bytes at which a count file starts over.
const LONGEST: u64 = 64 * 1024;

/// How many extra records to read, to allow for calls that other hooks append meanwhile.
const MEANWHILE: u64 = 16;

/// One preference that could answer, and how often it is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<'a> {
    /// The file that counts its calls.
    pub count: PathBuf,
    /// The question's key.
    pub key: &'a str,
    /// The share of calls to ask (0–1).
    pub share: f64,
}

/// True when the person is asked the call `id` although preferences could answer it: always when one of the preferences
/// is stopped, otherwise for each preference's share of calls, and at least once every `2 / share` of its calls.
///
/// When nothing can be counted, the shares alone decide.
pub fn is_due(preferences: &[Checked<'_>], id: &str) -> bool {
    if preferences
        .iter()
        .any(|one| stopped_mark(&one.count).exists())
    {
        return true;
    }
    let mut due = false;
    let mut opened = Vec::new();
    for Checked { count, key, share } in preferences {
        // NaN is not a valid share.
        if share.is_nan() || *share <= 0.0 {
            continue;
        }
        let least = (2.0 / share) as usize;
        let digest = u128::from_be_bytes(hash::digest(&["spot_check", id, key]));
        let (call, drawn) = ((digest >> 64) as u64 & !1, digest as u32);
        due |= f64::from(drawn) < share * f64::from(u32::MAX);
        let Ok(file) = spool::open_or_create(count) else {
            continue;
        };
        let Some(calls) = latest(&file, least) else {
            continue;
        };
        if let Some(asked) = find(&calls, call) {
            return asked;
        }
        let since = records(&calls).rev().take_while(|call| call & 1 == 0);
        due |= since.count() + 1 >= least;
        opened.push((file, call, least));
    }
    let mut decided = due;
    // The first count decides and comes last here: every hook of this call looks there.
    for (file, call, least) in opened.iter().rev() {
        let record = call | u64::from(due);
        let written = (&*file).write(&record.to_le_bytes()).ok();
        let asked = written.and_then(|_| find(&latest(file, *least)?, *call));
        decided = asked.unwrap_or(due);
    }
    decided
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

// Results of checks of preferences on trial. Checks that agreed are counted in a file next to the count of the
// preference's calls; one that disagreed stops the preference. None of this needs the store.

/// The state of a trial after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The state by the trial rule.
    pub state: State,
    /// How many checks agreed.
    pub agreed: u32,
    /// True for the process whose check caused this state: of two hooks registered for one event, only one reports it.
    pub is_news: bool,
}

/// Records the result of the check of the call `id`. `None` when the check's count has no valid file name.
///
/// # Errors
/// File system errors.
pub fn record_check(
    paths: &Paths,
    id: &str,
    check: &TrialCheck,
    agrees: bool,
) -> io::Result<Option<Progress>> {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_name(&check.count) {
        return Ok(None);
    }
    let count = paths.checks().join(&check.count);
    if agrees {
        return agree(&count, id).map(Some);
    }
    Ok(Some(Progress {
        state: State::Stopped,
        agreed: agreed(&count),
        is_news: stop(paths, &count)?,
    }))
}

fn agree(count: &Path, id: &str) -> io::Result<Progress> {
    let digest = hash::digest(&["trial", id]);
    let call: [u8; CHECK_RECORD] = digest.first_chunk().copied().unwrap_or_default();
    let known = checks_that_agreed(count);
    let is_news = !known.contains(&call);
    if is_news && known.len() < MOST_CHECKS {
        // One write, so that two hooks of one call cannot mix their records.
        (&spool::open_or_create(&agreed_checks(count))?).write_all(&call)?;
    }
    Ok(Progress {
        state: state(count, true),
        agreed: agreed(count),
        is_news,
    })
}

/// Stops the preference whose calls are counted in `count`; false when it is already stopped.
fn stop(paths: &Paths, count: &Path) -> io::Result<bool> {
    create_private_dir(&paths.checks())?;
    match private_file::create_new(&stopped_mark(count)) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::paths::Paths;
    use plantune_domain::preferences::Scope;
    use plantune_domain::state::count_file;

    const SHARE: f64 = 0.05;

    fn count<'k>(paths: &Paths, key: &'k str, share: f64) -> Checked<'k> {
        let set_at = Some("2026-11-20T10:00:00.000Z");
        Checked {
            count: count_file(paths, Scope::Global, "p", key, set_at),
            key,
            share,
        }
    }

    #[test]
    fn share_is_due_at_least_once_in_forty() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for (share, one_in) in [(SHARE, 17.4), (0.2, 4.5)] {
            let key = format!("k{share}");
            let counts = [count(&paths, &key, share)];
            let due: Vec<bool> = (0..4000)
                .map(|call| is_due(&counts, &format!("toolu_{call}")))
                .collect();
            let times = due.iter().filter(|due| **due).count() as f64 / 4000.0;
            // README.md and docs/suggestions.md say one in seventeen: a call is drawn, or it is the fortieth.
            assert!((times * one_in - 1.0).abs() < 0.12, "{times}");
            let least = (2.0 / share) as usize;
            assert!(due.windows(least).all(|calls| calls.contains(&true)));
            // A hook registered twice makes the same decision.
            let latest = due.iter().enumerate().skip(4000 - least);
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
    fn share_zero_and_stopped_preferences() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for off in [0.0, -1.0, f64::NAN] {
            let counts = [count(&paths, "k", off)];
            assert!((0..100).all(|call| !is_due(&counts, &call.to_string())));
        }
        assert!(!paths.checks().exists());
        assert!(is_due(&[count(&paths, "k", 1.0)], "a"));
        let counts = [count(&paths, "k", 0.0)];
        plantune_domain::atomic_file::replace(&stopped_mark(&counts[0].count), b"", 0o600).unwrap();
        assert!(is_due(&counts, "b"));
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
mod trial_checks_tests {
    use plantune_domain::state::ON_AFTER;

    use super::*;

    fn check() -> TrialCheck {
        TrialCheck {
            count: "0a1b".to_owned(),
            ..TrialCheck::default()
        }
    }

    #[test]
    fn agreeing_checks_are_counted_once_a_call() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let record = |id: &str| record_check(&paths, id, &check(), true).unwrap().unwrap();
        for number in 0..ON_AFTER {
            let progress = record(&format!("toolu_{number}"));
            assert_eq!((progress.agreed, progress.is_news), (number + 1, true));
            let again = record(&format!("toolu_{number}"));
            assert_eq!((again.agreed, again.is_news), (number + 1, false));
        }
        assert_eq!(record("toolu_0").state, State::On);
        assert_eq!(agreed(&paths.checks().join("0a1b")), ON_AFTER);
    }

    #[test]
    fn one_disagreement_stops() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let record = || record_check(&paths, "t", &check(), false).unwrap().unwrap();
        assert_eq!((record().state, record().is_news), (State::Stopped, false));
        assert!(stopped_mark(&paths.checks().join("0a1b")).exists());
    }

    #[test]
    fn a_damaged_mark_names_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for name in ["", "../config", "0a/1b"] {
            let check = TrialCheck {
                count: name.to_owned(),
                ..TrialCheck::default()
            };
            assert_eq!(record_check(&paths, "t", &check, false).unwrap(), None);
        }
        assert!(!paths.checks().exists());
    }
}
