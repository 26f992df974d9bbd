//! Spot checks: a share of the calls that preferences would answer is asked all the
//! same, so that a habit that changes is noticed.
//!
//! Which calls these are follows from their ids, and every preference has one at least every
//! `2 / share` calls. That takes a count, in a file of eight bytes a call. Whoever appends a call
//! first has decided it, so that a hook registered twice, which runs twice at once, decides once.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use plantune_domain::spot_check::stopped_mark;
use plantune_domain::{hash, platform, spool};

/// How long a count gets, in bytes, before it starts again.
const LONGEST: u64 = 64 * 1024;

/// How many calls more than needed are looked at: those that other hooks append meanwhile.
const MEANWHILE: u64 = 16;

/// One preference that could answer, and how often it is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<'a> {
    /// The file that counts its calls.
    pub count: PathBuf,
    /// The question's key.
    pub key: &'a str,
    /// The share (0–1) of the calls that is asked.
    pub share: f64,
}

/// True when the call `id` is asked although preferences could answer it: always where
/// one of them is stopped, else for the share of the calls that each of them has, and at least
/// every `2 / share` calls of it.
///
/// Where nothing can be counted, the shares alone decide.
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
        // What is no number is no share either.
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
    // The first count is the last one here, and it decides: every hook of this call looks there.
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

/// The latest calls, `least` of them and a few. A count that is too long or holds half a record
/// starts again, with a call that the person is asked.
fn latest(file: &File, least: usize) -> Option<Vec<u8>> {
    let length = file.metadata().ok()?.len();
    if length > LONGEST || length % 8 != 0 {
        file.set_len(0).ok()?;
        return Some(vec![0; least.min(LONGEST as usize) * 8]);
    }
    let most = (least as u64 + MEANWHILE) * 8;
    let mut calls = vec![0; length.min(most) as usize];
    let start = length.saturating_sub(most);
    let read = platform::read_at(file, &mut calls, start).ok()?;
    calls.truncate(read);
    Some(calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::paths::Paths;
    use plantune_domain::preferences::Scope;
    use plantune_domain::spot_check::count_file;

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
            // A hook registered twice decides the same.
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
