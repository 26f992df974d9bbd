//! Whether preferences are where they are looked for, whole, obeyed, and about questions that are asked.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use plantune_domain::gate;
use plantune_domain::gate::{ProposedAnswer, check_preference};
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_query::Store;
use plantune_query::questions::KnownQuestions;
use plantune_reports::amount::counted;
use plantune_reports::text::one_line;

use super::Seen;
use super::check::{Findings, word};
use crate::preferences::files::Found;
use crate::preferences::{files, marks};
use crate::workspace::Workspace;

const NAME: &str = "preferences";

/// How many notes about single preferences are shown.
const MOST: usize = 20;

/// How much of a text is shown, in columns.
const SHOWN: usize = 400;

/// Reads every file of preferences, and holds each against the registry and the store.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    check_files(seen.workspace, found);
}

fn check_files(workspace: &Workspace, found: &mut Findings) {
    let files = files::all(workspace);
    let before = found.checks.len();
    let folder = workspace.paths.config().join("projects");
    if let Err(error) = fs::read_dir(&folder)
        && error.kind() != ErrorKind::NotFound
    {
        found
            .failed(
                NAME,
                format!("{} cannot be read: {error}", folder.display()),
            )
            .remedy(format!("run `chmod 700 {}`", word(&folder)));
    }
    files
        .iter()
        .for_each(|file| problem(file, workspace, found));
    if found.checks.len() == before {
        found.ok(NAME, sums(&files, workspace));
    }
    let empty = Registry::default();
    let registry = workspace.registry().unwrap_or(&empty);
    let remarks = all(&files).filter_map(|(file, key, one)| file.remark(key, one, registry));
    if let inert @ 1.. = remarks.count() {
        let what = counted(inert, "preference is", "preferences are");
        let message = format!("{what} not obeyed: such questions are always asked");
        found
            .note("inert_preferences", message)
            .remedy("run `plantune prefs list` to see which, and why");
    }
    if let Ok(registry) = workspace.registry() {
        in_use(&files, registry, workspace, found);
    }
}

/// Why none of the preferences in `file` is obeyed, if so.
fn problem(file: &Found, workspace: &Workspace, found: &mut Findings) {
    let Some(problem) = file.problem.as_deref() else {
        return;
    };
    let right = file.project.as_deref();
    let right = right.map(|project| workspace.paths.project_preferences(project));
    if let Some(right) = right.filter(|right| *right != file.path) {
        let remedy = format!("move it to {}", word(&right));
        found.warning(NAME, problem).remedy(remedy);
    } else if problem.contains("others may write it") {
        let remedy = format!("look through it, then run `chmod 600 {}`", word(&file.path));
        found.failed(NAME, problem).remedy(remedy);
    } else {
        found
            .failed(NAME, problem)
            .remedy("correct it, or move it away; until then its questions are asked");
    }
}

/// How many there are, and at which levels.
fn sums(files: &[Found], workspace: &Workspace) -> String {
    let of = |is: fn(&Preference) -> bool| all(files).filter(|(_, _, one)| is(one)).count();
    let in_state = |wanted: State| {
        let is = |(file, key, one): &(&Found, &String, &Preference)| {
            one.preference.answers() && state_of(file, key, one, workspace) == wanted
        };
        all(files).filter(is).count()
    };
    let levels = [
        (in_state(State::OnTrial), ["on trial"; 2]),
        (in_state(State::Stopped), ["stopped"; 2]),
        (of(|one| one.preference.assists()), ["hint", "hints"]),
    ];
    let levels = levels.iter().filter(|(count, _)| *count > 0);
    let levels: Vec<String> = levels
        .map(|(count, [one, many])| counted(*count, one, many))
        .collect();
    match (of(|_| true), levels.is_empty()) {
        (0, _) => "none is set: every question is asked".to_owned(),
        (all, true) => counted(all, "preference", "preferences"),
        (all, false) => {
            let all = counted(all, "preference", "preferences");
            format!("{all} ({})", levels.join(", "))
        }
    }
}

/// How a preference stands by what the hook keeps: the store may be what is wrong here.
fn state_of(file: &Found, key: &str, preference: &Preference, workspace: &Workspace) -> State {
    marks::standing(&workspace.paths, &file.preference_scope(), key, preference).state
}

/// What is to be said of single preferences: those that are not obeyed, are about no question that was asked, or say
/// what another one says.
fn in_use(files: &[Found], registry: &Registry, workspace: &Workspace, found: &mut Findings) {
    let keys: Vec<&str> = all(files).map(|(_, key, _)| key.as_str()).collect();
    let store = (!keys.is_empty()).then(|| Store::open(&workspace.paths.store()).ok());
    let known = store
        .flatten()
        .and_then(|store| KnownQuestions::load(&store, &keys, registry).ok());
    let global: BTreeMap<&String, &Preference> = files
        .iter()
        .filter(|file| file.scope == Scope::Global)
        .flat_map(|file| &file.preferences)
        .collect();
    let mut texts = Vec::new();
    for (file, key, preference) in all(files) {
        let remark = file.remark(key, preference, registry);
        let remark = remark.map(|remark| format!("not obeyed, {remark}"));
        let known = known.as_ref();
        let known = known.and_then(|known| against_store(file, key, preference, known, registry));
        let global = global.get(key).filter(|_| file.scope == Scope::Project);
        let global = global.map(|global| match value(preference) == value(global) {
            true => "the global preference says the same".to_owned(),
            // The hook asks then.
            false => "the global preference says otherwise, so it is asked".to_owned(),
        });
        let is_stopped = preference.preference.answers()
            && state_of(file, key, preference, workspace) == State::Stopped;
        let stopped = is_stopped.then(|| "stopped: it is asked every time".to_owned());
        let of_one = [remark, stopped, known, global].into_iter().flatten();
        texts.extend(of_one.map(|text| (file, key, text)));
    }
    for (file, key, text) in texts.iter().take(MOST) {
        let scope = match (&file.scope, &file.project) {
            (Scope::Global, _) => "global",
            (Scope::Project, Some(project)) => project,
            (Scope::Project, None) => "a project it does not name",
        };
        let [key, scope, text] = [key.as_str(), scope, text].map(|text| one_line(text, SHOWN));
        found.note("preference", format!("{key} ({scope}): {text}"));
    }
    if let more @ 1.. = texts.len().saturating_sub(MOST) {
        found
            .note("preference", format!("{more} more of the same kinds"))
            .remedy("run `plantune prefs list` to see them");
    }
}

fn all(files: &[Found]) -> impl Iterator<Item = (&Found, &String, &Preference)> {
    files.iter().flat_map(|file| {
        let entries = file.preferences.iter();
        entries.map(move |(key, preference)| (file, key, preference))
    })
}

/// What the store says about a preference: its question was never asked, must be asked as it was last
/// asked, or no longer offers the pinned label.
fn against_store(
    file: &Found,
    key: &str,
    preference: &Preference,
    known: &KnownQuestions,
    registry: &Registry,
) -> Option<String> {
    let Some(known) = known.of(key, file.project.as_deref()) else {
        return Some("no such question was ever asked".to_owned());
    };
    let proposed = ProposedAnswer {
        key,
        text: &known.question,
        header: known.header.as_deref(),
        options: &known.options,
        label: preference.answer.as_deref(),
        description: "",
        preview: "",
    };
    if let Err(difference) = preference.covers(&known.shown()) {
        return Some(format!(
            "not obeyed as it was last asked ({})",
            difference.as_str()
        ));
    }
    if preference.preference != Policy::AlwaysAsk
        && check_preference(key, preference, registry).is_ok()
        && let Err(refusal) = gate::check(&proposed, registry)
    {
        let reason = one_line(&refusal.to_string(), SHOWN);
        return Some(format!("not obeyed as it was last asked, {reason}"));
    }
    let offered = |pinned: &str| known.options.iter().any(|label| same_label(label, pinned));
    let missing = preference
        .answer
        .as_deref()
        .filter(|pinned| !offered(pinned));
    missing.map(|pinned| {
        let pinned = one_line(pinned, SHOWN);
        format!("its answer \"{pinned}\" was not among the options when it was last asked")
    })
}

fn value(preference: &Preference) -> (Policy, Option<String>) {
    let answer = preference.answer.as_deref().map(str::to_lowercase);
    (preference.preference, answer)
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use plantune_domain::paths::Paths;

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
            is_unattended: false,
            transcripts: None,
            colour: false,
            time_zone: None,
            width: 80,
        };
        (folder, Workspace::new(environment))
    }

    fn checked(workspace: &Workspace) -> Findings {
        let mut found = Findings::default();
        check_files(workspace, &mut found);
        found
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
        let found = checked(&workspace).checks;
        assert_eq!(found[0].message, "5 preferences (1 on trial, 1 hint)");
        let message = &found[1].message;
        assert!(
            message.starts_with("2 preferences are not obeyed"),
            "{message}"
        );
    }

    #[test]
    fn a_value_that_is_not_known_is_named() {
        for (field, value) in [("key_source", "guess"), ("set_by", "agent")] {
            let text = format!(
                r#"{{"version":1,"preferences":{{
                "colour":{{"preference":"never-ask","answer":"Blue","{field}":"{value}","question":"Which colour?",
                    "options":["Blue","Red"]}},
                "size":{{"preference":"never-ask","answer":"S","key_source":"marker","set_by":"dialog",
                    "question":"Which size?","options":["S","L"]}}}}}}"#
            );
            let (_folder, workspace) = home(&[("preferences.json", &text)]);
            let found = checked(&workspace).checks;
            let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
            let named = format!("`{field}` is \"{value}\", which plantune does not know");
            let named = messages.iter().filter(|message| message.contains(&named));
            assert_eq!(named.count(), 1, "{messages:?}");
            assert!(
                messages[1].starts_with("1 preference is not obeyed"),
                "{messages:?}"
            );
        }
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
        let found = checked(&workspace).checks;
        let statuses: Vec<_> = found.iter().map(|one| one.status).collect();
        assert_eq!(statuses, [Status::Failed, Status::Warning]);
        let (_folder, workspace) = home(&[]);
        assert_eq!(checked(&workspace).checks[0].status, Status::Ok);
    }
}
