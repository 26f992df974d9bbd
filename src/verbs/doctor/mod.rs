//! `plantune doctor`: whether everything works, and how to fix what does not.
//!
//! A check changes, loads and migrates nothing; `--fix` repairs before the checks. What has to be tried out is tried in
//! folders of its own.

mod clients;
mod data;

use std::path::Path;

use plantune_query::StoreError;
use plantune_query::health::{Contents, health};
use plantune_reports::doctor::{DoctorFindings, Finding, Status};
use plantune_reports::text::shell_word;

use self::clients::{Callers, FoundHook};
use self::data::FoundSegment;
use crate::document::Document;
use crate::failure::Failure;
use crate::request::maintenance::DoctorRequest;
use crate::session::Session;
use crate::terminal::consent;

/// Looks at something and adds what it finds.
type Look = fn(&Seen<'_>, &mut DoctorFindings);

/// Repairs something, after asking unless the first argument is true.
type Fix = fn(bool, &Session) -> Result<(), Failure>;

/// The check after which the folders are left alone, where a repository may have brought them.
const ROOTS: &str = "roots";

/// The checks in their order: what their lines are called, what looks, and what `--fix` does where that is one action.
const CHECKS: [(&str, Look, Option<Fix>); 17] = [
    ("hook", clients::hook, None),
    ("hook_release", clients::release, None),
    ("hook_home", clients::homes, None),
    ("registration", clients::registration, Some(clients::fix)),
    ("other_hooks", clients::other_hooks, None),
    ("claude_code", clients::claude_code, None),
    ("agents", clients::agents, None),
    (ROOTS, data::roots, None),
    ("folders", data::folders, Some(data::close)),
    ("spool", data::spool, None),
    ("store", data::store, None),
    ("last_event", data::last_event, None),
    ("quarantine", data::quarantine, Some(data::read_again)),
    ("config", data::config, None),
    ("registry", data::registry, None),
    ("deciding", data::deciding, None),
    ("preferences", data::preferences, None),
];

/// The state that the checks look at.
struct Seen<'a> {
    session: &'a Session,
    callers: Callers,
    hooks: Vec<FoundHook>,
    /// The segments of the log.
    segments: Vec<FoundSegment>,
    /// What the store holds, or why it cannot be read.
    store: Result<Contents, StoreError>,
}

/// The command that repairs, for who cannot be asked.
const COMMAND: &str = "plantune doctor --fix";

/// How many lines in quarantine a terminal gets.
const LISTED: u32 = 20;

/// Checks everything and writes what was found to standard output.
///
/// # Errors
/// Failed (exit code 1) when a check failed, or standard output cannot be written.
pub(crate) fn run(request: &DoctorRequest, session: &Session) -> Result<Document, Failure> {
    if request.quarantine {
        session.check_roots()?;
        let limit = (!request.json).then_some(LISTED);
        let found = session.ask(|store| store.quarantine(limit))?;
        return Document::of(&found, request.json, session);
    }
    if request.fix {
        // What is copied is asked about only where settings change with it.
        consent::is_person(session, COMMAND)?;
        session.check_roots()?;
        for fix in CHECKS.iter().filter_map(|(_, _, fix)| *fix) {
            fix(request.yes, session)?;
        }
    }
    let findings = check_all(session);
    let document = Document::of(&findings, request.json, session)?;
    let has_failed = |check: &&Finding| check.status == Status::Failed;
    match findings.checks.iter().filter(has_failed).count() {
        0 => Ok(document),
        1 => Ok(document.but(Failure::failed("one check failed"))),
        many => Ok(document.but(Failure::failed(format!("{many} checks failed")))),
    }
}

fn check_all(session: &Session) -> DoctorFindings {
    let callers = Callers::read(session);
    let seen = Seen {
        session,
        hooks: clients::hooks(&callers, session),
        callers,
        segments: data::segments(&session.paths.events()),
        store: health(&session.paths.store()),
    };
    let mut found = DoctorFindings::default();
    for (name, look, _) in CHECKS {
        found.name = name;
        look(&seen, &mut found);
        if name == ROOTS && session.refusal().is_some() {
            break;
        }
    }
    found
}

/// Adds that the check failed, with what `failure` says.
fn fail<'f>(found: &'f mut DoctorFindings, failure: &Failure) -> &'f mut Finding {
    let found = found.add(Status::Failed, failure.message());
    failure.hints().iter().fold(found, Finding::remedy)
}

/// `path` as a word of a shell command.
fn word(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use plantune_domain::atomic_file::replace;
    use plantune_domain::paths::{Paths, create_private_dir};
    use tempfile::TempDir;

    use crate::environment::Environment;

    /// A home with `files`, in 1970.
    pub(super) fn home(files: &[(&str, &str)]) -> (TempDir, Session) {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new()
            .permissions(private)
            .tempdir()
            .unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            create_private_dir(path.parent().unwrap()).unwrap();
            replace(&path, text.as_bytes(), 0o600).unwrap();
        }
        let environment = Environment {
            paths: Paths::below(folder.path().to_owned()),
            now: chrono::DateTime::UNIX_EPOCH,
            agent_session: None,
            is_unattended: false,
            transcripts: None,
            colour: false,
            time_zone: None,
            width: 80,
        };
        (folder, Session::new(environment))
    }

    /// The state of `session`, in which nobody calls a hook.
    pub(super) fn seen(session: &Session) -> Seen<'_> {
        Seen {
            session,
            callers: Callers::default(),
            hooks: Vec::new(),
            segments: data::segments(&session.paths.events()),
            store: health(&session.paths.store()),
        }
    }

    /// The findings of one check.
    pub(super) fn of(look: Look, seen: &Seen<'_>) -> Vec<Finding> {
        let mut found = DoctorFindings::default();
        look(seen, &mut found);
        found.checks
    }

    #[test]
    fn names_are_given_once() {
        let names: std::collections::BTreeSet<_> = CHECKS.iter().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), CHECKS.len());
    }
}
