//! Whether preferences are where they are looked for, whole, obeyed, and about questions that are asked.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use plantune_domain::gate::{self, ProposedAnswer, check_preference};
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::known::KnownQuestions;
use plantune_reports::amount::counted;
use plantune_reports::inert::one_line;

use super::check::{Check, word};
use crate::preferences::files::{self, Found};
use crate::preferences::renamed::renamed;
use crate::workspace::Workspace;

const NAME: &str = "preferences";

/// How many notes about single preferences are shown.
const MOST: usize = 20;

/// How much of a text is shown, in columns.
const SHOWN: usize = 400;

/// Reads every file of preferences, and holds each against the registry and the store.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    let empty = Registry::default();
    let registry = workspace.registry().unwrap_or(&empty);
    let found = files::all(workspace);
    let mut checks: Vec<Check> = unreadable_folder(workspace).into_iter().collect();
    checks.extend(found.iter().filter_map(|file| problem(file, workspace)));
    if checks.is_empty() {
        checks.push(Check::ok(NAME, sums(&found)));
    }
    let inert = all(&found).filter(|(file, key, one)| {
        file.unbound(key, one).is_some()
            || check_preference(key, one, registry).is_err()
            || renamed(key, one, registry).is_some()
    });
    if let inert @ 1.. = inert.count() {
        let what = counted(inert, "preference is", "preferences are");
        let message = format!("{what} not obeyed: such questions are always asked");
        let check = Check::note("inert_preferences", message);
        checks.push(check.remedy("run `plantune prefs list` to see which, and why"));
    }
    checks.extend(in_use(&found, workspace));
    checks
}

fn unreadable_folder(workspace: &Workspace) -> Option<Check> {
    let folder = workspace.paths.config().join("projects");
    let error = fs::read_dir(&folder).err()?;
    (error.kind() != ErrorKind::NotFound).then(|| {
        Check::failed(
            NAME,
            format!("{} cannot be read: {error}", folder.display()),
        )
        .remedy(format!("run `chmod 700 {}`", word(&folder)))
    })
}

/// Why none of the preferences in `file` is obeyed, if so.
fn problem(file: &Found, workspace: &Workspace) -> Option<Check> {
    let problem = file.problem.as_deref()?;
    let right = file.project.as_deref();
    let right = right.map(|project| workspace.paths.project_preferences(project));
    Some(match right.filter(|right| *right != file.path) {
        Some(right) => Check::warning(NAME, problem).remedy(format!("move it to {}", word(&right))),
        None if problem.contains("others may write it") => Check::failed(NAME, problem).remedy(
            format!("look through it, then run `chmod 600 {}`", word(&file.path)),
        ),
        None => Check::failed(NAME, problem)
            .remedy("correct it, or move it away; until then its questions are asked"),
    })
}

/// How many there are, and at which levels.
fn sums(found: &[Found]) -> String {
    let of = |is: fn(&Preference) -> bool| all(found).filter(|(_, _, one)| is(one)).count();
    let levels = [
        (
            of(|one| one.preference.answers() && one.level() == Level::Trial),
            ["on trial"; 2],
        ),
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
            format!(
                "{} ({})",
                counted(all, "preference", "preferences"),
                levels.join(", ")
            )
        }
    }
}

/// What is to be said of single preferences: those that are not obeyed, are about no question that was asked, or say
/// what another one says.
fn in_use(found: &[Found], workspace: &Workspace) -> Vec<Check> {
    let Ok(registry) = workspace.registry() else {
        return Vec::new();
    };
    let keys: Vec<&str> = all(found).map(|(_, key, _)| key.as_str()).collect();
    let store = (!keys.is_empty()).then(|| Store::open(&workspace.paths.store()).ok());
    let known = store
        .flatten()
        .and_then(|store| KnownQuestions::load(&store, &keys, registry).ok());
    let mut findings = Vec::new();
    for (file, key, preference) in all(found) {
        let refused = check_preference(key, preference, registry).err();
        let refused = refused.map(|refusal| format!("not obeyed, {refusal}"));
        let renamed = renamed(key, preference, registry).map(|renamed| {
            let remedy = renamed.remedy(key, preference, &file.preference_scope());
            format!("not obeyed, {}; {remedy}", renamed.reason())
        });
        let known = known
            .as_ref()
            .and_then(|known| against_store(file, key, preference, known, registry));
        let texts = [refused, renamed, known].into_iter().flatten();
        findings.extend(texts.map(|text| finding(file, key, &text)));
    }
    findings.extend(disagreements(found));
    let more = findings.len().saturating_sub(MOST);
    findings.truncate(MOST);
    if more > 0 {
        let message = format!("{more} more of the same kinds");
        let check = Check::note("preference", message);
        findings.push(check.remedy("run `plantune prefs list` to see them"));
    }
    findings
}

fn all(found: &[Found]) -> impl Iterator<Item = (&Found, &String, &Preference)> {
    found.iter().flat_map(|file| {
        let entries = file.preferences.iter();
        entries.map(move |(key, preference)| (file, key, preference))
    })
}

fn finding(file: &Found, key: &str, text: &str) -> Check {
    let scope = match (&file.scope, &file.project) {
        (Scope::Global, _) => "global",
        (Scope::Project, Some(project)) => project,
        (Scope::Project, None) => "a project it does not name",
    };
    let [key, scope, text] = [key, scope, text].map(|text| one_line(text, SHOWN));
    Check::note("preference", format!("{key} ({scope}): {text}"))
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

/// Questions about which a project's preference and the global one say different things: the hook
/// asks then.
fn disagreements(found: &[Found]) -> Vec<Check> {
    let global: BTreeMap<&String, &Preference> = found
        .iter()
        .filter(|file| file.scope == Scope::Global)
        .flat_map(|file| &file.preferences)
        .collect();
    all(found)
        .filter(|(file, _, _)| file.scope == Scope::Project)
        .filter_map(|(file, key, mine)| {
            let text = if value(mine) == value(global.get(key)?) {
                "the global preference says the same"
            } else {
                "the global preference says otherwise, so it is asked"
            };
            Some(finding(file, key, text))
        })
        .collect()
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
