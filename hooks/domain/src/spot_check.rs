//! The files by which checks are counted, and by which a preference is stopped.

use std::path::{Path, PathBuf};

use crate::paths::Paths;
use crate::preferences::Scope;
use crate::state::{self, State};
use crate::{hash, private_file};

/// The file that counts the calls of one preference. A preference that is set again has a new count.
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
    let parts = [scope.as_str(), project, key, set_at.unwrap_or_default()];
    paths.checks().join(hash::hex(&parts))
}

/// The file whose presence means that the preference of this count is stopped: the hook creates it for one on
/// trial, and `plantune` for any other.
pub fn stopped_mark(count: &Path) -> PathBuf {
    // What earlier versions have stopped stays so.
    beside(count, ".withdrawn")
}

/// The file that holds the checks that agreed with the preference of this count, which is on trial:
/// eight bytes each.
pub fn agreed_checks(count: &Path) -> PathBuf {
    beside(count, ".agreed")
}

/// The length of the record of a check in [`agreed_checks`], in bytes.
pub const CHECK_RECORD: usize = 8;

/// So many checks of a trial are counted: it has long been on then.
pub const MOST_CHECKS: usize = 64;

/// The calls of the checks that agreed with the preference of this count, each once.
pub fn checks_that_agreed(count: &Path) -> Vec<[u8; CHECK_RECORD]> {
    // Hooks that ran at once may have recorded a call twice.
    let most = 2 * MOST_CHECKS * CHECK_RECORD;
    let bytes = private_file::read(&agreed_checks(count), most as u64).unwrap_or_default();
    let (records, _) = bytes.as_chunks();
    let mut calls = Vec::new();
    for record in records {
        if !calls.contains(record) {
            calls.push(*record);
        }
    }
    calls
}

/// How many checks agreed with the preference of this count.
pub fn agreed(count: &Path) -> u32 {
    u32::try_from(checks_that_agreed(count).len()).unwrap_or(u32::MAX)
}

/// How the preference of this count, which was set on trial or not, stands by the files that the hook keeps.
pub fn state(count: &Path, on_trial: bool) -> State {
    if stopped_mark(count).exists() {
        return State::Stopped;
    }
    let agreed = match on_trial {
        true => checks_that_agreed(count).len(),
        false => 0,
    };
    state::stands(on_trial, std::iter::repeat_n(true, agreed)).state
}

fn beside(count: &Path, ending: &str) -> PathBuf {
    // Not `with_extension`, which is a good deal of code for a hook.
    let mut path = count.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_preference_has_its_own_count() {
        let paths = Paths::below("/p".into());
        let of = |scope, project, set_at| count_file(&paths, scope, project, "k", set_at);
        let one = of(Scope::Project, "p", Some("1"));
        assert_ne!(one, of(Scope::Project, "p", Some("2")));
        assert_ne!(one, of(Scope::Project, "q", Some("1")));
        assert_ne!(one, of(Scope::Global, "p", Some("1")));
        assert_eq!(of(Scope::Global, "p", None), of(Scope::Global, "q", None));
    }
}
