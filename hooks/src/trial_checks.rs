//! How the checks of preferences on trial went: what agreed is counted in a file beside the count of the
//! preference's calls, and one that disagreed stops it. Nothing of it needs the store.

use std::io::{self, Write as _};
use std::path::Path;

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::spot_check::{
    CHECK_RECORD, MOST_CHECKS, agreed, agreed_checks, checks_that_agreed, state, stopped_mark,
};
use plantune_domain::state::State;
use plantune_domain::{hash, private_file, spool};

use crate::marks::TrialCheck;

/// How a trial stands after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// As the rule says.
    pub state: State,
    /// How many checks agreed.
    pub agreed: u32,
    /// True for the process whose check it was that made it so: of two hooks that are registered for one
    /// event, one reports it.
    pub is_news: bool,
}

/// Records how the check of the call `id` went. `None` for a check of which nothing is known.
///
/// # Errors
/// Those of the file system.
pub fn record(
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

/// Stops the preference whose calls are counted in `count`; false when it is stopped already.
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
        let record = |id: &str| record(&paths, id, &check(), true).unwrap().unwrap();
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
        let record = || record(&paths, "t", &check(), false).unwrap().unwrap();
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
            assert_eq!(record(&paths, "t", &check, false).unwrap(), None);
        }
        assert!(!paths.checks().exists());
    }
}
