//! Whether the hook can read every preference, and obeys it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_domain::gate::check_preference;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Level, Preference, PreferenceFile};
use plantune_domain::registry::Registry;

use plantune_reports::amount::counted;

use super::check::{Check, word};
use crate::preferences::renamed::renamed;
use crate::workspace::Workspace;

const NAME: &str = "preferences";

/// Reads every file of preferences.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    // What the registry says is left out when it cannot be read, which is said elsewhere.
    let empty = Registry::default();
    let registry = workspace.registry().unwrap_or(&empty);
    let paths = &workspace.paths;
    let mut checks = Vec::new();
    let (mut all, mut inert) = (0, 0);
    let (mut on_trial, mut assisting) = (0, 0);
    let files = match files(paths) {
        Ok(files) => files,
        Err(error) => {
            let folder = paths.config().join("projects");
            let message = format!("{} cannot be read: {error}", folder.display());
            let check = Check::failed(NAME, message);
            checks.push(check.remedy(format!("run `chmod 700 {}`", word(&folder))));
            vec![paths.global_preferences()]
        }
    };
    for path in &files {
        match &*workspace.preference_file(path) {
            Ok(None) => {}
            Ok(Some(file)) => {
                checks.extend(misplaced(paths, path, file));
                all += file.preferences.len() as u64;
                let of = |is: fn(&Preference) -> bool| {
                    file.preferences.values().filter(|one| is(one)).count() as u64
                };
                on_trial += of(|one| one.preference.answers() && one.level() == Level::Trial);
                assisting += of(|one| one.preference.assists());
                let is_inert = |(key, entry): &(&String, &Preference)| {
                    let policy = entry.preference;
                    ((policy.answers() || policy.assists()) && !entry.is_bound())
                        || check_preference(key, entry, registry).is_err()
                        || renamed(key, entry, registry).is_some()
                };
                inert += file.preferences.iter().filter(is_inert).count() as u64;
            }
            Err(message) => checks.push(unreadable(path, message)),
        }
    }
    if checks.is_empty() {
        let message = match all {
            0 => "none is set: every question is asked".to_owned(),
            all => {
                let all = counted(all, "preference", "preferences");
                format!("{all}{}", levels(on_trial, assisting))
            }
        };
        checks.push(Check::ok(NAME, message));
    }
    checks.extend(judge_inert(inert));
    checks
}

/// How many of the preferences do less than answer, in brackets; nothing without any.
fn levels(on_trial: u64, assisting: u64) -> String {
    let trial = (on_trial > 0).then(|| format!("{on_trial} on trial"));
    let assist = match assisting {
        0 => None,
        1 => Some("1 hint".to_owned()),
        many => Some(format!("{many} hints")),
    };
    let parts: Vec<String> = trial.into_iter().chain(assist).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    }
}

/// The global file and every project's, whether there or not.
fn files(paths: &Paths) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![paths.global_preferences()];
    let entries = match fs::read_dir(paths.config().join("projects")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
        entries => entries?,
    };
    for entry in entries {
        files.push(entry?.path().join("preferences.json"));
    }
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, message: &str) -> Check {
    let check = Check::failed(NAME, message);
    if message.contains("others may write it") {
        check.remedy(format!(
            "look through it, then run `chmod 600 {}`",
            word(path)
        ))
    } else {
        check.remedy("correct it, or move it away; until then its questions are asked")
    }
}

/// A file that says it is for one project and lies where the hook looks for another's.
fn misplaced(paths: &Paths, path: &Path, file: &PreferenceFile) -> Option<Check> {
    let project = file.project.as_deref()?;
    let right = paths.project_preferences(project);
    (right != path).then(|| {
        let message = format!(
            "{} is not where those of {project} are looked for",
            path.display()
        );
        Check::warning(NAME, message).remedy(format!("move it to {}", word(&right)))
    })
}

fn judge_inert(inert: u64) -> Option<Check> {
    (inert > 0).then(|| {
        let what = counted(inert, "preference is", "preferences are");
        let message = format!("{what} not obeyed: such questions are always asked");
        Check::note("inert_preferences", message)
            .remedy("run `plantune prefs list` to see which, and why")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;
    use crate::workspace::environment::Environment;

    fn home(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
        }
        let paths = Paths::below(folder.path().to_owned());
        let environment = Environment {
            paths,
            now: chrono::DateTime::UNIX_EPOCH,
            agent_session: None,
            transcripts: None,
            colour: false,
            time_zone: None,
            width: 80,
        };
        (folder, Workspace::new(environment))
    }

    #[test]
    fn what_is_not_obeyed_is_counted() {
        let text = r#"{"version":1,"preferences":{
            "colour":{"preference":"never-ask","answer":"Blue","question":"Which colour?",
                "options":["Blue","Red"]},
            "unbound":{"preference":"never-ask"},
            "size":{"preference":"never-ask","answer":"S","level":"trial","question":"Which size?",
                "options":["S","L"]},
            "place":{"preference":"assist","answer":"Here","question":"Where?",
                "options":["Here","There"]},
            "delete-user-data":{"preference":"never-ask","question":"Fine?",
                "options":["Yes","No"]}}}"#;
        let (_folder, workspace) = home(&[("preferences.json", text)]);
        let checks = check(&workspace);
        assert_eq!(checks[0].message, "5 preferences (1 on trial, 1 hint)");
        assert!(
            checks[1]
                .message
                .starts_with("2 preferences are not obeyed"),
            "{}",
            checks[1].message
        );
    }

    #[test]
    fn every_file_is_read() {
        let (_folder, workspace) = home(&[
            ("projects/broken/preferences.json", "{"),
            (
                "projects/elsewhere/preferences.json",
                r#"{"version":1,"project":"github.com/a/b","preferences":{}}"#,
            ),
        ]);
        let statuses: Vec<_> = check(&workspace).iter().map(|check| check.status).collect();
        assert_eq!(statuses, [Status::Failed, Status::Warning]);
        let (_folder, workspace) = home(&[]);
        assert_eq!(check(&workspace)[0].status, Status::Ok);
    }
}
