//! Spot checks: a share of the calls that preferences would answer is put to the person all the
//! same, so that a habit that changes is noticed.
//!
//! Which calls these are follows from their ids, and every preference has one at least every
//! `2 / share` calls. That takes a count, in a file of eight bytes a call. Whoever appends a call
//! first has decided it, so that a hook registered twice, which runs twice at once, says one thing.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::hash;
use crate::paths::{Paths, create_private_dir};
use crate::preferences::Scope;

/// How long a count gets, in bytes, before it begins anew.
const LONGEST: u64 = 64 * 1024;

/// How many calls more than needed are looked at: those that other hooks append meanwhile.
const MEANWHILE: usize = 16;

/// The file that counts the calls of one preference. One that is set anew is another one.
pub fn count_file(
    paths: &Paths,
    scope: Scope,
    project: &str,
    key: &str,
    set_at: Option<&str>,
) -> PathBuf {
    let project = match scope {
        Scope::Project => project,
        Scope::Global => "",
    };
    let parts = [scope.name(), project, key, set_at.unwrap_or_default()];
    paths.checks().join(hash::hex(&parts))
}

/// The file whose presence says that the preference of this count has lost its standing:
/// `plantune` puts it there when the person's answers keep differing.
pub fn withdrawn_mark(count: &Path) -> PathBuf {
    count.with_extension("withdrawn")
}

/// True when the call `id` is put to the person although the preferences of `counts` could answer
/// it: always where one of them has lost its standing, else for the given share (0–1) of the calls,
/// and at least every `2 / share` calls of each preference.
///
/// Where nothing can be counted, the share alone decides.
pub fn is_due(counts: &[PathBuf], share: f64, id: &str) -> bool {
    if counts.iter().any(|count| withdrawn_mark(count).exists()) {
        return true;
    }
    // What is no number is no share either.
    if share.is_nan() || share <= 0.0 {
        return false;
    }
    let least = (2.0 / share) as usize;
    let mut due = false;
    for (index, count) in counts.iter().enumerate() {
        let (call, drawn) = draw(id, count);
        due |= drawn < share;
        let Ok(calls) = open(count).and_then(|file| latest(&file, least)) else {
            continue;
        };
        if index == 0
            && let Some(asked) = find(&calls, call)
        {
            return asked;
        }
        let since = calls.iter().rev().take_while(|call| **call & 1 == 0);
        due |= since.count() + 1 >= least;
    }
    let mut decided = due;
    for (index, count) in counts.iter().enumerate() {
        let (call, _) = draw(id, count);
        if let Ok(calls) = append(count, call | u64::from(due), least)
            && index == 0
        {
            decided = find(&calls, call).unwrap_or(due);
        }
    }
    decided
}

/// The call `id` in a count, its last bit clear, and a number from 0 to 1 that is drawn for it.
fn draw(id: &str, count: &Path) -> (u64, f64) {
    let name = count.to_string_lossy();
    let name = name.rsplit('/').next().unwrap_or_default();
    let digest = u128::from_be_bytes(hash::digest(&["spot_check", id, name]));
    let drawn = digest as u32;
    (
        (digest >> 64) as u64 & !1,
        f64::from(drawn) / f64::from(u32::MAX),
    )
}

/// Whether the person was asked, by the first record of `call`.
fn find(calls: &[u64], call: u64) -> Option<bool> {
    let mut records = calls.iter();
    records
        .find(|record| **record & !1 == call)
        .map(|record| record & 1 == 1)
}

fn open(count: &Path) -> io::Result<File> {
    let open = || {
        OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(count)
    };
    match (open(), count.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            create_private_dir(folder)?;
            open()
        }
        (opened, _) => opened,
    }
}

/// The latest calls, `least` of them and a few. A count that is too long or holds half a record
/// begins anew, with a call that the person was asked.
fn latest(file: &File, least: usize) -> io::Result<Vec<u64>> {
    let length = file.metadata()?.len();
    if length > LONGEST || length % 8 != 0 {
        file.set_len(0)?;
        return Ok(vec![0; least]);
    }
    let most = (least.saturating_add(MEANWHILE) as u64).saturating_mul(8);
    let mut bytes = vec![0; length.min(most).min(LONGEST) as usize];
    let read = file.read_at(&mut bytes, length.saturating_sub(most))?;
    let read = bytes.get(..read).unwrap_or_default();
    Ok(read
        .as_chunks()
        .0
        .iter()
        .map(|record| u64::from_le_bytes(*record))
        .collect())
}

/// Appends a call, and returns the latest ones.
fn append(count: &Path, call: u64, least: usize) -> io::Result<Vec<u64>> {
    let mut file = open(count)?;
    file.write_all(&call.to_le_bytes())?;
    latest(&file, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: f64 = 0.05;

    fn count(paths: &Paths, key: &str) -> PathBuf {
        count_file(
            paths,
            Scope::Global,
            "p",
            key,
            Some("2026-11-20T10:00:00.000Z"),
        )
    }

    #[test]
    fn a_share_is_due_and_never_none_of_forty() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        for share in [SHARE, 0.2] {
            let counts = [count(&paths, &format!("k{share}"))];
            let due: Vec<bool> = (0..4000)
                .map(|call| is_due(&counts, share, &format!("toolu_{call}")))
                .collect();
            let times = due.iter().filter(|due| **due).count() as f64 / 4000.0;
            assert!((share * 0.9..share * 1.3).contains(&times), "{times}");
            let least = (2.0 / share) as usize;
            assert!(due.windows(least).all(|calls| calls.contains(&true)));
            // Whoever asks again is told the same: a hook registered twice.
            let latest = due.iter().enumerate().skip(4000 - least);
            for (call, due) in latest {
                assert_eq!(is_due(&counts, share, &format!("toolu_{call}")), *due);
            }
        }
    }

    #[test]
    fn hooks_that_run_at_once_agree() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let counts = [count(&paths, "a"), count(&paths, "b")];
        for call in 0..200 {
            let id = format!("toolu_{call}");
            let both: Vec<bool> = std::thread::scope(|scope| {
                let hook = || scope.spawn(|| is_due(&counts, SHARE, &id));
                let hooks = [hook(), hook()];
                hooks.map(|hook| hook.join().unwrap()).to_vec()
            });
            assert_eq!(both[0], both[1], "{id}");
        }
    }

    #[test]
    fn off_is_off_and_what_lost_its_standing_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let counts = [count(&paths, "k")];
        for off in [0.0, -1.0, f64::NAN] {
            assert!((0..100).all(|call| !is_due(&counts, off, &call.to_string())));
        }
        assert!(!paths.checks().exists());
        assert!(is_due(&counts, 1.0, "a"));
        crate::atomic_file::replace(&withdrawn_mark(&counts[0]), b"", 0o600).unwrap();
        assert!(is_due(&counts, 0.0, "b"));
    }

    #[test]
    fn a_count_begins_anew_with_an_asking() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let counts = [count(&paths, "k")];
        is_due(&counts, SHARE, "first");
        for broken in [vec![0; 12], vec![0; LONGEST as usize + 8]] {
            let file = OpenOptions::new().append(true).open(&counts[0]).unwrap();
            (&file).write_all(&broken).unwrap();
            assert!(is_due(&counts, SHARE, "a"));
            assert_eq!(file.metadata().unwrap().len(), 8);
        }
    }

    #[test]
    fn a_preference_set_anew_counts_anew() {
        let paths = Paths::below("/p".into());
        let of = |scope, project, set_at| count_file(&paths, scope, project, "k", set_at);
        let one = of(Scope::Project, "p", Some("1"));
        assert_ne!(one, of(Scope::Project, "p", Some("2")));
        assert_ne!(one, of(Scope::Project, "q", Some("1")));
        assert_ne!(one, of(Scope::Global, "p", Some("1")));
        assert_eq!(of(Scope::Global, "p", None), of(Scope::Global, "q", None));
    }
}
